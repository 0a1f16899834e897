//! The motion of many bodies, points, bodies in the plane or in space, whose steps are differentiated by the implicit function
//! theorem on their contact problems.

mod accelerations;
mod approach;
mod assembly;
mod chosen;
mod directions;
mod event;
mod exact;
mod geometry;
mod impact;
mod least_change;
mod linearisation;
mod loads;
mod margin;
mod moving;
mod rates;
mod reversal;
mod run;
mod solve;
mod stage;
mod step;
mod taken;
mod world;

pub(super) use self::{
    exact::{NoSlopes, exact_slopes},
    run::BodyRun,
};
use super::{DerivativeRule, GradientError, GradientRequest, Input, Nearest, models::no_derivative};
use crate::{
    model::{Orientation, State},
    scenario::Scenario,
    simulate::simulate,
    stepper::exact::ExactOfBody,
};

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
        Some(&stepper) if request.phases > 1 && !scenario.is_single_point() => {
            Err(no_derivative(stepper, reason).into())
        }
        _ => Ok(()),
    }
}

/// What the exact motion of one body over the ground in a plane ends with.
///
/// # Errors
/// Why it is not known.
pub(super) fn exact_end(scenario: &Scenario<2>) -> Result<Vec<f64>, String> {
    let mut exact = ExactOfBody::new(scenario).map_err(|refusal| refusal.reason)?;
    let trajectory = simulate(scenario, &mut exact);
    if let Some(failure) = &trajectory.first_failure {
        return Err(failure.error.to_string());
    }
    let end =
        trajectory.bodies.first().and_then(|motion| Some((motion.states.last()?, motion.attitudes.last()?)));
    let Some((State { position, velocity }, attitude)) = end else {
        return Err("its motion has no end".to_owned());
    };
    let Orientation::Angle(angle) = attitude.orientation else {
        return Err("its body does not turn in a plane".to_owned());
    };
    Ok(vec![position[0], position[1], angle, velocity[0], velocity[1], attitude.spin[0]])
}
