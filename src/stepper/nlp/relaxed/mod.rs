//! The well-posed formulation, the default.

mod central_path;
mod settings;

pub use crate::contact::single::RelaxedProgram;
pub use central_path::{Complementarity, SmoothedNlp, central_path};
pub(in crate::stepper) use settings::program_settings;
