//! Errors of the crate as exceptions of the package; the classes are written in Python, in `stickslip._errors`.

use pyo3::{prelude::*, types::PyDict};
use stickslip::{
    scenario::{OverrideError, Place, ScenarioError},
    stepper::Refusal,
};

/// The exception `class` of the package with a message and attributes.
pub fn exception(py: Python<'_>, class: &str, message: &str, attributes: &Bound<'_, PyDict>) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let class = py.import("stickslip._errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call((message,), Some(attributes))?))
    };
    build().unwrap_or_else(|error| error)
}

/// A scenario that is not valid: `ScenarioError` with all its problems.
pub fn invalid_scenario(py: Python<'_>, error: &ScenarioError) -> PyErr {
    let attributes = PyDict::new(py);
    let fill = || -> PyResult<()> {
        let mut problems = Vec::new();
        match error {
            ScenarioError::File(error) => {
                let problem = PyDict::new(py);
                problem.set_item("message", error.fault.to_string())?;
                problem.set_item("help", &error.help)?;
                problem.set_item("path", error.path.display().to_string())?;
                problems.push(problem);
            }
            ScenarioError::Invalid(invalid) => {
                for one in &invalid.problems {
                    let problem = PyDict::new(py);
                    problem.set_item("message", &one.message)?;
                    problem.set_item("help", &one.help)?;
                    problem.set_item("key", one.key.as_deref())?;
                    match &one.place {
                        Place::Text { line, column, .. } => {
                            problem.set_item("path", &invalid.path)?;
                            problem.set_item("line", *line)?;
                            problem.set_item("column", *column)?;
                        }
                        Place::Override(argument) => problem.set_item("override", argument)?,
                    }
                    problems.push(problem);
                }
            }
        }
        attributes.set_item("problems", problems)
    };
    match fill() {
        Ok(()) => exception(py, "ScenarioError", &error.to_string(), &attributes),
        Err(error) => error,
    }
}

/// A text that is no override: `ScenarioError`.
pub fn invalid_override(py: Python<'_>, argument: &str, error: &OverrideError) -> PyErr {
    exception(py, "ScenarioError", &format!("set {argument}: {error}"), &PyDict::new(py))
}

/// A stepper's no: `Refusal`.
pub fn refusal(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let attributes = PyDict::new(py);
    let fill = || -> PyResult<()> {
        attributes.set_item("stepper", refusal.stepper.to_string())?;
        attributes.set_item("reason", &refusal.reason)?;
        attributes.set_item("remedy", &refusal.remedy)
    };
    match fill() {
        Ok(()) => exception(py, "Refusal", &refusal.to_string(), &attributes),
        Err(error) => error,
    }
}

/// Any other bad input: `InputError`.
pub fn input(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "InputError", message, &PyDict::new(py))
}
