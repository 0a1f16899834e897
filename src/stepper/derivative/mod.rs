//! Derivatives of a step: what a stepper hands out, and the one chain rule that turns it into the
//! derivative of the next state, forward and backward.
//!
//! A step depends on the state at its start and on a few [parameters](StepRates). Steppers write the state after it in dual
//! numbers, a direction for each of them, and hand out an [`ExplicitDerivative`].

mod explicit;
mod flight;
mod margin;
mod rates;
mod rigid;

pub use crate::model::MarginKind;
pub use explicit::{ExplicitDerivative, LocalDual, LocalInput, explicit_derivative};
pub use margin::{Margin, Margins};
pub use rates::StepRates;
pub use rigid::{contact_margins, rigid_margins};

use self::flight::Flight;
use super::{PointInput, StepperName};
use crate::model::{PointMass, State};

/// A stepper's no to a derivative.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("stepper `{stepper}` has no such derivative: {reason}")]
pub struct NoDerivative {
    /// Who refuses.
    pub stepper: StepperName,
    /// Why, and what to use instead.
    pub reason: String,
}

/// The derivative of the state after a step with respect to the state before it and the parameters
/// of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StepDerivative<const D: usize> {
    /// Semi-implicit Euler without contact.
    Flight,
    /// The whole derivative.
    Explicit(ExplicitDerivative<D>),
}

impl<const D: usize> StepDerivative<D> {
    /// Takes derivatives of the state before the step, along directions of the inputs in which the parameters change at
    /// these rates, to those of the state after it.
    pub fn tangents<'a>(
        &self,
        body: &PointMass<D>,
        input: &PointInput<D>,
        directions: impl Iterator<Item = (&'a mut State<D>, &'a StepRates<D>)>,
    ) {
        match self {
            Self::Flight => {
                let flight = Flight::over(body, input);
                directions.for_each(|(change, rates)| flight.tangent(change, rates));
            }
            Self::Explicit(explicit) => {
                directions.for_each(|(change, rates)| explicit.tangent(change, rates));
            }
        }
    }

    /// The transpose of [`StepDerivative::tangents`]: takes the derivative `weight` of a result with
    /// respect to the state after the step to that with respect to the state before it, and adds
    /// its derivative with respect to the parameters to `rates`.
    pub fn adjoint(
        &self,
        body: &PointMass<D>,
        input: &PointInput<D>,
        weight: &mut State<D>,
        rates: &mut StepRates<D>,
    ) {
        match self {
            Self::Flight => Flight::over(body, input).adjoint(weight, rates),
            Self::Explicit(explicit) => explicit.adjoint(weight, rates),
        }
    }
}
