use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, ValueEnum};
use stickslip::{
    metrics::{Metrics, Summary},
    plot::{self, Series},
    scenario::{AnyScenario, Scenario},
    simulate::{OnFailure, simulate_observed},
    stepper::{BuildStepper, StepStatus, Stepper, StepperName},
    trajectory::{Ending, Replay, Trajectory},
    watch::Watch,
};

use super::{
    error::CliError,
    execute::Amount,
    interrupt, memory,
    outdated::note_pictures,
    output::{RunFolder, report_missing_pictures},
    replay,
    scenario::ScenarioArguments,
    session::Session,
    table,
};

/// Arguments of `stickslip run`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    scenario: Option<ScenarioArguments>,
    /// Stepper, as `family` or `family:formulation` [default: nlp; convex where that does not admit the scenario]
    #[arg(long, value_parser = parse_stepper)]
    pub(super) stepper: Option<StepperName>,
    /// Folder for results; the run writes to OUTPUT/<name>/<stepper>/
    #[arg(long, default_value = "output")]
    pub(super) output: PathBuf,
    /// Write no pictures
    #[arg(long)]
    pub(super) no_plots: bool,
    /// Write only every N-th row of trajectory.csv, and the last; measures and pictures use all
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) every: NonZeroUsize,
    /// What to do when a step fails
    #[arg(long, value_enum, default_value = "stop")]
    pub(super) on_failure: OnFailureArgument,
    /// Solve the failed step recorded in FILE again, with the solver's log
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "overrides", "solver"])]
    replay: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  stickslip run examples/scenarios/slide.toml
  stickslip run examples/scenarios/slide.toml --solver interior-point
  stickslip run examples/scenarios/bounce.toml --stepper hybrid --no-plots
  stickslip run examples/scenarios/slide.toml --set ground.friction=0.3 --set step=5e-4
  stickslip run examples/scenarios/slide.toml --stepper nlp:seed --on-failure continue
  stickslip run examples/scenarios/chain.toml
  stickslip run --replay output/slide/nlp-seed/replay-step-0.json

Steppers: nlp (= nlp:relaxed), nlp:seed, lcp (= lcp:stewart-trinkle), lcp:anitescu,
lcp:falling-block, lcp:forward, lcp:direct, lcp:direct2, lcp:traditional, lcp:mixed,
lcp:belbute-peres, lcp:polyhedral, lcp:fixed-point, convex, hybrid, smooth, exact.";

impl Arguments {
    /// What is changed in the scenario.
    pub(super) fn overrides(&self) -> Vec<String> {
        self.scenario.as_ref().map(ScenarioArguments::applied).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum OnFailureArgument {
    /// End the run; the finished steps are kept
    Stop,
    /// Go on from the best candidate and mark the step as failed
    Continue,
}

impl From<OnFailureArgument> for OnFailure {
    fn from(argument: OnFailureArgument) -> Self {
        match argument {
            OnFailureArgument::Stop => Self::Stop,
            OnFailureArgument::Continue => Self::Continue,
        }
    }
}

/// A stepper name, or an error that names the closest one.
pub fn parse_stepper(text: &str) -> Result<StepperName, String> {
    text.trim().parse().map_err(|error: stickslip::stepper::UnknownStepper| error.to_string())
}

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    if let Some(file) = &arguments.replay {
        return replay::replay(file, session);
    }
    let Some(scenario) = &arguments.scenario else {
        return Err(CliError::input(
            "no scenario was given",
            "name a scenario file, for example `stickslip run examples/scenarios/slide.toml`",
        ));
    };
    match scenario.read()? {
        AnyScenario::InPlane(scenario) => run_scenario(arguments, &scenario, session),
        AnyScenario::OverPlane(scenario) => run_scenario(arguments, &scenario, session),
    }
}

fn run_scenario<const D: usize>(
    arguments: &Arguments,
    scenario: &Scenario<D>,
    session: &Session,
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    let (name, mut stepper) = chosen_stepper(arguments.stepper, scenario)?;
    let honours = stepper.honours();
    session.warn(name.as_str(), &scenario.warnings(&honours), &scenario.ignored(&honours));
    // Besides the motion the exact one is kept, for the errors.
    memory::require(scenario, if name == StepperName::Exact { 1 } else { 2 })?;
    let folder = RunFolder::create(&arguments.output, &scenario.name, name, arguments.every)?;
    let steps = scenario.time().steps;
    let title = format!("{} by {name}", scenario.name);
    let trajectory = session.execute(&title, Amount::Steps(steps), |watch| {
        simulate_observed(scenario, stepper.as_mut(), arguments.on_failure.into(), |_| watch.advance(1))
    });
    let exact = if trajectory.ending == Ending::Complete {
        let title = format!("{} by exact, for the errors", scenario.name);
        session.execute(&title, Amount::Steps(steps), |watch| exact_companion(&trajectory, watch))
    } else {
        None
    };
    if trajectory.ending == Ending::Complete && interrupt::requested() {
        let file = folder.write_partial(&trajectory)?;
        return Err(CliError::Interrupted(format!(
            "all {steps} steps are in `{}`, their errors against the exact motion are not known",
            file.display()
        )));
    }
    let summary = Summary::of(&trajectory, Metrics::of(&trajectory, exact.as_ref()));
    match trajectory.ending {
        Ending::Complete => {
            let provenance = session.provenance(scenario.to_toml(), &arguments.overrides());
            let (recorded, mut written) =
                folder.write_results(&trajectory, &summary, &provenance, session)?;
            if arguments.no_plots {
                note_pictures(session, folder.path());
                session.print(&table::of_run(&trajectory, &summary, &folder, &written), &recorded)?;
                return refuse_failed_steps(&trajectory, &folder);
            }
            folder.remove_pictures()?;
            let series = Series::of_bodies(&trajectory);
            let (history, path) = (plot::history(&trajectory), plot::path(&trajectory));
            written.extend(folder.write_pictures(&history, &path, &series)?);
            session.print(&table::of_run(&trajectory, &summary, &folder, &written), &recorded)?;
            report_missing_pictures(&written)?;
            refuse_failed_steps(&trajectory, &folder)
        }
        Ending::Interrupted => {
            let file = folder.write_partial(&trajectory)?;
            Err(CliError::Interrupted(format!(
                "{} of {} steps are in `{}`",
                trajectory.steps.len(),
                scenario.time().steps,
                file.display()
            )))
        }
        Ending::Failed => Err(failure(&folder, &trajectory)?),
    }
}

/// The failure of a run that was told to go on after a failed step: its results are complete on disk,
/// and not to be trusted.
fn refuse_failed_steps<const D: usize>(
    trajectory: &Trajectory<D>,
    folder: &RunFolder,
) -> Result<(), CliError> {
    let Some(replay) = Replay::of(trajectory) else { return Ok(()) };
    Err(CliError::failed(
        format!(
            "{} of {} steps of `{}` failed under stepper `{}`, the first at step {}, t = {} s: {}",
            trajectory.count(StepStatus::Failed),
            trajectory.steps.len(),
            trajectory.scenario.name,
            trajectory.stepper,
            replay.index,
            replay.time,
            replay.reason
        ),
        format!(
            "the run went on from their best candidates: the results in `{}` are complete, and what follows a failed \
             step is not to be trusted",
            folder.path().display()
        ),
    ))
}

/// The stepper that was asked for; `nlp` by default, or `convex` where that does not admit the scenario.
fn chosen_stepper<const D: usize>(
    asked: Option<StepperName>,
    scenario: &Scenario<D>,
) -> Result<(StepperName, Box<dyn Stepper<D>>), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    let make = |name| Ok((name, scenario.stepper(name)?));
    match asked {
        Some(name) => make(name),
        None => make(StepperName::NlpRelaxed)
            .or_else(|refusal| make(StepperName::Convex).map_err(|_: CliError| refusal)),
    }
}

/// The exact trajectory of the same scenario, to measure errors against; `None` where the scenario
/// does not admit one, or for the exact stepper itself.
fn exact_companion<const D: usize>(trajectory: &Trajectory<D>, watch: &Watch<'_>) -> Option<Trajectory<D>>
where
    Scenario<D>: BuildStepper<D>,
{
    if trajectory.stepper == StepperName::Exact {
        return None;
    }
    let mut stepper = trajectory.scenario.stepper(StepperName::Exact).ok()?;
    let exact =
        simulate_observed(&trajectory.scenario, stepper.as_mut(), OnFailure::Stop, |_| watch.advance(1));
    (exact.ending == Ending::Complete).then_some(exact)
}

/// Keeps what a failed run finished, and describes the failure.
fn failure<const D: usize>(folder: &RunFolder, trajectory: &Trajectory<D>) -> Result<CliError, CliError> {
    let partial = folder.write_partial(trajectory)?;
    let Some(replay) = Replay::of(trajectory) else {
        return Ok(CliError::failed(
            "the run ended early",
            "this is a defect of the program; please report it",
        ));
    };
    let file = folder.write_replay(&replay)?;
    let message = format!(
        "step {} at t = {} s of `{}` failed under stepper `{}`: {}",
        replay.index, replay.time, trajectory.scenario.name, trajectory.stepper, replay.reason
    );
    let help = format!(
        "the {} finished steps are in `{}`;\nsolve the failed one again with its log: stickslip run --replay {};\n\
         go on from the best candidate: --on-failure continue; a smaller `step` often helps",
        trajectory.steps.len(),
        partial.display(),
        file.display()
    );
    Ok(CliError::failed(message, help))
}
