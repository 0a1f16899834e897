//! The states of a run of a point at some of its steps, with their derivatives.

use super::PointMotion;
use crate::{
    gradient::{
        DerivativeRule, DifferentiableModels, ExactGradient, GradientError, GradientOptions, Grid, Input,
        Method, Steps, Variation,
    },
    model::State,
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

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
/// As [`tangents`](crate::gradient::tangents) and [`ExactGradient::new`].
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
    let model = scenario.point_model(Steps::of(stepper, method, 0.0))?;
    let options = GradientOptions::of(scenario);
    let rule = DerivativeRule::from(method);
    model.check(rule)?;
    let mut motion = PointMotion::along(scenario, model, variations, options);
    motion.refuse_step(&inputs)?;
    let mut changes: Vec<State<D>> = motion.directions.iter().map(|direction| direction.start).collect();
    let mut largest: Vec<f64> = changes.iter().map(largest_component).collect();
    let mut samples = Sampled { states: Vec::new(), slopes: Vec::new(), largest: Vec::new() };
    let mut sample = |index: usize, state: &State<D>, changes: &[State<D>]| {
        if at.get(samples.states.len()) == Some(&index) {
            samples.states.push(*state);
            samples.slopes.push(changes.to_vec());
        }
    };
    sample(0, &motion.state, &changes);
    for step in options.grid.steps() {
        GradientError::unless_stopped(watch)?;
        let (input, taken) = motion.take(&step)?;
        let derivative = motion.derivative(rule, &input, &taken)?;
        derivative.tangents(&motion.body, &input, changes.iter_mut().zip(&motion.rates));
        for (change, largest) in changes.iter().zip(&mut largest) {
            *largest = largest.max(largest_component(change));
        }
        sample(step.index + 1, &motion.state, &changes);
    }
    samples.largest = largest;
    Ok(samples)
}

/// What is no number counts as nothing.
fn largest_component<const D: usize>(change: &State<D>) -> f64 {
    let components = change.position.iter().chain(change.velocity.iter());
    components.fold(0.0, |most, component| if component.abs() > most { component.abs() } else { most })
}
