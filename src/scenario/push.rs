use std::f64::consts::TAU;

use super::{PushTable, time::first_step_at_or_after};
use crate::model::{Attitude, Orientation, Spin, Vector};

/// An external force and torque on a body, constant, sinusoidal or from a table, over a window of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Push<const D: usize> {
    /// On which body; on every one if absent.
    pub body: Option<usize>,
    /// Force in N (the amplitude, if there is a frequency); added to that of the table.
    pub force: Vector<D>,
    /// Torque in N m in the axes of the world (the amplitude, if there is a frequency); added to that of the table.
    pub torque: Spin,
    /// Where the force acts, in m in the axes of the body about its centre of mass; there if absent.
    pub point: Option<Vector<D>>,
    /// A force and a torque over time.
    pub table: Option<PushTable<D>>,
    /// Start of the window in s; acts from the beginning if absent.
    pub from: Option<f64>,
    /// End of the window in s (not included); acts to the end if absent.
    pub to: Option<f64>,
    /// Frequency in Hz: force and torque are multiplied by `sin(2 pi frequency t + phase)`.
    pub frequency: Option<f64>,
    /// Phase in rad, used with a frequency.
    pub phase: f64,
}

impl<const D: usize> Push<D> {
    /// A constant force in N on every body, acting all the time.
    pub fn constant(force: impl Into<Vector<D>>) -> Self {
        Self {
            body: None,
            force: force.into(),
            torque: Spin::zeros(),
            point: None,
            table: None,
            from: None,
            to: None,
            frequency: None,
            phase: 0.0,
        }
    }

    /// The same push in a time of steps of `dt` s that begins `passed` s later: what is left of it then, or `None` if it
    /// is over.
    #[must_use]
    pub fn after(&self, passed: f64, dt: f64) -> Option<Self> {
        if passed == 0.0 {
            return Some(self.clone());
        }
        let table = match &self.table {
            Some(table) => Some(table.after(passed, dt)?),
            None => None,
        };
        if self.to.is_some_and(|to| to <= passed) {
            return None;
        }
        Some(Self {
            table,
            from: self.from.map(|from| (from - passed).max(0.0)),
            to: self.to.map(|to| to - passed),
            phase: (self.phase + TAU * self.frequency.unwrap_or(0.0) * passed) % TAU,
            ..self.clone()
        })
    }

    /// Whether it pushes body `body`.
    pub fn acts_on(&self, body: usize) -> bool {
        self.body.is_none_or(|pushed| pushed == body)
    }

    /// Whether its window holds the step that starts at `k dt`.
    ///
    /// Whether `from <= k dt < to` is decided by step index, so that rounding of `k dt` can neither
    /// lose a step nor add one.
    fn acts_at_step(&self, k: usize, dt: f64) -> bool {
        let k = k as f64;
        let begun = self.from.is_none_or(|from| k >= first_step_at_or_after(from, dt));
        let ended = self.to.is_some_and(|to| k >= first_step_at_or_after(to, dt));
        begun && !ended
    }

    /// The force of the step that starts at `k dt`, in N, sampled at the left end of the step.
    pub fn at_step(&self, k: usize, dt: f64) -> Vector<D> {
        if !self.acts_at_step(k, dt) {
            return Vector::zeros();
        }
        let force = self.force * self.factor(k as f64 * dt);
        self.table.as_ref().map_or(force, |table| force + table.at(k as f64 * dt))
    }

    /// The torque about the centre of mass of a body that is turned like this, for the step that starts
    /// at `k dt`, in N m, sampled at the left end of the step: that of the push, and that of its force.
    pub fn torque_at_step(&self, k: usize, dt: f64, attitude: &Attitude) -> Spin {
        if !self.acts_at_step(k, dt) {
            return Spin::zeros();
        }
        let time = k as f64 * dt;
        let of_table = self.table.as_ref().map_or_else(Spin::zeros, |table| table.torque_at(time));
        let own = self.torque * self.factor(time) + of_table;
        let Some(point) = self.point else { return own };
        let force = self.at_step(k, dt);
        own + match &attitude.orientation {
            Orientation::Angle(angle) => {
                let (sin, cos) = angle.sin_cos();
                let arm = [cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]];
                Spin::new(arm[0] * force[1] - arm[1] * force[0], 0.0, 0.0)
            }
            Orientation::Quaternion(turn) => {
                let [arm, force] = [&point, &force]
                    .map(|vector| Spin::from_fn(|i, _| vector.get(i).copied().unwrap_or(0.0)));
                (turn * arm).cross(&force)
            }
        }
    }

    /// The mean force in N over the step that starts at `k dt`, of the continuous push.
    pub fn mean_over_step(&self, k: usize, dt: f64) -> Vector<D> {
        let (start, end) = (k as f64 * dt, (k + 1) as f64 * dt);
        let begin = self.from.map_or(start, |from| from.max(start));
        let end = self.to.map_or(end, |to| to.min(end));
        let duration = end - begin;
        if duration <= 0.0 {
            return Vector::zeros();
        }
        // The mean of a sine is that of the middle times sin(a)/a, `a` half of the angle in between.
        let half_angle = 0.5 * TAU * self.frequency.unwrap_or(0.0) * duration;
        let damping = if half_angle == 0.0 { 1.0 } else { half_angle.sin() / half_angle };
        let force = self.force * (self.factor(begin + 0.5 * duration) * damping * (duration / dt));
        self.table.as_ref().map_or(force, |table| force + table.impulse(begin, end) / dt)
    }

    /// Whether it is the same from the start of the step that starts at `k dt` to its end: neither swings nor
    /// follows a table, and its window neither begins nor ends in between.
    pub fn is_constant_over_step(&self, k: usize, dt: f64) -> bool {
        // An edge on a sample, up to its rounding, lies in no step.
        let slack = 1e-9 * dt;
        let (start, end) = (k as f64 * dt + slack, (k + 1) as f64 * dt - slack);
        let acts = self.from.is_none_or(|from| from < end) && self.to.is_none_or(|to| to > start);
        let has_edge = [self.from, self.to].into_iter().flatten().any(|edge| start < edge && edge < end);
        !acts || !(has_edge || self.frequency.is_some() || self.table.is_some())
    }

    /// The factor on force and torque at time `t` in s: 1, or the sine.
    pub fn factor(&self, t: f64) -> f64 {
        self.frequency.map_or(1.0, |frequency| (TAU * frequency * t + self.phase).sin())
    }

    /// Whether the sine is zero, up to the rounding of times, where each of these steps begins: nothing is left of the push
    /// but its table.
    pub(crate) fn is_zero_at_steps(&self, first: usize, last: usize, dt: f64) -> bool {
        /// A sine that is rounding of times and of the frequency.
        const NOTHING: f64 = 1e-9;
        // What is zero at two steps in a row is zero at all, but for a frequency that is a little off: seen at the last.
        let steps = [first, (first + 1).min(last), last];
        self.frequency.is_some() && steps.iter().all(|&k| self.factor(k as f64 * dt).abs() <= NOTHING)
    }

    /// Whether it is zero at all times: a sine that does not swing and whose phase is zero, or half a turn.
    pub(crate) fn is_zero(&self) -> bool {
        self.frequency == Some(0.0) && self.is_zero_at_steps(0, 0, 0.0)
    }

    /// Bounds on a component of the force in N over all time, 0 included.
    pub fn range(&self, axis: usize) -> (f64, f64) {
        let force = self.force[axis];
        let low = if self.frequency.is_some() { -force.abs() } else { force.min(0.0) };
        let high = if self.frequency.is_some() { force.abs() } else { force.max(0.0) };
        let table = self.table.as_ref().map_or((0.0, 0.0), |table| table.range(axis));
        (low + table.0, high + table.1)
    }
}
