//! `stickslip recording`.

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use stickslip::{
    predict::{Check, check_recording},
    scenario::{AnyScenario, Scenario},
    stepper::BuildStepper,
};

use super::{
    error::CliError,
    recording::{RecordedArguments, refusal},
    session::Session,
};

/// Arguments of `stickslip recording`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Say what is wrong with a recording: rows, noise, gravity of the flights, resting height, velocities, spins, wild rows
    #[command(after_help = EXAMPLES)]
    Check(RecordedArguments),
}

const EXAMPLES: &str = "\
Examples:
  stickslip recording check examples/data/tosses-sample20.csv examples/scenarios/cube-toss.toml
  stickslip recording check throws.csv ball.toml --ground-height 0.012 --json

DATA.csv has the columns that `stickslip predict --help` lists. Nothing is simulated: what is measured is held against
itself and against the scenario. How fast flights fall tells wrong units, axes and frame rates; where the body rests, the
height of the ground or a wrong size; how far velocities and spins lead beside the recorded poses, degrees in the place of
radians, axes of the world in the place of the body's, and smoothing over impacts. Exit status 0, whatever is found.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let Action::Check(recorded) = &arguments.action;
    match recorded.scenario()? {
        AnyScenario::InPlane(scenario) => check(recorded, &scenario, session),
        AnyScenario::OverPlane(scenario) => check(recorded, &scenario, session),
    }
}

fn check<const D: usize>(
    recorded: &RecordedArguments,
    scenario: &Scenario<D>,
    session: &Session,
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    let (recording, data) = recorded.read(scenario)?;
    recorded.require_rows_left(&recording)?;
    let name = recording.file.clone();
    let checks = check_recording(scenario, recording).map_err(|error| refusal(error, &data))?;
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let row = |check: &Check| {
        let mark = if check.fault.is_some() { "look" } else { "ok" };
        format!("{mark:<4}  {:<width$}  {}", check.name, check.found)
    };
    let mut lines = vec![format!("{name}, recorded of the scenario {}", scenario.name), String::new()];
    lines.extend(checks.iter().map(row));
    lines.push(String::new());
    let faults: Vec<String> = checks
        .iter()
        .filter_map(|check| Some(format!("{}: {}", check.name, check.fault.as_ref()?)))
        .collect();
    match faults.is_empty() {
        true => lines.push("nothing is wrong that shows in the recording".to_owned()),
        false => lines.extend(faults),
    }
    session.print(&lines, &summary(&name, &scenario.name, &checks))
}

/// All checks as JSON, by their order.
fn summary(data: &str, scenario: &str, checks: &[Check]) -> Value {
    let checks: Vec<Value> = (checks.iter())
        .map(|check| {
            let mut object = Map::new();
            object.insert("check".to_owned(), json!(check.name));
            object.insert("found".to_owned(), json!(check.found));
            object.insert("fault".to_owned(), json!(check.fault));
            object.extend(check.values.clone());
            Value::Object(object)
        })
        .collect();
    json!({ "data": data, "scenario": scenario, "version": env!("CARGO_PKG_VERSION"), "checks": checks })
}
