use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use stickslip::{atomic_file::write_atomically, study::Study};

use super::{comparison::Folder, error::CliError, interrupt};

/// Arguments of `stickslip study`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Study: sliding-block, sticking-noise, small-bias, antisymmetric or anisotropy
    #[arg(value_name = "NAME", value_parser = str::parse::<Study>)]
    study: Study,
    /// Seed of everything random in the study
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for results; the study goes to OUTPUT/study/<name>/
    #[arg(long, default_value = "output")]
    output: PathBuf,
    /// Draw no pictures
    #[arg(long)]
    no_plots: bool,
}

const EXAMPLES: &str = "\
Examples:
  stickslip study sticking-noise
  stickslip study anisotropy --seed 7 --output /tmp/results

Prints the table of the study and what it says, and writes table.csv and pictures.";

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let name = arguments.study.as_str();
    let folder = Folder::create(&arguments.output, "study", name)?;
    interrupt::end_at_once();
    let report = arguments.study.run(arguments.seed);
    write_atomically(&folder.file("table.csv"), |out| report.table.write_csv(out))?;
    let mut written = vec!["table.csv".to_owned()];
    if !arguments.no_plots {
        for (figure_name, figure) in &report.figures {
            folder.write_figure(figure_name, figure)?;
            written.extend([format!("{figure_name}.svg"), format!("{figure_name}.png")]);
        }
    }
    let mut text = report.table.to_string();
    for finding in &report.findings {
        text.push_str(&format!("\n{finding}\n"));
    }
    text.push_str(&format!("\nwrote {}: {}\n", folder.path().display(), written.join(", ")));
    io::stdout().write_all(text.as_bytes()).map_err(|error| {
        CliError::failed(format!("cannot write to standard output: {error}"), "check where it goes")
    })
}
