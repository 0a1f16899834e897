use super::event::EventKind;
use super::{
    drive::Drive,
    first_exit::{Guard, first_exit, with_derivative},
    motion::Motion,
};
use crate::model::{Number, magnitude, soft_threshold, tangential};

impl<const D: usize, N: Number> Motion<'_, D, N> {
    /// Flies until the point lands or the time is up; returns the seconds passed.
    pub(super) fn fly(&mut self, drive: Drive<D, N>, horizon: N) -> N {
        let landing = self.landing(drive, horizon);
        let duration = landing.map_or(horizon, |landing| landing.after);
        let n = D - 1;
        let start = self.state;
        self.state.position += start.velocity * duration + drive.displacement(duration);
        self.state.velocity += drive.velocity_gain(duration);
        match landing {
            Some(landing) => {
                self.state.position[n] = N::zero();
                self.state.velocity[n] = landing.velocity;
            }
            // Rounding may end the flight below the ground.
            None => {
                let below = self.state.height().re().min(0.0);
                self.state.position[n] -= below;
            }
        }
        duration
    }

    fn landing(&self, drive: Drive<D, N>, horizon: N) -> Option<Landing<N>> {
        // At the very end the height's derivative is kept, and with it that of when the next step meets the ground.
        self.free_landing(drive, horizon)
            .filter(|landing| N::NDERIV == 0 || landing.after.re() < horizon.re())
    }

    fn free_landing(&self, drive: Drive<D, N>, horizon: N) -> Option<Landing<N>> {
        let n = D - 1;
        let (z, vz) = (self.state.position[n], self.state.velocity[n]);
        let normal = drive.normal();
        if normal.derivative_bound(1) == 0.0 {
            return ballistic_landing(z, vz, normal.acceleration(N::zero()))
                .filter(|landing| landing.after.re() <= horizon.re());
        }
        let after = if z.re() > 0.0 {
            let below = |s: N| -(z + vz * s + normal.displacement(s));
            let sinking = |s: f64| -(vz + normal.velocity_gain(s.into())).re();
            let value = |s: f64| below(s.into()).re();
            let guard = Guard { value, slope: sinking, curvature: normal.derivative_bound(0) };
            let after = first_exit(horizon.re(), &guard)?;
            with_derivative(after, below, sinking(after))
        } else {
            // A hop: z(s)/s has no root at the start, so that the landing is found to the last bit
            // however small the hop is. Its second derivative is a mean of the jerk over 3.
            let below =
                |s: N| -(vz + if s.re() > 0.0 { (z + normal.displacement(s)) / s } else { N::zero() });
            let sinking = |s: f64| match s {
                0.0 => -0.5 * normal.acceleration(N::zero()).re(),
                _ => (normal.displacement(s.into()).re() / s - normal.velocity_gain(s.into()).re()) / s,
            };
            let value = |s: f64| below(s.into()).re();
            let guard = Guard { value, slope: sinking, curvature: normal.derivative_bound(1) / 3.0 };
            let after = first_exit(horizon.re(), &guard)?;
            with_derivative(after, below, sinking(after))
        };
        Some(Landing { after, velocity: -(-(vz + normal.velocity_gain(after))).positive_part() })
    }

    /// Applies the impact law to a point that reaches the ground: Newton's restitution, and
    /// Coulomb friction that takes at most `mu (1 + e) |vz|` off the tangential speed, `mu` that of the slip
    /// with which the point arrives.
    pub(super) fn hit(&mut self) {
        let n = D - 1;
        let before = self.state.velocity;
        let approach = -before[n];
        let e = self.body.restitution;
        let friction = self.friction_at(magnitude(&tangential(&before)));
        let mut after = soft_threshold(&before, friction * (e + 1.0) * approach);
        after[n] = self.rebound(e, approach);
        self.state.position[n] = N::zero();
        self.state.velocity = after;
        let impulse = (after - before) * self.body.mass;
        self.impulse += impulse;
        self.record(EventKind::Impact, impulse);
    }
}

#[derive(Debug, Clone, Copy)]
pub(in crate::stepper::exact) struct Landing<N> {
    pub after: N,
    velocity: N,
}

/// When `z + vz s + a s^2/2` first becomes negative.
pub(in crate::stepper::exact) fn ballistic_landing<N: Number>(z: N, vz: N, a: N) -> Option<Landing<N>> {
    let square = vz * vz - a * z * 2.0;
    if square.re() < 0.0 || (a.re() >= 0.0 && (vz.re() >= 0.0 || square.re() == 0.0)) {
        return None;
    }
    let speed = square.sqrt();
    let after = if vz.re() < 0.0 { z * 2.0 / (speed - vz) } else { (vz + speed) / -a };
    Some(Landing { after, velocity: -speed })
}
