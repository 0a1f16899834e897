//! Sliding over a plane while a push to the side turns the direction of motion, or friction changes with the
//! speed.
//!
//! `v' = a_t - mu(|v|) (N/m) v/|v|` has no closed form for a general push, so that this one mode is
//! integrated, in speed `w` and direction of motion `e`, of the angle `theta`:
//!
//! ```text
//!     w' = a_t.e - mu(w) N/m        w theta' = a_t.e'        e' = e turned by a right angle
//! ```
//!
//! On a straight line there is the first of them alone.
//!
//! Where the point moves slowly under a push that hardly overcomes friction the direction follows that
//! of the push within `w/|a_t|`, as much faster than the speed changes as one likes: such a motion is
//! stiff, from its start at rest, where `w = 0`, on. Collocation (see [`Radau`]) takes it in steps of the
//! length at which the push changes, and goes through `w = 0` without a special case, because the
//! equations hold there as they stand.

use nalgebra::{SMatrix, SVector};

use super::{
    collocation::{POINTS, Radau},
    contact::lift_off,
    drive::Drive,
    motion::{ContactEnd, Motion, coefficient_at},
};
use crate::{
    contact::{Friction, Hold},
    model::{Number, Vector, magnitude, tangential},
    stepper::StepError,
};

/// Intervals within one step of the simulation beyond which it is given up.
const MOST_INTERVALS: usize = 100_000;

/// Part of the velocity that an interval may leave unresolved; the error at its end is smaller by the
/// order of the method.
const TOLERANCE: f64 = 1e-13;

/// Unresolved part of the velocity, relative to what is allowed, below which the next interval is longer.
const VERY_SMALL: f64 = 1.0 / 512.0;

/// Part of the time to a stop, as the present deceleration has it, that an interval may cover. The
/// direction is not smooth at the stop itself.
const APPROACH: f64 = 0.5;

/// Iterations of Newton's method in an interval.
const MOST_ITERATIONS: usize = 12;

/// Intervals are not halved below this part of the whole.
const SMALLEST_INTERVAL: f64 = 1e-18;

impl<const D: usize, N: Number> Motion<'_, D, N> {
    /// Slides under any push on any friction until the point stops, lifts off or the time is up.
    pub(super) fn turn(
        &mut self,
        direction: Vector<D, N>,
        drive: Drive<D, N>,
        horizon: N,
    ) -> Result<(N, ContactEnd<D, N>), StepError<D>> {
        let lift_off = lift_off(drive, horizon);
        let horizon = lift_off.unwrap_or(horizon);
        let velocity = tangential(&self.state.velocity);
        let at_rest = velocity.iter().all(|v| v.re() == 0.0);
        // At rest the root of zero has no derivative.
        let speed = if at_rest { N::zero() } else { magnitude(&velocity) };
        let heading = if at_rest { direction } else { velocity / speed };
        let law = Sliding { drive, friction: *self.law(), turns: drive.segment.turns(&heading) };
        let mut slide = Slide { s: N::zero(), speed, heading, advance: Vector::zeros() };
        let standstill = f64::EPSILON * drive.segment.scale * self.dt.re();
        let omega = drive.highest_omega();
        let longest = if omega > 0.0 { horizon.re().min(1.0 / omega) } else { horizon.re() };
        let mut length = longest;
        let mut stopped = None;
        for _ in 0..MOST_INTERVALS {
            if slide.s.re() >= horizon.re() {
                break;
            }
            let speed = slide.speed.re();
            let gain = law.rates(slide.s, slide.speed, &slide.heading).gain.re();
            if gain <= 0.0 && speed <= standstill && (speed > 0.0 || slide.s.re() > 0.0) {
                stopped = Some(slide.heading);
                if gain < 0.0 {
                    // One Newton step for the instant of the stop.
                    slide.s -= (slide.speed - speed) / gain;
                }
                break;
            }
            if gain < 0.0 && speed > 0.0 {
                length = length.min(APPROACH * speed / -gain);
            }
            let left = horizon - slide.s;
            let last = length >= left.re();
            let span = if last { left } else { N::constant(length) };
            let Some((next, unresolved)) = law.interval(&slide, span) else {
                length = 0.5 * span.re();
                if length <= SMALLEST_INTERVAL * horizon.re() {
                    return Err(self.unsolved(format!(
                        "the sliding motion could not be followed at {:?} m/s",
                        slide.heading.map(|e| e.re() * speed).as_slice()
                    )));
                }
                continue;
            };
            slide = Slide { s: if last { horizon } else { next.s }, ..next };
            if unresolved < VERY_SMALL {
                length = (2.0 * length).min(longest);
            }
        }
        if slide.s.re() < horizon.re() && stopped.is_none() {
            return Err(self.unsolved(format!(
                "the sliding motion needs more than {MOST_INTERVALS} intervals of integration within a step"
            )));
        }
        let velocity = if stopped.is_some() { Vector::zeros() } else { slide.heading * slide.speed };
        self.advance_on_ground(drive, slide.s, slide.advance, velocity);
        let end = match (stopped, lift_off) {
            (Some(direction), _) => ContactEnd::Stopped(direction),
            (None, Some(_)) => ContactEnd::LiftOff,
            (None, None) => ContactEnd::Horizon,
        };
        Ok((slide.s, end))
    }
}

/// How far a sliding motion has come.
struct Slide<const D: usize, N> {
    /// Seconds since its start.
    s: N,
    speed: N,
    /// Unit vector of the velocity, or where it starts from rest that of the push.
    heading: Vector<D, N>,
    /// Way since the start.
    advance: Vector<D, N>,
}

/// The equation of motion of the mode.
struct Sliding<'a, const D: usize, N> {
    drive: Drive<'a, D, N>,
    friction: Friction<N>,
    /// Whether the direction of motion changes.
    turns: bool,
}

/// What acts along a direction of motion, in m/s^2.
struct Rates<N> {
    /// `w'`
    gain: N,
    /// `w theta'`
    side: N,
    /// The push `a_t.e`.
    along: N,
}

/// Rates of speed and angle at the points of collocation: the unknowns of an interval.
type Unknowns<N> = [[N; POINTS]; 2];

/// Number of the unknowns.
const COUNT: usize = 2 * POINTS;

/// An interval as the unknowns have it.
struct Interval<const D: usize, N> {
    speeds: [N; POINTS],
    headings: [Vector<D, N>; POINTS],
    residual: SVector<N, COUNT>,
    /// Derivative of the residual by the unknowns.
    jacobian: SMatrix<f64, COUNT, COUNT>,
}

impl<const D: usize, N: Number> Sliding<'_, D, N> {
    fn rates(&self, s: N, speed: N, heading: &Vector<D, N>) -> Rates<N> {
        let drive = self.drive.acceleration(s);
        let push = tangential(&drive);
        let along = push.dot(heading);
        let side = if self.turns { push.dot(&turned(heading)) } else { N::zero() };
        let gain = along + coefficient_at(&self.friction, speed) * drive[D - 1];
        Rates { gain, side, along }
    }

    /// How fast `w'` grows with the speed in 1/s.
    fn feedback(&self, s: N, speed: N) -> f64 {
        let law = self.friction.map(|number| number.re());
        if law.slides_evenly() {
            return 0.0;
        }
        law.slope(Hold::Kinetic(speed.re())) * self.drive.acceleration(s)[D - 1].re()
    }

    /// One interval of collocation; gives the motion at its end, and the part of the velocity that it
    /// leaves unresolved relative to what is allowed, at most 1. `None` if the interval is too long.
    fn interval(&self, slide: &Slide<D, N>, length: N) -> Option<(Slide<D, N>, f64)> {
        let tables = Radau::tables();
        // Forces are as large as what acts, and friction that grows with the speed is larger.
        let grown = self.friction.viscous_coefficient().re() * slide.speed.re();
        let rounding = 16.0 * f64::EPSILON * self.drive.segment.scale * (1.0 + grown);
        let mut unknowns = self.first_guess(slide, length.re(), tables);
        let mut before = f64::INFINITY;
        let mut iterations = 0;
        let mut interval = loop {
            let interval = self.evaluate(slide, length, &unknowns, tables);
            let residual = interval.residual.map(|value| value.re());
            let size = residual.amax();
            // Where rounding sets a floor the residual no longer falls.
            if size <= rounding || (size >= before && before <= 100.0 * rounding) {
                break interval;
            }
            if iterations == MOST_ITERATIONS || !size.is_finite() {
                return None;
            }
            (before, iterations) = (size, iterations + 1);
            let correction = interval.jacobian.lu().solve(&residual)?;
            for (unknown, correction) in unknowns.as_flattened_mut().iter_mut().zip(&correction) {
                *unknown -= *correction;
            }
        };
        if N::NDERIV > 0 {
            // One Newton step in dual numbers, which changes the derivatives alone.
            let inverse = interval.jacobian.try_inverse()?;
            for (row, unknown) in unknowns.as_flattened_mut().iter_mut().enumerate() {
                let terms = interval.residual.iter().enumerate();
                *unknown -= terms.fold(N::zero(), |sum, (column, value)| {
                    sum + (*value - value.re()) * inverse[(row, column)]
                });
            }
            interval = self.evaluate(slide, length, &unknowns, tables);
        }
        let Interval { speeds, headings, .. } = interval;
        let noise = rounding * length.re();
        let slowest = speeds.iter().map(N::re).fold(f64::INFINITY, f64::min);
        let fastest = speeds.iter().map(N::re).fold(slide.speed.re(), f64::max);
        let tails = unknowns.map(|rates| tables.tail_of(&rates.map(|rate| rate.re()).into()));
        let unresolved = length.re() * tails[0].max(fastest * tails[1]) / (TOLERANCE * fastest + noise);
        if slowest < -noise || unresolved.is_nan() || unresolved > 1.0 {
            return None;
        }
        let mut advance = slide.advance;
        for i in 0..POINTS {
            advance += headings[i] * (speeds[i] * length * tables.integrals[(POINTS - 1, i)]);
        }
        let heading = headings[POINTS - 1] / magnitude(&headings[POINTS - 1]);
        let speed = speeds[POINTS - 1].positive_part();
        Some((Slide { s: slide.s + length, speed, heading, advance }, unresolved))
    }

    fn evaluate(
        &self,
        slide: &Slide<D, N>,
        length: N,
        [speed_rates, angle_rates]: &Unknowns<N>,
        tables: &Radau,
    ) -> Interval<D, N> {
        let mut interval = Interval {
            speeds: [slide.speed; POINTS],
            headings: [slide.heading; POINTS],
            residual: SVector::zeros(),
            jacobian: SMatrix::zeros(),
        };
        let integral = |rates: &[N; POINTS], i: usize| {
            let terms = rates.iter().enumerate();
            terms.fold(N::zero(), |sum, (j, rate)| sum + *rate * tables.integrals[(i, j)]) * length
        };
        for i in 0..POINTS {
            let speed = slide.speed + integral(speed_rates, i);
            let mut heading = slide.heading;
            if self.turns {
                let (sin, cos) = integral(angle_rates, i).sin_cos();
                heading = slide.heading * cos + turned(&slide.heading) * sin;
            }
            let s = slide.s + length * tables.points[i];
            let rates = self.rates(s, speed, &heading);
            let feedback = self.feedback(s, speed);
            interval.residual[i] = speed_rates[i] - rates.gain;
            interval.jacobian[(i, i)] += 1.0;
            for j in 0..POINTS {
                interval.jacobian[(i, j)] -= feedback * (tables.integrals[(i, j)] * length.re());
            }
            (interval.speeds[i], interval.headings[i]) = (speed, heading);
            if !self.turns {
                interval.jacobian[(POINTS + i, POINTS + i)] = 1.0;
                continue;
            }
            interval.residual[POINTS + i] = speed * angle_rates[i] - rates.side;
            for j in 0..POINTS {
                let part = tables.integrals[(i, j)] * length.re();
                interval.jacobian[(i, POINTS + j)] = -rates.side.re() * part;
                interval.jacobian[(POINTS + i, j)] = angle_rates[i].re() * part;
                interval.jacobian[(POINTS + i, POINTS + j)] = rates.along.re() * part;
            }
            interval.jacobian[(POINTS + i, POINTS + i)] += speed.re();
        }
        interval
    }

    /// Rates to start Newton's method from: those of the push's direction where the motion follows it
    /// within the interval, the present ones otherwise.
    fn first_guess(&self, slide: &Slide<D, N>, length: f64, tables: &Radau) -> Unknowns<N> {
        let Rates { gain, side, along } = self.rates(slide.s, slide.speed, &slide.heading);
        let times = tables.points.map(|point| slide.s + point * length);
        if !self.turns {
            let gain = |s: N| N::constant(self.rates(s, slide.speed, &slide.heading).gain.re());
            return [times.map(gain), [N::zero(); POINTS]];
        }
        if along.re() * length <= slide.speed.re() {
            return [gain.re(), (side / slide.speed).re()].map(|rate| [N::constant(rate); POINTS]);
        }
        let mu = coefficient_at(&self.friction, slide.speed).re();
        let excess = |s: N| {
            let drive = self.drive.acceleration(s).map(|a| a.re());
            tangential(&drive).norm() + mu * drive[D - 1]
        };
        let turning = |s: N| {
            let push = tangential(&self.drive.acceleration(s).map(|a| a.re()));
            let jerk = self.drive.jerk(s).map(|j| j.re());
            turned(&push).dot(&jerk) / push.norm_squared().max(f64::MIN_POSITIVE)
        };
        [times.map(|s| N::constant(excess(s))), times.map(|s| N::constant(turning(s)))]
    }
}

/// A vector along the ground turned by a right angle.
fn turned<const D: usize, N: Number>(vector: &Vector<D, N>) -> Vector<D, N> {
    Vector::from_fn(|row, _| match row {
        0 => -vector[1],
        1 => vector[0],
        _ => N::zero(),
    })
}
