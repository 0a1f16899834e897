//! The motion of many bodies, points, bodies in the plane or in space, whose steps are differentiated by the implicit function
//! theorem on their contact problems.

mod accelerations;
mod approach;
mod assembly;
mod blows;
mod break_away;
mod chosen;
mod directions;
mod event;
mod exact;
mod friction;
mod geometry;
mod groups;
mod held_impact;
mod impact;
mod least_change;
mod linearisation;
mod loads;
mod margin;
mod moving;
mod on_way;
mod rates;
mod reversal;
mod run;
mod solve;
mod stage;
mod step;
mod taken;
mod world;

pub use self::exact::exact_end;
pub(super) use self::{
    exact::{NoSlopes, exact_slopes},
    run::BodyRun,
};
use super::{DerivativeRule, GradientError, GradientRequest, Input, Nearest, Subject, models::no_derivative};
use crate::scenario::Scenario;

/// Refuses step phases, which steps of bodies do not have.
///
/// # Errors
/// [`GradientError::NoDerivative`].
pub(super) fn check_phases<const D: usize>(
    scenario: &Scenario<D>,
    request: &GradientRequest,
) -> Result<(), GradientError> {
    let reason = "step phases are averaged over for a single point only; leave --phases out";
    match request.steppers.first() {
        Some(&stepper) if request.phases > 1 && Subject::of(scenario) == Subject::Bodies => {
            Err(no_derivative(stepper, reason).into())
        }
        _ => Ok(()),
    }
}
