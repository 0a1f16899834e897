//! The well-posed formulation, the default.

mod attempt;
mod polish;
mod program;
mod stepper;

pub use program::RelaxedProgram;
pub use stepper::{RelaxedInPlane, RelaxedOverPlane, RelaxedStepper};
