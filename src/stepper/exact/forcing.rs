use std::f64::consts::TAU;

use crate::{
    model::{Number, Vector},
    scenario::Push,
};

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
}
