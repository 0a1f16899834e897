//! The row of convex contact.

use std::borrow::Cow;

use super::point::GroundOfPoint;
use crate::stepper::{
    Capabilities, ContactLaw, ContactPoint, KnownGroups, Roster, StepperDescriptor, StepperName,
    bodies::{convex, of_every_kind},
    descriptor::{Build, PointForm, PointForms},
};

/// `convex`.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "convex",
    aliases: &[],
    summary: Cow::Borrowed(
        "Compliant contact as an unconstrained convex problem, the SAP of Castro, Permenter and Han (2023): soft \
         ground, no restitution, one minimum, also for many bodies.",
    ),
    capabilities: Capabilities {
        law: ContactLaw::Convex,
        differentiates_bodies: true,
        grouped_friction: KnownGroups::All,
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
    ],
    build: Build::Model {
        models: of_every_kind!(convex),
        point: Some(PointForms {
            plane: PointForm::By(|scenario| {
                ContactPoint::boxed(scenario, StepperName::CONVEX, GroundOfPoint::of)
            }),
            space: PointForm::By(|scenario| {
                ContactPoint::boxed(scenario, StepperName::CONVEX, GroundOfPoint::of)
            }),
        }),
    },
}];
