//! Point contact with friction by nonlinear-program time stepping, and by every other way to do it.

extern crate ipopt_src as _; // links the static library that the backend in `nlp` calls

pub mod atomic_file;
pub mod convex;
pub mod lcp;
pub mod learn;
pub mod metrics;
pub mod model;
pub mod nlp;
pub mod plot;
pub mod scenario;
pub mod simulate;
pub mod stepper;
pub mod trajectory;
