use nalgebra::{SMatrix, Vector2};

use super::{
    Pose, Shape, Twist, disc_contact::disc_polygon, outline::Outline, polygon_contact::polygon_contact,
};
use crate::world::{Plane, Point, RigidBody, ball_contact::ball_ball};

/// Factor on the way that two bodies may come closer in a step, within which their contacts take
/// part. Measured on rods at up to 60 rad/s and 30 m/s: at 0.5 they tunnel, at 1 and 1.5 not.
const ACTIVATION: f64 = 1.5;

/// A rigid body in the plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its outline.
    pub shape: Shape,
    /// Mass in kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass in kg m^2.
    pub inertia: f64,
    /// Pose at the start.
    pub pose: Pose,
    /// Velocity at the start.
    pub twist: Twist,
    /// Whether it stays where it is; mass, inertia and velocity then do not count.
    pub fixed: bool,
}

impl Body {
    /// A uniform body at rest.
    pub fn new(shape: Shape, mass: f64, pose: Pose) -> Self {
        let inertia = shape.inertia(mass);
        Self { shape, mass, inertia, pose, twist: Twist::zeros(), fixed: false }
    }
}

impl RigidBody<2, 3> for Body {
    type Pose = Pose;
    type Outline<'a> = Outline;

    fn start(&self) -> (Pose, Twist) {
        (self.pose, self.twist)
    }

    fn is_fixed(&self) -> bool {
        self.fixed
    }

    fn reach(&self) -> f64 {
        self.shape.reach()
    }

    fn position(pose: &Pose) -> Vector2<f64> {
        pose.position
    }

    fn turn(pose: &Pose, vector: &Vector2<f64>) -> Vector2<f64> {
        pose.rotate(vector)
    }

    fn inverse_inertia(&self) -> SMatrix<f64, 3, 3> {
        SMatrix::from_diagonal(&Twist::new(1.0 / self.mass, 1.0 / self.mass, 1.0 / self.inertia))
    }

    fn free_velocity(&self, velocity: &Twist, wrench: &Twist, gravity: &Vector2<f64>, dt: f64) -> Twist {
        let acceleration = Twist::new(wrench.x / self.mass, wrench.y / self.mass, wrench.z / self.inertia);
        velocity + (acceleration + Twist::new(gravity.x, gravity.y, 0.0)) * dt
    }

    fn advance(&self, pose: &Pose, _before: &Twist, after: &Twist, dt: f64) -> Pose {
        pose.advance(after, dt)
    }

    /// `1.5 dt (|v| + |omega| rho + g dt)`.
    fn activation(&self, velocity: &Twist, g: f64, dt: f64) -> f64 {
        let speed = velocity.xy().norm() + velocity.z.abs() * self.shape.reach();
        ACTIVATION * dt * (speed + g * dt)
    }

    fn velocity_at(_pose: &Pose, r: &Vector2<f64>) -> SMatrix<f64, 2, 3> {
        SMatrix::<f64, 2, 3>::new(1.0, 0.0, -r.y, 0.0, 1.0, r.x)
    }

    fn outline(&self, pose: &Pose) -> Outline {
        Outline::at(&self.shape, pose)
    }

    /// Corners, or the lowest point of a disc.
    fn plane_points(outline: &Outline, plane: &Plane<2>, margin: f64, mut found: impl FnMut(Point<2>)) {
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

    fn body_points(
        first: &Outline,
        second: &Outline,
        reach: f64,
        margin: f64,
        mut found: impl FnMut(Point<2>),
    ) {
        match (first, second) {
            (Outline::Polygon(a), Outline::Polygon(b)) => polygon_contact(a, b, reach, margin, found),
            (Outline::Disc { centre: a, radius: ra }, Outline::Disc { centre: b, radius: rb }) => {
                found(ball_ball((a, *ra), (b, *rb)));
            }
            (Outline::Disc { centre, radius }, Outline::Polygon(corners)) => {
                disc_polygon(centre, *radius, corners).into_iter().for_each(found);
            }
            (Outline::Polygon(corners), Outline::Disc { centre, radius }) => {
                disc_polygon(centre, *radius, corners).map(Point::turned).into_iter().for_each(found);
            }
        }
    }
}
