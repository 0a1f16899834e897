//! Complementarity and contact problems.

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use stickslip::{
    contact::{self, Answer, DenseProblem, DenseSolution, ProblemFile},
    lcp::{Method, Solver, UnknownMethod, problem_from_json, solution_to_json},
};

use crate::error;

/// `{"M": rows, "q": values}` and the like of numbers that are all finite.
fn rows(matrix: &PyReadonlyArray2<'_, f64>) -> Vec<Vec<f64>> {
    matrix.as_array().rows().into_iter().map(|row| row.to_vec()).collect()
}

fn finite(py: Python<'_>, name: &str, values: &[f64]) -> PyResult<()> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(error::input(py, &format!("{name} holds {value}; every number must be finite"))),
    }
}

/// Solves `w = M z + q, 0 <= w | z >= 0`; gives the solution as JSON.
#[pyfunction]
#[pyo3(signature = (m, q, *, solver="lemke"))]
pub fn solve_lcp(
    py: Python<'_>,
    m: PyReadonlyArray2<'_, f64>,
    q: PyReadonlyArray1<'_, f64>,
    solver: &str,
) -> PyResult<String> {
    let method: Method =
        solver.parse().map_err(|fault: UnknownMethod| error::input(py, &fault.to_string()))?;
    let (m, q) = (rows(&m), q.as_array().to_vec());
    m.iter().try_for_each(|row| finite(py, "M", row))?;
    finite(py, "q", &q)?;
    let text = serde_json::json!({ "M": m, "q": q }).to_string();
    let problem = problem_from_json(&text).map_err(|fault| error::input(py, &fault.to_string()))?;
    let solution = py.detach(|| Solver::new(method, problem.dim()).solve(&problem));
    solution_to_json(&solution).map_err(|fault| error::input(py, &fault.to_string()))
}

/// Finds `r` in the friction cones with `u = W r + q` and Coulomb's law; gives the answer as JSON.
#[pyfunction]
#[pyo3(signature = (w, q, mu, *, dimension, solver="nlp", tolerance=1e-8))]
pub fn solve_contact(
    py: Python<'_>,
    w: PyReadonlyArray2<'_, f64>,
    q: PyReadonlyArray1<'_, f64>,
    mu: PyReadonlyArray1<'_, f64>,
    dimension: u64,
    solver: &str,
    tolerance: f64,
) -> PyResult<String> {
    let method: contact::Method =
        solver.parse().map_err(|fault: contact::UnknownMethod| error::input(py, &fault.to_string()))?;
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(error::input(py, &format!("tolerance is {tolerance}, but must be between 0 and 1")));
    }
    let (w, q, mu) = (rows(&w), q.as_array().to_vec(), mu.as_array().to_vec());
    w.iter().try_for_each(|row| finite(py, "W", row))?;
    finite(py, "q", &q)?;
    finite(py, "mu", &mu)?;
    let text = serde_json::json!({ "dimension": dimension, "W": w, "q": q, "mu": mu }).to_string();
    let problem = contact::problem_from_json(&text).map_err(|fault| error::input(py, &fault.to_string()))?;
    let answer = py.detach(|| match &problem {
        ProblemFile::Planar(problem) => answer::<2, 3>(problem, method, tolerance),
        ProblemFile::Spatial(problem) => answer::<3, 6>(problem, method, tolerance),
    });
    serde_json::to_string(&answer).map_err(|fault| error::input(py, &fault.to_string()))
}

fn answer<const D: usize, const N: usize>(
    problem: &DenseProblem<D>,
    method: contact::Method,
    tolerance: f64,
) -> Answer {
    let mut solution = DenseSolution::default();
    let started = std::time::Instant::now();
    let outcome = method.solver::<D, N>(tolerance).solve_dense(problem, &mut solution);
    let doubts = problem.doubts().iter().map(ToString::to_string).collect();
    Answer::new(method.as_str(), problem, &outcome, &solution, started.elapsed().as_secs_f64(), doubts)
}
