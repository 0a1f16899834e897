use super::{Refusal, Stepper, StepperName};
use crate::scenario::Scenario;

/// Makes the steppers that exist for a dimension.
pub trait BuildStepper<const D: usize> {
    /// The stepper called `name`, ready for this scenario.
    ///
    /// # Errors
    /// [`Refusal`] if the stepper does not admit the scenario, with the reason and what to do.
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<D>>, Refusal>;
}

impl BuildStepper<2> for Scenario<2> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<2>>, Refusal> {
        Err(absent(name))
    }
}

impl BuildStepper<3> for Scenario<3> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<3>>, Refusal> {
        Err(absent(name))
    }
}

fn absent(stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "this version does not have it".to_owned(),
        remedy: "choose another stepper".to_owned(),
    }
}
