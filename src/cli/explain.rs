//! What there is to know about keys of scenario files, steppers, and files of results.

use clap::Args;
use stickslip::{explain::explain, scenario::json_schema};

use super::{error::CliError, session::Session};

/// Arguments of `stickslip explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Key or table of scenario files, a stepper, a file, column, key or figure of results, a word of a printed table, or
    /// `results` for all of results [default: all keys and steppers]
    #[arg(value_name = "KEY|STEPPER|COLUMN|WORD")]
    subject: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  stickslip explain ground.friction
  stickslip explain stepper.convex
  stickslip explain lcp:anitescu
  stickslip explain contacts.csv
  stickslip explain max_natural_map
  stickslip explain \"force noise\"
  stickslip explain results
  stickslip explain > reference.txt";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let subject = arguments.subject.as_deref().unwrap_or_default();
    let text = explain(subject).map_err(|unknown| {
        let help = match &unknown.closest {
            Some(closest) => format!("did you mean `{closest}`? `stickslip explain` lists everything"),
            None => "`stickslip explain` lists everything".to_owned(),
        };
        CliError::input(unknown.to_string(), help)
    })?;
    session.print_result(&text)
}

/// Prints the JSON Schema of scenario files.
pub fn schema(session: &Session) -> Result<(), CliError> {
    session.print_result(&format!("{:#}\n", json_schema()))
}
