//! The formulation of the blog post, as published.

mod program;
mod stepper;

pub use program::SeedProgram;
pub use stepper::SeedStepper;
