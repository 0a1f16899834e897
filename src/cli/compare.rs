use std::path::PathBuf;

use clap::Args;
use stickslip::{
    atomic_file::{create_output_folder, write_atomically},
    compare::{
        Comparison, Matched, Parting, admitted, comparison_summary, default_steppers, default_tolerance,
        is_cross_checked, match_compliant, partings, read_recorded, report, write_events, write_metrics,
        write_partings,
    },
    decimal::rounded,
    gradient::{DifferentiableModels, write_gradients},
    metrics::{Counter, Detector, write_detections_csv},
    scenario::{AnyScenario, Scenario},
    stepper::{BuildStepper, StepperName, registry::record},
    trajectory::{Ending, Replay, Trajectory, write_csv},
};

use super::{
    compare_pictures,
    error::CliError,
    figures::FigureArguments,
    folder::Folder,
    input_file::{self, InputFile},
    interrupt,
    measurements::{self, DATA_FILE},
    memory,
    outdated::{file_stem, remove_if_there, remove_of_steppers, remove_replays},
    output::{DETECTIONS, SUMMARY},
    progress::Amount,
    run::{OnFailureArgument, detect_in_plane_only},
    scenario::ScenarioArguments,
    session::Session,
    shell::quoted_path,
    stepper_arguments::{StepperArguments, require_admission},
    table,
};

/// Arguments of `stickslip compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    steppers: StepperArguments,
    /// Folder for results; the comparison goes to OUTPUT/<name>/compare/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// A motion that was recorded, by another engine or a camera, beside the steppers: CSV in the columns of trajectory.csv; may
    /// be given several times
    #[arg(long = "with", value_name = "NAME=RECORDING.csv", value_parser = parse_recorded)]
    recorded: Vec<RecordedMotion>,
    /// Draw no pictures; the report is written without them
    #[arg(long)]
    no_plots: bool,
    /// Distance in m beyond which two steppers count as parted [default: what the exact motion covers in
    /// a step where it is fastest]
    #[arg(long, value_name = "METRES", value_parser = parse_tolerance)]
    tolerance: Option<f64>,
    /// Choose the compliant steppers' stiffness and damping to match the scenario's restitution (of a single point)
    #[arg(long = "match")]
    matched: bool,
    /// Count the solutions of every step with up to 4 contacts; writes detections.csv (in a vertical plane)
    #[arg(long)]
    detect: bool,
    /// Take the gradients of the final place too: gradients.csv, and a table of them in the report
    #[arg(long)]
    gradients: bool,
    #[command(flatten)]
    figures: FigureArguments,
    /// What to do when a step fails
    #[arg(long, value_enum, default_value = "stop")]
    on_failure: OnFailureArgument,
}

/// A recording, and what it is called.
#[derive(Debug, Clone)]
struct RecordedMotion {
    name: String,
    file: PathBuf,
}

fn parse_recorded(text: &str) -> Result<RecordedMotion, String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok(RecordedMotion { name: name.to_owned(), file: file.into() })
        }
        _ => Err("give a name and a file, as in mujoco=recording.csv".to_owned()),
    }
}

const EXAMPLES: &str = "\
Examples:
  stickslip compare examples/scenarios/slide.toml
  stickslip compare examples/scenarios/bounce.toml --match
  stickslip compare examples/scenarios/curve.toml
  stickslip compare examples/scenarios/slide.toml --steppers nlp,nlp:seed,lcp,exact \\
    --on-failure continue
  stickslip compare examples/scenarios/wedge.toml --detect
  stickslip compare examples/scenarios/wedge.toml --with mujoco=recording.csv
  stickslip compare examples/scenarios/bounce.toml --gradients
  stickslip compare examples/scenarios/slide.toml --tolerance 1e-2 --set step=5e-4

nlp runs by both of its solvers, of bodies where they are few; how far they agree, and what each costs, is printed and in summary.json.
Writes metrics.csv, partings.csv, events.csv, trajectories/<stepper>.csv, summary.json, timings.json, pictures (history,
path, modes, energy, friction-cone, phase, error, impacts, each as SVG, PNG, PDF and CSV), animation.gif and report.html,
which opens in any browser.";

fn parse_tolerance(text: &str) -> Result<f64, String> {
    let tolerance: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if tolerance > 0.0 && tolerance.is_finite() {
        Ok(tolerance)
    } else {
        Err("has to be positive and finite".to_owned())
    }
}

/// What follows the name of a stepper whose run failed.
const PARTIAL: &str = ".partial.csv";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    match arguments.scenario.read()? {
        AnyScenario::InPlane(scenario) => {
            let detector = arguments.detect.then_some(Counter::in_plane as Detector<2>);
            compare(arguments, scenario, detector, session)
        }
        AnyScenario::OverPlane(scenario) => {
            detect_in_plane_only(arguments.detect)?;
            compare(arguments, scenario, None, session)
        }
    }
}

fn compare<const D: usize>(
    arguments: &Arguments,
    scenario: Scenario<D>,
    detector: Option<Detector<D>>,
    session: &Session,
) -> Result<(), CliError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let matched = match arguments.matched {
        true => Some(matched(&scenario, &arguments.steppers.steppers, session)?),
        false => None,
    };
    refuse_interrupted()?;
    let scenario = matched.as_ref().map_or(scenario, |matched| matched.scenario.clone());
    let (names, named) = arguments.steppers.names(&default_steppers(&scenario));
    if named {
        require_admission(&scenario, &names)?;
    }
    arguments.scenario.check_heeded(&names, session)?;
    let recorded = recorded(&arguments.recorded, &scenario)?;
    arguments.figures.check(&scenario, false, !arguments.no_plots)?;
    // Besides the motions of the steppers the exact one is kept, and that of `nlp` by its other solver.
    let (kept, _) = admitted(&scenario, &names);
    let exact = usize::from(scenario.stepper(StepperName::EXACT).is_ok());
    memory::require(
        &scenario,
        kept.len() + recorded.len() + exact + usize::from(is_cross_checked(&scenario, &kept)),
    )?;
    let folder =
        Folder::of_input(session, &arguments.output, &scenario.name, "compare", &scenario.to_toml(), &[])?;
    let title = format!("{} by {} steppers", scenario.name, names.len());
    // Besides the steppers the exact motion is found, and `nlp` runs by both of its solvers.
    let runs = names.len() + 1 + usize::from(is_cross_checked(&scenario, &names));
    let mut comparison = session.execute(&title, Amount::Steps(runs * scenario.time().steps), |watch| {
        Comparison::run(&scenario, &names, arguments.on_failure.into(), watch)
    });
    recorded.into_iter().for_each(|motion| comparison.add_recorded(motion));
    if let Some(matched) = &matched {
        matched.credit(&mut comparison);
    }
    if let Some(detector) = detector {
        let count = comparison.entries.iter().map(|entry| entry.trajectory.steps.len()).sum();
        let title = format!("{}: solutions of steps", scenario.name);
        session.execute(&title, Amount::Steps(count), |watch| comparison.detect(detector, watch));
    }
    refuse_interrupted()?;

    if !named {
        comparison.set_failed_formulations_aside();
    }
    if arguments.gradients {
        let title = format!("{}: gradients", scenario.name);
        let steps = comparison.gradient_request().most_steps(&scenario);
        session.execute(&title, Amount::Steps(steps), |watch| comparison.differentiate(watch))?;
    }
    let tolerance = arguments.tolerance.unwrap_or_else(|| default_tolerance(&comparison));
    let partings = partings(&comparison, tolerance);
    let folder = folder.open()?;
    write_tables(&folder, &comparison, &partings)?;
    write_trajectories(&folder, &comparison)?;
    let summary = comparison_summary(&comparison, &partings, tolerance, matched.as_ref());
    let provenance = session.provenance(scenario.to_toml(), &arguments.scenario.applied());
    let summary = session.record(folder.path(), SUMMARY, &summary, &provenance)?;
    let pictures = if arguments.no_plots {
        Vec::new()
    } else {
        compare_pictures::draw(&folder, &comparison, &arguments.figures)?
    };
    let page = report(&comparison, &partings, tolerance, matched.as_ref(), &pictures, Some(&provenance));
    folder.write("report.html", page.as_bytes())?;
    let lines = table::of_comparison(&comparison, &partings, tolerance, matched.as_ref(), folder.path());
    session.print(&lines, &summary)?;
    report_failure(&folder, &comparison, arguments.on_failure)
}

/// Reads the motions that were recorded.
fn recorded<const D: usize>(
    recorded: &[RecordedMotion],
    scenario: &Scenario<D>,
) -> Result<Vec<Trajectory<D>>, CliError> {
    let mut names = Vec::new();
    let mut read = |RecordedMotion { name, file }: &RecordedMotion| {
        let InputFile { name: source, text } = input_file::read(file, DATA_FILE)?;
        let stepper = record(name, &source).map_err(|refused| {
            CliError::input(format!("--with {name}=..: {refused}"), "for example --with mujoco=recording.csv")
        })?;
        if names.contains(&stepper) {
            let message = format!("two recordings are called `{name}`");
            return Err(CliError::input(message, "give each --with a name of its own"));
        }
        names.push(stepper);
        read_recorded(scenario, stepper, (&source, &text))
            .map_err(|invalid| measurements::refusal(invalid, &text))
    };
    recorded.iter().map(&mut read).collect()
}

fn matched<const D: usize>(
    scenario: &Scenario<D>,
    named: &[StepperName],
    session: &Session,
) -> Result<Matched<D>, CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    if !scenario.layout().is_point() {
        return Err(CliError::input(
            "--match chooses the ground for a single point, and the scenario has bodies",
            "leave --match out, and set stiffness and damping under [stepper.smooth] and [stepper.convex]",
        ));
    }
    if !named.is_empty() && !named.iter().any(|name| name.is_compliant()) {
        return Err(CliError::input(
            "--match has no effect: none of the steppers is compliant, and the rigid ones take restitution as it is",
            "leave it out, or name smooth or convex among the --steppers",
        ));
    }
    memory::require(scenario, 1)?;
    let title = format!("{} by exact, for its first impact", scenario.name);
    let found = session
        .execute(&title, Amount::Steps(scenario.time().steps), |watch| match_compliant(scenario, watch));
    found.map_err(|error| CliError::input(error.to_string(), "compare without --match"))
}

fn refuse_interrupted() -> Result<(), CliError> {
    if interrupt::requested() {
        return Err(CliError::Interrupted("the comparison is not complete".to_owned()));
    }
    Ok(())
}

fn write_tables<const D: usize>(
    folder: &Folder<'_>,
    comparison: &Comparison<D>,
    partings: &[Parting],
) -> Result<(), CliError> {
    write_atomically(&folder.file("metrics.csv"), |out| write_metrics(comparison, out))?;
    write_atomically(&folder.file("partings.csv"), |out| write_partings(partings, out))?;
    let detected = comparison.entries.iter();
    let detected: Vec<_> = detected
        .filter_map(|entry| Some((entry.trajectory.stepper.as_str(), entry.detection.as_ref()?)))
        .collect();
    if detected.is_empty() {
        remove_if_there(&folder.file(DETECTIONS))?;
    } else {
        write_atomically(&folder.file(DETECTIONS), |out| write_detections_csv(detected, out))?;
    }
    let gradients = folder.file("gradients.csv");
    match &comparison.gradients {
        Some(study) => write_atomically(&gradients, |out| write_gradients(study, out))?,
        None => remove_if_there(&gradients)?,
    }
    if let Some(truth) = &comparison.truth {
        write_atomically(&folder.file("events.csv"), |out| write_events(&truth.events, out))?;
    }
    Ok(())
}

/// Writes the motion of every stepper to `trajectories/`, that of one which failed as far as it got.
fn write_trajectories<const D: usize>(
    folder: &Folder<'_>,
    comparison: &Comparison<D>,
) -> Result<(), CliError> {
    let path = folder.file("trajectories");
    create_output_folder(&path).map_err(|error| CliError::unwritable(&error))?;
    for (ending, has_ending) in [(".csv", false), (PARTIAL, true)] {
        let trajectories = comparison.entries.iter().map(|entry| &entry.trajectory);
        let written: Vec<_> =
            trajectories.filter(|trajectory| (trajectory.ending == Ending::Failed) == has_ending).collect();
        for trajectory in &written {
            let file = path.join(file_stem(trajectory.stepper) + ending);
            write_atomically(&file, |out| write_csv(trajectory, out))?;
        }
        let names: Vec<_> = written.iter().map(|trajectory| trajectory.stepper).collect();
        remove_of_steppers(&path, ending, &names)?;
    }
    Ok(())
}

/// Writes a replay file for every stepper that failed, and describes the first failure of each, also where the
/// run went on all the same.
fn report_failure<const D: usize>(
    folder: &Folder<'_>,
    comparison: &Comparison<D>,
    on_failure: OnFailureArgument,
) -> Result<(), CliError> {
    let mut failures = Vec::new();
    let mut files = Vec::new();
    for entry in &comparison.entries {
        let trajectory = &entry.trajectory;
        let Some(replay) = Replay::of(trajectory) else { continue };
        let name = format!("{}.replay-step-{}.json", file_stem(trajectory.stepper), replay.index);
        folder.write_json(&name, &replay)?;
        let file = folder.file(&name);
        failures.push(format!(
            "step {} at t = {} s of `{}` failed under stepper `{}`: {}; replay file `{}`",
            replay.index,
            rounded(replay.time, 12),
            trajectory.scenario.name,
            trajectory.stepper,
            replay.reason,
            file.display()
        ));
        files.push(file);
    }
    remove_replays(folder.path(), &files)?;
    let Some(first) = files.first() else { return Ok(()) };
    let went_on = match on_failure {
        OnFailureArgument::Stop => "with --on-failure continue a run goes on from the best candidate",
        OnFailureArgument::Continue => "the runs went on from the best candidates",
    };
    let help = format!(
        "the comparison is written; solve a failed step again with `stickslip run --replay {}`; {went_on}, and what \
         follows is not to be trusted",
        quoted_path(first)
    );
    Err(CliError::failed(failures.join("\n"), help))
}
