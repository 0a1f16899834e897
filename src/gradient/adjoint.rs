use super::{
    GradientOptions, Input,
    error::GradientError,
    tangent::{Course, refuse_step},
};
use crate::{
    model::{State, Vector},
    scenario::Scenario,
    stepper::{PointStepper, SolveReport, Step, derivative::StepRates},
    watch::Watch,
};

/// The end of a run, and the derivative of one number that depends on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjoint<const D: usize> {
    /// The state at the end.
    pub state: State<D>,
    /// The derivative of `weight . state`, per input.
    pub gradient: Vec<f64>,
}

/// Runs the steps, keeps them, and carries the derivative of `weight . (final state)` back through
/// them to every input at once: the cost does not grow with the number of inputs as that of
/// [`tangents`](super::tangents) does.
///
/// # Errors
/// As [`tangents`](super::tangents).
pub fn adjoint<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn PointStepper<D>,
    inputs: &[Input],
    weight: &State<D>,
    options: &GradientOptions,
    watch: &Watch<'_>,
) -> Result<Adjoint<D>, GradientError> {
    let mut course = Course::new(scenario, inputs, options, None)?;
    refuse_step(stepper, inputs)?;
    let mut state = course.lifted.state;
    // State and impulse are all that the way back needs: 48 bytes per step in the plane.
    let mut kept: Vec<(State<D>, Vector<D>)> = Vec::with_capacity(options.grid.len());
    stepper.reset();
    for step in options.grid.steps() {
        GradientError::unless_stopped(watch)?;
        let taken =
            stepper.step(&course.input(&step, state)).map_err(|error| GradientError::step(&step, &error))?;
        kept.push((state, taken.contact_impulse));
        state = taken.state;
    }
    let mut weight = *weight;
    let mut gradient = vec![0.0; inputs.len()];
    let mut after = state;
    for (index, &(before, contact_impulse)) in kept.iter().enumerate().rev() {
        GradientError::unless_stopped(watch)?;
        let step = options.grid.step(index);
        let input = course.input(&step, before);
        let taken = Step { state: after, contact_impulse, report: SolveReport::CLOSED_FORM };
        let derivative = stepper.step_derivative(&input, &taken)?;
        after = before;
        let mut gained = StepRates::zero();
        derivative.adjoint(&course.body, &input, &mut weight, &mut gained);
        course.reach(&step);
        for (gradient, rates) in gradient.iter_mut().zip(&course.rates) {
            *gradient += gained.dot(rates);
        }
    }
    for (gradient, direction) in gradient.iter_mut().zip(&course.directions) {
        *gradient += weight.position.dot(&direction.start.position);
        *gradient += weight.velocity.dot(&direction.start.velocity);
    }
    if let Some(index) = gradient.iter().position(|value| !value.is_finite()) {
        return Err(GradientError::NotFinite { input: inputs[index] });
    }
    Ok(Adjoint { state, gradient })
}
