//! Which scenarios the steppers of a single point admit.

use super::{Refusal, StepperName};
use crate::{model::PointMass, scenario::Scenario};

/// The one point of `scenario`, with its ground.
///
/// # Errors
/// [`Refusal`] if there is anything but one point over the ground.
pub(super) fn single_point<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
) -> Result<PointMass<D>, Refusal> {
    if scenario.is_single_point() {
        Ok(scenario.point(0))
    } else {
        Err(not_a_single_point(scenario, stepper))
    }
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
        remedy: "use `nlp`, `lcp`, `lcp:anitescu`, `cone`, `convex` or `smooth`, or give one particle as [particle]"
            .to_owned(),
    }
}
