//! The rows of the complementarity problems that step points and bodies.

use std::borrow::Cow;

use super::anitescu::AtTouch;
use crate::stepper::{
    Capabilities, ContactPoint, DifferentiatedGroups, KnownGroups, RigidLaw, Roster, StepperDescriptor,
    StepperName,
    bodies::{anitescu, lcp, of_every_kind},
    descriptor::{Build, PointForm, PointForms},
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
        grouped_friction: KnownGroups::All,
        differentiates_groups: DifferentiatedGroups::InPlane,
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
            plane: PointForm::By(|scenario| ContactPoint::boxed(scenario, StepperName::LCP, |_| RigidLaw)),
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
    capabilities: Capabilities {
        differentiates_bodies: true,
        grouped_friction: KnownGroups::All,
        differentiates_groups: DifferentiatedGroups::InPlane,
        ..Capabilities::PLAIN
    },
    rosters: &[Roster::ComparisonOfPoint, Roster::ComparisonOfBodies, Roster::Scorecard],
    build: Build::Model {
        models: of_every_kind!(anitescu),
        point: Some(PointForms {
            plane: PointForm::By(|scenario| {
                ContactPoint::boxed(scenario, StepperName::LCP_ANITESCU, |_| AtTouch)
            }),
            space: PointForm::Instead("lcp:polyhedral"),
        }),
    },
};
