use std::path::PathBuf;

use clap::Args;
use stickslip::{
    atomic_file::write_atomically,
    decimal::shortest,
    scorecard::{self, DEFAULT_STEPS, Scorecard},
    stepper::{Roster, StepperName},
};

use super::{
    error::CliError,
    folder::Folder,
    interrupt,
    output::SUMMARY,
    progress::Amount,
    report_page::REPORT,
    session::{Session, TIMINGS},
    stepper_name::parse_stepper,
};

const TABLE: &str = "scorecard.csv";
const HEAT_MAP: &str = "heat-map";

/// Arguments of `stickslip scorecard`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Phenomena, separated by commas [default: all of them]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    phenomena: Vec<String>,
    #[arg(long, alias = "stepper", value_delimiter = ',', value_name = "NAMES", value_parser = parse_stepper, help = default_models())]
    steppers: Vec<StepperName>,
    /// Steps in s, separated by commas [default: 1e-2,1e-3,1e-4]
    #[arg(long, value_delimiter = ',', value_name = "SECONDS")]
    steps: Vec<f64>,
    /// Folder for results; the scorecard goes to OUTPUT/scorecard/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// Write the scenarios of the phenomena into FOLDER/scenes/ for other programs to simulate, and run nothing
    #[arg(long, value_name = "FOLDER", conflicts_with = "recorded")]
    write_scenes: Option<PathBuf>,
    /// Add columns for what other programs recorded in FOLDER
    #[arg(long, value_name = "FOLDER")]
    recorded: Option<PathBuf>,
    /// Draw no pictures
    #[arg(long)]
    no_plots: bool,
}

const EXAMPLES: &str = "\
Examples:
  stickslip scorecard
  stickslip scorecard --steppers nlp,convex --steps 1e-3
  stickslip scorecard --phenomena stopping-distance,rocking
  stickslip scorecard --write-scenes output/peers && benches/peers/scorecard output/peers
  stickslip scorecard --recorded output/peers

Every phenomenon is simulated by every stepper at every step, measured, and held against its true value.
Writes scorecard.csv, summary.json, timings.json, a heat map, and report.html with a card per phenomenon: what happens,
formula and source, a picture, what each model does and why, and how its error falls with the step.";

/// The help of `--steppers`.
fn default_models() -> String {
    let names: Vec<&str> = Roster::Scorecard.steppers().into_iter().map(StepperName::as_str).collect();
    format!("Steppers, separated by commas [default: {}]", names.join(","))
}

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let unknown = |error: scorecard::UnknownPhenomenon| {
        CliError::input(format!("--phenomena: {error}"), "for example --phenomena stopping-distance,rocking")
    };
    let phenomena = scorecard::named(&arguments.phenomena).map_err(unknown)?;
    let steppers = each_once(&arguments.steppers, &Roster::Scorecard.steppers());
    let steps = each_once(&arguments.steps, &DEFAULT_STEPS);
    if steps.len() < arguments.steps.len() {
        session.note("--steps: steps that are given more than once are taken once");
    }
    for &step in &steps {
        check_step(step)?;
    }
    if let Some(folder) = &arguments.write_scenes {
        let written = scorecard::write_scenes(folder, &phenomena, &steps)?;
        let line = format!("wrote {}: {written} scenarios", folder.display());
        return session.print(&[line], &serde_json::json!({ "scenes": written }));
    }
    let bad = |error: scorecard::RecordingError| {
        let help = "scenes come from --write-scenes, recordings from benches/peers/scorecard";
        CliError::input(format!("--recorded: {error}"), help)
    };
    if let Some(recorded) = &arguments.recorded {
        scorecard::recorded_programs(recorded).map_err(bad)?;
    }
    let folder = Folder::at(session, arguments.output.join("scorecard"))?;
    let amount = Scorecard::amount(&phenomena, &steppers, &steps);
    let title = format!("{} phenomena by {} models", phenomena.len(), steppers.len());
    let card = session
        .execute(&title, Amount::Steps(amount), |watch| Scorecard::run(phenomena, &steppers, &steps, watch));
    let Some(mut card) = card.filter(|_| !interrupt::requested()) else {
        return Err(CliError::Interrupted("nothing is written".to_owned()));
    };
    if let Some(recorded) = &arguments.recorded {
        card.add_recorded(recorded).map_err(bad)?;
    }
    let folder = folder.open()?;
    write_atomically(&folder.file(TABLE), |out| scorecard::write_csv(&card, out))?;
    let provenance = session.provenance(resolved(&card), &[]);
    let summary = session.record(folder.path(), SUMMARY, &scorecard::summary(&card), &provenance)?;
    let mut written = [TABLE, SUMMARY, TIMINGS].map(str::to_owned).to_vec();
    if !arguments.no_plots {
        let day = provenance.started.split('T').next().unwrap_or_default();
        let map = scorecard::heat_map(&card, &format!("stickslip {}, {day}", env!("CARGO_PKG_VERSION")));
        folder.write(&format!("{HEAT_MAP}.svg"), map.to_svg()?.as_bytes())?;
        map.write_png(&folder.file(&format!("{HEAT_MAP}.png")))?;
        written.extend(["svg", "png"].map(|end| format!("{HEAT_MAP}.{end}")));
        let report = scorecard::report(&card, &map, Some(&provenance))?;
        folder.write(REPORT, report.as_bytes())?;
        written.push(REPORT.to_owned());
    }
    let mut lines = scorecard::table(&card);
    lines.push(format!("wrote {}: {}", folder.path().display(), written.join(", ")));
    session.print(&lines, &summary)
}

/// The choice of everything, as TOML.
fn resolved(card: &Scorecard) -> String {
    let list = |names: Vec<String>| names.join(", ");
    let quoted = |name: &str| format!("\"{name}\"");
    format!(
        "phenomena = [{}]\nsteppers = [{}]\nsteps = [{}]\n",
        list(card.phenomena.iter().map(|phenomenon| quoted(phenomenon.name)).collect()),
        list(card.models.iter().map(|model| quoted(model)).collect()),
        list(card.steps.iter().map(|step| format!("{step:e}")).collect()),
    )
}

/// What was given, each once, or the default.
fn each_once<T: Copy + PartialEq>(given: &[T], default: &[T]) -> Vec<T> {
    let mut kept = Vec::new();
    for &one in if given.is_empty() { default } else { given } {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

fn check_step(step: f64) -> Result<(), CliError> {
    /// In s. Shorter ones take hours and resolve nothing more, longer ones than a tenth of the shortest
    /// phenomenon resolve nothing at all.
    const RANGE: std::ops::RangeInclusive<f64> = 1e-6..=2e-2;
    if RANGE.contains(&step) {
        return Ok(());
    }
    Err(CliError::input(
        format!(
            "--steps {}: the phenomena are simulated in steps of {:e} to {:e} s",
            shortest(step),
            RANGE.start(),
            RANGE.end()
        ),
        "for example --steps 1e-2,1e-3",
    ))
}
