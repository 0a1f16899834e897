use std::f64::consts::TAU;

use super::time::first_step_at_or_after;
use crate::model::Vector;

/// An external force on a body, constant or sinusoidal, over a window of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push<const D: usize> {
    /// On which body; on every one if absent.
    pub body: Option<usize>,
    /// Force in N (the amplitude, if there is a frequency).
    pub force: Vector<D>,
    /// Start of the window in s; acts from the beginning if absent.
    pub from: Option<f64>,
    /// End of the window in s (not included); acts to the end if absent.
    pub to: Option<f64>,
    /// Frequency in Hz: the force is multiplied by `sin(2 pi frequency t + phase)`.
    pub frequency: Option<f64>,
    /// Phase in rad, used with a frequency.
    pub phase: f64,
}

impl<const D: usize> Push<D> {
    /// A constant force in N on every body, acting all the time.
    pub fn constant(force: impl Into<Vector<D>>) -> Self {
        Self { body: None, force: force.into(), from: None, to: None, frequency: None, phase: 0.0 }
    }

    /// Whether it pushes body `body`.
    pub fn acts_on(&self, body: usize) -> bool {
        self.body.is_none_or(|pushed| pushed == body)
    }

    /// The force of the step that starts at `k dt`, in N, sampled at the left end of the step.
    ///
    /// Whether the window `from <= k dt < to` holds is decided by step index, so that rounding of
    /// `k dt` can neither lose a step nor add one.
    pub fn at_step(&self, k: usize, dt: f64) -> Vector<D> {
        let k_f64 = k as f64;
        let begun = self.from.is_none_or(|from| k_f64 >= first_step_at_or_after(from, dt));
        let ended = self.to.is_some_and(|to| k_f64 >= first_step_at_or_after(to, dt));
        if begun && !ended { self.force * self.factor(k_f64 * dt) } else { Vector::zeros() }
    }

    /// The mean force in N over the step that starts at `k dt`, of the continuous push.
    pub fn mean_over_step(&self, k: usize, dt: f64) -> Vector<D> {
        let (start, end) = (k as f64 * dt, (k + 1) as f64 * dt);
        let begin = self.from.map_or(start, |from| from.max(start));
        let duration = self.to.map_or(end, |to| to.min(end)) - begin;
        if duration <= 0.0 {
            return Vector::zeros();
        }
        // The mean of a sine is that of the middle times sin(a)/a, `a` half of the angle in between.
        let half_angle = 0.5 * TAU * self.frequency.unwrap_or(0.0) * duration;
        let damping = if half_angle == 0.0 { 1.0 } else { half_angle.sin() / half_angle };
        self.force * (self.factor(begin + 0.5 * duration) * damping * (duration / dt))
    }

    /// The factor on the force at time `t` in s: 1, or the sine.
    pub fn factor(&self, t: f64) -> f64 {
        self.frequency.map_or(1.0, |frequency| (TAU * frequency * t + self.phase).sin())
    }
}
