//! `stickslip fit`.

use std::{cell::RefCell, path::PathBuf, time::Duration};

use clap::Args;
use serde_json::Value;
use stickslip::{
    atomic_file::write_atomically,
    fit::{
        Ending, FitError, FitOutcome, FitTask, GROUND_HEIGHT, Meanwhile, SearchMethod, fit_keeping, profiles,
        write_profiles,
    },
    gradient::DifferentiableModels,
    scenario::{AnyScenario, Scenario},
    stepper::{BuildStepper, StepperName},
};

use super::{
    error::CliError,
    figures::{FigureSize, files_of},
    folder::{Folder, HeldFolder},
    input_file::InputFile,
    output::RESULT,
    predict::shown,
    progress::Amount,
    recording::{self, RecordingArguments},
    session::{Session, TIMINGS},
    stepper_name::parse_only_stepper,
    table::{aligned, counted, significant, significant_beside},
    whole_number::seed,
};

const PROFILE: &str = "profile.csv";
/// Part of the width of its interval that a best value is rounded to zero below.
const NOTHING: f64 = 1e-9;
/// Between two times that the best so far is written.
const MEANWHILE: Duration = Duration::from_secs(1);

/// Arguments of `stickslip fit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    recording: RecordingArguments,
    /// Keys of the scenario whose numbers are fitted, separated by commas, each with the range to search if it is
    /// not obvious: KEY or KEY=LOW..HIGH. A list of numbers is scaled as a whole. `ground-height` is that of the
    /// ground in the recording
    #[arg(long, value_delimiter = ',', value_name = "KEYS", required = true)]
    parameters: Vec<String>,
    /// Stepper that predicts
    #[arg(long, alias = "steppers", default_value = "nlp", value_parser = parse_only_stepper)]
    stepper: StepperName,
    /// Find the best parameters alone, without profiles and intervals, which takes a fraction of the time
    #[arg(long)]
    no_intervals: bool,
    /// Sets of parameters that are tried at most [default: 400, and 1200 for each parameter]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    evaluations: Option<u32>,
    /// Seed of the places from which the search starts
    #[arg(long, default_value_t = 1, value_parser = seed())]
    seed: u64,
    /// Folder for results; the fit goes to OUTPUT/<name>/fit/
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
  stickslip fit throws.csv ball.toml --parameters ground.friction,ground.restitution
  stickslip fit examples/data/tosses-sample20.csv examples/scenarios/cube-toss.toml \\
    --stepper convex --parameters ground.friction=0.05..0.5,stepper.convex.stiffness=1e3..1e5

Makes the mean error of the predictions least: what `stickslip predict` shows, position in % of the size plus
rotation in degrees, for a point the position in m. Sizes are those of the scenario, whatever size is fitted.

Throws through several contacts are chaotic in their parameters. Where the error is so rough that no best value means
anything, the output says so; --windows flights predicts each contact by itself, in a fraction of the time.

Several parameters of a single point are searched along the gradient of the stepper, where that is right at the
start of the search; otherwise without derivatives. The output says which, and why.

Intervals are at 95 %. Where the rows show white noise and the error of the starts alone, and predictions are linear in
the parameters as far as that noise leaves them open, they are from the noise, and one throw may be enough. Elsewhere
they are from how the throws differ among themselves: no law of the noise is assumed, and where the model is wrong they
are about the parameters that predict best. The output says which. A parameter is determined only where its interval is
closed and nothing else predicts about as well. Of throws that are predicted nearly exactly, as those of a simulation
without noise, an interval has the values with up to three times the least error.

Of tests of break-away, in which a body under some load held or slipped, `friction` beside a `kinetic_friction` has an
interval between the largest load that held and the smallest that slipped, as a share of the normal force. It is none of
confidence: predictions are the same within, and one throw decides about each end.

The search tries no more sets of parameters than it says before it begins. At Ctrl-C, or where these are not enough,
result.json has the best so far, with `finished` false and without intervals.

The error of the time steps is the same in all throws, and no part of an interval. Where it is no small part of one,
the value that is best by half the steps is told.

Writes result.json, profile.csv (the least mean error for each value that was tried), timings.json and a picture of
the profiles.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    arguments.size.check(!arguments.no_plots)?;
    let any = arguments.recording.scenario()?;
    match &any {
        AnyScenario::InPlane(scenario) => run_fit(arguments, scenario, &any, session),
        AnyScenario::OverPlane(scenario) => run_fit(arguments, scenario, &any, session),
    }
}

fn run_fit<const D: usize>(
    arguments: &Arguments,
    scenario: &Scenario<D>,
    any: &AnyScenario,
    session: &Session,
) -> Result<(), CliError>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let (recording, start, data) = arguments.recording.recording(scenario)?;
    let (mut task, predictor) =
        FitTask::new(any, (recording, start), arguments.stepper, &arguments.parameters)
            .map_err(|error| refusal(error, &data))?;
    task.evaluations = arguments.evaluations.map_or(task.evaluations, |most| most as usize);
    // Where the ground is fitted, it is only known in the end where it is.
    let is_ground_known = task.parameters.iter().all(|parameter| parameter.key != GROUND_HEIGHT);
    if is_ground_known {
        session.warn("", &predictor.doubts(), &[]);
    }
    arguments.recording.check_heeded(&[task.stepper], session)?;
    let stepper = scenario.stepper(task.stepper)?;
    session.warn(task.stepper.as_str(), &[], &scenario.ignored(&stepper.honours()));
    let folder =
        Folder::of_input(session, &arguments.output, &scenario.name, "fit", &scenario.to_toml(), &[])?;
    let title = format!("{} by {}", scenario.name, task.stepper);
    session.note(&format!(
        "{title}: {}, at most {} of parameters",
        task.recording.counted(task.recording.tosses.len()),
        counted(task.evaluations, "set")
    ));
    // What is refused before it begins is seldom admitted on the way, and then without a word.
    let refused = task.refusal(&task.given());
    let begin = |why: &String| format!("where the search begins no throw is predicted to its end: {why}");
    session.warn("", refused.as_ref().map(begin).as_slice(), &[]);
    let amount = Amount::Sets { steps: predictor.steps(), most: task.evaluations };
    let place = RefCell::new(Place { held: Some(folder), open: None, failed: None });
    let write = |outcome: &FitOutcome| {
        let provenance = session.provenance(scenario.to_toml(), &arguments.recording.overrides());
        let result = outcome.to_json(&task, &scenario.name);
        let mut place = place.borrow_mut();
        let Some(folder) = place.folder() else { return place.failed.take().map_or(Ok(Value::Null), Err) };
        let result = session.record(folder.path(), RESULT, &result, &provenance)?;
        write_atomically(&folder.file(PROFILE), |out| write_profiles(outcome, out))?;
        Ok(result)
    };
    // What cannot be written is said where it is written in the end.
    let keep = |outcome: &FitOutcome| {
        if place.borrow_mut().folder().is_some() {
            drop(write(outcome));
        }
    };
    let outcome = session.execute(&title, amount, |watch| {
        let meanwhile = Meanwhile::new(MEANWHILE, &keep);
        fit_keeping(&task, arguments.seed, !arguments.no_intervals, watch, Some(&meanwhile))
    });
    let Some(outcome) = outcome else {
        let none = format!(
            "stepper `{}` gets through the throws with none of the parameters that were tried",
            task.stepper
        );
        return Err(CliError::failed(
            refused.map_or_else(|| none.clone(), |why| format!("{why}\n{none}")),
            "look at what `stickslip predict` says of them, or give other ranges",
        ));
    };
    if !is_ground_known {
        session.warn("", &outcome.doubts, &[]);
    }
    let result = write(&outcome)?;
    let mut place = place.borrow_mut();
    let Some(folder) = place.folder() else { return Ok(()) };
    let mut written = [RESULT, PROFILE, TIMINGS].map(str::to_owned).to_vec();
    if !arguments.no_plots && outcome.parameters.iter().any(|parameter| !parameter.profile.is_empty()) {
        let figure = arguments.size.apply(profiles(&outcome, &scenario.name));
        folder.write_figure("profiles", &figure)?;
        written.extend(files_of("profiles"));
    }
    session.print(&lines(&outcome, &task, &scenario.name, folder, &written), &result)?;
    match outcome.ending {
        Ending::Finished => Ok(()),
        Ending::Interrupted => Err(CliError::Interrupted(format!(
            "the best parameters so far are in `{}`, without intervals",
            folder.file(RESULT).display()
        ))),
        Ending::OutOfEvaluations => Err(CliError::failed(
            format!(
                "the search did not come to its end by {} of parameters",
                counted(task.evaluations, "set")
            ),
            match task.recording.is_cut() || outcome.rough.is_empty() {
                true => "allow more with --evaluations, or give narrower ranges; the best so far is written",
                false => "predict each contact by itself with --windows flights; the best so far is written",
            },
        )),
    }
}

/// Where a fit is written: results of other arguments are in the folder until there is one.
struct Place<'a> {
    held: Option<HeldFolder<'a>>,
    open: Option<Folder<'a>>,
    failed: Option<CliError>,
}

impl<'a> Place<'a> {
    /// The folder to write to; `None` where it cannot be opened.
    fn folder(&mut self) -> Option<&Folder<'a>> {
        match self.held.take().map(HeldFolder::open) {
            Some(Ok(folder)) => self.open = Some(folder),
            Some(Err(error)) => self.failed = Some(error),
            None => {}
        }
        self.open.as_ref()
    }
}

/// What is wrong with the input.
fn refusal(error: FitError, data: &InputFile) -> CliError {
    match error {
        FitError::Parameter(error) => CliError::input(format!("--parameters: {error}"), error.help),
        FitError::Scenario(error) => error.into(),
        FitError::Refused(refusal) => refusal.into(),
        FitError::Recording(error) => recording::refusal(error, data),
    }
}

fn lines<const D: usize>(
    outcome: &FitOutcome,
    task: &FitTask<D>,
    scenario: &str,
    folder: &Folder<'_>,
    written: &[String],
) -> Vec<String> {
    let mut lines = vec![format!(
        "{scenario} by {}: {}, {} of parameters tried",
        task.stepper,
        counted(task.recording.throws(), "throw"),
        counted(outcome.evaluations, "set")
    )];
    lines.extend(task.recording.about_windows().iter().map(|line| format!("  {line}")));
    lines.push(match outcome.search {
        SearchMethod::Derivatives => {
            format!("  searched {}, of {} sets", outcome.search, outcome.differentiated)
        }
        SearchMethod::WithoutDerivatives(_) => format!("  searched {}", outcome.search),
    });
    let errors = &outcome.errors;
    lines.push(match &errors.rotation {
        Some(rotation) => format!(
            "  position {} % of the size, rotation {} degrees; their sum {} was {} before",
            shown(&errors.position, 100.0),
            shown(rotation, 1.0),
            significant(outcome.error),
            significant(outcome.error_before)
        ),
        None => format!(
            "  position {} m, was {} m before",
            shown(&errors.position, 1.0),
            significant(outcome.error_before)
        ),
    });
    if errors.failed_steps > 0 {
        lines.push(format!(
            "  {} steps failed, and the motion went on from their best candidates",
            errors.failed_steps
        ));
    }
    let is_confidence = outcome.parameters.iter().all(|parameter| parameter.break_away.is_none());
    let interval = if is_confidence { "95 % interval" } else { "interval" };
    let mut rows = vec![["parameter", "best", interval, "determined"].map(str::to_owned).to_vec()];
    for parameter in &outcome.parameters {
        let interval = parameter.verdict.map_or("-".to_owned(), |estimate| {
            let [low, high] = estimate.interval;
            let end = |value: f64| match value.is_finite() {
                true => significant_beside(value, high - low),
                false => "open".to_owned(),
            };
            format!("{} to {}", end(low), end(high))
        });
        let determined = match parameter.verdict {
            None => "-",
            Some(_) if parameter.is_determined() => "yes",
            Some(_) => "no",
        };
        let width = parameter.verdict.map_or(0.0, |estimate| estimate.interval[1] - estimate.interval[0]);
        let is_nothing = width.is_finite() && parameter.value.abs() < NOTHING * width;
        let best = if is_nothing { 0.0 } else { parameter.value };
        rows.push(vec![
            parameter.key.clone(),
            significant_beside(best, width),
            interval,
            determined.to_owned(),
        ]);
    }
    lines.push(String::new());
    lines.extend(aligned(&rows).iter().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines.extend(outcome.conclusions(task));
    lines.push(format!("wrote {}: {}", folder.path().display(), written.join(", ")));
    lines
}
