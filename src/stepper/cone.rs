//! Exact Coulomb friction of many contacts, as a stepper: see [`GaussSeidel`](crate::contact::GaussSeidel).

use std::borrow::Cow;

use super::{
    Capabilities, Honours, Refusal, Roster, StepperDescriptor, UsedSettings,
    bodies::{Made, in_pieces, of_every_kind, own_solver},
    descriptor::Build,
};
use crate::{contact::GaussSeidel, scenario::Scenario};

/// `cone`.
pub(super) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "cone",
    aliases: &[],
    summary: Cow::Borrowed(
        "Exact Coulomb friction of many contacts by projected Gauss-Seidel: simple, and slow where contacts press on \
         each other over long ways or masses differ much.",
    ),
    capabilities: Capabilities { differentiates_bodies: true, ..Capabilities::PLAIN },
    rosters: &[
        Roster::ComparisonOfBodies,
        Roster::GradientsOfBodies,
        Roster::Scorecard,
        Roster::RigidReference,
    ],
    build: Build::Model { models: of_every_kind!(cone), point: None },
}];

fn cone<const D: usize, const N: usize>(_: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    Ok(Made {
        model: in_pieces(GaussSeidel::default),
        solver: Some(own_solver("projected Gauss-Seidel")),
        divides: false,
        settings: UsedSettings::default(),
        honours: Honours::default(),
    })
}
