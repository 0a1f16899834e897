use super::{drive::Drive, event::EventKind, motion::Motion};
use crate::model::{Vector, tangential};

/// A train of bounces under constant acceleration.
///
/// Rebound speeds, flight times and friction limits of consecutive bounces are all in the ratio
/// `e`, so sums over bounces are geometric: `G(n) = 1 + e + ... + e^(n-1)`.
#[derive(Debug, Clone, Copy)]
struct Train {
    e: f64,
    /// Rebound speed `w` at its start in m/s; the next impact happens at this speed.
    rebound: f64,
    /// Duration `T0 = 2 w/g_n` of its first flight in s.
    first_flight: f64,
}

impl Train {
    /// `G(n) = (1 - e^n)/(1 - e)`; `n` may be infinite.
    fn geometric(&self, n: f64) -> f64 {
        if self.e == 1.0 { n } else { -(n * self.log_e()).exp_m1() / (1.0 - self.e) }
    }

    /// The largest whole `n` with `G(n) <= sum`.
    fn bounces_within(&self, sum: f64) -> f64 {
        let n = if self.e == 1.0 { sum } else { (-sum * (1.0 - self.e)).ln_1p() / self.log_e() };
        // No sum of finitely many terms reaches 1/(1 - e): the logarithm is -inf or undefined.
        if n.is_nan() {
            return f64::INFINITY;
        }
        let mut whole = n.floor();
        while whole.is_finite() && whole > 0.0 && self.geometric(whole) > sum {
            whole -= 1.0;
        }
        whole
    }

    /// Time until the last of infinitely many bounces.
    fn duration(&self) -> f64 {
        self.first_flight / (1.0 - self.e)
    }

    fn log_e(&self) -> f64 {
        (self.e - 1.0).ln_1p()
    }
}

/// What friction does at the impacts of a train.
#[derive(Debug, Clone, Copy)]
struct Friction<const D: usize> {
    /// Unit vector along which the point slips, or is pushed.
    direction: Vector<D>,
    /// Speed along it before the first flight.
    speed: f64,
    /// Acceleration along it in flight.
    acceleration: f64,
    /// Whether every impact brings the point to rest.
    sticks: bool,
    /// Change of speed over the first bounce while the point slips.
    first_change: f64,
    /// How many bounces this goes on.
    holds_for: f64,
}

impl<const D: usize> Motion<'_, D> {
    /// Takes as many bounces as can be summed in closed form, infinitely many if they end within
    /// `horizon`; returns the seconds passed, or `None` if the next bounce is to be followed by
    /// itself.
    ///
    /// Called right after an impact.
    pub(super) fn bounce(&mut self, drive: Drive<D>, horizon: f64) -> Option<f64> {
        let n = D - 1;
        let acceleration = drive.acceleration(0.0);
        let fall = -acceleration[n];
        let train = Train {
            e: self.body.restitution,
            rebound: self.state.velocity[n],
            first_flight: 2.0 * self.state.velocity[n] / fall,
        };
        if train.rebound <= 0.0 || fall <= 0.0 || train.first_flight * (1.0 + train.e) > horizon {
            return None;
        }
        // Velocity below which a change is lost in rounding.
        let resolution = f64::EPSILON * fall * self.dt;
        if !drive.is_constant() {
            // The drive may be frozen only for the very last of infinitely many bounces.
            let frozen = drive.derivative_bound(1) * train.duration().powi(2) <= resolution;
            if !(frozen && train.duration() <= horizon) {
                return None;
            }
        }
        let push = tangential(&acceleration);
        let negligible = push.norm() * train.duration() <= 1e3 * resolution;
        let friction = self.friction_over(&train, if negligible { Vector::zeros() } else { push })?;
        let bounces = train.bounces_within(horizon / train.first_flight).min(friction.holds_for);
        if bounces < 2.0 {
            return None;
        }
        Some(self.take_bounces(&train, &friction, bounces))
    }

    /// `None` if the point turns, so that there is no closed form.
    fn friction_over(&self, train: &Train, push: Vector<D>) -> Option<Friction<D>> {
        let slip = tangential(&self.state.velocity);
        let speed = slip.norm();
        let strength = push.norm();
        let limit = self.body.friction * (1.0 + train.e) * train.rebound;
        if speed == 0.0 {
            let direction = if strength > 0.0 { push / strength } else { Vector::zeros() };
            let first_change = strength * train.first_flight - limit;
            return Some(Friction {
                direction,
                speed,
                acceleration: strength,
                sticks: first_change <= 0.0,
                first_change,
                holds_for: f64::INFINITY,
            });
        }
        let direction = slip / speed;
        let acceleration = direction.dot(&push);
        if (push - direction * acceleration).norm() > 1e-14 * strength {
            return None;
        }
        let first_change = acceleration * train.first_flight - limit;
        let holds_for =
            if first_change >= 0.0 { f64::INFINITY } else { train.bounces_within(speed / -first_change) };
        Some(Friction { direction, speed, acceleration, sticks: false, first_change, holds_for })
    }

    fn take_bounces(&mut self, train: &Train, friction: &Friction<D>, bounces: f64) -> f64 {
        let n = D - 1;
        let (e, mass) = (train.e, self.body.mass);
        let sum = train.geometric(bounces);
        let shrunk = (bounces * train.log_e()).exp();
        let duration = train.first_flight * sum;
        // Sum of T_j^2/2, T_j = T0 e^j.
        let half_squares = 0.5 * train.first_flight.powi(2) * sum * (1.0 + shrunk) / (1.0 + e);
        let pushed = friction.acceleration * half_squares;
        let (advance, speed, friction_impulse) = if friction.sticks {
            (pushed, 0.0, -friction.acceleration * duration)
        } else {
            // The speed before flight j is v + delta G(j); the sum of G(j) T_j over j < n is
            // T0 e G(n) G(n-1)/(1 + e).
            let nested = e * sum * train.geometric(bounces - 1.0) / (1.0 + e);
            let coasted = friction.speed * duration + friction.first_change * train.first_flight * nested;
            let speed = (friction.speed + friction.first_change * sum).max(0.0);
            (coasted + pushed, speed, -self.body.friction * (1.0 + e) * train.rebound * sum)
        };
        let mut impulse = friction.direction * (mass * friction_impulse);
        impulse[n] = mass * (1.0 + e) * train.rebound * sum;
        self.impulse += impulse;
        self.state.position += friction.direction * advance;
        self.state.velocity = friction.direction * speed;
        let endless = bounces.is_infinite();
        self.state.velocity[n] = if endless { 0.0 } else { train.rebound * shrunk };
        let kind = if endless { EventKind::BouncingEnds } else { EventKind::Impacts(bounces as u64) };
        self.record_after(duration, kind, impulse);
        duration
    }
}
