//! `stickslip predict`.

mod report;

pub(super) use report::shown;

use std::path::PathBuf;

use clap::Args;
use stickslip::{
    atomic_file::write_atomically,
    compare::{admitted, default_families},
    decimal::{rounded, shortest},
    predict::{
        Prediction, Predictor, StepperErrors, TriedLaw, error_histograms, error_over_time, predict,
        prediction_summary, toss_poses, typical_toss, write_errors,
    },
    report::Motion,
    scenario::{AnyScenario, Choice, Scenario},
    stepper::{BuildStepper, Refusal, StepperName},
    world::Impacts,
};

use super::{
    error::CliError,
    figures::{FigureSize, files_of},
    folder::Folder,
    output::SUMMARY,
    progress::Amount,
    recording::{RecordingArguments, refusal},
    report_page::{REPORT, Report},
    session::{Session, TIMINGS},
    stepper_arguments::StepperArguments,
};

const ERRORS: &str = "errors.csv";
/// Most numbers of tosses that a message lists.
const SHOWN_TOSSES: usize = 12;

/// Arguments of `stickslip predict`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    recording: RecordingArguments,
    #[command(flatten)]
    steppers: StepperArguments,
    /// Laws of impacts side by side, separated by commas: each stepper that knows them predicts by each of them, in the
    /// place of the one in the scenario
    #[arg(long, value_delimiter = ',', value_name = "LAWS", value_parser = parse_impacts)]
    impacts: Vec<Impacts>,
    /// Number of the throw that is drawn [default: the one whose error is the median of the first stepper's]
    #[arg(long, value_name = "NUMBER")]
    toss: Option<f64>,
    /// Folder for results; the predictions go to OUTPUT/<name>/predict/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// Draw no pictures, and write no report.html
    #[arg(long)]
    no_plots: bool,
    #[command(flatten)]
    size: FigureSize,
}

const EXAMPLES: &str = "\
Examples:
  stickslip predict examples/data/tosses-sample20.csv examples/scenarios/cube-toss.toml
  stickslip predict throws.csv ball.toml --steppers nlp,convex --start raw \\
    --set ground.friction=0.25
  stickslip predict throws.csv ball.toml --steppers lcp,convex --windows flights \\
    --impacts one-stage,two-stage,incremental

DATA.csv has a row per measured state and the columns toss (or throw), t and those of trajectory.csv from the position to
the spin: in the plane x,z,vx,vz of a point, x,z,angle,vx,vz,spin of a body; in space x,y,z,vx,vy,vz of a point,
x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz of a body (quaternion from body to world, spin in the axes of the body). The
rows of a toss stand together, in the order of time. The scenario gives the one body that moves, the ground and
the settings; its own start and duration do not count. As many steps are taken from row to row as come closest
to the scenario's step; rows that are not evenly spaced are held against what lies between the ends of a step.
Times that are rounded, such as 0.007, 0.014, 0.020, are taken for those of equal intervals where they fit.

--windows flights cuts the throws at their contacts: a window begins in a flight, with the start that fits the rows of
that flight, holds one contact or a run of contacts too close to be told apart, and is judged on the rows of the next
flight. Flights are rows whose positions and velocities agree with a fall to within their own noise. What slides or
rests is cut by a number of seconds, each window from a smoothed start. Standard errors are from how whole throws differ.

Writes errors.csv (a row per stepper and toss, or window: means over the rows and errors in the last one; positions as
fractions of the size of the body, for a point in m, rotations in degrees), summary.json, timings.json, pictures
and report.html. Exit status 1 if a step failed; the motion goes on from the best candidate all the same.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    match arguments.recording.scenario()? {
        AnyScenario::InPlane(scenario) => run_predictions(arguments, &scenario, session),
        AnyScenario::OverPlane(scenario) => run_predictions(arguments, &scenario, session),
    }
}

fn run_predictions<const D: usize>(
    arguments: &Arguments,
    scenario: &Scenario<D>,
    session: &Session,
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    let (predictor, data) = arguments.recording.predictor(scenario, session)?;
    let (names, refused) = steppers(&arguments.steppers, scenario);
    arguments.recording.check_heeded(&names, session)?;
    for name in &names {
        let stepper = scenario.stepper(*name)?;
        session.warn(name.as_str(), &[], &scenario.ignored(&stepper.honours()));
    }
    arguments.size.check(!arguments.no_plots)?;
    let drawn = arguments.toss.map(|number| toss_of(&predictor, number)).transpose()?;
    let laws = TriedLaw::each(scenario, &names, &arguments.impacts)?;
    if !arguments.impacts.is_empty() && laws.iter().all(|law| law.impacts.is_none()) {
        return Err(CliError::input(
            "--impacts has no effect: none of the steppers takes impacts by a law that can be chosen",
            "name one that does, as in --steppers nlp,lcp,cone, or leave the option out",
        ));
    }
    let folder =
        Folder::of_input(session, &arguments.output, &scenario.name, "predict", &scenario.to_toml(), &[])?;
    let recording = predictor.recording();
    let title = format!("{} by {} steppers", recording.counted(recording.tosses.len()), names.len());
    let steps = predictor.steps() * laws.len();
    let predictions =
        session.execute(&title, Amount::Steps(steps), |watch| predict(&predictor, &laws, watch));
    let Some(predictions) = predictions.map_err(|error| refusal(error, &data))? else {
        return Err(CliError::Interrupted("nothing is written".to_owned()));
    };
    let errors: Vec<StepperErrors> = (laws.iter().zip(&predictions))
        .map(|(&law, by_law)| StepperErrors::of(law, by_law, &predictor))
        .collect();
    let folder = folder.open()?;
    write_atomically(&folder.file(ERRORS), |out| write_errors(&predictor, &laws, &predictions, out))?;
    let summary = prediction_summary(&predictor, &errors, &predictions);
    let provenance = session.provenance(scenario.to_toml(), &arguments.recording.overrides());
    let summary = session.record(folder.path(), SUMMARY, &summary, &provenance)?;
    let mut written = [ERRORS, SUMMARY, TIMINGS].map(str::to_owned).to_vec();
    if arguments.no_plots {
        let lines = report::lines(&predictor, &errors, &predictions, &refused, &folder, &written);
        session.print(&lines, &summary)?;
        return report_failures(&predictor, &laws, &predictions);
    }
    let drawn = drawn.unwrap_or_else(|| typical_toss(&predictions));
    let number = predictor.recording().tosses[drawn].number;
    let mut poses = toss_poses(&predictor, &errors, &predictions, drawn);
    let mut histograms = error_histograms(&predictor, &errors, &predictions);
    let mut over_time = error_over_time(&predictor, &errors, &predictions);
    let figures = [("toss", &mut poses), ("errors", &mut histograms), ("error-over-time", &mut over_time)];
    for (name, figure) in figures {
        *figure = arguments.size.apply(std::mem::take(figure));
        folder.write_figure(name, figure)?;
        written.extend(files_of(name));
    }
    written.push(REPORT.to_owned());
    let lines = report::lines(&predictor, &errors, &predictions, &refused, &folder, &written);
    let caption = format!("Throw {number} as it was measured and as the steppers predict it.");
    let stand_in = [(caption.as_str(), &poses)];
    let motion = Motion::of_throw(&predictor, &errors, &predictions, drawn);
    let report = Report {
        title: format!("{}: predictions of recorded throws", scenario.name),
        introduction: format!(
            "{} of a recording, each predicted from its start alone by {} steppers. Throw {number} moves below.",
            predictor.recording().counted(predictor.recording().tosses.len()),
            names.len()
        ),
        motion: motion.map(|motion| (motion, &stand_in[..])),
        figures: &[
            ("How many throws are predicted how well.", &histograms),
            ("How the errors grow with time.", &over_time),
        ],
        settings: None,
        lines: &lines,
        provenance: &provenance,
    };
    report.write(folder.path())?;
    session.print(&lines, &summary)?;
    report_failures(&predictor, &laws, &predictions)
}

/// The law of impacts of that name.
fn parse_impacts(name: &str) -> Result<Impacts, String> {
    Impacts::named(name).ok_or_else(|| format!("the laws are {}", Impacts::words().join(", ")))
}

/// The place of the toss of that number.
fn toss_of<const D: usize>(predictor: &Predictor<D>, number: f64) -> Result<usize, CliError> {
    let tosses = &predictor.recording().tosses;
    tosses.iter().position(|toss| toss.number == number).ok_or_else(|| {
        let known: Vec<String> =
            tosses.iter().take(SHOWN_TOSSES).map(|toss| toss.number.to_string()).collect();
        let help = match (tosses.len(), known.join(", ")) {
            (1, only) => format!("there is only toss {only}"),
            (count, known) if count > SHOWN_TOSSES => {
                format!("there are {count}, beginning with {known}")
            }
            (_, known) => format!("there are {known}"),
        };
        CliError::input(format!("--toss {}: there is no such toss", shortest(number)), help)
    })
}

/// The steppers to run: those that are named, or one of every family that admits the scenario; and the
/// families that do not.
fn steppers<const D: usize>(
    arguments: &StepperArguments,
    scenario: &Scenario<D>,
) -> (Vec<StepperName>, Vec<Refusal>)
where
    Scenario<D>: BuildStepper<D>,
{
    let (names, named) = arguments.names(&default_families(scenario));
    if named { (names, Vec::new()) } else { admitted(scenario, &names) }
}

/// Names the first failed step of every stepper that has one.
fn report_failures<const D: usize>(
    predictor: &Predictor<D>,
    laws: &[TriedLaw],
    predictions: &[Vec<Prediction<D>>],
) -> Result<(), CliError> {
    let failures = laws.iter().zip(predictions).filter_map(|(law, by_law)| {
        let failed = by_law.iter().find_map(|prediction| Some((prediction, prediction.failure.as_ref()?)));
        let (prediction, (time, reason)) = failed?;
        let toss = predictor.recording().tosses[prediction.toss].number;
        let count: usize = by_law.iter().map(|prediction| prediction.failed).sum();
        Some(format!(
            "{count} steps of stepper `{law}` failed, the first at t = {} s of toss {toss}: {reason}",
            rounded(*time, 12)
        ))
    });
    let failures: Vec<String> = failures.collect();
    if failures.is_empty() {
        return Ok(());
    }
    Err(CliError::failed(
        failures.join("\n"),
        "the results are written, and the failed steps are counted in them; try a smaller `step`, or leave the \
         stepper out with --steppers",
    ))
}
