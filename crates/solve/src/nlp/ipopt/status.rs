use std::ffi::c_int;

use crate::nlp::SolveStatus;

/// What IPOPT's `ApplicationReturnStatus` means.
pub(super) fn from_code(code: c_int) -> SolveStatus {
    match code {
        // 6 is a feasible point of a program with as many equalities as variables.
        0 | 6 => SolveStatus::Solved,
        1 => SolveStatus::SolvedToAcceptableLevel,
        2 => SolveStatus::Infeasible,
        3 => SolveStatus::SearchDirectionTooSmall,
        4 => SolveStatus::Diverging,
        5 => SolveStatus::Interrupted,
        -1 => SolveStatus::IterationLimit,
        -2 => SolveStatus::RestorationFailed,
        -3 => SolveStatus::StepComputationFailed,
        -4 | -5 => SolveStatus::TimeLimit,
        -10 => SolveStatus::TooFewDegreesOfFreedom,
        -11 => SolveStatus::InvalidProblem,
        -13 => SolveStatus::EvaluationError,
        -102 => SolveStatus::OutOfMemory,
        code => SolveStatus::InternalError(code),
    }
}
