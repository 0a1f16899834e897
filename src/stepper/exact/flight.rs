use super::event::EventKind;
use super::{
    drive::Drive,
    first_exit::{Guard, first_exit},
    motion::Motion,
};
use crate::model::{Vector, tangential};

impl<const D: usize> Motion<'_, D> {
    /// Flies until the point lands or the time is up; returns the seconds passed.
    pub(super) fn fly(&mut self, drive: Drive<D>, horizon: f64) -> f64 {
        let landing = self.landing(drive, horizon);
        let duration = landing.map_or(horizon, |landing| landing.after);
        let n = D - 1;
        let start = self.state;
        self.state.position += start.velocity * duration + drive.displacement(duration);
        self.state.velocity += drive.velocity_gain(duration);
        match landing {
            Some(landing) => {
                self.state.position[n] = 0.0;
                self.state.velocity[n] = landing.velocity;
            }
            None => self.state.position[n] = self.state.position[n].max(0.0),
        }
        duration
    }

    fn landing(&self, drive: Drive<D>, horizon: f64) -> Option<Landing> {
        let n = D - 1;
        let (z, vz) = (self.state.position[n], self.state.velocity[n]);
        let normal = drive.normal();
        if normal.derivative_bound(1) == 0.0 {
            return ballistic_landing(z, vz, normal.acceleration(0.0))
                .filter(|landing| landing.after <= horizon);
        }
        let after = if z > 0.0 {
            let guard = Guard {
                value: |s: f64| -(z + vz * s + normal.displacement(s)),
                slope: |s: f64| -(vz + normal.velocity_gain(s)),
                curvature: normal.derivative_bound(0),
            };
            first_exit(horizon, &guard)?
        } else {
            // A hop: z(s)/s has no root at the start, so that the landing is found to the last bit
            // however small the hop is. Its second derivative is a mean of the jerk over 3.
            let guard = Guard {
                value: |s: f64| -(vz + if s > 0.0 { normal.displacement(s) / s } else { 0.0 }),
                slope: |s: f64| match s {
                    0.0 => -0.5 * normal.acceleration(0.0),
                    _ => (normal.displacement(s) / s - normal.velocity_gain(s)) / s,
                },
                curvature: normal.derivative_bound(1) / 3.0,
            };
            first_exit(horizon, &guard)?
        };
        Some(Landing { after, velocity: (vz + normal.velocity_gain(after)).min(0.0) })
    }

    /// Applies the impact law to a point that reaches the ground: Newton's restitution, and
    /// Coulomb friction that takes at most `mu (1 + e) |vz|` off the tangential speed.
    pub(super) fn hit(&mut self) {
        let n = D - 1;
        let before = self.state.velocity;
        let approach = -before[n];
        let e = self.body.restitution;
        let slip = tangential(&before);
        let speed = slip.norm();
        let kept = speed - self.body.friction * (1.0 + e) * approach;
        let mut after = if kept > 0.0 { slip * (kept / speed) } else { Vector::zeros() };
        after[n] = e * approach;
        self.state.position[n] = 0.0;
        self.state.velocity = after;
        let impulse = (after - before) * self.body.mass;
        self.impulse += impulse;
        self.record(EventKind::Impact, impulse);
    }
}

#[derive(Debug, Clone, Copy)]
struct Landing {
    after: f64,
    velocity: f64,
}

/// When `z + vz s + a s^2/2` first becomes negative.
fn ballistic_landing(z: f64, vz: f64, a: f64) -> Option<Landing> {
    let square = vz * vz - 2.0 * a * z;
    if square < 0.0 || (a >= 0.0 && (vz >= 0.0 || square == 0.0)) {
        return None;
    }
    let speed = square.sqrt();
    let after = if vz < 0.0 { 2.0 * z / (speed - vz) } else { (vz + speed) / -a };
    Some(Landing { after, velocity: -speed })
}
