use super::{
    Convex, Exact, Hybrid, Refusal, Smooth, Stepper, StepperName,
    nlp::{
        relaxed::{RelaxedInPlane, RelaxedOverPlane},
        seed::SeedStepper,
    },
};
use crate::scenario::Scenario;

/// Makes the steppers that exist for a dimension.
pub trait BuildStepper<const D: usize> {
    /// The stepper called `name`, ready for this scenario.
    ///
    /// # Errors
    /// [`Refusal`] if the scenario breaks a rule (see [`Scenario::check`]) or the stepper does not
    /// admit it, with the reason and what to do.
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<D>>, Refusal>;
}

impl BuildStepper<2> for Scenario<2> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<2>>, Refusal> {
        refuse_invalid(self, name)?;
        Ok(match name {
            StepperName::NlpRelaxed => Box::new(RelaxedInPlane::new(self)?),
            StepperName::NlpSeed => Box::new(SeedStepper::new(self)?),
            StepperName::Hybrid => Box::new(Hybrid::new(self)?),
            StepperName::Smooth => Box::new(Smooth::new(self)?),
            StepperName::Convex => Box::new(Convex::new(self)?),
            StepperName::Exact => Box::new(Exact::new(self)?),
            _ => return Err(absent(name)),
        })
    }
}

impl BuildStepper<3> for Scenario<3> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<3>>, Refusal> {
        refuse_invalid(self, name)?;
        Ok(match name {
            StepperName::NlpRelaxed => Box::new(RelaxedOverPlane::new(self)?),
            StepperName::NlpSeed => return Err(in_plane_only(name)),
            StepperName::Hybrid => Box::new(Hybrid::new(self)?),
            StepperName::Smooth => Box::new(Smooth::new(self)?),
            StepperName::Convex => Box::new(Convex::new(self)?),
            StepperName::Exact => Box::new(Exact::new(self)?),
            _ => return Err(absent(name)),
        })
    }
}

/// Scenarios from files are checked when they are read; this is for those written in code.
fn refuse_invalid<const D: usize>(scenario: &Scenario<D>, stepper: StepperName) -> Result<(), Refusal> {
    scenario.check().map_err(|violations| Refusal {
        stepper,
        reason: violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        remedy: "correct these values".to_owned(),
    })
}

fn in_plane_only(stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "it moves points in a vertical plane, and this one has three coordinates".to_owned(),
        remedy: "give two-component vectors (x, z) or use stepper `nlp`".to_owned(),
    }
}

fn absent(stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "this version does not have it".to_owned(),
        remedy: "choose another stepper".to_owned(),
    }
}
