use std::{cmp::Ordering, f64::consts::TAU};

use crate::{
    model::{Number, Vector},
    scenario::Push,
};

/// How much of a step an edge of a window may be off the time of a sample and still count as there.
const EDGE_TOLERANCE: f64 = 1e-6;

/// A push of the scenario as a function of continuous time, in numbers that may carry derivatives
/// with respect to its parameters. See [`Push`] for what they mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forcing<const D: usize, N = f64> {
    /// Force in N (the amplitude, if there is a frequency).
    pub force: Vector<D, N>,
    /// Start of the window in s.
    pub from: Option<N>,
    /// End of the window in s.
    pub to: Option<N>,
    /// Frequency in Hz.
    pub frequency: Option<N>,
    /// Phase in rad.
    pub phase: N,
}

impl<const D: usize, N: Number> Forcing<D, N> {
    /// The push with derivative zero.
    pub fn constant(push: &Push<D>) -> Self {
        Self {
            force: push.force.map(N::constant),
            from: push.from.map(N::constant),
            to: push.to.map(N::constant),
            frequency: push.frequency.map(N::constant),
            phase: N::constant(push.phase),
        }
    }

    /// Whether it acts in the stretch between two edges of windows that starts at `begin`.
    pub fn acts_from(&self, begin: f64) -> bool {
        self.from.is_none_or(|from| from.re() <= begin) && self.to.is_none_or(|to| begin < to.re())
    }

    /// The factor on the force at time `t` in s: 1, or the sine.
    pub fn factor(&self, t: N) -> N {
        self.frequency.map_or(N::one(), |frequency| (frequency * t * TAU + self.phase).sin())
    }

    /// Whether it acts in a step of `h` s that starts at `t`, sampled there; blind to rounding.
    pub fn acts_at(&self, t: f64, h: f64) -> bool {
        let t = t + EDGE_TOLERANCE * h;
        self.from.is_none_or(|from| from.re() <= t) && self.to.is_none_or(|to| t < to.re())
    }

    /// What the motion of the window's edges within the step of `h` s from `t` adds to the impulse
    /// of the push, in N s: a number of value zero whose derivative is that of the mean push, times
    /// `h`.
    pub fn edges(&self, t: f64, h: f64) -> Vector<D, N> {
        let within = |edge: &N| Forcing::<D>::place_in_step(edge.re(), t, h) == Ordering::Equal;
        let moved = |edge: N| self.force * self.factor(edge) * (edge - edge.re());
        let begun = self.from.filter(within).map_or(Vector::zeros(), |from| -moved(from));
        let ended = self.to.filter(within).map_or(Vector::zeros(), moved);
        begun + ended
    }
}

impl<const D: usize> Forcing<D> {
    /// Its impulse between two times, in N s, whatever its window.
    pub fn impulse(&self, from: f64, to: f64) -> Vector<D> {
        let width = to - from;
        let mean = self.frequency.map_or(1.0, |frequency| {
            let (middle, half) =
                (TAU * frequency * 0.5 * (from + to) + self.phase, 0.5 * TAU * frequency * width);
            let flattened = if half.abs() > 0.0 { half.sin() / half } else { 1.0 };
            middle.sin() * flattened
        });
        self.force * (mean * width)
    }

    /// Whether a time that an edge of a window lies at belongs to the step of `h` s from `t`, or to a later or an
    /// earlier one; blind to rounding, as [`Forcing::edges`].
    pub fn place_in_step(edge: f64, t: f64, h: f64) -> Ordering {
        let place = (edge - t) / h;
        if place < -EDGE_TOLERANCE {
            Ordering::Less
        } else if place < 1.0 - EDGE_TOLERANCE {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}
