use super::{BodyGradients, Corrected, GradientError, Method};
use crate::{
    scenario::Scenario,
    stepper::{BuildStepper, PointStepper, StepperName, derivative::NoDerivative, nlp::relaxed::SmoothedNlp},
};

/// Makes the steppers whose derivatives a [`Method`] takes.
pub trait DifferentiableModels<const D: usize>: BuildStepper<D> + BodyGradients {
    /// The stepper of that name with the derivative of `method`; `kappa` is the smoothing.
    ///
    /// # Errors
    /// [`GradientError`] where the stepper does not admit the scenario, or does not have the method.
    fn model(
        &self,
        name: StepperName,
        method: Method,
        kappa: f64,
    ) -> Result<Box<dyn PointStepper<D>>, GradientError>;
}

impl DifferentiableModels<2> for Scenario<2> {
    fn model(
        &self,
        name: StepperName,
        method: Method,
        kappa: f64,
    ) -> Result<Box<dyn PointStepper<2>>, GradientError> {
        match method {
            Method::Raw => Ok(self.point_stepper(name)?),
            Method::Smoothed => smoothed(self, name, kappa),
            Method::Corrected => {
                let stepper = self.point_stepper(name)?;
                if stepper.divides_steps() {
                    return Err(no_method(name, "its steps are divided at events and need no correction"));
                }
                Corrected::new(stepper, self.point(0))
                    .ok_or_else(|| {
                        no_method(
                            name,
                            "only lcp and nlp, which take impacts at the level of the gap, are corrected",
                        )
                    })
                    .map(|corrected| Box::new(corrected) as Box<dyn PointStepper<2>>)
            }
        }
    }
}

impl DifferentiableModels<3> for Scenario<3> {
    fn model(
        &self,
        name: StepperName,
        method: Method,
        kappa: f64,
    ) -> Result<Box<dyn PointStepper<3>>, GradientError> {
        match method {
            Method::Raw => Ok(self.point_stepper(name)?),
            Method::Smoothed => smoothed(self, name, kappa),
            Method::Corrected => Err(no_method(name, "gradients are corrected in a vertical plane only")),
        }
    }
}

fn smoothed<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    kappa: f64,
) -> Result<Box<dyn PointStepper<D>>, GradientError>
where
    Scenario<D>: BuildStepper<D>,
{
    scenario.point_stepper(name)?;
    if name == StepperName::NLP {
        Ok(Box::new(SmoothedNlp::new(scenario, kappa)))
    } else {
        Err(no_method(name, "only nlp is smoothed"))
    }
}

fn no_method(stepper: StepperName, reason: &str) -> GradientError {
    GradientError::NoDerivative(NoDerivative { stepper, reason: reason.to_owned() })
}
