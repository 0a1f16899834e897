//! What there is to know about keys of scenario files, and about steppers.

use clap::Args;
use stickslip::{
    scenario::{explain, json_schema},
    stepper::StepperName,
};

use super::{error::CliError, session::Session};

/// Arguments of `stickslip explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Key or table of scenario files, or a stepper [default: everything]
    #[arg(value_name = "KEY|STEPPER")]
    subject: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  stickslip explain ground.friction
  stickslip explain stepper.convex
  stickslip explain lcp:anitescu
  stickslip explain > reference.txt";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let Some(subject) = &arguments.subject else {
        let keys = explain("").unwrap_or_default();
        let steppers = StepperName::ALL.map(of_stepper).join("\n");
        return session.print_result(&format!("{keys}\nSteppers\n\n{steppers}"));
    };
    if let Ok(stepper) = subject.trim().parse::<StepperName>() {
        return session.print_result(&of_stepper(stepper));
    }
    let text = explain(subject).map_err(|closest| {
        let help = match closest {
            Some(closest) => format!("did you mean `{closest}`? `stickslip explain` lists everything"),
            None => "`stickslip explain` lists everything".to_owned(),
        };
        CliError::input(format!("there is neither a key nor a stepper `{subject}`"), help)
    })?;
    session.print_result(&text)
}

/// Prints the JSON Schema of scenario files.
pub fn schema(session: &Session) -> Result<(), CliError> {
    session.print_result(&format!("{:#}\n", json_schema()))
}

fn of_stepper(stepper: StepperName) -> String {
    let family = stepper.family();
    let settings = if explain(&format!("stepper.{family}")).is_ok() {
        format!("\n  settings in [stepper.{family}]: stickslip explain stepper.{family}")
    } else {
        String::new()
    };
    format!("{stepper}: {}{settings}\n", stepper.summary())
}
