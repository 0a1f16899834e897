use nalgebra::Dyn;
use serde::{Deserialize, Serialize};

use super::{DynamicLcp, ProblemError, Solution};
use crate::json_fault::JsonFault;

/// `{"M": [[...]], "q": [...]}`, and `"free": k` for a mixed problem.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProblemFile {
    #[serde(rename = "M")]
    m: Vec<Vec<f64>>,
    q: Vec<f64>,
    #[serde(default)]
    free: usize,
}

#[derive(Serialize)]
struct SolutionFile<'a> {
    status: &'static str,
    z: &'a [f64],
    w: &'a [f64],
    residual: f64,
    pivots: u32,
}

/// Why a text is not a problem.
#[derive(Debug, thiserror::Error)]
pub enum ProblemFileError {
    /// Not JSON, or JSON of another shape.
    #[error("{0}; expected {{\"M\": [[...], ...], \"q\": [...]}} of finite numbers")]
    Json(JsonFault),
    /// Good JSON, but no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// Reads a problem from `{"M": [[...], ...], "q": [...]}`; with `"free": k`, the first k unknowns
/// have no sign.
///
/// # Errors
/// [`ProblemFileError`] with line and column for text that is not such JSON (JSON has no NaN and no
/// infinity), and with row and sizes for a matrix that is not square or does not fit `q`.
pub fn problem_from_json(text: &str) -> Result<DynamicLcp, ProblemFileError> {
    let file: ProblemFile =
        serde_json::from_str(text).map_err(|error| ProblemFileError::Json(error.into()))?;
    let mut problem = DynamicLcp::from_rows(&file.m, &file.q)?;
    if file.free > 0 {
        problem = DynamicLcp::mixed(problem.m, problem.q, file.free)?;
    }
    Ok(problem)
}

/// Writes a solution as `{"status", "z", "w", "residual", "pivots"}`; a residual that is not finite
/// becomes `null`.
///
/// # Errors
/// What the serialiser reports.
pub fn solution_to_json(solution: &Solution<Dyn>) -> Result<String, serde_json::Error> {
    let file = SolutionFile {
        status: solution.status.as_str(),
        z: solution.z.as_slice(),
        w: solution.w.as_slice(),
        residual: solution.residual,
        pivots: solution.pivots,
    };
    serde_json::to_string_pretty(&file)
}
