use clap::{Args, builder::PossibleValuesParser};
use stickslip::{
    export::{Format, export},
    scenario::AnyScenario,
};

use super::{error::CliError, scenario::ScenarioArguments, session::Session};

/// Arguments of `stickslip export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Format: mjcf (MuJoCo) or sdf (Gazebo, Drake)
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    format: String,
}

const EXAMPLES: &str = "\
Examples:
  stickslip export examples/scenarios/tipping-box.toml --format mjcf > tipping-box.xml
  stickslip export examples/scenarios/stack.toml --format sdf > stack.sdf

The scene goes to standard output. What the format has no words for is left out; it is listed in a comment of the
file and on standard error.";

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.as_str()))
}

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let scenario = arguments.scenario.read()?;
    let format = Format::ALL.into_iter().find(|format| format.as_str() == arguments.format);
    let Some(format) = format else {
        return Err(CliError::input(
            format!("--format {}: there is no such format", arguments.format),
            "choose mjcf or sdf",
        ));
    };
    let of_parts = match &scenario {
        AnyScenario::InPlane(scenario) => scenario.bodies.iter().any(|body| !body.parts().is_empty()),
        AnyScenario::OverPlane(scenario) => scenario.bodies.iter().any(|body| !body.parts().is_empty()),
    };
    if of_parts {
        return Err(CliError::input(
            "a body is of several parts, which are not exported yet".to_owned(),
            "give each convex part as a [[body]], and join them by [[joint]] of kind weld",
        ));
    }
    let exported = export(&scenario, format);
    for remark in &exported.remarks {
        session.note(&format!("{}: {}", remark.what, remark.why));
    }
    session.print_result(&exported.text)
}
