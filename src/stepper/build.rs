use super::{
    Convex, Exact, Hybrid, PointStepper, Refusal, Smooth, StepperName,
    convex::ConvexSystem,
    lcp::{
        Anitescu, BelbutePeres, Direct, Direct2, FallingBlock, FixedPoint, Forward, Mixed, Polyhedral,
        StewartTrinkle, Traditional,
    },
    nlp::{
        relaxed::{RelaxedInPlane, RelaxedOverPlane},
        seed::SeedStepper,
    },
};
use crate::scenario::{ParticleSystem, Scenario, Violation};

/// Makes the steppers that exist for a dimension.
pub trait BuildStepper<const D: usize> {
    /// The stepper called `name`, ready for this scenario.
    ///
    /// # Errors
    /// [`Refusal`] if the scenario breaks a rule (see [`Scenario::check`]) or the stepper does not
    /// admit it, with the reason and what to do.
    fn stepper(&self, name: StepperName) -> Result<Box<dyn PointStepper<D>>, Refusal>;
}

impl BuildStepper<2> for Scenario<2> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn PointStepper<2>>, Refusal> {
        refuse_invalid(self, name)?;
        Ok(match name {
            StepperName::NlpRelaxed => Box::new(RelaxedInPlane::new(self)?),
            StepperName::NlpSeed => Box::new(SeedStepper::new(self)?),
            StepperName::LcpStewartTrinkle => Box::new(StewartTrinkle::new(self)?),
            StepperName::LcpAnitescu => Box::new(Anitescu::new(self)?),
            StepperName::LcpFallingBlock => Box::new(FallingBlock::new(self)?),
            StepperName::LcpForward => Box::new(Forward::new(self)?),
            StepperName::LcpDirect => Box::new(Direct::new(self)?),
            StepperName::LcpDirect2 => Box::new(Direct2::new(self)?),
            StepperName::LcpTraditional => Box::new(Traditional::new(self)?),
            StepperName::LcpMixed => Box::new(Mixed::new(self)?),
            StepperName::LcpBelbutePeres => Box::new(BelbutePeres::new(self)?),
            StepperName::LcpPolyhedral | StepperName::LcpFixedPoint => return Err(over_plane_only(name)),
            StepperName::Convex => Box::new(Convex::new(self)?),
            StepperName::Hybrid => Box::new(Hybrid::new(self)?),
            StepperName::Smooth => Box::new(Smooth::new(self)?),
            StepperName::Exact => Box::new(Exact::new(self)?),
        })
    }
}

impl BuildStepper<3> for Scenario<3> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn PointStepper<3>>, Refusal> {
        refuse_invalid(self, name)?;
        Ok(match name {
            StepperName::NlpRelaxed => Box::new(RelaxedOverPlane::new(self)?),
            StepperName::LcpPolyhedral => Box::new(Polyhedral::new(self)?),
            StepperName::LcpFixedPoint => Box::new(FixedPoint::new(self)?),
            StepperName::NlpSeed => return Err(in_plane_only(name, StepperName::NlpRelaxed)),
            StepperName::LcpStewartTrinkle
            | StepperName::LcpAnitescu
            | StepperName::LcpFallingBlock
            | StepperName::LcpForward
            | StepperName::LcpDirect
            | StepperName::LcpDirect2
            | StepperName::LcpTraditional
            | StepperName::LcpMixed
            | StepperName::LcpBelbutePeres => return Err(in_plane_only(name, StepperName::LcpPolyhedral)),
            StepperName::Convex => Box::new(Convex::new(self)?),
            StepperName::Hybrid => Box::new(Hybrid::new(self)?),
            StepperName::Smooth => Box::new(Smooth::new(self)?),
            StepperName::Exact => Box::new(Exact::new(self)?),
        })
    }
}

impl<const D: usize> ParticleSystem<D> {
    /// The stepper called `name`, ready for this system. Only `convex` moves several particles.
    ///
    /// # Errors
    /// [`Refusal`] if the system breaks a rule (see [`ParticleSystem::check`]) or the stepper does
    /// not admit it.
    pub fn stepper(&self, name: StepperName) -> Result<ConvexSystem<D>, Refusal> {
        self.check().map_err(|violations| invalid(&violations, name))?;
        match name {
            StepperName::Convex => Ok(ConvexSystem::new(self)),
            _ => Err(Refusal {
                stepper: name,
                reason: format!(
                    "it moves a single point, and this is a system of {} ([[particle]])",
                    match self.particles.len() {
                        1 => "1 particle".to_owned(),
                        count => format!("{count} particles"),
                    }
                ),
                remedy: "use stepper `convex`, or give one particle as [particle]".to_owned(),
            }),
        }
    }
}

/// Scenarios from files are checked when they are read; this is for those written in code.
fn refuse_invalid<const D: usize>(scenario: &Scenario<D>, stepper: StepperName) -> Result<(), Refusal> {
    scenario.check().map_err(|violations| invalid(&violations, stepper))
}

fn invalid(violations: &[Violation], stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        remedy: "correct these values".to_owned(),
    }
}

fn in_plane_only(stepper: StepperName, instead: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "it moves points in a vertical plane, and this one has three coordinates".to_owned(),
        remedy: format!("give two-component vectors (x, z) or use stepper `{instead}`"),
    }
}

fn over_plane_only(stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "it moves points over a plane, and this one has two coordinates".to_owned(),
        remedy: format!(
            "give three-component vectors (x, y, z) or use stepper `{}`",
            StepperName::LcpStewartTrinkle
        ),
    }
}
