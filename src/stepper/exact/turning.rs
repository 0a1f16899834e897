//! Sliding over a plane while a push to the side turns the direction of motion.
//!
//! `v' = a_t - mu (N/m) v/|v|` has no closed form for a general push, so that this one mode is
//! integrated, by extrapolation to 1e-14 of the speed. The direction turns at the rate
//! `|a_t|/|v|`, so the steps are a fixed part of `|v|/(|a_t| + mu N/m)`: equal steps in the
//! variable `tau`, `dt = |v| dtau`, in which the equation is smooth down to rest.
//!
//! It is integrated in real numbers; a step that carries derivatives is refused.

use super::{
    contact::lift_off,
    drive::Drive,
    extrapolation::{Phase, extrapolated_step},
    motion::{ContactEnd, Motion},
};
use crate::{
    model::{Number, Vector, tangential},
    stepper::StepError,
};

/// Largest step in `tau`, in units of the inverse acceleration.
const STEP_IN_TAU: f64 = 0.5;

/// Steps of the integrator within one step of the simulation beyond which it is given up.
const MOST_STEPS: usize = 1_000_000;

/// Error per integrator step, relative to the speed.
const TOLERANCE: f64 = 1e-15;

impl<const D: usize, N: Number> Motion<'_, D, N> {
    /// Slides under a push from the side until the point stops, lifts off or the time is up.
    pub(super) fn turn(
        &mut self,
        direction: Vector<D, N>,
        drive: Drive<D, N>,
        horizon: N,
    ) -> Result<(N, ContactEnd<D, N>), StepError<D>> {
        if N::NDERIV > 0 {
            return Err(self.unsolved(
                "a slide that a push turns is integrated numerically and has no derivative here; use another stepper"
                    .to_owned(),
            ));
        }
        let lift_off = lift_off(drive, horizon);
        let horizon = lift_off.unwrap_or(horizon).re();
        let mu = self.body.friction.re();
        let law = Sliding { drive, mu };
        let mut s = 0.0;
        let mut velocity = tangential(&self.state.velocity).map(|v| v.re());
        let mut advance = Vector::zeros();
        if velocity.norm() == 0.0 {
            let start = law.start_from_rest(direction.map(|d| d.re()), horizon);
            (s, advance, velocity) = (start.duration, start.advance, start.velocity);
        }
        let standstill = f64::EPSILON * drive.segment.scale * self.dt.re();
        let mut stopped = None;
        for _ in 0..MOST_STEPS {
            if s >= horizon {
                break;
            }
            let speed = velocity.norm();
            if speed <= standstill && law.acceleration(s, &velocity).dot(&velocity) <= 0.0 {
                stopped = Some(velocity / speed);
                velocity = Vector::zeros();
                break;
            }
            let step = law.step_length(s, speed).min(horizon - s);
            let (taken, phase) = law.integrate(s, step, &velocity).ok_or_else(|| {
                self.unsolved(format!(
                    "the sliding motion could not be followed at {velocity:?} m/s; use a smaller `step`"
                ))
            })?;
            s = if taken == horizon - s { horizon } else { s + taken };
            advance += phase.column(0);
            velocity = phase.column(1).into();
        }
        if s < horizon && stopped.is_none() {
            return Err(self.unsolved(format!(
                "the sliding motion needs more than {MOST_STEPS} integrator steps; use a smaller `step`"
            )));
        }
        let s = N::constant(s);
        self.advance_on_ground(drive, s, advance.map(N::constant), velocity.map(N::constant));
        let end = match (stopped, lift_off) {
            (Some(direction), _) => ContactEnd::Stopped(direction.map(N::constant)),
            (None, Some(_)) => ContactEnd::LiftOff,
            (None, None) => ContactEnd::Horizon,
        };
        Ok((s, end))
    }
}

/// The equation of motion of the mode.
struct Sliding<'a, const D: usize, N> {
    drive: Drive<'a, D, N>,
    mu: f64,
}

/// The beginning of a sliding motion that starts at rest.
struct Start<const D: usize> {
    duration: f64,
    advance: Vector<D>,
    velocity: Vector<D>,
}

impl<const D: usize, N: Number> Sliding<'_, D, N> {
    fn push(&self, s: f64) -> Vector<D> {
        self.drive.acceleration(s.into()).map(|a| a.re())
    }

    fn acceleration(&self, s: f64, velocity: &Vector<D>) -> Vector<D> {
        let drive = self.push(s);
        tangential(&drive) + velocity * (self.mu * drive[D - 1] / velocity.norm())
    }

    fn step_length(&self, s: f64, speed: f64) -> f64 {
        let drive = self.push(s);
        let by_turning = STEP_IN_TAU * speed / (tangential(&drive).norm() - self.mu * drive[D - 1]);
        let omega = self.drive.highest_omega();
        if omega > 0.0 { by_turning.min(1.0 / omega) } else { by_turning }
    }

    /// Integrates over `step` or, where that is too long, half of it and so on; returns how far it
    /// came.
    fn integrate(&self, s: f64, step: f64, velocity: &Vector<D>) -> Option<(f64, Phase<D>)> {
        let start = Phase::from_columns(&[Vector::zeros(), *velocity]);
        let tolerance = TOLERANCE * velocity.norm();
        let rate = |s: f64, phase: &Phase<D>| {
            let velocity: Vector<D> = phase.column(1).into();
            Phase::from_columns(&[velocity, self.acceleration(s, &velocity)])
        };
        let mut taken = step;
        for _ in 0..40 {
            let norm = |error: &Phase<D>| (error.column(0).norm() / taken).max(error.column(1).norm());
            if let Some(phase) = extrapolated_step(&start, s, taken, rate, norm, tolerance) {
                return Some((taken, phase));
            }
            taken *= 0.5;
        }
        None
    }

    /// The first instants after rest, where the rate of turning `|a_t|/|v|` is unbounded.
    ///
    /// The direction of motion lags the direction of the push, which turns at the rate `alpha'`, by
    /// the angle `alpha' w/(a + w')` with `w` the speed and `w'` the excess of push over friction.
    /// The duration is short enough that what this leaves out stays below rounding.
    fn start_from_rest(&self, direction: Vector<D>, horizon: f64) -> Start<D> {
        let omega = self.drive.highest_omega();
        let excess = self.excess(0.0).max(0.0);
        let push = tangential(&self.push(0.0)).norm();
        let by_excess = if excess > 0.0 { (1e-6 * push / excess).cbrt().min(1.0) } else { 1.0 };
        let duration = if omega > 0.0 { horizon.min(1e-3 * by_excess / omega) } else { horizon };
        let advance = gauss(duration, |s| self.velocity_after_rest(&direction, s));
        Start { duration, advance, velocity: self.velocity_after_rest(&direction, duration) }
    }

    fn velocity_after_rest(&self, fallback: &Vector<D>, s: f64) -> Vector<D> {
        let speed = gauss(s, |s| Vector::<1>::new(self.excess(s)))[0].max(0.0);
        let push = tangential(&self.push(s));
        let strength = push.norm();
        if strength == 0.0 {
            return fallback * speed;
        }
        let toward = push / strength;
        let jerk = tangential(&self.drive.jerk(s.into()).map(|j| j.re()));
        let turning = (jerk - toward * toward.dot(&jerk)) / strength;
        let lagging = toward - turning * (speed / (strength + self.excess(s)));
        lagging * (speed / lagging.norm())
    }

    /// `|a_t| - mu N/m`.
    fn excess(&self, s: f64) -> f64 {
        let drive = self.push(s);
        tangential(&drive).norm() + self.mu * drive[D - 1]
    }
}

/// The integral from 0 to `end` by Gauss's rule with three points.
fn gauss<const N: usize>(end: f64, f: impl Fn(f64) -> Vector<N>) -> Vector<N> {
    let half = 0.5 * end;
    let offset = half * 0.6_f64.sqrt();
    (f(half - offset) * 5.0 + f(half) * 8.0 + f(half + offset) * 5.0) * (half / 9.0)
}
