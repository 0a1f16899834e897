//! Scenarios as Python hands them over: a path, a text, or a mapping.

use std::path::Path;

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyString};
use stickslip::{
    scenario::{AnyScenario, Override, parse_scenario, read_scenario},
    stepper::StepperName,
};

use crate::{error, toml_text};

/// A file of the program as Python hands it over.
pub enum Given {
    Path(String),
    /// What stands for it in messages, and what it says.
    Text(&'static str, String),
}

/// Tells a path from a text and a mapping; `what` it is to be, such as `a scenario`, and what stands for a text and a mapping
/// in messages.
pub fn given(given: &Bound<'_, PyAny>, what: &str, names: [&'static str; 2]) -> PyResult<Given> {
    if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_str()?;
        // A scenario has equals signs, and mostly line breaks; a path may have equals signs, but then it is there.
        let is_text = text.contains('\n') || (text.contains('=') && !Path::new(text).is_file());
        return Ok(if is_text {
            Given::Text(names[0], text.to_owned())
        } else {
            Given::Path(text.to_owned())
        });
    }
    if given.hasattr("__fspath__")? {
        return Ok(Given::Path(given.call_method0("__fspath__")?.extract::<String>()?));
    }
    if given.hasattr("items")? {
        return Ok(Given::Text(names[1], toml_text::document(given)?));
    }
    let kind = given.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{what} is the path of a file, the text of one, or a mapping, not {kind}"
    )))
}

/// What is set from outside.
pub fn overrides(py: Python<'_>, set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Override>> {
    toml_text::overrides(set)?
        .into_iter()
        .map(|argument| {
            Override::parse(&argument).map_err(|fault| error::invalid_override(py, &argument, &fault))
        })
        .collect()
}

/// Reads and checks a scenario with its overrides.
pub fn read(scenario: &Bound<'_, PyAny>, set: Option<&Bound<'_, PyAny>>) -> PyResult<AnyScenario> {
    let py = scenario.py();
    let overrides = overrides(py, set)?;
    let outcome = match given(scenario, "a scenario", ["<scenario>", "<mapping>"])? {
        Given::Path(path) => read_scenario(path, &overrides),
        Given::Text(name, text) => parse_scenario(name, &text, &overrides),
    };
    outcome.map_err(|fault| error::invalid_scenario(py, &fault))
}

/// The stepper of that name.
pub fn stepper_name(py: Python<'_>, name: &str) -> PyResult<StepperName> {
    name.parse().map_err(|fault: stickslip::stepper::UnknownStepper| error::input(py, &fault.to_string()))
}

/// The steppers of those names, if any are given.
pub fn stepper_names(py: Python<'_>, names: Option<Vec<String>>) -> PyResult<Option<Vec<StepperName>>> {
    if names.as_ref().is_some_and(Vec::is_empty) {
        return Err(error::input(
            py,
            "no stepper is named; leave steppers out for those that are the default",
        ));
    }
    names.map(|names| names.iter().map(|name| stepper_name(py, name)).collect()).transpose()
}

/// The names of all steppers, those that were registered last.
#[pyfunction]
pub fn steppers() -> Vec<String> {
    StepperName::known().iter().map(ToString::to_string).collect()
}

/// The whole scenario with its defaults and overrides, as the text of a scenario file.
#[pyfunction]
#[pyo3(signature = (scenario, set=None))]
pub fn resolve(scenario: &Bound<'_, PyAny>, set: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    Ok(read(scenario, set)?.to_toml())
}

/// What a key or table of scenario files means, or what a stepper is; everything for an empty name.
#[pyfunction]
#[pyo3(signature = (subject=""))]
pub fn explain(py: Python<'_>, subject: &str) -> PyResult<String> {
    stickslip::explain::explain(subject).map_err(|unknown| {
        let help = unknown.closest.as_ref().map(|closest| format!("; did you mean `{closest}`?"));
        error::input(py, &format!("{unknown}{}", help.unwrap_or_default()))
    })
}
