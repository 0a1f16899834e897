use std::path::PathBuf;

use clap::Args;
use stickslip::{atomic_file::write_atomically, study::Study};

use super::{
    error::CliError,
    figures::{FigureSize, files_of},
    folder::Folder,
    output::SUMMARY,
    session::{Session, TIMINGS},
    whole_number::seed,
};

/// Arguments of `stickslip study`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Study: sliding-block, sticking-noise, small-bias, antisymmetric or anisotropy
    #[arg(value_name = "NAME", value_parser = str::parse::<Study>)]
    study: Study,
    /// Seed of everything random in the study
    #[arg(long, default_value_t = 1, value_parser = seed())]
    seed: u64,
    /// Folder for results; the study goes to OUTPUT/study/<name>/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// Draw no pictures
    #[arg(long)]
    no_plots: bool,
    #[command(flatten)]
    size: FigureSize,
}

const EXAMPLES: &str = "\
Examples:
  stickslip study sticking-noise
  stickslip study anisotropy --seed 7 --output /tmp/results

Prints the table of the study and what it says, and writes table.csv, summary.json and pictures.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    arguments.size.check(!arguments.no_plots)?;
    let name = arguments.study.as_str();
    let folder = Folder::of_command(session, &arguments.output, "study", name)?;
    let report = arguments.study.run(arguments.seed);
    let folder = folder.open()?;
    write_atomically(&folder.file("table.csv"), |out| report.table.write_csv(out))?;
    let resolved = format!("study = \"{name}\"\nseed = {}\n", arguments.seed);
    let provenance = session.provenance(resolved, &[]);
    let summary = report.summary(arguments.study, arguments.seed);
    let summary = session.record(folder.path(), SUMMARY, &summary, &provenance)?;
    let mut written = ["table.csv", SUMMARY, TIMINGS].map(str::to_owned).to_vec();
    if !arguments.no_plots {
        for (figure_name, figure) in &report.figures {
            folder.write_figure(figure_name, &arguments.size.apply(figure.clone()))?;
            written.extend(files_of(figure_name));
        }
    }
    let mut lines: Vec<String> = report.table.to_string().lines().map(str::to_owned).collect();
    for finding in &report.findings {
        lines.extend([String::new(), finding.clone()]);
    }
    lines.extend([String::new(), format!("wrote {}: {}", folder.path().display(), written.join(", "))]);
    session.print(&lines, &summary)
}
