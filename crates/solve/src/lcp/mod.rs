//! Linear complementarity problems: find `z >= 0` with `w = M z + q >= 0` and `z'w = 0`.
//!
//! Four solvers share one problem type, one notion of residual and one list of statuses:
//! [`Lemke`] (lexicographic pivoting, the default), [`Enumeration`] (every complementary basis, the
//! oracle), [`InteriorPoint`] (Mehrotra's predictor-corrector) and [`GaussSeidel`] (projected, for
//! positive diagonals). Each of them is written once, generic over nalgebra's dimensions:
//! [`Lcp<N>`](Lcp) lives on the stack, [`DynamicLcp`] takes any size. Nothing here knows of physics.
//!
//! A *mixed* problem has unknowns without a sign, each with an equation instead of a
//! complementarity: [`Problem::mixed`]. Every solver takes it directly, and
//! [`Problem::eliminate_free`] reduces it to a plain one.
//!
//! ```
//! # use stickslip_solve as stickslip;
//! use stickslip::lcp::{Lcp, Lemke, Status};
//!
//! // 0 <= x  |  2 x - 1 >= 0
//! let problem = Lcp::<1>::from_arrays([[2.0]], [-1.0]);
//! let solution = Lemke::default().solve(&problem);
//! assert_eq!(solution.status, Status::Solved);
//! assert_eq!(solution.z[0], 0.5);
//! ```

#[cfg(test)]
mod bad_pivots;
mod certificate;
mod dictionary;
mod elimination;
mod enumeration;
mod gauss_seidel;
mod interior_point;
mod json;
mod lemke;
mod lexicographic;
mod method;
mod mixed;
mod problem;
mod refine;
mod residual;
mod scaling;
mod solution;
mod yardstick;

pub use enumeration::{Enumeration, MAX_ENUMERATED};
pub use gauss_seidel::GaussSeidel;
pub use interior_point::InteriorPoint;
pub use json::{ProblemFileError, problem_from_json, solution_to_json};
pub use lemke::Lemke;
pub use method::{Method, Solver, UnknownMethod};
pub use mixed::{NotReducible, Reduction};
pub use problem::{DynamicLcp, Lcp, Problem, ProblemError};
pub use residual::{RESIDUAL_TOLERANCE, residual};
pub use solution::{Solution, Status};
