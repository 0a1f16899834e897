//! The row of the program of the blog post.

use std::borrow::Cow;

use super::SeedStepper;
use crate::stepper::{
    Capabilities, StepperDescriptor, StepperName,
    descriptor::{Build, PointForm, PointForms},
};

/// `nlp:seed`.
pub(in crate::stepper) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "nlp:seed",
    aliases: &[],
    summary: Cow::Borrowed(
        "The nonlinear program of the blog post as published (Bokser 2025), which fails where the point does not slide \
         or the ground is far; for comparison.",
    ),
    capabilities: Capabilities { gives_multipliers: true, needs_ipopt: true, ..Capabilities::PLAIN },
    rosters: &[],
    build: Build::OfPoint(PointForms {
        plane: PointForm::By(|scenario| Ok(Box::new(SeedStepper::new(scenario)?))),
        space: PointForm::Instead("nlp"),
    }),
}];

impl StepperName {
    /// `nlp:seed`: the program of the blog post, as published.
    pub const NLP_SEED: Self = Self::built_in("nlp:seed");
}
