//! The well-posed formulation, the default.

mod attempt;
mod central_path;
mod polish;
mod program;
mod stepper;

pub use central_path::{Complementarity, SmoothedNlp, central_path};
pub use program::RelaxedProgram;
pub use stepper::{RelaxedInPlane, RelaxedOverPlane, RelaxedStepper};
