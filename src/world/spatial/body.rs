use nalgebra::{Matrix3, SMatrix, UnitQuaternion, Vector3};

use super::{
    FreeRotation, Outline, Pose, Shape, Twist,
    face_contact::hull_hull,
    pose::{parts, twist},
    sphere_contact::sphere_hull,
};
use crate::world::{Plane, Point, RigidBody, ball_contact::ball_ball};

/// Factor on the way that a point may move in a step, within which its contacts take part.
const ACTIVATION: f64 = 2.0;

/// A rigid body in space.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its shape.
    pub shape: Shape,
    /// Mass in kg.
    pub mass: f64,
    /// Inertia tensor about the centre of mass in kg m^2, in the axes of the body, symmetric and positive
    /// definite.
    pub inertia: Matrix3<f64>,
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

    fn inverse_tensor(&self) -> Matrix3<f64> {
        self.inertia.try_inverse().unwrap_or_default()
    }

    /// How it turns by itself over `dt` s from the spin `w` in rad/s.
    pub fn free_rotation(&self, w: &Vector3<f64>, dt: f64) -> FreeRotation {
        FreeRotation::new(&self.inertia, &self.inverse_tensor(), w, dt)
    }
}

impl RigidBody<3, 6> for Body {
    type Pose = Pose;
    type Outline<'a> = Outline<'a>;

    fn start(&self) -> (Pose, Twist) {
        (self.pose, self.twist)
    }

    fn is_fixed(&self) -> bool {
        self.fixed
    }

    fn reach(&self) -> f64 {
        self.shape.reach()
    }

    fn position(pose: &Pose) -> Vector3<f64> {
        pose.position
    }

    fn turn(pose: &Pose, vector: &Vector3<f64>) -> Vector3<f64> {
        pose.orientation * vector
    }

    fn inverse_inertia(&self) -> SMatrix<f64, 6, 6> {
        let mut inverse = SMatrix::<f64, 6, 6>::zeros();
        inverse.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(1.0 / self.mass);
        inverse.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.inverse_tensor());
        inverse
    }

    fn free_velocity(&self, velocity: &Twist, wrench: &Twist, gravity: &Vector3<f64>, dt: f64) -> Twist {
        let (linear, spin) = parts(velocity);
        let (force, torque) = parts(wrench);
        let turned = self.free_rotation(&spin, dt).end + self.inverse_tensor() * torque * dt;
        twist(&(linear + (force / self.mass + gravity) * dt), &turned)
    }

    fn advance(&self, pose: &Pose, before: &Twist, after: &Twist, dt: f64) -> Pose {
        let (linear, spin) = parts(after);
        let free = self.free_rotation(&parts(before).1, dt);
        let turn = UnitQuaternion::from_scaled_axis((free.mean + (spin - free.end)) * dt);
        let orientation = UnitQuaternion::new_normalize((pose.orientation * turn).into_inner());
        Pose { position: pose.position + linear * dt, orientation }
    }

    /// `2 dt (|v| + |w| rho) + 4 g dt^2`.
    fn activation(&self, velocity: &Twist, g: f64, dt: f64) -> f64 {
        let (linear, spin) = parts(velocity);
        ACTIVATION * dt * (linear.norm() + spin.norm() * self.shape.reach() + 2.0 * g * dt)
    }

    fn velocity_at(pose: &Pose, r: &Vector3<f64>) -> SMatrix<f64, 3, 6> {
        let mut rows = SMatrix::<f64, 3, 6>::zeros();
        rows.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(1.0);
        let turn = pose.orientation.to_rotation_matrix();
        rows.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-r.cross_matrix() * turn.matrix()));
        rows
    }

    fn outline(&self, pose: &Pose) -> Outline<'_> {
        Outline::new(&self.shape, pose)
    }

    /// Corners, or the nearest point of a sphere.
    fn plane_points(outline: &Outline<'_>, plane: &Plane<3>, margin: f64, mut found: impl FnMut(Point<3>)) {
        let normal = plane.normal;
        let mut at = |position: Vector3<f64>| {
            let gap = normal.dot(&position) - plane.offset;
            if gap <= margin {
                found(Point { position, normal, gap });
            }
        };
        match outline.shape {
            Shape::Hull(hull) => hull.corners().iter().for_each(|corner| at(outline.transform(corner))),
            Shape::Sphere { radius } => at(outline.centre - normal * *radius),
        }
    }

    fn body_points(
        first: &Outline<'_>,
        second: &Outline<'_>,
        reach: f64,
        margin: f64,
        mut found: impl FnMut(Point<3>),
    ) {
        match (first.shape, second.shape) {
            (Shape::Hull(a), Shape::Hull(b)) => {
                hull_hull(&first.hull(a), &second.hull(b), reach, margin, found);
            }
            (Shape::Sphere { radius: a }, Shape::Sphere { radius: b }) => {
                found(ball_ball((&first.centre, *a), (&second.centre, *b)));
            }
            (Shape::Sphere { radius }, Shape::Hull(hull)) => {
                sphere_hull(&first.centre, *radius, &second.hull(hull)).into_iter().for_each(found);
            }
            (Shape::Hull(hull), Shape::Sphere { radius }) => {
                let point = sphere_hull(&second.centre, *radius, &first.hull(hull));
                point.map(Point::turned).into_iter().for_each(found);
            }
        }
    }
}
