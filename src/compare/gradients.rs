use super::Comparison;
use crate::{
    gradient::{
        DifferentiableModels, GradientError, GradientRequest, GradientStudy, Input, Method, output_names,
    },
    model::axis_names,
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

/// Most numbers of the scenario that the gradients are taken with respect to: more make no table.
const MOST_INPUTS: usize = 8;

impl<const D: usize> Comparison<D>
where
    Scenario<D>: DifferentiableModels<D>,
{
    /// What is asked for gradients: the final place of the point, or of the first body that moves, by every stepper
    /// that has run, with respect to start, ground and pushes.
    pub fn gradient_request(&self) -> GradientRequest {
        let scenario = &self.scenario;
        let mut steppers: Vec<StepperName> =
            self.entries.iter().map(|entry| entry.trajectory.stepper).collect();
        if self.truth.is_some() && scenario.is_single_point() && !steppers.contains(&StepperName::EXACT) {
            steppers.push(StepperName::EXACT);
        }
        let body = scenario.bodies.iter().position(|body| !body.fixed).unwrap_or(0);
        let prefix =
            if scenario.is_single_point() { String::new() } else { format!("{}.", scenario.body_name(body)) };
        let places = axis_names::<D>().iter().map(|axis| format!("{prefix}final_{axis}"));
        let known = output_names(scenario);
        GradientRequest {
            steppers,
            methods: vec![Method::Raw, Method::Corrected],
            outputs: places.filter(|name| known.contains(name)).collect(),
            inputs: Input::of(scenario).into_iter().take(MOST_INPUTS).collect(),
            kappa: 0.0,
            phases: 1,
            check: false,
        }
    }

    /// Takes the gradients of [`Comparison::gradient_request`], which the report then shows. `watch` counts steps.
    ///
    /// # Errors
    /// [`GradientError`] if an input has no derivative in this scenario, or if `watch` says to stop.
    pub fn differentiate(&mut self, watch: &Watch<'_>) -> Result<(), GradientError> {
        self.gradients = Some(GradientStudy::run(&self.scenario, &self.gradient_request(), watch)?);
        Ok(())
    }
}
