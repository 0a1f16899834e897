use nalgebra::{SMatrix, SVector};

use super::{
    Bead, Facing, Joint, Motion, Partner, Plane, Point, RigidBody, Surface, Surfaces, Touch, World,
    broad_phase::{self, Ball},
    frame::contact_frame,
    joint::{self, Posed},
    refill::Refill,
    touch::{TOUCHING, rounded},
};
use crate::{contact::Link, model::Real};

/// Rigid bodies over a ground, between walls, and on each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene<B, const D: usize> {
    /// The bodies.
    pub bodies: Vec<B>,
    /// The ground, if there is one.
    pub ground: Option<Plane<D>>,
    /// Walls.
    pub walls: Vec<Plane<D>>,
    /// Gravitational acceleration in m/s^2, the height last.
    pub gravity: SVector<f64, D>,
    /// The law between every two of what may touch.
    pub surfaces: Surfaces,
    /// Pairs of bodies without extent that touch at a distance.
    pub beads: Vec<Bead>,
    /// What joins bodies to each other and to the world.
    pub joints: Vec<Joint<D>>,
}

impl<B, const D: usize> Scene<B, D> {
    /// Bodies over flat ground at height 0 under the gravity `g` in m/s^2, `surface` everywhere.
    pub fn over_ground(bodies: Vec<B>, surface: Surface, g: f64) -> Self {
        Self {
            bodies,
            ground: Some(Plane::ground()),
            gravity: SVector::from_fn(|i, _| if i == D - 1 { -g } else { 0.0 }),
            walls: Vec::new(),
            surfaces: Surfaces::uniform(surface),
            beads: Vec::new(),
            joints: Vec::new(),
        }
    }

    /// Poses and velocities at the start.
    pub fn initial_motion<const N: usize>(&self) -> Motion<B::Pose<f64>, N>
    where
        B: RigidBody<D, N>,
    {
        let start = |body: &B| {
            let (pose, velocity) = body.start();
            (pose, if body.is_fixed() { SVector::zeros() } else { velocity })
        };
        let (poses, velocities) = self.bodies.iter().map(start).unzip();
        Motion { poses, velocities }
    }

    /// The ground and the walls.
    fn planes(&self) -> impl Iterator<Item = (Partner, &Plane<D>)> {
        let walls = self.walls.iter().enumerate().map(|(index, wall)| (Partner::Wall(index), wall));
        self.ground.iter().map(|ground| (Partner::Ground, ground)).chain(walls)
    }

    /// What the touches of body `first` with `second` have in common.
    fn pairing<const N: usize>(&self, first: usize, second: Partner) -> Pairing<D>
    where
        B: RigidBody<D, N>,
    {
        let (body, plane) = match second {
            Partner::Body(other) => (Some(other), None),
            Partner::Ground => (None, self.ground.as_ref()),
            Partner::Wall(wall) => (None, Some(&self.walls[wall])),
        };
        let movable = |index: usize| (!self.bodies[index].is_fixed()).then_some(index);
        let own_reach = self.bodies[first].reach();
        Pairing {
            first,
            second,
            bodies: [movable(first), body.and_then(movable)],
            turns: own_reach > 0.0 || body.is_some_and(|body| self.bodies[body].reach() > 0.0),
            reach: body.map_or(own_reach, |body| own_reach.min(self.bodies[body].reach())),
            surface: self.surfaces.between(first, second),
            surface_velocity: plane.map_or_else(SVector::zeros, |plane| -plane.velocity),
        }
    }
}

/// What the touches of a body with another one, or a plane, have in common.
struct Pairing<const D: usize> {
    first: usize,
    second: Partner,
    bodies: [Option<usize>; 2],
    turns: bool,
    reach: f64,
    surface: Surface,
    surface_velocity: SVector<f64, D>,
}

/// A body at its pose.
type Placed<'p, 'b, B, const D: usize, const N: usize> =
    (&'p <B as RigidBody<D, N>>::Pose<f64>, &'p <B as RigidBody<D, N>>::Outline<'b, f64>);

impl<const D: usize> Pairing<D> {
    /// Writes a touch of these bodies in the place of another one; the second is left out where it is a plane.
    #[inline]
    fn write<'p, 'b, B: RigidBody<D, N>, const N: usize>(
        &self,
        touch: &mut Touch<D, N>,
        first: Placed<'p, 'b, B, D, N>,
        second: Option<Placed<'p, 'b, B, D, N>>,
        (point, frame): (Point<D>, &SMatrix<f64, D, D>),
    ) {
        let Point { position, normal, gap } = point;
        let rows =
            |body: Placed<'p, 'b, B, D, N>| B::contact_rows(frame, body, &(position - B::position(body.0)));
        touch.first = self.first;
        touch.second = self.second;
        touch.bodies = self.bodies;
        touch.jacobian[0] = rows(first);
        match second {
            Some(second) => touch.jacobian[1] = -rows(second),
            None => touch.jacobian[1].fill(0.0),
        }
        touch.point = position;
        touch.normal = normal;
        touch.gap = rounded(gap);
        touch.reach = self.reach;
        touch.turns = self.turns;
        touch.surface = self.surface;
        touch.surface_velocity = self.surface_velocity;
    }
}

/// The rows of a contact for one of its bodies: its velocity in the axes of the contact, normal first.
pub(super) fn rows_at<B: RigidBody<D, N>, const D: usize, const N: usize, S: Real>(
    point: &Point<D, S>,
    pose: &B::Pose<S>,
) -> SMatrix<S, D, N> {
    contact_frame(&point.normal) * B::velocity_at(pose, &(point.position - B::position(pose)))
}

impl<B: RigidBody<D, N>, const D: usize, const N: usize> World<D, N> for Scene<B, D> {
    type Pose = B::Pose<f64>;

    fn bodies(&self) -> usize {
        self.bodies.len()
    }

    fn inverse_inertia(&self, _motion: &Motion<B::Pose<f64>, N>, inverse: &mut Vec<SMatrix<f64, N, N>>) {
        inverse.resize_with(self.bodies.len(), SMatrix::zeros);
        for (inverse, body) in inverse.iter_mut().zip(&self.bodies) {
            *inverse = if body.is_fixed() { SMatrix::zeros() } else { body.inverse_inertia() };
        }
    }

    fn free_velocity(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        free: &mut Vec<SVector<f64, N>>,
    ) {
        free.clear();
        let bodies = self.bodies.iter().zip(&motion.velocities).zip(forces);
        free.extend(bodies.map(|((body, velocity), wrench)| {
            if body.is_fixed() {
                SVector::zeros()
            } else {
                body.free_velocity(velocity, wrench, &self.gravity, dt)
            }
        }));
    }

    fn gravity_vector(&self) -> SVector<f64, D> {
        self.gravity
    }

    fn margins(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        margins: &mut Vec<f64>,
    ) {
        let gravity = self.gravity.norm();
        margins.clear();
        let bodies = self.bodies.iter().zip(&motion.velocities).zip(forces);
        margins.extend(bodies.map(|((body, velocity), wrench)| match body.is_fixed() {
            true => 0.0,
            // What counts as touching takes part, also where nothing moves.
            false => body.activation(velocity, wrench, gravity, dt).max(TOUCHING),
        }));
    }

    fn top_speed(&self, index: usize, velocity: &SVector<f64, N>) -> f64 {
        let body = &self.bodies[index];
        if body.is_fixed() { 0.0 } else { body.top_speed(velocity) }
    }

    fn find_touches(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        margins: &[f64],
        facings: &[Facing<D>],
        touches: &mut Vec<Touch<D, N>>,
    ) {
        let mut touches = Refill::new(touches);
        let moving =
            self.bodies.iter().zip(&motion.poses).enumerate().filter(|(_, (body, _))| !body.is_fixed());
        for (first, (body, pose)) in moving {
            let outline = body.outline(pose);
            for (partner, plane) in self.planes() {
                let frame = contact_frame(&plane.normal);
                let pairing = self.pairing(first, partner);
                B::plane_points(&outline, plane, margins[first], |point| {
                    let touch = touches.next(Touch::blank);
                    pairing.write::<B, N>(touch, (pose, &outline), None, (point, &frame));
                });
            }
        }
        if self.bodies.len() < 2 {
            return;
        }
        let outlines: Vec<B::Outline<'_, f64>> =
            self.bodies.iter().zip(&motion.poses).map(|(body, pose)| body.outline(pose)).collect();
        let placed = |index: usize| (&motion.poses[index], &outlines[index]);
        let write = |touch: &mut Touch<D, N>, first: usize, second: usize, point: Point<D>| {
            let frame = contact_frame(&point.normal);
            let pairing = self.pairing(first, Partner::Body(second));
            pairing.write::<B, N>(touch, placed(first), Some(placed(second)), (point, &frame));
        };
        let ball = |(index, (body, pose)): (usize, (&B, &B::Pose<f64>))| Ball {
            centre: B::position(pose),
            radius: body.reach() + margins[index],
            is_fixed: body.is_fixed(),
        };
        let balls: Vec<_> = self.bodies.iter().zip(&motion.poses).enumerate().map(ball).collect();
        for (first, second) in broad_phase::pairs(&balls) {
            let margin = margins[first] + margins[second];
            let (own, other) = (self.bodies[first].reach(), self.bodies[second].reach());
            // Two points touch at a distance, or not at all.
            if own == 0.0 && other == 0.0 {
                continue;
            }
            let reach = own.min(other);
            let facing = facings.iter().find(|facing| facing.pair == (first, second));
            let facing = facing.map(|facing| &facing.normal);
            B::body_points(&outlines[first], &outlines[second], reach, margin, facing, |point| {
                if point.gap <= margin {
                    write(touches.next(Touch::blank), first, second, point);
                }
            });
        }
        for bead in &self.beads {
            let [first, second] = bead.particles;
            let moves = bead.particles.iter().any(|&body| !self.bodies[body].is_fixed());
            let point = bead.point(bead.particles.map(|body| B::position(&motion.poses[body])));
            if moves && point.gap <= margins[first] + margins[second] {
                let touch = touches.next(Touch::blank);
                write(touch, first, second, point);
                touch.reach = bead.distance;
            }
        }
    }

    fn facings(&self, touches: &[Touch<D, N>], facings: &mut Vec<Facing<D>>) {
        facings.clear();
        facings.extend(touches.iter().filter_map(|touch| {
            let Partner::Body(second) = touch.second else { return None };
            let are_thin = [touch.first, second].iter().all(|body| self.bodies[*body].is_thin());
            are_thin.then_some(Facing { pair: (touch.first, second), normal: touch.normal })
        }));
    }

    fn links(&self, motion: &Motion<B::Pose<f64>, N>, dt: f64, links: &mut Vec<Link<N>>) {
        let carrier = |body: usize| Posed::<B, D, N, f64>(motion.poses[body].clone());
        joint::links(&self.joints, |body| self.bodies[body].is_fixed(), carrier, dt, links);
    }

    fn advance(
        &self,
        index: usize,
        pose: &B::Pose<f64>,
        before: &SVector<f64, N>,
        after: &SVector<f64, N>,
        dt: f64,
    ) -> B::Pose<f64> {
        let body = &self.bodies[index];
        if body.is_fixed() { pose.clone() } else { body.advance(pose, before, after, dt) }
    }

    fn carried(
        &self,
        index: usize,
        before: &SVector<f64, N>,
        moved: &SVector<f64, N>,
        after: &SVector<f64, N>,
        dt: f64,
    ) -> SVector<f64, N> {
        let body = &self.bodies[index];
        if body.is_fixed() { *after } else { body.carried(before, moved, after, dt) }
    }
}
