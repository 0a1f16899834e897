//! What a solver made of a problem without bodies, as it is written.

use serde::Serialize;

use super::{Accuracy, DenseSolution, Method, Report, SolveFailure};

/// What a solver made of a problem, as it is written: `{"status", "solver", "r", "u", "residual",
/// "iterations", "seconds"}`, and `"doubts"` where `W` is no operator of mechanics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// How it ended.
    pub status: AnswerStatus,
    /// Who solved it.
    pub solver: String,
    /// `r`, contact after contact.
    pub r: Vec<f64>,
    /// `u = W r + q`
    pub u: Vec<f64>,
    /// `|r - P_K(r - v)|_2/|q|_2`, `v = u + (mu |u_t| + rho |u_w|) n`; `null` where it is not finite.
    pub residual: f64,
    /// Iterations, sweeps or pivots.
    pub iterations: u32,
    /// Wall-clock time of the solve.
    pub seconds: f64,
    /// Why the problem is dubious.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

/// How a solver ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerStatus {
    /// Both residuals of Coulomb's law ([`Residuals`](super::Residuals)) are within the tolerance.
    Solved,
    /// They are above it, but small.
    Approximate,
    /// The model solved a law of its own; the residual says how far that is from Coulomb's.
    Relaxed,
    /// No solution was found; `r` is the best candidate.
    Unsolved,
}

impl Answer {
    /// The answer that a solver's `outcome` amounts to, which misses the law by `residual`.
    pub(super) fn new<const D: usize>(
        method: Method,
        outcome: &Result<Report, SolveFailure>,
        solution: &DenseSolution<D>,
        (residual, tolerance): (f64, f64),
        seconds: f64,
    ) -> Self {
        let (status, iterations) = match outcome {
            Ok(report) => {
                let status = match report.accuracy {
                    // What is certified in scaled rows may miss the law by more in those of the problem.
                    Accuracy::Certified if residual <= tolerance => AnswerStatus::Solved,
                    Accuracy::Certified | Accuracy::Approximate => AnswerStatus::Approximate,
                    Accuracy::OwnLaw => AnswerStatus::Relaxed,
                };
                (status, report.iterations)
            }
            Err(SolveFailure::Unsolved { iterations, .. }) => (AnswerStatus::Unsolved, *iterations),
            Err(_) => (AnswerStatus::Unsolved, 0),
        };
        let flat = |vectors: &[nalgebra::SVector<f64, D>]| {
            vectors.iter().flat_map(|vector| vector.iter().copied()).collect()
        };
        Self {
            status,
            solver: method.as_str().to_owned(),
            r: flat(&solution.impulses),
            u: flat(&solution.velocities),
            residual,
            iterations,
            seconds,
            doubts: Vec::new(),
        }
    }
}
