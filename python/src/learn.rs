//! `learn`: the experiments that find contact parameters in data.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pyo3::prelude::*;
use stickslip::learn::{DataFile, Experiment, Request, UnknownExperiment};

use crate::{error, toml_text};

/// Runs an experiment; gives its result as JSON, as in result.json.
#[pyfunction]
#[pyo3(signature = (experiment, *, data=None, samples=None, seed=1, set=None))]
pub fn learn(
    py: Python<'_>,
    experiment: &str,
    data: Option<String>,
    samples: Option<usize>,
    seed: u64,
    set: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let experiment: Experiment =
        experiment.parse().map_err(|fault: UnknownExperiment| error::input(py, &fault.to_string()))?;
    let data = data
        .map(|name| {
            let text = std::fs::read_to_string(&name)
                .map_err(|fault| error::input(py, &format!("cannot read `{name}`: {fault}")))?;
            Ok::<_, PyErr>(DataFile { name, text })
        })
        .transpose()?;
    let settings = toml_text::settings(set)?;
    let request = Request { data, samples, settings, ..Request::new(experiment, seed) };
    let prepared = request.prepare().map_err(|fault| error::input(py, &fault.to_string()))?;
    let (mut last, mut raised) = (Instant::now(), None);
    let outcome = {
        let mut progress = |_: f64| {
            if last.elapsed() < Duration::from_millis(20) {
                return ControlFlow::Continue(());
            }
            last = Instant::now();
            raised = Python::attach(|py| py.check_signals()).err();
            if raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // The experiments are not made to be moved to another thread, so that the lock is kept; they ask often.
        prepared.run(&mut progress)
    };
    if let Some(raised) = raised {
        return Err(raised);
    }
    let (result, _) = outcome.map_err(|fault| {
        error::exception(py, "LearnError", &fault.to_string(), &pyo3::types::PyDict::new(py))
    })?;
    serde_json::to_string(&result).map_err(|fault| error::input(py, &fault.to_string()))
}
