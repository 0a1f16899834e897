//! The dual cone program by the general-purpose solver.

use crate::stepper::SolverInfo;

/// The interior-point solver.
pub(in crate::stepper) fn info() -> SolverInfo {
    SolverInfo { name: "Clarabel".to_owned(), version: "0.11.1".to_owned() }
}
