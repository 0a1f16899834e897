//! The states of a run of a point at some of its steps, with their derivatives.

use super::{
    DifferentiableModels, ExactGradient, GradientError, GradientOptions, Grid, Input, Method, Variation,
    tangent::{Course, largest_component, refuse_step},
};
use crate::{model::State, scenario::Scenario, stepper::StepperName, watch::Watch};

/// States of a run and their derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled<const D: usize> {
    /// The states.
    pub states: Vec<State<D>>,
    /// Per state, the derivative in each direction.
    pub slopes: Vec<Vec<State<D>>>,
    /// The largest derivative of a component of the state on the way, per direction; 0 of the exact motion.
    pub largest: Vec<f64>,
}

/// The states before the steps with the numbers `at`, in order and up to the number of steps, and their derivatives:
/// `exact`ly, or by the steps of a stepper with the derivative of `method`.
///
/// # Errors
/// As [`tangents`](super::tangents) and [`ExactGradient::new`].
pub fn sampled<const D: usize>(
    scenario: &Scenario<D>,
    (stepper, method): (StepperName, Method),
    variations: &[Variation<D>],
    at: &[usize],
    watch: &Watch<'_>,
) -> Result<Sampled<D>, GradientError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let inputs: Vec<Input> = variations.iter().filter_map(|variation| variation.input).collect();
    for input in &inputs {
        input.check(scenario)?;
    }
    if stepper.is_exact() {
        return ExactGradient::sampled(scenario, variations, Grid::new(scenario.time()), at, watch);
    }
    let mut model = scenario.model(stepper, method, 0.0)?;
    refuse_step(model.as_ref(), &inputs)?;
    let options = GradientOptions::of(scenario);
    let mut course = Course::along(scenario, variations, &options, None);
    let mut state = course.lifted.state;
    let mut changes: Vec<State<D>> = course.directions.iter().map(|direction| direction.start).collect();
    let mut largest: Vec<f64> = changes.iter().map(largest_component).collect();
    let mut samples = Sampled { states: Vec::new(), slopes: Vec::new(), largest: Vec::new() };
    let mut sample = |index: usize, state: &State<D>, changes: &[State<D>]| {
        if at.get(samples.states.len()) == Some(&index) {
            samples.states.push(*state);
            samples.slopes.push(changes.to_vec());
        }
    };
    sample(0, &state, &changes);
    model.reset();
    for step in options.grid.steps() {
        GradientError::unless_stopped(watch)?;
        let input = course.input(&step, state);
        let taken = model.step(&input).map_err(|error| GradientError::step(&step, &error))?;
        course.reach(&step);
        model.step_derivative(&input, &taken)?.tangents(
            &course.body,
            &input,
            changes.iter_mut().zip(&course.rates),
        );
        for (change, largest) in changes.iter().zip(&mut largest) {
            *largest = largest.max(largest_component(change));
        }
        state = taken.state;
        sample(step.index + 1, &state, &changes);
    }
    samples.largest = largest;
    Ok(samples)
}
