//! What a model of bodies chose from the numbers of a scenario, and how that changes with them.

use num_dual::Dual64;

use crate::{
    gradient::{BodyQuantity, Input},
    model::{PointMass, State},
    scenario::{Scenario, Shape, SmoothLaw},
    stepper::{Compliance, NormalForce, StepperName, default_spring},
};

/// A body with the numbers that change along an input.
type Lifted<const D: usize> = (PointMass<D, Dual64>, State<D, Dual64>);

/// The change of the numbers that the model `name` chose for the contacts of each body with planes, where `bodies` change as
/// they do along `input`, and last of those for contacts between bodies: the softness of the ground of points by `convex`,
/// stiffness and damping by `smooth`.
pub(super) fn chosen_rates<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    input: Input,
    bodies: &[Lifted<D>],
) -> Vec<[f64; 2]> {
    let is_point = |body: usize| scenario.bodies[body].shape == Shape::Point;
    let mut rates = vec![[0.0; 2]; bodies.len() + 1];
    if name == StepperName::CONVEX {
        let compliance = Compliance::new(scenario.steppers.convex);
        for (body, (point, start)) in bodies.iter().enumerate().filter(|(body, _)| is_point(*body)) {
            rates[body][0] = compliance.softness(point, start, scenario.step).eps;
        }
    }
    if name == StepperName::SMOOTH {
        rates.fill(spring_of_the_heaviest(scenario, input, bodies));
        for (body, (point, start)) in bodies.iter().enumerate().filter(|(body, _)| is_point(*body)) {
            let law = &scenario.steppers.smooth.law;
            let (step, speed) = (Dual64::from(scenario.step), point.impact_speed(start));
            let (stiffness, damping) = NormalForce::new(law, point, step, speed).parameters();
            rates[body] = [stiffness.map_or(0.0, |stiffness| stiffness.eps), damping.eps];
        }
    }
    rates
}

/// The change of stiffness and damping after Hunt and Crossley where they are chosen for the heaviest body.
fn spring_of_the_heaviest<const D: usize>(
    scenario: &Scenario<D>,
    input: Input,
    bodies: &[Lifted<D>],
) -> [f64; 2] {
    let SmoothLaw::HuntCrossley { stiffness, damping } = scenario.steppers.smooth.law else {
        return [0.0; 2];
    };
    let masses = bodies.iter().map(|(body, _)| body.mass);
    let heaviest = masses.fold(Dual64::from(0.0), |most, mass| if mass.re > most.re { mass } else { most });
    let gravity = Dual64::new(scenario.gravity, f64::from(input == Input::Gravity));
    let spring = default_spring(heaviest, gravity);
    let own = |given: Option<f64>, chosen: Dual64| if given.is_some() { 0.0 } else { chosen.eps };
    [own(stiffness, spring.stiffness), own(damping, spring.damping)]
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
    // Of points alone only contacts with each other go by the heaviest.
    let goes_by_it = scenario.has_turning_bodies() || !scenario.contacts.is_empty();
    if name != StepperName::SMOOTH || !is_chosen || !goes_by_it {
        return None;
    }
    let others = scenario.bodies.iter().enumerate().filter(|(index, _)| *index != body);
    let heaviest = others.map(|(_, other)| other.mass).reduce(f64::max)?;
    Some(heaviest - input.value(scenario)?)
}
