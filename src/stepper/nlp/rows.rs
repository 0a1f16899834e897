//! The row of the nonlinear program.

use std::borrow::Cow;

use super::relaxed::{RelaxedInPlane, RelaxedOverPlane};
use crate::{
    scenario::Scenario,
    stepper::{
        Capabilities, PointStepper, Refusal, Roster, StepperDescriptor, StepperName, TimeOfImpact,
        bodies::{nlp, of_every_kind},
        descriptor::{Build, PointForm, PointForms},
    },
};

/// `nlp`.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "nlp",
    aliases: &["nlp:relaxed"],
    summary: Cow::Borrowed(
        "The step as a nonlinear program: complementarity relaxed by slacks that the objective drives to zero, the \
         friction cone through a smooth square root, maximum dissipation through its multiplier; well posed, with \
         restitution. Of a point solved by IPOPT or the crate's own interior point, of bodies by the structured one \
         or IPOPT.",
    ),
    capabilities: Capabilities {
        gives_multipliers: true,
        corrects_gradients: true,
        differentiates_bodies: true,
        ..Capabilities::PLAIN
    },
    rosters: &[
        Roster::ComparisonOfPoint,
        Roster::ComparisonOfBodies,
        Roster::FamiliesInPlane,
        Roster::FamiliesOverPlane,
        Roster::GradientsOfPoint,
        Roster::GradientsOfBodies,
        Roster::Scorecard,
        Roster::RigidReference,
    ],
    build: Build::Model {
        models: of_every_kind!(nlp),
        point: Some(PointForms { plane: PointForm::By(in_plane), space: PointForm::By(over_plane) }),
    },
}];

fn in_plane(scenario: &Scenario<2>) -> Result<Box<dyn PointStepper<2>>, Refusal> {
    let stepper = Box::new(RelaxedInPlane::new(scenario)?);
    if !scenario.steppers.nlp.time_of_impact {
        return Ok(stepper);
    }
    Ok(Box::new(TimeOfImpact::new(stepper, scenario.point(0))))
}

fn over_plane(scenario: &Scenario<3>) -> Result<Box<dyn PointStepper<3>>, Refusal> {
    if scenario.steppers.nlp.time_of_impact {
        return Err(Refusal {
            stepper: StepperName::NLP,
            reason:
                "it divides steps at events in a vertical plane only, and this point has three coordinates"
                    .to_owned(),
            remedy: "set stepper.nlp.time_of_impact = false, or give two-component vectors (x, z)".to_owned(),
        });
    }
    Ok(Box::new(RelaxedOverPlane::new(scenario)?))
}
