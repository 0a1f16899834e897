//! Nonlinear programs: written once, differentiated by dual numbers, solved by IPOPT or by the
//! interior-point method of this crate, and checked independently of the solver. Nothing here knows
//! of physics.

#[cfg(test)]
mod bad_pivots;
mod bunch_kaufman;
mod check;
pub mod derivatives;
mod interior_point;
#[cfg(feature = "ipopt")]
mod ipopt;
mod problem;
#[doc(hidden)]
pub mod says;
mod solution;
mod solver;
pub mod sparse;
mod sparsity;

pub use bunch_kaufman::{BunchKaufman, Inertia, Singular};
pub use check::Residuals;
pub use interior_point::{InteriorPoint, InteriorPointOptions};
#[cfg(feature = "ipopt")]
pub use ipopt::{Ipopt, IpoptError, IpoptOptions, OptionValue, SparseIpopt, ipopt_version};
pub use problem::{Bounds, Nlp};
pub use solution::{Multipliers, NlpSolution, SolveStatus, Start};
pub use solver::NlpSolver;
pub use sparsity::Sparsity;
