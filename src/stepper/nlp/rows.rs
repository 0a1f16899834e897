//! The row of the nonlinear program.

use std::borrow::Cow;

use crate::stepper::{
    Capabilities, ContactPoint, DifferentiatedGroups, KnownGroups, RigidLaw, Roster, StepperDescriptor,
    StepperName,
    bodies::{nlp, of_every_kind},
    descriptor::{Build, PointForm, PointForms},
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
        grouped_friction: KnownGroups::All,
        differentiates_groups: DifferentiatedGroups::Everywhere,
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
        point: Some(PointForms {
            plane: PointForm::By(|scenario| ContactPoint::boxed(scenario, StepperName::NLP, |_| RigidLaw)),
            space: PointForm::By(|scenario| ContactPoint::boxed(scenario, StepperName::NLP, |_| RigidLaw)),
        }),
    },
}];
