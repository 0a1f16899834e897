//! What a model of bodies chose from the numbers of a scenario, and how that changes with them.

use num_dual::Dual64;

use crate::{
    gradient::{BodyQuantity, Input},
    model::{PointMass, State},
    scenario::{Scenario, SmoothLaw},
    stepper::{Compliance, StepperName, default_spring},
};

/// The change of the numbers that the model `name` chose for each body, where `bodies` change as they do along `input`:
/// the softness of the ground by `convex`, stiffness and damping by `smooth` after Hunt and Crossley.
pub(super) fn chosen_rates<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    input: Input,
    bodies: &[(PointMass<D, Dual64>, State<D, Dual64>)],
) -> Vec<[f64; 2]> {
    match (name, scenario.steppers.smooth.law) {
        (StepperName::CONVEX, _) if !scenario.has_turning_bodies() => {
            let compliance = Compliance::new(scenario.steppers.convex);
            let of_body = |(body, start): &(PointMass<D, Dual64>, State<D, Dual64>)| {
                [compliance.softness(body, start, scenario.step).eps, 0.0]
            };
            bodies.iter().map(of_body).collect()
        }
        (StepperName::SMOOTH, SmoothLaw::HuntCrossley { stiffness, damping }) => {
            let masses = bodies.iter().map(|(body, _)| body.mass);
            let heaviest =
                masses.fold(Dual64::from(0.0), |most, mass| if mass.re > most.re { mass } else { most });
            let gravity = Dual64::new(scenario.gravity, f64::from(input == Input::Gravity));
            let spring = default_spring(heaviest, gravity);
            let own = |given: Option<f64>, chosen: Dual64| if given.is_some() { 0.0 } else { chosen.eps };
            vec![[own(stiffness, spring.stiffness), own(damping, spring.damping)]; bodies.len()]
        }
        _ => vec![[0.0; 2]; bodies.len()],
    }
}

/// By how much `input` has to change until another body is the heaviest, which the spring of `smooth` after Hunt and
/// Crossley is chosen for; `None` if that does not depend on it.
pub(super) fn distance_to_another_choice<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    input: Input,
) -> Option<f64> {
    let is_chosen = matches!(scenario.steppers.smooth.law, SmoothLaw::HuntCrossley { stiffness: None, .. });
    let Input::OfBody(_, body, BodyQuantity::Mass) = input else { return None };
    if name != StepperName::SMOOTH || !is_chosen {
        return None;
    }
    let others = scenario.bodies.iter().enumerate().filter(|(index, _)| *index != body);
    let heaviest = others.map(|(_, other)| other.mass).reduce(f64::max)?;
    Some(heaviest - input.value(scenario)?)
}
