//! The formulation of the blog post, as published.

mod program;
mod rows;
mod stepper;

pub use program::SeedProgram;
pub(in crate::stepper) use rows::ROWS;
pub use stepper::SeedStepper;
