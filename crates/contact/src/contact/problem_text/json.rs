use std::fmt::Write;

use nalgebra::DVector;
use serde::Deserialize;

use super::ProblemTextError;
use crate::contact::{AnyDenseProblem, AnyDenseProblemError, dense::matrix_of_rows};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    dimension: u64,
    #[serde(rename = "W")]
    w: Vec<Vec<f64>>,
    q: Vec<f64>,
    mu: Vec<f64>,
    rolling: Option<Vec<f64>>,
}

/// Reads a problem from JSON.
pub(super) fn read(text: &str) -> Result<AnyDenseProblem, ProblemTextError> {
    let Raw { dimension, w, q, mu, rolling } =
        serde_json::from_str(text).map_err(|error| ProblemTextError::Json(error.into()))?;
    let w = matrix_of_rows(&w).map_err(AnyDenseProblemError::from)?;
    Ok(AnyDenseProblem::new(dimension, w, DVector::from_vec(q), mu, rolling)?)
}

/// Writes a problem as JSON, one row of `W` per line.
pub(super) fn write(problem: &AnyDenseProblem) -> String {
    let (w, q, mu) = problem.parts();
    let list = |values: &mut dyn Iterator<Item = &f64>| {
        let values: Vec<String> = values.map(|value| format!("{value:?}")).collect();
        format!("[{}]", values.join(", "))
    };
    let mut text = format!("{{\n  \"dimension\": {},\n  \"W\": [\n", problem.dimension());
    for row in 0..w.nrows() {
        let end = if row + 1 < w.nrows() { "," } else { "" };
        text.push_str("    ");
        text.push_str(&list(&mut w.row(row).iter()));
        text.push_str(end);
        text.push('\n');
    }
    // Writing to a string does not fail.
    let _ = write!(text, "  ],\n  \"q\": {},\n  \"mu\": {}", list(&mut q.iter()), list(&mut mu.iter()));
    if let Some(rolling) = problem.rolling() {
        let _ = write!(text, ",\n  \"rolling\": {}", list(&mut rolling.iter()));
    }
    text.push_str("\n}\n");
    text
}
