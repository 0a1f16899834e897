//! What every command has: how it answers.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use clap::Args;
use serde::Serialize;
use serde_json::Value;
use stickslip::{
    atomic_file::write_atomically,
    provenance::{Provenance, timings},
    stepper::Ignored,
};

use super::{error::CliError, origin::Origin, printable};

/// The file of what differs from run to run.
pub const TIMINGS: &str = "timings.json";

/// Options of every command.
#[derive(Debug, Clone, Copy, Args)]
pub struct SessionArguments {
    /// Print nothing but errors: no table, no notes, no progress bar; with --json, the JSON alone
    #[arg(long, short, global = true, help_heading = "Options of every command")]
    quiet: bool,
    /// Print the summary as JSON instead of the table
    #[arg(long, global = true, help_heading = "Options of every command")]
    json: bool,
}

/// One call of the program.
#[derive(Debug)]
pub struct Session {
    arguments: SessionArguments,
    origin: Origin,
}

impl Session {
    /// Begins it.
    pub fn new(arguments: SessionArguments, origin: Origin) -> Self {
        Self { arguments, origin }
    }

    /// The arguments that change results, by their names.
    pub fn arguments(&self) -> &BTreeMap<String, Vec<String>> {
        self.origin.arguments()
    }

    /// Whether nothing is to be printed but errors, and JSON that was asked for.
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
        warnings.iter().cloned().chain(ignored).for_each(|warning| self.alert(&warning));
    }

    /// Says something on standard error that must not be missed, even with `--quiet`.
    pub fn alert(&self, warning: &str) {
        // A standard error that is gone leaves nobody to warn.
        let _ = writeln!(io::stderr(), "warning: {}", printable::message(warning));
    }

    /// The provenance of a result that follows from `resolved`, in which `overrides` are applied.
    pub fn provenance(&self, resolved: String, overrides: &[String]) -> Provenance {
        self.origin.provenance(resolved, overrides)
    }

    /// Writes `summary` with its provenance under the name `file`, and once more what differs from run to run
    /// as timings.json. Gives what was written, for [`Session::print`].
    pub fn record(
        &self,
        folder: &Path,
        file: &str,
        summary: &impl Serialize,
        provenance: &Provenance,
    ) -> Result<Value, CliError> {
        let summary = provenance.attach(summary).map_err(|error| no_json(&error))?;
        write_json(&folder.join(file), &summary)?;
        write_json(&folder.join(TIMINGS), &timings(&summary))?;
        Ok(summary)
    }

    /// Prints the outcome of a command on standard output: `lines` to people, `summary` to programs.
    pub fn print(&self, lines: &[String], summary: &impl Serialize) -> Result<(), CliError> {
        if self.is_json() {
            let text = serde_json::to_string_pretty(summary).map_err(|error| no_json(&error))?;
            return print_text(&printable::json(&(text + "\n")));
        }
        if self.is_quiet() {
            return Ok(());
        }
        print_text(&printable::without_controls(&(lines.join("\n") + "\n")))
    }

    /// Tells people something on standard error that is no error.
    pub fn note(&self, text: &str) {
        if !self.is_quiet() {
            // A standard error that is gone leaves nobody to tell.
            let _ = writeln!(io::stderr(), "note: {}", printable::message(text));
        }
    }

    /// Prints a solution that was put into JSON, which is the whole purpose of a command.
    pub fn print_solution(&self, json: serde_json::Result<String>) -> Result<(), CliError> {
        let text = json.map_err(|error| {
            CliError::failed(format!("the solution cannot be written: {error}"), "report this")
        })?;
        self.print_result(&(text + "\n"))
    }

    /// Prints a text that is the whole purpose of a command; `--quiet` leaves it out, but not with `--json`, which
    /// asks for the result.
    pub fn print_result(&self, text: &str) -> Result<(), CliError> {
        if self.is_quiet() && !self.is_json() { Ok(()) } else { print_text(text) }
    }
}

/// Writes `value` as JSON for people.
pub fn write_json(file: &Path, value: &impl Serialize) -> Result<(), CliError> {
    Ok(write_atomically(file, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })?)
}

/// `--json` where what is printed is no JSON.
pub fn prints_no_json() -> CliError {
    CliError::input("--json: what this command prints is no JSON", "leave --json out")
}

/// A summary that cannot be serialised.
fn no_json(error: &serde_json::Error) -> CliError {
    CliError::failed(
        format!("the summary is no JSON: {error}"),
        "this is a defect of the program; please report it",
    )
}

/// Prints to standard output; a reader that went away is no error.
fn print_text(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::failed(
            format!("cannot write to standard output: {error}"),
            "check where it goes; what the command writes to files is written",
        )),
        _ => Ok(()),
    }
}
