//! The reference scenarios, and shorthands for gradients of runs.

use std::path::Path;

use stickslip::{
    gradient::{Corrected, ExactGradient, GradientOptions, Grid, Input, Tangents, tangents},
    model::State,
    scenario::{AnyScenario, ConvexSettings, Scenario, SmoothLaw, read_scenario},
    stepper::{BuildStepper, PointStepper, StepperName},
    watch::Watch,
};

/// The scenario of that name in `tests/data/gradients`.
pub fn reference(name: &str) -> Scenario<2> {
    let file = format!("tests/data/gradients/{name}.toml");
    match read_scenario(Path::new(&file), &[]) {
        Ok(AnyScenario::InPlane(scenario)) => as_published(scenario),
        other => panic!("{file}: {other:?}"),
    }
}

/// With the compliant models as they were published: their parameters do not depend on the scenario.
pub fn as_published(mut scenario: Scenario<2>) -> Scenario<2> {
    scenario.steppers.convex = ConvexSettings::PUBLISHED;
    scenario.steppers.smooth.law = SmoothLaw::TANH;
    scenario
}

/// A stepper by its name in files.
pub fn stepper(scenario: &Scenario<2>, name: &str) -> Box<dyn PointStepper<2>> {
    scenario.point_stepper(name.parse::<StepperName>().unwrap()).unwrap()
}

/// The same with its steps divided at events.
pub fn divided(scenario: &Scenario<2>, name: &str) -> Box<dyn PointStepper<2>> {
    let mut scenario = scenario.clone();
    scenario.steppers.lcp.time_of_impact = true;
    scenario.steppers.nlp.time_of_impact = true;
    stepper(&scenario, name)
}

/// The same with the corrected gradient.
pub fn corrected(scenario: &Scenario<2>, name: &str) -> Box<dyn PointStepper<2>> {
    Box::new(Corrected::new(stepper(scenario, name), scenario.point(0)).unwrap())
}

/// The gradient of a run over the steps of the scenario.
pub fn run(scenario: &Scenario<2>, stepper: &mut dyn PointStepper<2>, inputs: &[Input]) -> Tangents<2> {
    tangents(scenario, stepper, inputs, &GradientOptions::of(scenario), &Watch::none()).unwrap()
}

/// The exact gradient over the same time.
pub fn exact(scenario: &Scenario<2>, inputs: &[Input]) -> ExactGradient<2> {
    ExactGradient::new(scenario, inputs, Grid::new(scenario.time()), &Watch::none()).unwrap()
}

/// The four numbers of a state.
pub fn components(state: &State<2>) -> [f64; 4] {
    [state.position[0], state.position[1], state.velocity[0], state.velocity[1]]
}

/// The squared Frobenius norm of a gradient whose inputs are scaled by their natural sizes.
pub fn scaled_square(scenario: &Scenario<2>, inputs: &[Input], tangents: &[State<2>]) -> f64 {
    let column = |(input, tangent): (&Input, &State<2>)| {
        let size = input.natural_size(scenario);
        components(tangent).iter().map(|value| (value * size).powi(2)).sum::<f64>()
    };
    inputs.iter().zip(tangents).map(column).sum()
}

/// The relative distance of two gradients, inputs scaled by their natural sizes.
pub fn relative_error(
    scenario: &Scenario<2>,
    inputs: &[Input],
    gradient: &[State<2>],
    truth: &[State<2>],
) -> f64 {
    let difference: Vec<State<2>> = gradient
        .iter()
        .zip(truth)
        .map(|(a, b)| State { position: a.position - b.position, velocity: a.velocity - b.velocity })
        .collect();
    (scaled_square(scenario, inputs, &difference) / scaled_square(scenario, inputs, truth)).sqrt()
}
