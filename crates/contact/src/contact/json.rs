//! Contact problems and their solutions as JSON text.

use serde::{Deserialize, Serialize};

use super::{
    Accuracy, DenseProblem, DenseProblemError, DenseSolution, Report, SolveFailure,
    friction_cone::natural_map,
};
use crate::json_fault::JsonFault;

/// A contact problem from a file, in the plane or in space.
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemFile {
    /// Two rows per contact: normal, tangent.
    Planar(DenseProblem<2>),
    /// Three rows per contact: normal and two tangents.
    Spatial(DenseProblem<3>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    dimension: u64,
    #[serde(rename = "W")]
    w: Vec<Vec<f64>>,
    q: Vec<f64>,
    mu: Vec<f64>,
}

/// Why a text is not a contact problem.
#[derive(Debug, thiserror::Error)]
pub enum ProblemFileError {
    /// Not JSON, or JSON of another shape.
    #[error(
        "{0}; expected {{\"dimension\": 2 or 3, \"W\": [[...], ...], \"q\": [...], \"mu\": [...]}} of finite numbers"
    )]
    Json(JsonFault),
    /// Neither the plane nor space.
    #[error("`dimension` is {0}; it must be 2 (normal, tangent) or 3 (normal, two tangents)")]
    Dimension(u64),
    /// Good JSON, but no problem.
    #[error(transparent)]
    Problem(#[from] DenseProblemError),
}

/// Reads a problem from `{"dimension": 2|3, "W": [[...]], "q": [...], "mu": [...]}`.
///
/// # Errors
/// [`ProblemFileError`] with line and column for text that is not such JSON (JSON has no NaN and no
/// infinity), and with rows and sizes for numbers that are no contact problem.
pub fn problem_from_json(text: &str) -> Result<ProblemFile, ProblemFileError> {
    let Raw { dimension, w, q, mu } =
        serde_json::from_str(text).map_err(|error| ProblemFileError::Json(error.into()))?;
    match dimension {
        2 => Ok(ProblemFile::Planar(DenseProblem::from_rows(&w, &q, &mu)?)),
        3 => Ok(ProblemFile::Spatial(DenseProblem::from_rows(&w, &q, &mu)?)),
        other => Err(ProblemFileError::Dimension(other)),
    }
}

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
    /// `|r - P_K(r - v)|_2/|q|_2`, `v = u + mu |u_t| n`; `null` where it is not finite.
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
    /// The answer to `problem` that a solver's `outcome` amounts to.
    pub fn new<const D: usize>(
        solver: &str,
        problem: &DenseProblem<D>,
        outcome: &Result<Report, SolveFailure>,
        solution: &DenseSolution<D>,
        seconds: f64,
        doubts: Vec<String>,
    ) -> Self {
        let (status, iterations) = match outcome {
            Ok(report) => {
                let status = match report.accuracy {
                    Accuracy::Certified => AnswerStatus::Solved,
                    Accuracy::Approximate => AnswerStatus::Approximate,
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
            solver: solver.to_owned(),
            r: flat(&solution.impulses),
            u: flat(&solution.velocities),
            residual: field_measure(problem, solution),
            iterations,
            seconds,
            doubts,
        }
    }
}

/// `|r - P_K(r - v)|_2/|q|_2`; infinite without a candidate.
fn field_measure<const D: usize>(problem: &DenseProblem<D>, solution: &DenseSolution<D>) -> f64 {
    let contacts = problem.contacts();
    if [solution.impulses.len(), solution.velocities.len()] != [contacts; 2] {
        return f64::INFINITY;
    }
    let pairs = problem.friction.iter().zip(solution.impulses.iter().zip(&solution.velocities));
    let missed = pairs.map(|(mu, (r, u))| natural_map(*mu, r, u, 1.0).norm_squared()).sum::<f64>().sqrt();
    let size = (0..contacts).map(|contact| problem.free(contact).norm_squared()).sum::<f64>().sqrt();
    // Without a velocity there is nothing to be relative to: only rest is right, and all else is all wrong.
    match size > 0.0 {
        true => missed / size,
        false => f64::from(u8::from(missed > 0.0)),
    }
}
