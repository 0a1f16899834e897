//! The rows of the formulations of the LCP notes: of a block on the ground, and of a point.

use std::borrow::Cow;

use super::{
    BelbutePeres, Direct, Direct2, FallingBlock, FixedPoint, Forward, Mixed, Polyhedral, Traditional,
};
use crate::{
    scenario::Scenario,
    stepper::{
        Capabilities, PointStepper, Refusal, Roster, StepperDescriptor, StepperName,
        descriptor::{Build, PointForm, PointForms},
    },
};

/// The formulations of the notes.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[
    in_plane(
        "lcp:falling-block",
        "Normal contact only, the first problem of the LCP notes (Pfrommer 2019).",
        |scenario| Ok(Box::new(FallingBlock::new(scenario)?)),
    ),
    in_plane(
        "lcp:forward",
        "A block that slides forward on the ground, friction in one direction (Pfrommer 2019).",
        |scenario| Ok(Box::new(Forward::new(scenario)?)),
    ),
    in_plane(
        "lcp:direct",
        "A block that slides both ways, friction by slacks (Pfrommer 2019).",
        |scenario| Ok(Box::new(Direct::new(scenario)?)),
    ),
    in_plane(
        "lcp:direct2",
        "The formulation that the LCP notes found infeasible wherever anything moves (Pfrommer 2019); for comparison.",
        |scenario| Ok(Box::new(Direct2::new(scenario)?)),
    ),
    in_plane(
        "lcp:traditional",
        "Friction of Stewart and Trinkle for the sliding block, the velocity eliminated (Pfrommer 2019).",
        |scenario| Ok(Box::new(Traditional::new(scenario)?)),
    ),
    in_plane(
        "lcp:mixed",
        "The same with the velocity kept as an unknown without sign (Pfrommer 2019).",
        |scenario| Ok(Box::new(Mixed::new(scenario)?)),
    ),
    in_plane(
        "lcp:belbute-peres",
        "The form of Belbute-Peres and others (2018), which are solved for their gradients.",
        |scenario| Ok(Box::new(BelbutePeres::new(scenario)?)),
    ),
    over_plane(
        "lcp:polyhedral",
        "Stewart and Trinkle's problem with a friction polygon over a plane.",
        &[Roster::ComparisonOfPoint, Roster::FamiliesOverPlane],
        |scenario| Ok(Box::new(Polyhedral::new(scenario)?)),
    ),
    over_plane(
        "lcp:fixed-point",
        "The fixed-point iteration of the LCP notes over a plane: friction along the velocity of the sweep before \
         (Pfrommer 2019).",
        &[Roster::ComparisonOfPoint],
        |scenario| Ok(Box::new(FixedPoint::new(scenario)?)),
    ),
];

impl StepperName {
    /// `lcp:falling-block`: normal contact only.
    pub const LCP_FALLING_BLOCK: Self = Self::built_in("lcp:falling-block");
    /// `lcp:forward`: block sliding forward only.
    pub const LCP_FORWARD: Self = Self::built_in("lcp:forward");
    /// `lcp:direct`: bidirectional block with slack friction.
    pub const LCP_DIRECT: Self = Self::built_in("lcp:direct");
    /// `lcp:direct2`: the formulation that the notes found infeasible.
    pub const LCP_DIRECT2: Self = Self::built_in("lcp:direct2");
    /// `lcp:traditional`: Stewart-Trinkle friction for the sliding block.
    pub const LCP_TRADITIONAL: Self = Self::built_in("lcp:traditional");
    /// `lcp:mixed`: the same with the velocity kept as an unknown.
    pub const LCP_MIXED: Self = Self::built_in("lcp:mixed");
    /// `lcp:belbute-peres`: the form of Belbute-Peres and others.
    pub const LCP_BELBUTE_PERES: Self = Self::built_in("lcp:belbute-peres");
    /// `lcp:polyhedral`: friction polygon over a plane.
    pub const LCP_POLYHEDRAL: Self = Self::built_in("lcp:polyhedral");
    /// `lcp:fixed-point`: the notes' fixed-point iteration over a plane.
    pub const LCP_FIXED_POINT: Self = Self::built_in("lcp:fixed-point");
}

/// Makes a stepper of a single point.
type Make<const D: usize> = fn(&Scenario<D>) -> Result<Box<dyn PointStepper<D>>, Refusal>;

/// The row of a formulation in a vertical plane.
const fn in_plane(name: &'static str, summary: &'static str, make: Make<2>) -> StepperDescriptor {
    let point = PointForms { plane: PointForm::By(make), space: PointForm::Instead("lcp:polyhedral") };
    row(name, summary, &[Roster::ComparisonOfPoint], point)
}

/// The row of a formulation over a plane.
const fn over_plane(
    name: &'static str,
    summary: &'static str,
    rosters: &'static [Roster],
    make: Make<3>,
) -> StepperDescriptor {
    row(name, summary, rosters, PointForms { plane: PointForm::Instead("lcp"), space: PointForm::By(make) })
}

const fn row(
    name: &'static str,
    summary: &'static str,
    rosters: &'static [Roster],
    point: PointForms,
) -> StepperDescriptor {
    StepperDescriptor {
        name,
        aliases: &[],
        summary: Cow::Borrowed(summary),
        capabilities: Capabilities::PLAIN,
        rosters,
        build: Build::OfPoint(point),
    }
}
