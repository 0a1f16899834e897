//! `compare` and `convergence`.

use std::{
    ops::ControlFlow,
    sync::Mutex,
    time::{Duration, Instant},
};

use pyo3::prelude::*;
use stickslip::{
    compare::{
        Comparison, ConvergenceStudy, DEFAULT_STEPS, comparison_summary, convergence_summary,
        default_families, default_steppers, default_tolerance, partings,
    },
    scenario::{AnyScenario, Scenario},
    simulate::OnFailure,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

use crate::{
    error,
    push::Push,
    scenario,
    simulate::on_failure,
    trajectory::{Any, Trajectory},
};

/// A comparison: its summary as JSON and the trajectories, in the order of the summary's `steppers`.
type Compared = (String, Vec<Trajectory>);

/// Does `work` without the interpreter's lock; a signal ends it and raises what its handler raised.
pub fn watched<T: Send>(py: Python<'_>, work: impl FnOnce(&Watch<'_>) -> T + Send) -> PyResult<T> {
    let asked = Mutex::new((Instant::now(), None::<PyErr>));
    let outcome = py.detach(|| {
        let watch = Watch::new(|_| {
            // One thread asks, the others go on.
            let Ok(mut asked) = asked.try_lock() else { return ControlFlow::Continue(()) };
            if asked.1.is_none() && asked.0.elapsed() >= Duration::from_millis(20) {
                asked.0 = Instant::now();
                asked.1 = Python::attach(|py| py.check_signals()).err();
            }
            if asked.1.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        work(&watch)
    });
    match asked.into_inner().ok().and_then(|(_, raised)| raised) {
        Some(raised) => Err(raised),
        None => Ok(outcome),
    }
}

/// Runs several steppers on one scenario.
#[pyfunction]
#[pyo3(signature = (scenario, steppers=None, *, set=None, on_failure="stop", push=None, tolerance=None))]
pub fn compare(
    py: Python<'_>,
    scenario: &Bound<'_, PyAny>,
    steppers: Option<Vec<String>>,
    set: Option<&Bound<'_, PyAny>>,
    on_failure: &str,
    push: Option<&Bound<'_, PyAny>>,
    tolerance: Option<f64>,
) -> PyResult<Compared> {
    if let Some(tolerance) = tolerance.filter(|tolerance| !(tolerance.is_finite() && *tolerance > 0.0)) {
        return Err(error::input(
            py,
            &format!("tolerance is {tolerance}, but must be a positive number of metres"),
        ));
    }
    let names = scenario::stepper_names(py, steppers)?;
    let on_failure = self::on_failure(py, on_failure)?;
    match scenario::read(scenario, set)? {
        AnyScenario::InPlane(scenario) => {
            compared(py, &scenario, names, (on_failure, tolerance), push, Any::InPlane)
        }
        AnyScenario::OverPlane(scenario) => {
            compared(py, &scenario, names, (on_failure, tolerance), push, Any::OverPlane)
        }
    }
}

fn compared<const D: usize>(
    py: Python<'_>,
    scenario: &Scenario<D>,
    names: Option<Vec<StepperName>>,
    (on_failure, tolerance): (OnFailure, Option<f64>),
    push: Option<&Bound<'_, PyAny>>,
    any: fn(stickslip::trajectory::Trajectory<D>) -> Any,
) -> PyResult<Compared>
where
    Scenario<D>: BuildStepper<D>,
{
    let is_default = names.is_none();
    let names = names.unwrap_or_else(|| default_steppers(scenario));
    let push = Push::new(push, scenario)?;
    let is_pushed = push.is_given();
    let outcome = watched(py, |watch| match is_pushed {
        false => Comparison::run(scenario, &names, on_failure, watch),
        true => Comparison::run_pushed(
            scenario,
            &names,
            on_failure,
            |now, forces, torques| push.add(now, forces, torques),
            watch,
        ),
    });
    if let Some(raised) = push.into_raised() {
        return Err(raised);
    }
    let mut comparison = outcome?;
    if is_default {
        comparison.set_failed_formulations_aside();
    } else if comparison.entries.is_empty()
        && let Some(refusal) = comparison.refused.first()
    {
        return Err(error::refusal(py, refusal));
    }
    let tolerance = tolerance.unwrap_or_else(|| default_tolerance(&comparison));
    let partings = partings(&comparison, tolerance);
    let summary = comparison_summary(&comparison, &partings, tolerance, None).to_string();
    let trajectories = comparison
        .entries
        .into_iter()
        .map(|entry| Trajectory::new(any(entry.trajectory), is_pushed))
        .collect();
    Ok((summary, trajectories))
}

/// Repeats a scenario at several steps and fits the orders of convergence; gives the summary as JSON.
#[pyfunction]
#[pyo3(signature = (scenario, steppers=None, *, steps=None, set=None))]
pub fn convergence(
    py: Python<'_>,
    scenario: &Bound<'_, PyAny>,
    steppers: Option<Vec<String>>,
    steps: Option<Vec<f64>>,
    set: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let steps = steps.unwrap_or_else(|| DEFAULT_STEPS.to_vec());
    if steps.is_empty() {
        return Err(error::input(py, "steps is empty; name some in s, or leave it out"));
    }
    if let Some(step) = steps.iter().find(|step| !(step.is_finite() && **step > 0.0)) {
        return Err(error::input(py, &format!("a step of {step} s is not positive and finite")));
    }
    let names = scenario::stepper_names(py, steppers)?;
    match scenario::read(scenario, set)? {
        AnyScenario::InPlane(scenario) => studied(py, &scenario, names, &steps),
        AnyScenario::OverPlane(scenario) => studied(py, &scenario, names, &steps),
    }
}

fn studied<const D: usize>(
    py: Python<'_>,
    scenario: &Scenario<D>,
    names: Option<Vec<StepperName>>,
    steps: &[f64],
) -> PyResult<String>
where
    Scenario<D>: BuildStepper<D>,
{
    let names = names.unwrap_or_else(|| {
        // The exact stepper has no error to study.
        let families = default_families(scenario).into_iter();
        families.filter(|name| !name.is_exact()).collect()
    });
    let (study, refused) = watched(py, |watch| ConvergenceStudy::run(scenario, &names, steps, watch))?;
    Ok(convergence_summary(&study, &refused).to_string())
}
