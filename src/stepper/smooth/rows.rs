//! The row of penalty forces.

use std::borrow::Cow;

use super::point::SpringOfPoint;
use crate::stepper::{
    Capabilities, ContactLaw, ContactPoint, KnownGroups, Roster, StepperDescriptor, StepperName,
    bodies::{of_every_kind, smooth},
    descriptor::{Build, PointForm, PointForms},
};

/// `smooth`.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "smooth",
    aliases: &[],
    summary: Cow::Borrowed(
        "Penalty forces: springs with dampers (Kelvin and Voigt), Hunt and Crossley's law (1975), or tanh of the \
         height as in the blog post.",
    ),
    capabilities: Capabilities {
        law: ContactLaw::Penalty,
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
        models: of_every_kind!(smooth),
        point: Some(PointForms {
            plane: PointForm::By(|scenario| {
                ContactPoint::boxed(scenario, StepperName::SMOOTH, SpringOfPoint::of)
            }),
            space: PointForm::By(|scenario| {
                ContactPoint::boxed(scenario, StepperName::SMOOTH, SpringOfPoint::of)
            }),
        }),
    },
}];
