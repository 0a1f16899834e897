use std::path::PathBuf;

use clap::Args;
use stickslip::import::{ImportError, Imported, Options, import_text};

use super::{
    error::CliError,
    input_file::{self, Kind},
    session::Session,
};

/// What is read.
const MODEL: Kind = Kind { name: "model", extension: "xml", max_bytes: 64 << 20 };

/// Arguments of `stickslip import`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Model: MJCF (*.xml) or URDF (*.urdf); - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Hold the base of a URDF, or the free bodies of MJCF, where they are
    #[arg(long)]
    fixed_base: bool,
}

const EXAMPLES: &str = "\
Examples:
  stickslip import pendulum.xml > pendulum.toml
  stickslip import arm.urdf --fixed-base > arm.toml
  stickslip run pendulum.toml

The scenario goes to standard output. What was taken, what was changed and what was left out is listed on standard error,
with its line and the reason. Meshes and included files count from the folder of the file.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let file = input_file::read(&arguments.file, MODEL)?;
    let options = Options { fixed_base: arguments.fixed_base };
    let path = if input_file::is_standard_input(&arguments.file) {
        PathBuf::from(&file.name)
    } else {
        arguments.file.clone()
    };
    let Imported { scenario, notes } = import_text(&file.text, &path, options)
        .map_err(|error: ImportError| CliError::input(error.to_string(), error.remedy))?;
    for note in &notes {
        session.note(&note.to_string());
    }
    session.print_result(&scenario)
}
