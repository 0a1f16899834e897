//! The well-posed formulation, the default.

mod central_path;
mod stepper;

pub use crate::contact::single::RelaxedProgram;
pub use central_path::{Complementarity, SmoothedNlp, central_path};
pub(in crate::stepper) use stepper::program_settings;
pub use stepper::{RelaxedInPlane, RelaxedOverPlane, RelaxedStepper};
