use std::ops::ControlFlow;

use super::{GridStep, Input, InputError};
use crate::{
    stepper::{Refusal, StepError, derivative::NoDerivative},
    watch::Watch,
};

/// Why there is no gradient.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GradientError {
    /// An input has no derivative in this scenario.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The stepper does not admit the scenario.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The stepper has no derivative.
    #[error(transparent)]
    NoDerivative(#[from] NoDerivative),
    /// A step failed.
    #[error("step {step} at t = {time} s failed: {reason}")]
    Step {
        /// Its number.
        step: usize,
        /// Time at its start in s.
        time: f64,
        /// Why.
        reason: String,
    },
    /// The derivative left the finite numbers.
    #[error("the derivative with respect to `{input}` left the finite numbers")]
    NotFinite {
        /// With respect to what.
        input: Input,
    },
    /// A [`Watch`] said to stop.
    #[error("the work was stopped before its end")]
    Interrupted,
}

impl GradientError {
    pub(super) fn step<const D: usize>(step: &GridStep, error: &StepError<D>) -> Self {
        Self::Step { step: step.index, time: step.time, reason: error.to_string() }
    }

    /// [`Self::Interrupted`] if `watch` says to stop.
    pub(super) fn unless_stopped(watch: &Watch<'_>) -> Result<(), Self> {
        match watch.flow() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Self::Interrupted),
        }
    }
}
