//! Exact Coulomb friction of many contacts over the friction cones, as steppers: see
//! [`ExactCone`](crate::contact::ExactCone), [`GaussSeidel`](crate::contact::GaussSeidel) and
//! [`AlternatingDirections`](crate::contact::AlternatingDirections).

use std::borrow::Cow;

use super::{
    Capabilities, DifferentiatedGroups, Honours, KnownGroups, Refusal, Roster, StepperDescriptor,
    UsedSettings,
    bodies::{Made, in_pieces, of_every_kind, own_solver},
    descriptor::Build,
};
use crate::{
    contact::{AlternatingDirections, ContactModel, ExactCone, GaussSeidel},
    scenario::Scenario,
};

/// `cone` and its parts by themselves.
pub(super) const ROWS: &[StepperDescriptor] = &[EXACT_CONE, GAUSS_SEIDEL, ALTERNATING_DIRECTIONS];

const EXACT_CONE: StepperDescriptor = StepperDescriptor {
    name: "cone",
    aliases: &[],
    summary: Cow::Borrowed(
        "Exact Coulomb friction over the friction cones: projected Gauss-Seidel for a few contacts, alternating directions \
         for many, and accelerated projected gradients where neither converges.",
    ),
    capabilities: Capabilities {
        differentiates_bodies: true,
        grouped_friction: KnownGroups::All,
        differentiates_groups: DifferentiatedGroups::Everywhere,
        ..Capabilities::PLAIN
    },
    rosters: &[
        Roster::ComparisonOfBodies,
        Roster::GradientsOfBodies,
        Roster::Scorecard,
        Roster::RigidReference,
    ],
    build: Build::Model { models: of_every_kind!(cone), point: None },
};

const GAUSS_SEIDEL: StepperDescriptor = StepperDescriptor {
    name: "cone:gauss-seidel",
    aliases: &[],
    summary: Cow::Borrowed(
        "Exact Coulomb friction of many contacts by projected Gauss-Seidel: simple, and slow where contacts press on \
         each other over long ways or masses differ much.",
    ),
    capabilities: Capabilities {
        differentiates_bodies: true,
        grouped_friction: KnownGroups::All,
        differentiates_groups: DifferentiatedGroups::Everywhere,
        ..Capabilities::PLAIN
    },
    rosters: &[],
    build: Build::Model { models: of_every_kind!(gauss_seidel), point: None },
};

const ALTERNATING_DIRECTIONS: StepperDescriptor = StepperDescriptor {
    name: "cone:alternating-directions",
    aliases: &["cone:admm"],
    summary: Cow::Borrowed(
        "Exact Coulomb friction by the alternating direction method of multipliers over the graph of the bodies (ADMM): made \
         for stacks and masses that differ much, and no faster where few things touch.",
    ),
    capabilities: Capabilities { differentiates_bodies: true, ..Capabilities::PLAIN },
    rosters: &[],
    build: Build::Model { models: of_every_kind!(alternating_directions), point: None },
};

fn cone<const D: usize, const N: usize>(_: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    Ok(made(in_pieces(ExactCone::default), "Gauss-Seidel, else alternating directions"))
}

fn gauss_seidel<const D: usize, const N: usize>(_: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    Ok(made(in_pieces(GaussSeidel::default), "projected Gauss-Seidel"))
}

fn alternating_directions<const D: usize, const N: usize>(_: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    Ok(made(in_pieces(AlternatingDirections::default), "alternating directions, else accelerated gradients"))
}

fn made<const D: usize, const N: usize>(model: Box<dyn ContactModel<D, N>>, solver: &str) -> Made<D, N> {
    Made {
        model,
        solver: Some(own_solver(solver)),
        divides: false,
        settings: UsedSettings::default(),
        honours: Honours::default(),
    }
}
