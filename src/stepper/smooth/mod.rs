//! The penalty stepper: the ground is a stiff, damped spring.
//!
//! After the simulator in the blog post's repository. The normal force of a point, `fz = s(z) - d(z) vz`, at least 0, is
//! taken at the start of the step (see [`NormalForce`]; by default a linear spring and damper as stiff as the step resolves
//! and as damped as the restitution asks for); friction opposes sliding with at most `mu fz` and never reverses it:
//!
//! ```text
//! vz+ = v*z + dt fz/m,   vx+ = sgn(v*x) max(0, |v*x| - mu dt fz/m),   x+ = x + dt v+
//! ```
//!
//! with `v* = v + dt (U/m + g)`. The point rests where `s(z)` carries its weight, above the ground with the `tanh` law,
//! below it with the others. The force is explicit, so that steps beyond a bound are unstable, and refused.

mod bodies;
mod law;
mod point;
mod points;
mod rows;
mod stability;
mod tresca;

pub use bodies::{PenaltyBodies, PenaltyLaw};
pub use law::NormalForce;
pub(crate) use law::default_spring;
pub(in crate::stepper) use points::PointForces;
pub(super) use rows::ROWS;
