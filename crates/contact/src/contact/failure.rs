use std::fmt;

use serde::{Deserialize, Serialize};

use crate::lcp::Status;

/// What kind of failure it was: what a program that calls this one decides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The solver found that the problem of the step has no solution, or none that it could reach.
    NoSolution,
    /// The solver gave up: too many iterations, a search that stalls, a factorisation that breaks down.
    NotConverged,
    /// There is an answer, and it misses the contact conditions by more than is allowed.
    Inaccurate,
    /// The state or the problem is outside what the model takes; another one may take it.
    OutOfRange,
    /// The state left the finite numbers or grew without bound.
    Unstable,
}

impl FailureKind {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoSolution => "no-solution",
            Self::NotConverged => "not-converged",
            Self::Inaccurate => "inaccurate",
            Self::OutOfRange => "out-of-range",
            Self::Unstable => "unstable",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Of a solver of linear complementarity whose answer was not taken.
impl From<Status> for FailureKind {
    fn from(status: Status) -> Self {
        match status {
            Status::Ray | Status::NoSolution => Self::NoSolution,
            Status::IterationLimit => Self::NotConverged,
            Status::Solved | Status::ResidualTooLarge => Self::Inaccurate,
            Status::NotApplicable => Self::OutOfRange,
        }
    }
}
