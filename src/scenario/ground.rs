use super::{SlidingFriction, TurningLengths};
use crate::model::Vector;

/// The ground: a plane through the origin, the surface at height 0 in its own coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ground {
    /// Friction coefficient `mu`, at least 0: that at rest, if the next says of another one in motion.
    pub friction: f64,
    /// What else there is to that friction.
    pub sliding: SlidingFriction,
    /// What of it resists turning.
    pub turning: TurningLengths,
    /// Coefficient of restitution `e`, 0 to 1.
    pub restitution: f64,
    /// Inclination in degrees; at a positive slope gravity pulls towards `+x`.
    ///
    /// Positions are measured along and normal to the ground, so a slope only turns gravity.
    pub slope: f64,
}

impl Ground {
    /// Gravity in ground coordinates, `g (sin slope, -cos slope)` in m/s^2.
    pub fn gravity<const D: usize>(&self, g: f64) -> Vector<D> {
        let mut gravity = Vector::zeros();
        if self.slope == 0.0 {
            gravity[D - 1] = -g;
        } else {
            let (sin, cos) = self.slope.to_radians().sin_cos();
            gravity[0] = g * sin;
            gravity[D - 1] = -g * cos;
        }
        gravity
    }
}
