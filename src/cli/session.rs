//! What every command has: how it answers.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use stickslip::stepper::Ignored;

use super::error::CliError;

/// Options of every command.
#[derive(Debug, Clone, Copy, Args)]
pub struct SessionArguments {
    /// Print nothing but errors: no table, no progress bar
    #[arg(long, short, global = true, conflicts_with = "json", help_heading = "Options of every command")]
    quiet: bool,
    /// Print the summary as JSON instead of the table
    #[arg(long, global = true, help_heading = "Options of every command")]
    json: bool,
}

/// One call of the program.
#[derive(Debug)]
pub struct Session {
    arguments: SessionArguments,
}

impl Session {
    /// Begins it.
    pub fn new(arguments: SessionArguments) -> Self {
        Self { arguments }
    }

    /// Whether only errors are to be printed.
    pub fn is_quiet(&self) -> bool {
        self.arguments.quiet
    }

    /// Whether standard output is for programs to read.
    pub fn is_json(&self) -> bool {
        self.arguments.json
    }

    /// Says on standard error, before anything runs, what `stepper` will not do as the scenario has it;
    /// `--quiet` leaves that to the summary.
    pub fn warn(&self, stepper: &str, warnings: &[String], ignored: &[Ignored]) {
        if self.is_quiet() {
            return;
        }
        let ignored = ignored.iter().map(|ignored| format!("stepper `{stepper}`: {ignored}"));
        for warning in warnings.iter().cloned().chain(ignored) {
            // A standard error that is gone leaves nobody to warn.
            let _ = writeln!(io::stderr(), "warning: {warning}");
        }
    }

    /// Prints the outcome of a command on standard output: `lines` to people, `summary` to programs.
    pub fn print(&self, lines: &[String], summary: &impl Serialize) -> Result<(), CliError> {
        if self.is_quiet() {
            return Ok(());
        }
        if self.is_json() {
            let text = serde_json::to_string_pretty(summary).map_err(|error| {
                CliError::failed(
                    format!("the summary is no JSON: {error}"),
                    "this is a defect; please report it",
                )
            })?;
            return print_text(&(text + "\n"));
        }
        print_text(&(lines.join("\n") + "\n"))
    }

    /// Prints a text that is the whole purpose of a command; `--quiet` leaves it out.
    pub fn print_result(&self, text: &str) -> Result<(), CliError> {
        if self.is_quiet() { Ok(()) } else { print_text(text) }
    }
}

/// Prints to standard output; a reader that went away is no error.
fn print_text(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::failed(
            format!("cannot write to standard output: {error}"),
            "check where it goes; the files are written",
        )),
        _ => Ok(()),
    }
}
