//! One run of a sweep: scenario and stepper in, row out.

use std::ops::ControlFlow;

use serde_json::Value;

use super::{Identity, Row, Run, RunStatus, Sweep, value::as_cell};
use crate::{
    metrics::{Metrics, Summary},
    scenario::{AnyScenario, Scenario, ScenarioError},
    simulate::{OnFailure, simulate_observed},
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

/// Executes the run `number`; `None` if `flow` asked to stop.
pub fn execute(sweep: &Sweep, number: u64, mut flow: impl FnMut() -> ControlFlow<()>) -> Option<Row> {
    let run = sweep.run(number);
    let outcome = match sweep.base.with(&run.settings) {
        Err(error) => Outcome::refused(in_one_line(&error)),
        Ok(scenario) => {
            let id = Identity::of_run(run.stepper, &scenario);
            let with_exact = sweep.metrics.iter().any(|name| name.contains("error"));
            Outcome { id: Some(id), ..measure(&scenario, run.stepper, with_exact, &mut flow)? }
        }
    };
    let id = outcome.id.unwrap_or_else(|| Identity::of_invalid_run(sweep, number));
    let metrics = sweep.metrics.iter().map(|name| {
        let value = outcome.metrics.iter().find(|(known, _)| known == name);
        value.map(|(_, value)| value.clone()).unwrap_or_default()
    });
    let Run { stepper, settings, .. } = run;
    Some(Row {
        number,
        id: id.as_str().to_owned(),
        stepper: stepper.to_string(),
        values: settings.iter().map(|(_, value)| as_cell(value)).collect(),
        metrics: metrics.collect(),
        status: outcome.status,
        reason: outcome.reason,
        seconds: outcome.seconds,
        step_microseconds: outcome.step_microseconds,
    })
}

/// What came of a run.
struct Outcome {
    id: Option<Identity>,
    status: RunStatus,
    reason: String,
    metrics: Vec<(String, String)>,
    seconds: f64,
    step_microseconds: f64,
}

impl Outcome {
    fn refused(reason: String) -> Self {
        Self {
            id: None,
            status: RunStatus::Refused,
            reason,
            metrics: Vec::new(),
            seconds: f64::NAN,
            step_microseconds: f64::NAN,
        }
    }
}

fn measure(
    scenario: &AnyScenario,
    stepper: StepperName,
    with_exact: bool,
    flow: &mut impl FnMut() -> ControlFlow<()>,
) -> Option<Outcome> {
    match scenario {
        AnyScenario::InPlane(scenario) => measure_one(scenario, stepper, with_exact, flow),
        AnyScenario::OverPlane(scenario) => measure_one(scenario, stepper, with_exact, flow),
    }
}

fn measure_one<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    with_exact: bool,
    flow: &mut impl FnMut() -> ControlFlow<()>,
) -> Option<Outcome>
where
    Scenario<D>: BuildStepper<D>,
{
    let trajectory = match trajectory(scenario, name, flow)? {
        Ok(trajectory) => trajectory,
        Err(reason) => return Some(Outcome::refused(reason)),
    };
    let summary_of =
        |exact: Option<&Trajectory<D>>| Summary::of(&trajectory, Metrics::of(&trajectory, exact));
    if trajectory.ending == Ending::Failed {
        let reason = trajectory.first_failure.as_ref().map_or_else(String::new, |failure| {
            format!("step {} at t = {} s failed: {}", failure.index, failure.time, failure.error)
        });
        let step_microseconds = summary_of(None).step_microseconds.median;
        let failed = Outcome::refused(one_line(&reason));
        let seconds = trajectory.wall_seconds;
        return Some(Outcome { status: RunStatus::Failed, seconds, step_microseconds, ..failed });
    }
    let exact = match with_exact && name != StepperName::Exact {
        true => self::trajectory(scenario, StepperName::Exact, flow)?.ok(),
        false => None,
    };
    let summary = summary_of(exact.as_ref().filter(|exact| exact.ending == Ending::Complete));
    Some(Outcome {
        id: None,
        status: RunStatus::Done,
        reason: String::new(),
        seconds: trajectory.wall_seconds,
        step_microseconds: summary.step_microseconds.median,
        metrics: named_figures(&summary),
    })
}

/// A whole trajectory, or why the stepper refuses the scenario; `None` if `flow` asked to stop.
fn trajectory<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    flow: &mut impl FnMut() -> ControlFlow<()>,
) -> Option<Result<Trajectory<D>, String>>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = match scenario.stepper(name) {
        Ok(stepper) => stepper,
        Err(refusal) => return Some(Err(one_line(&refusal.reason))),
    };
    let trajectory = simulate_observed(scenario, stepper.as_mut(), OnFailure::Stop, |_| flow());
    (trajectory.ending != Ending::Interrupted).then_some(Ok(trajectory))
}

/// The names of the metrics that `stepper` gives for `scenario`, in their order: those of a run of
/// one step. Empty if it does not admit the scenario.
pub fn metric_names(scenario: &AnyScenario, stepper: StepperName) -> Vec<String> {
    match scenario {
        AnyScenario::InPlane(scenario) => metric_names_of(scenario, stepper),
        AnyScenario::OverPlane(scenario) => metric_names_of(scenario, stepper),
    }
}

fn metric_names_of<const D: usize>(scenario: &Scenario<D>, stepper: StepperName) -> Vec<String>
where
    Scenario<D>: BuildStepper<D>,
{
    let short = Scenario { duration: scenario.step, ..scenario.clone() };
    let mut go_on = || ControlFlow::Continue(());
    match trajectory(&short, stepper, &mut go_on) {
        Some(Ok(trajectory)) => {
            let summary = Summary::of(&trajectory, Metrics::of(&trajectory, None));
            named_figures(&summary).into_iter().map(|(name, _)| name).collect()
        }
        _ => Vec::new(),
    }
}

/// Everything in the metrics of a summary that is one figure or none, by its name; the names of what
/// is nested are joined by dots.
fn named_figures<const D: usize>(summary: &Summary<D>) -> Vec<(String, String)> {
    let mut figures = Vec::new();
    flatten("", &serde_json::to_value(&summary.metrics).unwrap_or_default(), &mut figures);
    figures
}

fn flatten(name: &str, value: &Value, figures: &mut Vec<(String, String)>) {
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| flatten(&inner(key), value, figures)),
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                flatten(&inner(&index.to_string()), value, figures);
            }
        }
        Value::Null => figures.push((name.to_owned(), String::new())),
        Value::String(text) => figures.push((name.to_owned(), one_line(text))),
        Value::Number(_) | Value::Bool(_) => figures.push((name.to_owned(), value.to_string())),
    }
}

/// The problems of a scenario in one line.
fn in_one_line(error: &ScenarioError) -> String {
    match error {
        ScenarioError::File(error) => one_line(&error.fault.to_string()),
        ScenarioError::Invalid(invalid) => {
            let messages: Vec<String> =
                invalid.problems.iter().map(|problem| one_line(&problem.message)).collect();
            messages.join("; ")
        }
    }
}

/// A text without line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
