use nalgebra::{SVector, Vector2};

use crate::model::Real;

/// Velocity `(vx, vz, omega)` of a planar body: its centre of mass in m/s, its spin in rad/s, from x
/// towards z. Forces and impulses on it have the same order: `(fx, fz, torque)`.
pub type Twist = SVector<f64, 3>;

/// Where a planar body is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose<S: Real = f64> {
    /// Centre of mass `(x, z)` in m.
    pub position: Vector2<S>,
    /// Angle in rad, from x towards z.
    pub angle: S,
}

impl<S: Real> Pose<S> {
    /// A direction of the body's axes in those of the world.
    pub fn rotate(&self, direction: &Vector2<S>) -> Vector2<S> {
        let (sin, cos) = self.angle.sin_cos();
        Vector2::new(cos * direction.x - sin * direction.y, sin * direction.x + cos * direction.y)
    }

    /// A point of the body in the world.
    pub fn transform(&self, point: &Vector2<S>) -> Vector2<S> {
        self.position + self.rotate(point)
    }
}

impl Pose {
    /// A pose from its components.
    pub fn new(x: f64, z: f64, angle: f64) -> Self {
        Self { position: Vector2::new(x, z), angle }
    }

    /// The pose after `dt` seconds at the velocity `twist`.
    pub fn advance(&self, twist: &Twist, dt: f64) -> Self {
        Self { position: self.position + twist.xy() * dt, angle: self.angle + twist.z * dt }
    }

    /// Whether every component is a finite number.
    pub fn is_finite(&self) -> bool {
        self.angle.is_finite() && self.position.iter().all(|x| x.is_finite())
    }

    /// The wrench about the centre of mass of a `force` in N at `point`, body axes, and a `torque`
    /// in N m.
    pub fn wrench(&self, point: &Vector2<f64>, force: &Vector2<f64>, torque: f64) -> Twist {
        Twist::new(force.x, force.y, torque + self.rotate(point).perp(force))
    }
}
