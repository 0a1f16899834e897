//! `stickslip learn`.

mod refusal;
mod report;

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use stickslip::{
    atomic_file::write_atomically,
    learn::{DataFile, Experiment, Figures, LearnError, MOST_SAMPLES, Request},
    plot::Figure,
};

use super::{
    error::CliError,
    figures::{FigureSize, files_of},
    folder::Folder,
    input_file::{self, InputFile},
    measurements::DATA_FILE,
    output::RESULT,
    progress::{Amount, reach_share},
    report_page::{REPORT, Report},
    scenario::{key_of, replaced},
    session::{Session, TIMINGS},
    whole_number::seed,
};

const DATA: &str = "data.csv";

/// Arguments of `stickslip learn`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub struct Arguments {
    /// What is learned, and how
    #[arg(value_name = "EXPERIMENT", value_parser = experiments())]
    experiment: Experiment,
    /// Measurements to learn from, as CSV [default: generated ones]
    #[arg(long, value_name = "FILE.csv")]
    data: Option<PathBuf>,
    /// How many samples to generate: steps of the block, throws of the point, draws of the noise
    #[arg(long, value_name = "N", value_parser = parse_samples)]
    samples: Option<usize>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1, value_parser = seed())]
    seed: u64,
    /// Setting of the experiment; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Folder for results; the experiment goes to OUTPUT/learn/<experiment>/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// Draw no pictures
    #[arg(long)]
    no_plots: bool,
    #[command(flatten)]
    size: FigureSize,
}

/// What short and long help have in common.
macro_rules! examples {
    () => {
        "\
Examples:
  stickslip learn bilevel
  stickslip learn linear-program --samples 30 --set selection=saturated
  stickslip learn particle --samples 3 --seed 7 --set method=shooting
  stickslip learn particle --data examples/data/thrown-point.csv --set contacts=height

Prints learned against true parameters and what the data cannot tell; writes result.json, data.csv, pictures and
report.html, which opens in any browser.
"
    };
}

const EXAMPLES: &str = concat!(
    examples!(),
    "`stickslip learn --help` lists the settings of every experiment and the columns of data files."
);

const LONG_HELP: &str = concat!(
    examples!(),
    "\
data.csv, given to --data with the same settings of the experiment, leads to the same parameters.

Settings (--set KEY=VALUE; result.json holds those in force, a wrong value is answered with what is allowed):
  data of the sliding block  friction, range, selection (random, min or saturated), noise (where velocities are learned from)
  data of the thrown point   friction, restitution, gravity, step, duration, velocity_noise, position_noise
  direct                     penalties, sticking_tolerance, test_share (with --data)
  slack                      test_share and friction (with --data)
  traditional                complementarity_weight, sign_weight, adam_samples, adam_rate
  structured                 biases
  linear-program             eps, l1, biases, fixed_entries
  noise                      sigmas, push
  bilevel and its relatives  starts, prediction_weight, complementarity_weight, regularisation, rate,
                             gradient_tolerance, most_steps; velocity and push of a single step; hinge_weight (soft-bilevel);
                             sliding_weight, one_sided (sticking-cost)
  mpcc                       starts, relaxation
  particle                   method (one-step or shooting), contacts (known, height or velocity), gravity

Columns of data files, in any order, with a header line; lines that start with # are comments:
  sliding block  v,u,v_next and, if forces are known, lambda_plus,lambda_minus,gamma: a row per step, in m/s;
                 u is the push as impulse over mass, so that v_next = v + u + lambda_plus - lambda_minus,
                 and the friction learned is mu g dt
  thrown point   throw (or toss),t,x,z,vx,vz and, if known, contact (1 if the point touches the ground before the next
                 row): a row per state, in m and s; throw numbers the throws"
);

fn experiments() -> impl TypedValueParser<Value = Experiment> {
    let value = |experiment: Experiment| PossibleValue::new(experiment.as_str()).help(experiment.summary());
    PossibleValuesParser::new(Experiment::all().map(value)).try_map(|name| name.parse())
}

fn parse_samples(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("this is no whole number from 1 to {MOST_SAMPLES}"))
}

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    arguments.size.check(!arguments.no_plots)?;
    let key = |setting: &str| key_of(setting).replace('-', "_");
    session.warn("", &replaced(&arguments.settings, |later, earlier| key(later) == key(earlier)), &[]);
    let name = arguments.experiment.as_str();
    let data = arguments.data.as_deref().map(|path| input_file::read(path, DATA_FILE)).transpose()?;
    let data = data.map(|InputFile { name, text }| DataFile { name, text });
    let request = Request {
        experiment: arguments.experiment,
        data: data.clone(),
        samples: arguments.samples,
        seed: arguments.seed,
        settings: arguments.settings.clone(),
    };
    let prepared = request.prepare().map_err(|error| refusal::refusal(error, data))?;
    let folder = Folder::of_command(session, &arguments.output, "learn", name)?;

    let outcome =
        session.execute(name, Amount::Share, |watch| prepared.run(&mut |share| reach_share(watch, share)));
    let (result, findings) = outcome.map_err(|error| stopped(name, error))?;
    let folder = folder.open()?;
    write_atomically(&folder.file(DATA), |out| findings.data.write_csv(out))?;
    let provenance = session.provenance(result.resolved(), &arguments.settings);
    let summary = session.record(folder.path(), RESULT, &result, &provenance)?;
    let mut written = [RESULT, DATA, TIMINGS].map(str::to_owned).to_vec();
    let pictures = match arguments.no_plots {
        true => Ok(Vec::new()),
        false => {
            let figures = session.execute(&format!("pictures of {name}"), Amount::Share, |watch| {
                prepared.figures(&findings, &mut |share| reach_share(watch, share))
            });
            write_pictures(figures, &arguments.size, &folder, &mut written)
        }
    };
    if pictures.is_ok() && !arguments.no_plots {
        written.push(REPORT.to_owned());
    }
    let lines = report::lines(arguments.experiment, &result, &findings, &folder, &written);
    let pictures = pictures.and_then(|figures| {
        if arguments.no_plots {
            return Ok(());
        }
        let figures: Vec<(&str, &Figure)> = figures.iter().map(|(name, figure)| (*name, figure)).collect();
        let report = Report {
            title: format!("{name}: what was learned"),
            introduction: arguments.experiment.summary().to_owned(),
            motion: None,
            figures: &figures,
            settings: None,
            lines: &lines,
            provenance: &provenance,
        };
        report.write(folder.path())
    });
    session.print(&lines, &summary)?;
    pictures
}

fn write_pictures(
    figures: Result<Figures, LearnError>,
    size: &FigureSize,
    folder: &Folder<'_>,
    written: &mut Vec<String>,
) -> Result<Figures, CliError> {
    let mut figures = figures.map_err(|error| match error {
        LearnError::Interrupted => {
            CliError::Interrupted("the results are written, the pictures are not".to_owned())
        }
        error => CliError::failed(
            format!("the pictures cannot be drawn: {error}"),
            "the results are written; --no-plots leaves the pictures out",
        ),
    })?;
    for (name, figure) in &mut figures {
        *figure = size.apply(std::mem::take(figure));
        folder.write_figure(name, figure)?;
        written.extend(files_of(name));
    }
    Ok(figures)
}

/// Why there is no result.
fn stopped(name: &str, error: LearnError) -> CliError {
    match error {
        LearnError::Interrupted => CliError::Interrupted(format!("nothing of `{name}` is written")),
        error => CliError::failed(
            format!("`{name}` came to no result: {error}"),
            "look at the data for values that are far from the others, or try other settings (--set)",
        ),
    }
}
