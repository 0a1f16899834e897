//! The exact motion of a thrown point without push and restitution.

use crate::GRAVITY;

/// A point thrown from height `z0` with velocity `(vx0, vz0)` over flat ground of friction `mu`.
pub struct ThrownPoint {
    pub z0: f64,
    pub vx0: f64,
    pub vz0: f64,
    pub mu: f64,
}

impl ThrownPoint {
    /// Impact speed `vi = sqrt(vz0^2 + 2 g z0)`.
    fn impact_speed(&self) -> f64 {
        (self.vz0.powi(2) + 2.0 * GRAVITY * self.z0).sqrt()
    }

    /// Time of impact `ti = (vz0 + vi)/g`.
    pub fn impact_time(&self) -> f64 {
        (self.vz0 + self.impact_speed()) / GRAVITY
    }

    /// Sliding velocity after the impact, `v1 = sgn(vx0) max(0, |vx0| - mu vi)`.
    fn sliding_velocity(&self) -> f64 {
        self.vx0.signum() * (self.vx0.abs() - self.mu * self.impact_speed()).max(0.0)
    }

    /// When the sliding ends, `ts = ti + |v1|/(mu g)`.
    pub fn stop_time(&self) -> f64 {
        self.impact_time() + self.sliding_velocity().abs() / (self.mu * GRAVITY)
    }

    /// Position and velocity `(x, z, vx, vz)` at time `t`.
    pub fn at(&self, t: f64) -> [f64; 4] {
        let (ti, v1) = (self.impact_time(), self.sliding_velocity());
        if t < ti {
            return [
                self.vx0 * t,
                self.z0 + self.vz0 * t - GRAVITY * t * t / 2.0,
                self.vx0,
                self.vz0 - GRAVITY * t,
            ];
        }
        let s = t.min(self.stop_time()) - ti;
        let deceleration = v1.signum() * self.mu * GRAVITY;
        [self.vx0 * ti + v1 * s - deceleration * s * s / 2.0, 0.0, v1 - deceleration * s, 0.0]
    }
}
