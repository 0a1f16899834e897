use super::Comparison;
use crate::{
    gradient::{
        DifferentiableModels, GradientError, GradientRequest, GradientStudy, Input, Method, default_steppers,
        output_names,
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
        let mut steppers: Vec<StepperName> = self
            .entries
            .iter()
            .map(|entry| entry.trajectory.stepper)
            .filter(|stepper| !stepper.is_recorded())
            .collect();
        if self.truth.is_some() && !steppers.iter().any(|stepper| stepper.is_exact()) {
            steppers.extend(default_steppers(scenario).into_iter().filter(|stepper| stepper.is_exact()));
        }
        let body = scenario.bodies.iter().position(|body| !body.fixed).unwrap_or(0);
        let body = format!("{}.", scenario.body_name(body));
        let places: Vec<String> = axis_names::<D>().iter().map(|axis| format!("final_{axis}")).collect();
        // The results of a point alone are without its name.
        let is_place = |name: &String| {
            let of_body = name.strip_prefix(&body).unwrap_or(name);
            places.iter().any(|place| place == of_body)
        };
        GradientRequest {
            steppers,
            methods: vec![Method::Raw, Method::Corrected],
            outputs: output_names(scenario).into_iter().filter(is_place).collect(),
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
