//! Complementarity and contact problems.

use nalgebra::{DMatrix, DVector};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, ToPyArray, ndarray::Array2,
};
use pyo3::prelude::*;
use stickslip::{
    contact::{self, AnyDenseProblem, ProblemFormat},
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
#[pyo3(signature = (w, q, mu, *, dimension, rolling=None, solver="nlp", tolerance=1e-8))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub fn solve_contact(
    py: Python<'_>,
    w: PyReadonlyArray2<'_, f64>,
    q: PyReadonlyArray1<'_, f64>,
    mu: PyReadonlyArray1<'_, f64>,
    dimension: u64,
    rolling: Option<PyReadonlyArray1<'_, f64>>,
    solver: &str,
    tolerance: f64,
) -> PyResult<String> {
    let method: contact::Method =
        solver.parse().map_err(|fault: contact::UnknownMethod| error::input(py, &fault.to_string()))?;
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(error::input(py, &format!("tolerance is {tolerance}, but must be between 0 and 1")));
    }
    let problem = contact_problem(py, (&w, &q, &mu, rolling.as_ref()), dimension)?;
    let answer = py.detach(|| {
        let (mut answer, _) = problem.solve(method, tolerance);
        answer.doubts = problem.doubts().iter().map(ToString::to_string).collect();
        answer
    });
    serde_json::to_string(&answer).map_err(|fault| error::input(py, &fault.to_string()))
}

/// The problem of a text, JSON or a file of Siconos: dimension, `W`, `q`, `mu` and what resists rolling.
#[pyfunction]
pub fn read_contact<'py>(py: Python<'py>, text: &str) -> PyResult<ContactArrays<'py>> {
    let problem = py
        .detach(|| AnyDenseProblem::from_text(text))
        .map_err(|fault| error::input(py, &format!("{fault}; {}", fault.remedy())))?;
    let (w, q, mu) = problem.parts();
    let matrix = Array2::from_shape_fn((w.nrows(), w.ncols()), |place| w[place]);
    Ok((
        problem.dimension(),
        matrix.into_pyarray(py),
        q.as_slice().to_pyarray(py),
        mu.to_pyarray(py),
        problem.rolling().map(|rolling| rolling.to_pyarray(py)),
    ))
}

/// Dimension, `W`, `q`, `mu`, and what resists rolling.
type ContactArrays<'py> = (
    u64,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Option<Bound<'py, PyArray1<f64>>>,
);

/// The text of a problem as JSON or a file of Siconos.
#[pyfunction]
#[pyo3(signature = (w, q, mu, *, dimension, rolling=None, format="json"))]
pub fn write_contact(
    py: Python<'_>,
    w: PyReadonlyArray2<'_, f64>,
    q: PyReadonlyArray1<'_, f64>,
    mu: PyReadonlyArray1<'_, f64>,
    dimension: u64,
    rolling: Option<PyReadonlyArray1<'_, f64>>,
    format: &str,
) -> PyResult<String> {
    let format: ProblemFormat =
        format.parse().map_err(|fault: contact::UnknownFormat| error::input(py, &fault.to_string()))?;
    let problem = contact_problem(py, (&w, &q, &mu, rolling.as_ref()), dimension)?;
    Ok(py.detach(|| problem.to_text(format)))
}

/// `W`, `q`, `mu` and what resists rolling.
type ContactParts<'a, 'py> = (
    &'a PyReadonlyArray2<'py, f64>,
    &'a PyReadonlyArray1<'py, f64>,
    &'a PyReadonlyArray1<'py, f64>,
    Option<&'a PyReadonlyArray1<'py, f64>>,
);

fn contact_problem(
    py: Python<'_>,
    (w, q, mu, rolling): ContactParts<'_, '_>,
    dimension: u64,
) -> PyResult<AnyDenseProblem> {
    let w = w.as_array();
    let matrix = DMatrix::from_fn(w.nrows(), w.ncols(), |row, column| w[(row, column)]);
    let q = DVector::from_vec(q.as_array().to_vec());
    let rolling = rolling.map(|rolling| rolling.as_array().to_vec());
    AnyDenseProblem::new(dimension, matrix, q, mu.as_array().to_vec(), rolling)
        .map_err(|fault| error::input(py, &fault.to_string()))
}
