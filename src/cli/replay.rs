use std::path::Path;

use serde_json::{Value, json};
use stickslip::{
    decimal::rounded,
    scenario::{AnyScenario, Scenario, parse_scenario},
    stepper::{BuildStepper, Moved, SolveReport, StepFailure, StepStatus},
    trajectory::Replay,
};

use super::{
    error::CliError,
    input_file::{self, InputFile, Kind},
    session::Session,
    shell::quoted_path,
    stepper_name::parse_stepper,
    table,
};

/// A recorded step: a scenario, and what the stepper remembered.
const REPLAY_FILE: Kind = Kind { name: "replay file", extension: "json", max_bytes: 100_000_000 };

/// Solves the step recorded in `file` again, with the solver's log.
pub fn replay(file: &Path, session: &Session) -> Result<(), CliError> {
    let in_file = |problem: String| {
        CliError::input(
            format!("`{}`: {problem}", file.display()),
            "give a replay file as a failed run writes it: OUTPUT/<name>/<stepper>/replay-step-<k>.json",
        )
    };
    let InputFile { text, .. } = input_file::read(file, REPLAY_FILE)?;
    let replay = Replay::parse(&text).map_err(|error| match is_summary(&text) {
        true => CliError::input(
            format!("`{}`: this is the summary of a run, not a replay file", file.display()),
            format!("to repeat the run: stickslip run {}", quoted_path(file)),
        ),
        false => in_file(error.to_string()),
    })?;
    if replay.version != env!("CARGO_PKG_VERSION") {
        session.alert(&format!(
            "`{}` was written by version {}, and this is {}: the step may be another one here",
            file.display(),
            replay.version,
            env!("CARGO_PKG_VERSION")
        ));
    }
    let name = format!("the scenario in {}", file.display());
    match parse_scenario(&name, &replay.scenario, &[]).map_err(CliError::from)? {
        AnyScenario::InPlane(scenario) => take_again(&replay, &scenario, session, &in_file),
        AnyScenario::OverPlane(scenario) => take_again(&replay, &scenario, session, &in_file),
    }
}

/// Whether a text is the summary of a run, which has its scenario in it.
fn is_summary(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.get("resolved").is_some())
}

fn take_again<const D: usize>(
    replay: &Replay,
    scenario: &Scenario<D>,
    session: &Session,
    in_file: &dyn Fn(String) -> CliError,
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    let name = parse_stepper(&replay.stepper).map_err(in_file)?;
    let mut stepper = scenario.stepper(name)?;
    // The log is for people.
    let is_verbose = !session.is_json() && !session.is_quiet();
    stepper.set_verbose(is_verbose);
    match replay.take_again(scenario, stepper.as_mut()).map_err(|error| in_file(error.to_string()))? {
        Ok((moved, report)) => {
            session.print(&table::of_step(replay, &moved, &report), &of_step(replay, &moved, &report))
        }
        Err(error) => {
            if session.is_json() {
                session.print(&[], &of_failed_step(replay, &error))?;
            }
            let log = if is_verbose { "the log above, where the solver keeps one, says how; " } else { "" };
            Err(CliError::failed(
                format!("step {} at t = {} s failed again: {error}", replay.index, rounded(replay.time, 12)),
                format!(
                    "{log}change the scenario in the file (its step, its [stepper] settings) and try again"
                ),
            ))
        }
    }
}

/// A step that failed again as JSON.
fn of_failed_step(replay: &Replay, failure: &StepFailure) -> Value {
    json!({
        "step": replay.index,
        "time": replay.time,
        "stepper": replay.stepper,
        "status": StepStatus::Failed.as_str(),
        "kind": failure.kind.as_str(),
        "reason": failure.explanation,
        "iterations": failure.iterations,
        "residual": failure.residual,
    })
}

/// The step as JSON.
fn of_step<const D: usize>(replay: &Replay, moved: &Moved<D>, report: &SolveReport) -> Value {
    let bodies = moved.states.iter().zip(&moved.impulses).map(|(state, impulse)| {
        json!({
            "position": state.position.as_slice(),
            "velocity": state.velocity.as_slice(),
            "impulse": impulse.as_slice(),
        })
    });
    json!({
        "step": replay.index,
        "time": replay.time,
        "stepper": replay.stepper,
        "status": report.status.as_str(),
        "iterations": report.iterations,
        "residual": report.residual,
        "bodies": bodies.collect::<Vec<_>>(),
    })
}
