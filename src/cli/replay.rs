use std::path::Path;

use stickslip::{
    scenario::{AnyScenario, Scenario, parse_scenario},
    stepper::BuildStepper,
    trajectory::Replay,
};

use super::{error::CliError, run::parse_stepper, scenario::single_point_only, table};

/// Solves the step recorded in `file` again, with the solver's log.
pub fn replay(file: &Path) -> Result<(), CliError> {
    let in_file = |problem: String| {
        CliError::input(
            format!("`{}`: {problem}", file.display()),
            "give a replay file as a failed run writes it: OUTPUT/<name>/<stepper>/replay-step-<k>.json",
        )
    };
    let replay = Replay::read(file).map_err(|error| in_file(error.to_string()))?;
    let name = format!("the scenario in {}", file.display());
    match parse_scenario(&name, &replay.scenario, &[]).map_err(CliError::from)? {
        AnyScenario::InPlane(scenario) => take_again(&replay, &scenario, &in_file),
        AnyScenario::OverPlane(scenario) => take_again(&replay, &scenario, &in_file),
        system => Err(single_point_only("run --replay", &system)),
    }
}

fn take_again<const D: usize>(
    replay: &Replay,
    scenario: &Scenario<D>,
    in_file: &dyn Fn(String) -> CliError,
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    let name = parse_stepper(&replay.stepper).map_err(in_file)?;
    let input = replay.input::<D>().map_err(|error| in_file(error.to_string()))?;
    let mut stepper = scenario.stepper(name)?;
    stepper.restore(&replay.memory);
    stepper.set_verbose(true);
    match stepper.step(&input) {
        Ok(step) => table::print_step(replay, &step),
        Err(error) => Err(CliError::failed(
            format!("step {} at t = {} s failed again: {error}", replay.index, replay.time),
            "the solver's log above says how; change the scenario in the file (its step, its [stepper] settings) \
             and try again",
        )),
    }
}
