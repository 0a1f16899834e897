//! The row of the exact motion.

use std::borrow::Cow;

use super::{Exact, ExactOfBody};
use crate::{
    scenario::Scenario,
    stepper::{
        Capabilities, Refusal, Roster, Stepper, StepperDescriptor, StepperName,
        descriptor::{Build, OtherForms, PointForm, PointForms},
        not_a_single_point,
    },
};

/// `exact`.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "exact",
    aliases: &[],
    summary: Cow::Borrowed(
        "The motion in closed form from event to event: the truth that the others are measured against.",
    ),
    capabilities: Capabilities { is_exact: true, ..Capabilities::PLAIN },
    rosters: &[
        Roster::ComparisonOfPoint,
        Roster::ComparisonOfBodies,
        Roster::FamiliesInPlane,
        Roster::FamiliesOverPlane,
        Roster::GradientsOfPoint,
    ],
    build: Build::Own {
        point: PointForms {
            plane: PointForm::By(|scenario| Ok(Box::new(Exact::new(scenario)?))),
            space: PointForm::By(|scenario| Ok(Box::new(Exact::new(scenario)?))),
        },
        other: Some(OtherForms { plane: bodies_in_plane, space: bodies_in_space }),
    },
}];

fn bodies_in_plane(scenario: &Scenario<2>) -> Result<Box<dyn Stepper<2>>, Refusal> {
    if !scenario.has_turning_bodies() {
        return Err(not_a_single_point(scenario, StepperName::EXACT));
    }
    Ok(Box::new(ExactOfBody::new(scenario)?))
}

fn bodies_in_space(scenario: &Scenario<3>) -> Result<Box<dyn Stepper<3>>, Refusal> {
    if !scenario.has_turning_bodies() {
        return Err(not_a_single_point(scenario, StepperName::EXACT));
    }
    Err(Refusal {
        stepper: StepperName::EXACT,
        reason: "the exact motion of a body that turns in space is not known to it".to_owned(),
        remedy: "compare with short steps of `nlp` or `lcp`, or give two-component vectors (x, z)".to_owned(),
    })
}
