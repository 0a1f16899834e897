//! Nonlinear programs of many variables, of which few enter each constraint, and the factorisation
//! of their sparse KKT matrices.
//!
//! Why a factorisation of our own: IPOPT needs the exact inertia of a matrix whose pivots may be
//! zero. The sparse `L D L^T` of the established crates pivots inside a supernode at most (faer's
//! intranode Bunch-Kaufman) or not at all but for regularisation (QDLDL), and a KKT matrix without
//! regularisation needs pivots from other supernodes. Putting off pivots along the elimination tree
//! gives both, in about 500 lines; the order of elimination comes from the crate `amd`.

mod elimination;
mod front;
mod multifrontal;
mod problem;
mod solution;

pub use multifrontal::{SparseLdl, SparsePatternError};
pub use problem::{SparseBounds, SparseNlp};
pub use solution::{SparseMultipliers, SparseSolution};
