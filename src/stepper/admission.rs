//! Which scenarios the steppers of a single point admit.

use super::{Refusal, StepperName};
use crate::{
    model::PointMass,
    scenario::{Scenario, SlidingFriction},
};

/// The one point of `scenario`, with its ground.
///
/// # Errors
/// [`Refusal`] if there is anything but one point over the ground.
pub(super) fn single_point<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
) -> Result<PointMass<D>, Refusal> {
    if !scenario.is_single_point() {
        return Err(not_a_single_point(scenario, stepper));
    }
    Ok(scenario.point(0))
}

/// The same for a stepper that knows friction with one coefficient.
///
/// # Errors
/// [`Refusal`] if there is anything but one point over the ground, or friction depends on the slip.
pub(super) fn single_point_on_one_coefficient<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
) -> Result<PointMass<D>, Refusal> {
    let point = single_point(scenario, stepper)?;
    refuse_friction_of_slip(scenario, stepper, "it")?;
    Ok(point)
}

/// Refuses friction that depends on how fast something slips, of which `what` of the stepper knows nothing.
///
/// # Errors
/// [`Refusal`] where it does.
pub(crate) fn refuse_friction_of_slip<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    what: &str,
) -> Result<(), Refusal> {
    if !scenario.friction_depends_on_slip() {
        return Ok(());
    }
    Err(Refusal {
        stepper,
        reason: format!(
            "{what} knows friction with one coefficient, and here that in motion differs from that at rest, or with the slip"
        ),
        remedy: format!("leave {} out, or use {}", SlidingFriction::KEYS, contact_models()),
    })
}

/// The refusal of a stepper of a single point.
pub(crate) fn not_a_single_point<const D: usize>(scenario: &Scenario<D>, stepper: StepperName) -> Refusal {
    let what = match scenario.bodies.len() {
        1 => "this one is not a point alone".to_owned(),
        count => format!("this is a system of {count} bodies"),
    };
    Refusal {
        stepper,
        reason: format!("it moves a single point over the ground, and {what}"),
        remedy: format!("use {}, or give one particle as [particle]", contact_models()),
    }
}

/// The built-in contact models, as a choice in a sentence.
fn contact_models() -> String {
    let models = StepperName::ALL.into_iter().filter(|name| name.descriptor().is_contact_model());
    let quoted: Vec<String> = models.map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}
