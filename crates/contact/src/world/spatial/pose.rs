use nalgebra::{SVector, UnitQuaternion, Vector3};

use crate::model::Real;

/// Velocity `(v, w)` of a body in space: its centre of mass in m/s in the axes of the world, its spin in
/// rad/s in the axes of the body. Wrenches have the same order and axes.
pub type Twist = SVector<f64, 6>;

/// Where a body in space is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose<S: Real = f64> {
    /// Centre of mass `(x, y, z)` in m.
    pub position: Vector3<S>,
    /// How it is turned: from body to world.
    pub orientation: UnitQuaternion<S>,
}

impl Pose {
    /// Not turned, at a place.
    pub fn upright(x: f64, y: f64, z: f64) -> Self {
        Self { position: Vector3::new(x, y, z), orientation: UnitQuaternion::identity() }
    }

    /// A point of the body in the world.
    pub fn transform(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.orientation * point
    }
}

/// A velocity from its parts.
pub(super) fn twist<S: Real>(linear: &Vector3<S>, spin: &Vector3<S>) -> SVector<S, 6> {
    SVector::<S, 6>::new(linear.x, linear.y, linear.z, spin.x, spin.y, spin.z)
}

/// The velocity of the centre of mass, and the spin.
pub(super) fn parts<S: Real>(twist: &SVector<S, 6>) -> (Vector3<S>, Vector3<S>) {
    (twist.fixed_rows::<3>(0).into_owned(), twist.fixed_rows::<3>(3).into_owned())
}
