//! The row of the exact motion.

use std::borrow::Cow;

use super::{Exact, ExactPoint};
use crate::stepper::{
    Capabilities, KnownGroups, Roster, StepperDescriptor,
    descriptor::{Build, PointForm, PointForms, WholeForms},
};

/// `exact`.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "exact",
    aliases: &[],
    summary: Cow::Borrowed(
        "The motion in closed form from event to event, of bodies that do not meet: the truth that the others are measured \
         against.",
    ),
    capabilities: Capabilities {
        is_exact: true,
        grouped_friction: KnownGroups::Turning,
        ..Capabilities::PLAIN
    },
    rosters: &[
        Roster::ComparisonOfPoint,
        Roster::ComparisonOfBodies,
        Roster::FamiliesInPlane,
        Roster::FamiliesOverPlane,
        Roster::GradientsOfPoint,
    ],
    build: Build::Whole {
        whole: WholeForms {
            plane: |scenario| Ok(Box::new(Exact::new(scenario)?)),
            space: |scenario| Ok(Box::new(Exact::new(scenario)?)),
        },
        point: PointForms {
            plane: PointForm::By(|scenario| Ok(Box::new(ExactPoint::new(scenario)?))),
            space: PointForm::By(|scenario| Ok(Box::new(ExactPoint::new(scenario)?))),
        },
    },
}];
