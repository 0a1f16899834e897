//! Convex compliant contact: an unconstrained, strongly convex problem in the velocities, after the
//! draft "A Primal Formulation of Compliant Contact". Mathematics only, nothing here knows of
//! physics.
//!
//! Each contact has a velocity `v_c = J v` of `D` components, tangential ones first, the normal one
//! last and positive when the contact opens: `D = 2` for one tangential direction, `D = 3` for two.
//! Its impulse is the projection `gamma = P(y)` of `y = -R^-1 (v_c - vhat)` onto the friction cone
//! in the norm of a diagonal `R`; minimising
//!
//! ```text
//! l(v) = 1/2 |v - v*|_A^2 + 1/2 |gamma|_R^2
//! gradient = A (v - v*) - J' gamma          the balance of momentum
//! Hessian  = A + J' G J,   G = -d gamma/d v_c, positive semidefinite
//! ```
//!
//! gives the velocities. [`Solver`] does so by Newton's method with a block sparse Cholesky
//! factorisation and, where a full step is not enough, an exact line search; [`IsotropicContact`] is
//! the closed form for one contact of one body; [`kkt_residuals`] judges a solution by the conic optimality conditions, which share
//! no formula with the solvers.
//!
//! (The draft writes the Hessian with a minus sign and the Delassus operator as `J A J'`; the first
//! is a slip of sign, the second of an inverse, `W = J A^-1 J'`.)

#[cfg(test)]
mod bad_pivots;
mod block_matrix;
mod cholesky;
mod cone;
mod cone_program;
mod derivatives;
mod dual;
mod elimination;
mod evaluation;
mod isotropic;
mod jacobian;
mod line_search;
mod newton;
mod problem;
mod report;
mod residuals;
mod settings;

pub use block_matrix::{BlockMatrix, Pattern};
pub use cholesky::{Cholesky, NotPositiveDefinite};
pub use cone::{Cone, FrictionCone, Projection, Region, Regularization};
pub use cone_program::{STEP_FRACTIONS, Triplets, accurate};
pub use dual::{DualError, DualSolution, solve_dual};
pub use elimination::Elimination;
pub use isotropic::{ContactSolution, IsotropicContact};
pub use jacobian::{Jacobian, Term};
pub use newton::Solver;
pub use problem::{Contact, Equality, Problem, ProblemError};
pub use report::{LineSearchStatistics, Report, Status};
pub use residuals::{KktCheck, KktResiduals, kkt_residuals};
pub use settings::Settings;

/// A vector of `D` components.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;

/// A `D x D` matrix.
pub type Block<const D: usize> = nalgebra::SMatrix<f64, D, D>;
