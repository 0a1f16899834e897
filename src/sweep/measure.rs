//! One run of a sweep: scenario and stepper in, row out.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Identity, Row, Run, RunStatus, Sweep, value::as_cell};
use crate::{
    decimal::rounded,
    metrics::{Companion, Gauge, Metrics},
    scenario::{AnyScenario, Scenario, ScenarioError},
    simulate::{OnFailure, Simulation, stream},
    stepper::{BuildStepper, StepperName},
    trajectory::Ending,
};

/// Most states of all bodies together by which a run goes ahead of the exact motion.
const MOST_AHEAD: usize = 1024;

/// Executes the run `number`; `None` if `flow` asked to stop.
pub fn execute(sweep: &Sweep, number: u64, mut flow: impl FnMut() -> ControlFlow<()>) -> Option<Row> {
    let run = sweep.run(number);
    let outcome = match sweep.base.with(&run.settings) {
        Err(error) => Outcome::refused(in_one_line(&error)),
        Ok(scenario) => {
            let id = Identity::of_run(run.stepper, &scenario);
            Outcome { id: Some(id), ..measure(&scenario, run.stepper, &sweep.metrics, &mut flow)? }
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
    metrics: &[String],
    flow: &mut impl FnMut() -> ControlFlow<()>,
) -> Option<Outcome> {
    match scenario {
        AnyScenario::InPlane(scenario) => measure_one(scenario, stepper, metrics, flow),
        AnyScenario::OverPlane(scenario) => measure_one(scenario, stepper, metrics, flow),
    }
}

/// Takes the steps, keeps none of them, and measures what the `metrics` of these names need.
///
/// The clock is looked at before and after the run, and where the exact motion catches up: once a step would take
/// longer than a cheap step itself takes.
fn measure_one<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    metrics: &[String],
    flow: &mut impl FnMut() -> ControlFlow<()>,
) -> Option<Outcome>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = match scenario.stepper(name) {
        Ok(stepper) => stepper,
        Err(refusal) => return Some(Outcome::refused(one_line(&refusal.reason))),
    };
    let with_exact = !name.is_exact() && metrics.iter().any(|name| name.contains("max_error"));
    let mut exact = with_exact.then(|| scenario.stepper(StepperName::EXACT).ok()).flatten();
    let mut companion = exact.as_mut().map(|exact| Companion::new(scenario, exact.as_mut(), MOST_AHEAD));
    let mut gauge = Gauge::new(scenario, stepper.honours()).only(metrics.iter().map(String::as_str));

    let mut spent = Duration::ZERO;
    let mut started = Instant::now();
    let mut simulation = Simulation::new(scenario, stepper.as_mut(), OnFailure::Stop).untimed();
    // Where the run goes is all that some metrics need.
    let is_followed = companion.is_some() || gauge.looks_at_every_step();
    while simulation.step() {
        if is_followed && let Some(passage) = simulation.passage() {
            gauge.add(&passage);
            if let Some(companion) = &mut companion
                && companion.add(&passage)
            {
                spent += started.elapsed();
                if companion.catch_up(&mut *flow).is_break() {
                    return None;
                }
                started = Instant::now();
            }
        }
        if flow().is_break() {
            return None;
        }
    }
    if !is_followed && let Some(last) = simulation.passage() {
        gauge.add(&last);
    }
    let taken = simulation.taken();
    let outcome = simulation.outcome();
    spent += started.elapsed();
    if companion.as_mut().is_some_and(|companion| companion.catch_up(&mut *flow).is_break()) {
        return None;
    }

    let steps = taken + usize::from(outcome.ending == Ending::Failed);
    let seconds = spent.as_secs_f64();
    let times = Outcome {
        seconds,
        step_microseconds: 1e6 * seconds / steps as f64,
        ..Outcome::refused(String::new())
    };
    if outcome.ending == Ending::Failed {
        let reason = outcome.first_failure.map_or_else(String::new, |failure| {
            format!("step {} at t = {} s failed: {}", failure.index, rounded(failure.time, 12), failure.error)
        });
        return Some(Outcome { status: RunStatus::Failed, reason: one_line(&reason), ..times });
    }
    let errors = companion.as_ref().and_then(Companion::errors);
    Some(Outcome { status: RunStatus::Done, metrics: named_figures(&gauge.metrics(errors)), ..times })
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
    let Ok(mut stepper) = short.stepper(stepper) else { return Vec::new() };
    let mut gauge = Gauge::new(&short, stepper.honours());
    stream(&short, stepper.as_mut(), OnFailure::Stop, |passage| {
        gauge.add(passage);
        ControlFlow::Continue(())
    });
    named_figures(&gauge.metrics(None)).into_iter().map(|(name, _)| name).collect()
}

/// Everything in the metrics of a run that is one figure or none, by its name; the names of what is nested are
/// joined by dots.
fn named_figures<const D: usize>(metrics: &Metrics<D>) -> Vec<(String, String)> {
    let mut figures = Vec::new();
    flatten("", &serde_json::to_value(metrics).unwrap_or_default(), &mut figures);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        metrics::{Measured, unit_of_metric},
        scenario::parse_scenario,
    };

    /// The units that are known to be right; `None` for a name of which none is written here.
    fn expected(name: &str) -> Option<&'static str> {
        Some(match name.rsplit('.').next().unwrap_or(name) {
            "x" | "y" | "z" | "final_x" | "final_y" | "final_z" => "m",
            "final_center_x" | "final_center_y" | "final_center_z" => "m",
            "max_penetration" | "max_rod_error" | "max_error_x" | "max_error_y" | "max_error_z" => "m",
            "angle" | "max_error_angle" => "rad",
            "stop_time" => "s",
            "max_energy_gain" => "J",
            "force_noise" => "N",
            "qw" | "qx" | "qy" | "qz" | "max_natural_map" | "max_complementarity" => "",
            _ => return None,
        })
    }

    #[test]
    fn every_metric_has_its_unit() {
        let mut seen = std::collections::BTreeSet::new();
        for (file, text) in [
            ("slide", include_str!("../../examples/scenarios/slide.toml")),
            ("turn", include_str!("../../examples/scenarios/turn.toml")),
            ("ram", include_str!("../../examples/scenarios/ram.toml")),
            ("tumbling-frame", include_str!("../../examples/scenarios/tumbling-frame.toml")),
            ("dominoes", include_str!("../../examples/scenarios/dominoes.toml")),
            ("cube-toss", include_str!("../../examples/scenarios/cube-toss.toml")),
        ] {
            let scenario = parse_scenario(file, text, &[]).expect("a valid scenario");
            for name in metric_names(&scenario, StepperName::NLP) {
                let is_in_table = Metrics::<3>::TABLE.iter().any(|metric| name.ends_with(metric.key));
                assert!(expected(&name).is_some() || is_in_table, "{file}: what is the unit of {name}?");
                let expected = expected(&name).unwrap_or_else(|| unit_of_metric(&name));
                assert_eq!(unit_of_metric(&name), expected, "{file}: {name}");
                seen.insert(name.rsplit('.').next().unwrap_or_default().to_owned());
            }
        }
        for name in ["max_complementarity", "force_noise", "max_natural_map", "max_rod_error", "angle", "qw"]
        {
            assert!(seen.contains(name), "{name} is not among {seen:?}");
        }
    }
}
