//! Nonlinear programs: written once, differentiated by dual numbers, solved by IPOPT, and checked
//! independently of the solver. Nothing here knows of physics.

mod problem;

pub use problem::{Bounds, Nlp};
