use super::{drive::Drive, event::EventKind, motion::Motion};
use crate::model::{Number, Vector, magnitude, tangential};

/// A train of bounces under constant acceleration.
///
/// Rebound speeds, flight times and friction limits of consecutive bounces are all in the ratio
/// `e`, so sums over bounces are geometric: `G(n) = 1 + e + ... + e^(n-1)`.
#[derive(Debug, Clone, Copy)]
struct Train<N> {
    e: N,
    /// Rebound speed `w` at its start in m/s; the next impact happens at this speed.
    rebound: N,
    /// Duration `T0 = 2 w/g_n` of its first flight in s.
    first_flight: N,
}

impl<N: Number> Train<N> {
    /// `G(n) = (1 - e^n)/(1 - e)`; `n` may be infinite.
    fn geometric(&self, n: f64) -> N {
        let loss = -self.e + 1.0;
        if loss.re() == 0.0 {
            // n terms, and the slope n (n - 1)/2 of the sum.
            -loss * (0.5 * n * (n - 1.0)) + n
        } else if n.is_infinite() {
            loss.recip()
        } else {
            -(self.log_e() * n).exp_m1() / loss
        }
    }

    /// `e^n`.
    fn shrunk(&self, n: f64) -> N {
        if n.is_infinite() { N::zero() } else { (self.log_e() * n).exp() }
    }

    /// The largest whole `n` with `G(n) <= sum`.
    fn bounces_within(&self, sum: f64) -> f64 {
        let e = self.e.re();
        let n = if e == 1.0 { sum } else { (-sum * (1.0 - e)).ln_1p() / self.log_e().re() };
        // No sum of finitely many terms reaches 1/(1 - e): the logarithm is -inf or undefined.
        if n.is_nan() {
            return f64::INFINITY;
        }
        let mut whole = n.floor();
        while whole.is_finite() && whole > 0.0 && self.geometric(whole).re() > sum {
            whole -= 1.0;
        }
        whole
    }

    /// Time until the last of infinitely many bounces.
    fn duration(&self) -> N {
        self.first_flight / (-self.e + 1.0)
    }

    fn log_e(&self) -> N {
        (self.e - 1.0).ln_1p()
    }
}

/// What friction does at the impacts of a train.
#[derive(Debug, Clone, Copy)]
struct Friction<const D: usize, N> {
    /// Unit vector along which the point slips, or is pushed.
    direction: Vector<D, N>,
    /// Speed along it before the first flight.
    speed: N,
    /// Acceleration along it in flight.
    acceleration: N,
    /// Whether every impact brings the point to rest.
    sticks: bool,
    /// Change of speed over the first bounce while the point slips.
    first_change: N,
    /// How many bounces this goes on.
    holds_for: f64,
}

impl<const D: usize, N: Number> Motion<'_, D, N> {
    /// Takes as many bounces as can be summed in closed form, infinitely many if they end within
    /// `horizon`; returns the seconds passed, or `None` if the next bounce is to be followed by
    /// itself.
    ///
    /// Called right after an impact.
    pub(super) fn bounce(&mut self, drive: Drive<D, N>, horizon: N) -> Option<N> {
        let n = D - 1;
        let acceleration = drive.acceleration(N::zero());
        let fall = -acceleration[n];
        let train = Train {
            e: self.body.restitution,
            rebound: self.state.velocity[n],
            first_flight: self.state.velocity[n] * 2.0 / fall,
        };
        let two_flights = train.first_flight * (train.e + 1.0);
        if train.rebound.re() <= 0.0 || fall.re() <= 0.0 || two_flights.re() > horizon.re() {
            return None;
        }
        // Each impact has a coefficient of its own where that depends on the speed.
        if train.first_flight.re() > self.longest_summed || !self.law().slides_evenly() {
            return None;
        }
        // Velocity below which a change is lost in rounding.
        let resolution = f64::EPSILON * fall.re() * self.dt.re();
        if !drive.is_constant() {
            // The drive may be frozen only for the very last of infinitely many bounces.
            let frozen = drive.derivative_bound(1) * train.duration().re().powi(2) <= resolution;
            if !(frozen && train.duration().re() <= horizon.re()) {
                return None;
            }
        }
        let push = tangential(&acceleration);
        let negligible = magnitude(&push).re() * train.duration().re() <= 1e3 * resolution;
        let friction = self.friction_over(&train, if negligible { Vector::zeros() } else { push })?;
        let mut bounces =
            train.bounces_within(horizon.re() / train.first_flight.re()).min(friction.holds_for);
        // An impact at the very end belongs to the next step.
        if N::NDERIV > 0
            && bounces.is_finite()
            && train.first_flight.re() * train.geometric(bounces).re() >= horizon.re()
        {
            bounces -= 1.0;
        }
        if bounces < 2.0 {
            return None;
        }
        if self.frames.len() == 1 {
            return Some(self.take_bounces(&train, &friction, bounces));
        }
        let before = self.snapshot();
        let duration = self.take_bounces(&train, &friction, bounces);
        let top = train.rebound * train.rebound / (fall * 2.0);
        if self.is_clear_since(&before, top, duration) {
            return Some(duration);
        }
        self.restore(&before);
        None
    }

    /// `None` if the point turns, so that there is no closed form.
    fn friction_over(&self, train: &Train<N>, push: Vector<D, N>) -> Option<Friction<D, N>> {
        let slip = tangential(&self.state.velocity);
        let speed = magnitude(&slip);
        let strength = magnitude(&push);
        let limit = self.law().kinetic_coefficient() * (train.e + 1.0) * train.rebound;
        if speed.re() == 0.0 {
            let direction = if strength.re() > 0.0 { push / strength } else { Vector::zeros() };
            let first_change = strength * train.first_flight - limit;
            return Some(Friction {
                direction,
                speed,
                acceleration: strength,
                sticks: first_change.re() <= 0.0,
                first_change,
                holds_for: f64::INFINITY,
            });
        }
        let direction = slip / speed;
        let acceleration = direction.dot(&push);
        if magnitude(&(push - direction * acceleration)).re() > 1e-14 * strength.re() {
            return None;
        }
        let first_change = acceleration * train.first_flight - limit;
        let holds_for = if first_change.re() >= 0.0 {
            f64::INFINITY
        } else {
            train.bounces_within(speed.re() / -first_change.re())
        };
        Some(Friction { direction, speed, acceleration, sticks: false, first_change, holds_for })
    }

    fn take_bounces(&mut self, train: &Train<N>, friction: &Friction<D, N>, bounces: f64) -> N {
        let n = D - 1;
        let (e, mass) = (train.e, self.body.mass);
        // Without friction what does not move keeps the derivative of its velocity.
        let mu = self.law().kinetic_coefficient();
        let is_free = friction.speed.re() == 0.0 && mu.re() == 0.0;
        let slip = if is_free { tangential(&self.state.velocity) } else { Vector::zeros() };
        let sum = train.geometric(bounces);
        let shrunk = train.shrunk(bounces);
        let duration = train.first_flight * sum;
        // Sum of T_j^2/2, T_j = T0 e^j.
        let half_squares = train.first_flight.powi(2) * sum * (shrunk + 1.0) / (e + 1.0) * 0.5;
        let pushed = friction.acceleration * half_squares;
        let (advance, speed, friction_impulse) = if friction.sticks {
            (pushed, N::zero(), -friction.acceleration * duration)
        } else {
            // The speed before flight j is v + delta G(j); the sum of G(j) T_j over j < n is
            // T0 e G(n) G(n-1)/(1 + e).
            let nested = e * sum * train.geometric(bounces - 1.0) / (e + 1.0);
            let coasted = friction.speed * duration + friction.first_change * train.first_flight * nested;
            let speed = (friction.speed + friction.first_change * sum).positive_part();
            (coasted + pushed, speed, -mu * (e + 1.0) * train.rebound * sum)
        };
        let mut impulse = friction.direction * (mass * friction_impulse);
        impulse[n] = mass * (e + 1.0) * train.rebound * sum;
        self.impulse += impulse;
        self.state.position += friction.direction * advance + slip * duration;
        self.state.velocity = friction.direction * speed + slip;
        let endless = bounces.is_infinite();
        self.state.velocity[n] = if endless { N::zero() } else { train.rebound * shrunk };
        let kind = if endless { EventKind::BouncingEnds } else { EventKind::Impacts(bounces as u64) };
        self.record_after(duration, kind, impulse);
        duration
    }
}
