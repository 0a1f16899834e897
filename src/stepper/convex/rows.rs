//! The row of convex contact.

use std::borrow::Cow;

use super::Convex;
use crate::stepper::{
    Capabilities, ContactLaw, Roster, StepperDescriptor,
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
            plane: PointForm::By(|scenario| Ok(Box::new(Convex::new(scenario)?))),
            space: PointForm::By(|scenario| Ok(Box::new(Convex::new(scenario)?))),
        }),
    },
}];
