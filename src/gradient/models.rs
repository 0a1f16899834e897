use super::{
    GradientError, Steps, Subject,
    bodies::BodyRun,
    point::{ExactRun, PointModel, PointRun, corrected_derivative},
    run::DifferentiableRun,
};
use crate::{
    scenario::Scenario,
    stepper::{
        BuildStepper, PointStepper, StepperName, derivative::NoDerivative, nlp::relaxed::SmoothedNlp,
        refuse_friction_of_slip,
    },
    world::{Particles, planar, spatial},
};

/// Scenarios whose runs have gradients.
pub trait DifferentiableModels<const D: usize>: BuildStepper<D> {
    /// A run by these steps, to be differentiated.
    ///
    /// # Errors
    /// [`GradientError`] where the stepper does not admit the scenario, or has no derivative or smoothing there.
    fn differentiable_run(&self, steps: Steps) -> Result<Box<dyn DifferentiableRun + '_>, GradientError>;

    /// A stepper of a single point, with the derivatives that its steps have.
    ///
    /// # Errors
    /// As [`DifferentiableModels::differentiable_run`].
    fn point_model(&self, steps: Steps) -> Result<PointModel<D>, GradientError>;
}

impl DifferentiableModels<2> for Scenario<2> {
    fn differentiable_run(&self, steps: Steps) -> Result<Box<dyn DifferentiableRun + '_>, GradientError> {
        if Subject::of(self) == Subject::Point {
            return point_run(self, steps);
        }
        Ok(match self.has_turning_bodies() {
            true => Box::new(BodyRun::<planar::Scene, 2, 3>::new(self, steps)?),
            false => Box::new(BodyRun::<Particles<2>, 2, 2>::new(self, steps)?),
        })
    }

    fn point_model(&self, steps: Steps) -> Result<PointModel<2>, GradientError> {
        let stepper = point_stepper(self, steps)?;
        let none = |reason: &str| Err(no_derivative(steps.stepper, reason));
        let is_at_gap_level = steps.stepper.descriptor().capabilities.corrects_gradients;
        let correction = if stepper.divides_steps() {
            none("its steps are divided at events and need no correction")
        } else if !is_at_gap_level || steps.smoothing.is_some() {
            none("only lcp and nlp, which take impacts at the level of the gap, are corrected")
        } else {
            Ok(corrected_derivative as _)
        };
        Ok(PointModel { stepper, correction })
    }
}

impl DifferentiableModels<3> for Scenario<3> {
    fn differentiable_run(&self, steps: Steps) -> Result<Box<dyn DifferentiableRun + '_>, GradientError> {
        if Subject::of(self) == Subject::Point {
            return point_run(self, steps);
        }
        Ok(match self.has_turning_bodies() {
            true => Box::new(BodyRun::<spatial::Scene, 3, 6>::new(self, steps)?),
            false => Box::new(BodyRun::<Particles<3>, 3, 3>::new(self, steps)?),
        })
    }

    fn point_model(&self, steps: Steps) -> Result<PointModel<3>, GradientError> {
        let reason = "gradients are corrected in a vertical plane only";
        let correction = Err(no_derivative(steps.stepper, reason));
        Ok(PointModel { stepper: point_stepper(self, steps)?, correction })
    }
}

fn point_run<const D: usize>(
    scenario: &Scenario<D>,
    steps: Steps,
) -> Result<Box<dyn DifferentiableRun + '_>, GradientError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    if steps.stepper.is_exact() && steps.smoothing.is_none() {
        return Ok(Box::new(ExactRun { scenario }));
    }
    Ok(Box::new(PointRun { scenario, model: scenario.point_model(steps)? }))
}

fn point_stepper<const D: usize>(
    scenario: &Scenario<D>,
    Steps { stepper, smoothing }: Steps,
) -> Result<Box<dyn PointStepper<D>>, GradientError>
where
    Scenario<D>: BuildStepper<D>,
{
    let own = scenario.point_stepper(stepper)?;
    match smoothing {
        None => Ok(own),
        Some(kappa) if stepper == StepperName::NLP => {
            refuse_friction_of_slip(scenario, stepper, "its smoothed program")?;
            Ok(Box::new(SmoothedNlp::new(scenario, kappa)))
        }
        Some(_) => Err(no_derivative(stepper, "only nlp is smoothed").into()),
    }
}

/// A stepper's no, and why.
pub(super) fn no_derivative(stepper: StepperName, reason: &str) -> NoDerivative {
    NoDerivative { stepper, reason: reason.to_owned() }
}
