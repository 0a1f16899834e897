//! The rows of the complementarity problems that step points and bodies.

use std::borrow::Cow;

use super::{Anitescu, StewartTrinkle};
use crate::{
    scenario::{RestitutionLaw, Scenario},
    stepper::{
        Capabilities, PointStepper, Refusal, Roster, StepperDescriptor, StepperName, TimeOfImpact,
        bodies::{anitescu, lcp, of_every_kind},
        descriptor::{Build, PointForm, PointForms},
    },
};

/// `lcp` and `lcp:anitescu`.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[STEWART_TRINKLE, ANITESCU];

const STEWART_TRINKLE: StepperDescriptor = StepperDescriptor {
    name: "lcp",
    aliases: &["lcp:stewart-trinkle"],
    summary: Cow::Borrowed(
        "A linear complementarity problem on the level of gaps (Stewart and Trinkle 1996), of bodies over a plane with \
         the friction cone cut into a polygon; of a point over a plane take `lcp:polyhedral`.",
    ),
    capabilities: Capabilities {
        corrects_gradients: true,
        differentiates_bodies: true,
        ..Capabilities::PLAIN
    },
    rosters: &[
        Roster::ComparisonOfPoint,
        Roster::ComparisonOfBodies,
        Roster::FamiliesInPlane,
        Roster::GradientsOfPoint,
        Roster::GradientsOfBodies,
        Roster::Scorecard,
        Roster::RigidReference,
    ],
    build: Build::Model {
        models: of_every_kind!(lcp),
        point: Some(PointForms {
            plane: PointForm::By(stewart_trinkle_in_plane),
            space: PointForm::Instead("lcp:polyhedral"),
        }),
    },
};

const ANITESCU: StepperDescriptor = StepperDescriptor {
    name: "lcp:anitescu",
    aliases: &[],
    summary: Cow::Borrowed(
        "A linear complementarity problem on the level of velocities (Anitescu and Potra 1997).",
    ),
    capabilities: Capabilities { differentiates_bodies: true, ..Capabilities::PLAIN },
    rosters: &[Roster::ComparisonOfPoint, Roster::ComparisonOfBodies, Roster::Scorecard],
    build: Build::Model {
        models: of_every_kind!(anitescu),
        point: Some(PointForms {
            plane: PointForm::By(|scenario| Ok(Box::new(Anitescu::new(scenario)?))),
            space: PointForm::Instead("lcp:polyhedral"),
        }),
    },
};

fn stewart_trinkle_in_plane(scenario: &Scenario<2>) -> Result<Box<dyn PointStepper<2>>, Refusal> {
    let stepper = Box::new(StewartTrinkle::new(scenario)?);
    let settings = scenario.steppers.lcp;
    if !settings.time_of_impact {
        return Ok(stepper);
    }
    if settings.restitution == RestitutionLaw::Poisson && scenario.ground.restitution != 0.0 {
        return Err(Refusal {
            stepper: StepperName::LCP,
            reason:
                "it divides steps at impacts under Newton's law, and stepper.lcp.restitution is \"poisson\""
                    .to_owned(),
            remedy: "set stepper.lcp.restitution = \"newton\" or stepper.lcp.time_of_impact = false"
                .to_owned(),
        });
    }
    Ok(Box::new(TimeOfImpact::new(stepper, scenario.point(0))))
}
