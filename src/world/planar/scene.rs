use nalgebra::{SMatrix, Vector2};

use super::{
    Body, Pose, Twist,
    disc_contact::{disc_disc, disc_polygon},
    outline::Outline,
    polygon_contact::{Point, polygon_contact},
};
use crate::{
    contact::Link,
    world::{Coupling, Motion, Partner, Plane, Surface, Touch, World, frame::contact_frame},
};

/// Factor on the way that two bodies may come closer in a step, within which their contacts take
/// part. Measured on rods at up to 60 rad/s and 30 m/s: at 0.5 they tunnel, at 1 and 1.5 not.
const ACTIVATION: f64 = 1.5;

/// A gap in m that counts as none.
const TOUCHING: f64 = 1e-12;

/// Planar bodies over a ground, between walls, and on each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The bodies.
    pub bodies: Vec<Body>,
    /// The ground, if there is one.
    pub ground: Option<Plane<2>>,
    /// Walls.
    pub walls: Vec<Plane<2>>,
    /// Gravitational acceleration `(x, z)` in m/s^2.
    pub gravity: Vector2<f64>,
    /// What holds between two bodies where `pairs` says nothing.
    pub surface: Surface,
    /// What holds between particular partners; the first entry that fits counts.
    pub pairs: Vec<(usize, Partner, Surface)>,
    /// Rods and springs between centres of mass.
    pub couplings: Vec<Coupling>,
}

impl Scene {
    /// Bodies over flat ground at height 0 under the gravity `g` in m/s^2, `surface` everywhere.
    pub fn over_ground(bodies: Vec<Body>, surface: Surface, g: f64) -> Self {
        let ground = Plane::ground(surface);
        let gravity = Vector2::new(0.0, -g);
        Self {
            bodies,
            ground: Some(ground),
            walls: Vec::new(),
            gravity,
            surface,
            pairs: Vec::new(),
            couplings: Vec::new(),
        }
    }

    /// Poses and velocities at the start.
    pub fn initial_motion(&self) -> Motion<Pose, 3> {
        let velocity = |body: &Body| if body.fixed { Twist::zeros() } else { body.twist };
        Motion {
            poses: self.bodies.iter().map(|body| body.pose).collect(),
            velocities: self.bodies.iter().map(velocity).collect(),
        }
    }

    /// The ground and the walls.
    fn planes(&self) -> impl Iterator<Item = (Partner, &Plane<2>)> {
        let walls = self.walls.iter().enumerate().map(|(index, wall)| (Partner::Wall(index), wall));
        self.ground.iter().map(|ground| (Partner::Ground, ground)).chain(walls)
    }

    /// What holds between body `first` and `second`.
    fn surface_between(&self, first: usize, second: Partner, otherwise: Surface) -> Surface {
        let fits = |&&(a, b, _): &&(usize, Partner, Surface)| {
            (a, b) == (first, second)
                || matches!(second, Partner::Body(other) if (a, b) == (other, Partner::Body(first)))
        };
        self.pairs.iter().find(fits).map_or(otherwise, |(_, _, surface)| *surface)
    }

    /// How far a point of a body may come in a step: `1.5 dt (|v| + |omega| rho + g dt)`.
    fn activation(&self, body: &Body, velocity: &Twist, dt: f64) -> f64 {
        if body.fixed {
            return 0.0;
        }
        let speed = velocity.xy().norm() + velocity.z.abs() * body.shape.reach();
        ACTIVATION * dt * (speed + self.gravity.norm() * dt)
    }

    /// The bodies of a contact of `first` and `second` as the solver sees them.
    fn movable(&self, index: usize) -> Option<usize> {
        (!self.bodies[index].fixed).then_some(index)
    }

    fn touch(&self, first: usize, second: Partner, point: Point, motion: &Motion<Pose, 3>) -> Touch<2, 3> {
        let Point { position, normal, gap } = point;
        let rows = |index: usize| rows(&normal, &(position - motion.poses[index].position));
        let (body, plane) = match second {
            Partner::Body(other) => (Some(other), None),
            Partner::Ground => (None, self.ground.as_ref()),
            Partner::Wall(wall) => (None, Some(&self.walls[wall])),
        };
        let surface = self.surface_between(first, second, plane.map_or(self.surface, |plane| plane.surface));
        let reach = self.bodies[first].shape.reach();
        Touch {
            first,
            second,
            bodies: [self.movable(first), body.and_then(|body| self.movable(body))],
            jacobian: [rows(first), body.map_or_else(SMatrix::zeros, |body| -rows(body))],
            point: position,
            normal,
            gap: if gap.abs() < TOUCHING { 0.0 } else { gap },
            reach: body.map_or(reach, |body| reach.min(self.bodies[body].shape.reach())),
            friction: surface.friction,
            restitution: surface.restitution,
            surface_velocity: plane.map_or_else(Vector2::zeros, |plane| -plane.velocity),
        }
    }

    /// The points in which two bodies come within `margin` of each other.
    fn body_points(
        &self,
        (first, second): (usize, usize),
        outlines: &[Outline],
        margin: f64,
        mut found: impl FnMut(Point),
    ) {
        let mut within = |point: Option<Point>| {
            if let Some(point) = point.filter(|point| point.gap <= margin) {
                found(point);
            }
        };
        match (&outlines[first], &outlines[second]) {
            (Outline::Polygon(a), Outline::Polygon(b)) => {
                let reach = self.bodies[first].shape.reach().min(self.bodies[second].shape.reach());
                polygon_contact(a, b, reach, margin, |point| within(Some(point)));
            }
            (Outline::Disc { centre: a, radius: ra }, Outline::Disc { centre: b, radius: rb }) => {
                within(Some(disc_disc((a, *ra), (b, *rb))));
            }
            (Outline::Disc { centre, radius }, Outline::Polygon(corners)) => {
                within(disc_polygon(centre, *radius, corners));
            }
            (Outline::Polygon(corners), Outline::Disc { centre, radius }) => {
                let point = disc_polygon(centre, *radius, corners);
                within(point.map(|point| Point { normal: -point.normal, ..point }));
            }
        }
    }
}

/// Rows of the velocity of a point at the arm `r`: along the normal, and along the tangent
/// `(n_z, -n_x)`.
fn rows(normal: &Vector2<f64>, r: &Vector2<f64>) -> SMatrix<f64, 2, 3> {
    contact_frame(normal) * SMatrix::<f64, 2, 3>::new(1.0, 0.0, -r.y, 0.0, 1.0, r.x)
}

/// The points of a body within `margin` of a plane: corners, or the lowest point of a disc.
fn plane_points(outline: &Outline, plane: &Plane<2>, margin: f64, mut found: impl FnMut(Point)) {
    let normal = plane.normal;
    let mut at = |position: Vector2<f64>| {
        let gap = normal.dot(&position) - plane.offset;
        if gap <= margin {
            found(Point { position, normal, gap });
        }
    };
    match outline {
        Outline::Polygon(corners) => corners.iter().copied().for_each(&mut at),
        Outline::Disc { centre, radius } => at(centre - normal * *radius),
    }
}

impl World<2, 3> for Scene {
    type Pose = Pose;

    fn bodies(&self) -> usize {
        self.bodies.len()
    }

    fn inverse_inertia(&self, _motion: &Motion<Pose, 3>, inverse: &mut Vec<SMatrix<f64, 3, 3>>) {
        inverse.clear();
        inverse.extend(self.bodies.iter().map(|body| {
            if body.fixed {
                SMatrix::zeros()
            } else {
                SMatrix::from_diagonal(&Twist::new(1.0 / body.mass, 1.0 / body.mass, 1.0 / body.inertia))
            }
        }));
    }

    fn free_velocity(&self, motion: &Motion<Pose, 3>, forces: &[Twist], dt: f64, free: &mut Vec<Twist>) {
        let gravity = Twist::new(self.gravity.x, self.gravity.y, 0.0);
        free.clear();
        free.extend(self.bodies.iter().zip(&motion.velocities).zip(forces).map(
            |((body, velocity), force)| {
                if body.fixed {
                    return Twist::zeros();
                }
                let acceleration =
                    Twist::new(force.x / body.mass, force.y / body.mass, force.z / body.inertia);
                velocity + (acceleration + gravity) * dt
            },
        ));
    }

    fn gravity(&self) -> f64 {
        self.gravity.norm()
    }

    fn find_touches(&self, motion: &Motion<Pose, 3>, dt: f64, touches: &mut Vec<Touch<2, 3>>) {
        touches.clear();
        let place = |(body, pose): (&Body, &Pose)| {
            let mut outline = Outline::of(&body.shape);
            outline.place(&body.shape, pose);
            outline
        };
        let outlines: Vec<Outline> = self.bodies.iter().zip(&motion.poses).map(place).collect();
        let margins: Vec<f64> = self
            .bodies
            .iter()
            .zip(&motion.velocities)
            .map(|(body, velocity)| self.activation(body, velocity, dt))
            .collect();
        for (first, outline) in outlines.iter().enumerate().filter(|(first, _)| !self.bodies[*first].fixed) {
            for (partner, plane) in self.planes() {
                plane_points(outline, plane, margins[first], |point| {
                    touches.push(self.touch(first, partner, point, motion));
                });
            }
        }
        for first in 0..self.bodies.len() {
            for second in first + 1..self.bodies.len() {
                let (a, b) = (&self.bodies[first], &self.bodies[second]);
                let margin = margins[first] + margins[second];
                let distance = (motion.poses[first].position - motion.poses[second].position).norm();
                if a.fixed && b.fixed || distance > a.shape.reach() + b.shape.reach() + margin {
                    continue;
                }
                self.body_points((first, second), &outlines, margin, |point| {
                    touches.push(self.touch(first, Partner::Body(second), point, motion));
                });
            }
        }
    }

    fn links(&self, motion: &Motion<Pose, 3>, dt: f64, links: &mut Vec<Link<3>>) {
        links.clear();
        links.extend(self.couplings.iter().filter_map(|coupling| {
            let moves = coupling.bodies.iter().any(|body| !self.bodies[*body].fixed);
            let positions = coupling.bodies.map(|body| motion.poses[body].position);
            moves.then(|| coupling.link(positions, dt))?
        }));
    }

    fn advance(&self, index: usize, pose: &Pose, velocity: &Twist, dt: f64) -> Pose {
        if self.bodies[index].fixed { *pose } else { pose.advance(velocity, dt) }
    }
}
