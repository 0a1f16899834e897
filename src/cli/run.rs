use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use stickslip::{
    decimal::rounded,
    metrics::{Counter, Detector, FindImpact, ImpactFinder, ImpulsePlane, Summary},
    plot,
    report::Motion,
    scenario::{AnyScenario, Scenario, SlidingFriction, TurningLengths},
    simulate::{OnFailure, Outcome, stream},
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Replay, Trajectory},
};

use super::{
    error::CliError,
    figures::FigureArguments,
    interrupt,
    output::{RunFolder, report_missing_pictures},
    progress::Amount,
    replay,
    report_page::{REPORT, Report},
    run_record::{Recorded, Recording},
    scenario::ScenarioArguments,
    session::Session,
    shell::quoted_path,
    stepper_name::parse_only_stepper,
    table,
    whole_number::whole_number,
};

/// Arguments of `stickslip run`.
#[derive(Debug, Args)]
#[command(after_help = after_help(), override_usage = USAGE)]
pub struct Arguments {
    #[command(flatten)]
    scenario: Option<ScenarioArguments>,
    /// Stepper, as `family` or `family:formulation` [default: nlp]
    #[arg(long, alias = "steppers", value_parser = parse_only_stepper)]
    pub(super) stepper: Option<StepperName>,
    /// Folder for results; the run writes to OUTPUT/<name>/<stepper>/
    #[arg(long, short, default_value = "output")]
    pub(super) output: PathBuf,
    /// Write no pictures
    #[arg(long)]
    pub(super) no_plots: bool,
    /// Write only every N-th row of trajectory.csv, and the last; measures and pictures use all
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<NonZeroUsize>("1 for every row"))]
    pub(super) every: NonZeroUsize,
    /// Count the solutions of every step with up to 4 contacts; writes detections.csv (in a vertical plane)
    #[arg(long)]
    detect: bool,
    /// Draw impact N in the plane of its impulses (Routh): impulse-plane.svg and so on (in a vertical plane)
    #[arg(long, value_name = "N", value_parser = whole_number::<NonZeroUsize>("1 for the first"))]
    impact: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(super) figures: FigureArguments,
    /// What to do when a step fails
    #[arg(long, value_enum, default_value = "stop")]
    pub(super) on_failure: OnFailureArgument,
    /// Exit with success although soft contacts let a body sink deep into what it touches
    #[arg(long)]
    pub(super) accept_overlap: bool,
    /// Solve the failed step recorded in FILE again, with the solver's log
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "scenario", "overrides", "solver", "stepper", "output", "no_plots", "every", "detect", "impact",
        "on_failure", "accept_overlap",
    ])]
    replay: Option<PathBuf>,
}

/// A recorded step has its scenario in it.
const USAGE: &str = "\
stickslip run [OPTIONS] <SCENARIO.toml>
       stickslip run --replay <FILE>";

const EXAMPLES: &str = "\
Examples:
  stickslip run examples/scenarios/slide.toml
  stickslip run examples/scenarios/slide.toml --solver interior-point
  stickslip run examples/scenarios/bounce.toml --stepper hybrid --no-plots
  stickslip run examples/scenarios/slide.toml --set ground.friction=0.3 --set step=5e-4
  stickslip run examples/scenarios/slide.toml --stepper nlp:seed --on-failure continue
  stickslip run examples/scenarios/chain.toml
  stickslip run examples/scenarios/painleve-rod.toml --detect
  stickslip run examples/scenarios/rod-drop.toml --impact 1
  stickslip run examples/scenarios/tipping-box.toml --figure-width double \\
    --font-size 8 --panels x,angle,fz
  stickslip run output/slide/nlp/summary.json                     # the same run again
  stickslip run --replay output/slide/nlp-seed/replay-step-0.json

Writes trajectory.csv, summary.json, timings.json, for bodies contacts.csv, for joints joints.csv, and pictures: history, path, modes
(contacts open, slipping, sticking), energy, friction-cone, phase, each as SVG, PNG, PDF and CSV; animation.gif and
report.html.";

/// The examples, and the built-in steppers with their other names.
fn after_help() -> String {
    /// Length of a line of the help.
    const LENGTH: usize = 90;
    let mut lines = vec!["Steppers:".to_owned()];
    for (place, name) in StepperName::ALL.into_iter().enumerate() {
        let aliases =
            name.descriptor().aliases.iter().map(|alias| format!(" (= {alias})")).collect::<String>();
        let end = if place + 1 == StepperName::ALL.len() { "." } else { "," };
        let item = format!("{name}{aliases}{end}");
        match lines.last_mut() {
            Some(line) if line.len() + 1 + item.len() <= LENGTH => *line += &format!(" {item}"),
            _ => lines.push(item),
        }
    }
    format!("{EXAMPLES}\n\n{}", lines.join("\n"))
}

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
    let (scenario, recorded) = scenario.read_recorded()?;
    let name = arguments.stepper.or(recorded).unwrap_or(StepperName::NLP);
    match scenario {
        AnyScenario::InPlane(scenario) => {
            detect_one_coefficient_only(arguments.detect, &scenario)?;
            impact_of_bodies_only(arguments.impact, &scenario)?;
            let detector = arguments.detect.then_some(Counter::in_plane as Detector<2>);
            let finder =
                arguments.impact.map(|number| (ImpactFinder::in_plane as FindImpact<2>, number.get()));
            run_scenario(arguments, &scenario, name, InPlane { detector, finder }, session)
        }
        AnyScenario::OverPlane(scenario) => {
            detect_in_plane_only(arguments.detect)?;
            impact_in_plane_only(arguments.impact)?;
            run_scenario(arguments, &scenario, name, InPlane { detector: None, finder: None }, session)
        }
    }
}

/// What looks at the steps of a run, and is known in a vertical plane alone.
struct InPlane<const D: usize> {
    detector: Option<Detector<D>>,
    /// With the number of the impact.
    finder: Option<(FindImpact<D>, usize)>,
}

fn run_scenario<const D: usize>(
    arguments: &Arguments,
    scenario: &Scenario<D>,
    name: StepperName,
    InPlane { detector, finder }: InPlane<D>,
    session: &Session,
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    if let Some(given) = &arguments.scenario {
        given.check_heeded(&[name], session)?;
    }
    let mut stepper = scenario.stepper(name)?;
    let honours = stepper.honours();
    session.warn(name.as_str(), &scenario.warnings(&honours), &scenario.ignored(&honours));
    let has_multipliers = name.gives_multipliers() && scenario.layout().is_point();
    arguments.figures.check(scenario, has_multipliers, !arguments.no_plots)?;
    let resolved = scenario.to_toml();
    let folder = RunFolder::create(session, &arguments.output, &scenario.name, name, &resolved)?;
    let steps = scenario.time().steps;
    // To measure errors against, where the scenario admits it; the exact motion has none itself.
    let mut exact = match name.is_exact() {
        true => None,
        false => scenario.stepper(StepperName::EXACT).ok(),
    };
    let mut recording =
        Recording::begin(scenario, stepper.as_ref(), exact.as_deref_mut(), folder.path(), arguments.every)?;
    let mut counter = detector.map(|counter| counter(scenario));
    let mut finder = finder.map(|(finder, number)| finder(scenario, number));
    let title = format!("{} by {name}", scenario.name);
    let Outcome { ending, first_failure, wall_seconds } =
        session.execute(&title, Amount::Steps(steps), |watch| {
            stream(scenario, stepper.as_mut(), arguments.on_failure.into(), |passage| {
                recording.take(passage, || watch.flow())?;
                counter.iter_mut().for_each(|counter| counter.add(passage));
                finder.iter_mut().for_each(|finder| finder.add(passage));
                watch.advance(1)
            })
        });
    if ending == Ending::Complete {
        let title = format!("{} by exact, for the errors", scenario.name);
        session.execute(&title, Amount::Steps(steps), |watch| recording.catch_up(|| watch.advance(1)));
    }
    let Recorded { files, metrics, tally, sketch } = recording.end()?;
    let trajectory = Trajectory {
        solver: stepper.solver(),
        settings: stepper.settings(),
        ending,
        first_failure,
        wall_seconds,
        ..sketch
    };
    if ending == Ending::Complete && interrupt::requested() {
        let file = folder.write_partial(files)?;
        return Err(CliError::Interrupted(format!(
            "all {steps} steps are in `{}`, what is measured of them is not complete",
            file.display()
        )));
    }
    let replay = Replay::of(&trajectory);
    let detection = counter.map(|counter| counter.found);
    let summary = Summary { detection, ..Summary::new(&trajectory, &tally, metrics) };
    match ending {
        Ending::Complete => {
            let provenance = session.provenance(resolved, &arguments.overrides());
            let (recorded, mut written) =
                folder.write_results(files, replay.as_ref(), &summary, &provenance, session)?;
            if !arguments.no_plots {
                folder.remove_pictures()?;
            }
            if let Some(plane) = finder.map(|finder| impact_of(&finder, arguments)).transpose()? {
                written.extend(folder.write_impulse_plane(plot::impulse_plane(&plane), &arguments.figures)?);
            }
            if arguments.no_plots {
                session.print(&table::of_run(scenario, &summary, &folder, &written), &recorded)?;
                return refuse_what_is_no_result(&summary, replay.as_ref(), arguments, &folder);
            }
            written.extend(folder.write_pictures(&trajectory, &arguments.figures)?);
            let missing = report_missing_pictures(&written);
            let has_page = missing.is_ok();
            if has_page {
                written.push(REPORT.to_owned());
            }
            let lines = table::of_run(scenario, &summary, &folder, &written);
            if has_page {
                let stand_ins = [
                    ("Quantities over time.", &plot::history(&trajectory)),
                    ("The path.", &plot::path(&trajectory)),
                ];
                let report = Report {
                    title: format!("{} by {name}", scenario.name),
                    introduction: format!(
                        "{} s of motion in {} of {} s.",
                        rounded(scenario.time().at(steps), 12),
                        table::counted(steps, "step"),
                        scenario.step
                    ),
                    motion: Motion::of([(name.to_string(), &trajectory)])
                        .map(|motion| (motion, &stand_ins[..])),
                    figures: &[],
                    settings: Some((name, &summary.settings)),
                    lines: &lines,
                    provenance: &provenance,
                };
                report.write(folder.path())?;
            }
            session.print(&lines, &recorded)?;
            missing?;
            refuse_what_is_no_result(&summary, replay.as_ref(), arguments, &folder)
        }
        Ending::Interrupted => {
            let file = folder.write_partial(files)?;
            Err(CliError::Interrupted(format!(
                "{} of {} {} in `{}`",
                summary.steps,
                table::counted(steps, "step"),
                if summary.steps == 1 { "is" } else { "are" },
                file.display()
            )))
        }
        Ending::Failed => {
            let partial = folder.write_partial(files)?;
            Err(failure(&folder, &summary, replay, &partial)?)
        }
    }
}

/// Refuses to count solutions where there are infinitely many directions to slide in.
pub(super) fn detect_in_plane_only(detect: bool) -> Result<(), CliError> {
    if !detect {
        return Ok(());
    }
    Err(CliError::input(
        "--detect: the solutions of steps are counted in a vertical plane only, and this scenario has three coordinates",
        "leave --detect out, or give two-component vectors (x, z)",
    ))
}

/// Refuses to draw an impact in space, whose slip turns.
fn impact_in_plane_only(impact: Option<NonZeroUsize>) -> Result<(), CliError> {
    if impact.is_none() {
        return Ok(());
    }
    Err(CliError::input(
        "--impact: impulses are drawn in a vertical plane only, and this scenario has three coordinates",
        "leave --impact out, or give two-component vectors (x, z)",
    ))
}

/// Refuses to draw impacts of what answers alike in all directions, or by more than the two that touch.
fn impact_of_bodies_only(impact: Option<NonZeroUsize>, scenario: &Scenario<2>) -> Result<(), CliError> {
    if impact.is_none() {
        return Ok(());
    }
    if !scenario.has_turning_bodies() {
        return Err(CliError::input(
            "--impact: the impulse of a point is along its normal until it sticks, and makes no diagram",
            "leave --impact out, or take a scenario of bodies",
        ));
    }
    if !(scenario.rods.is_empty() && scenario.joints.is_empty()) {
        return Err(CliError::input(
            "--impact: the diagram is of two bodies that are free to move, and here rods or joints hold some",
            "leave --impact out, or the rods and joints",
        ));
    }
    Ok(())
}

/// The impact that was waited for.
fn impact_of<const D: usize>(
    finder: &ImpactFinder<'_, D>,
    arguments: &Arguments,
) -> Result<ImpulsePlane, CliError> {
    let number = arguments.impact.map_or(0, NonZeroUsize::get);
    match &finder.found {
        Some(plane) => Ok(plane.clone()),
        // How many there are is only known after the run.
        None if number > finder.seen => Err(CliError::failed(
            format!("--impact {number}: the run has {}", table::counted(finder.seen, "impact")),
            "take one of them; the tables of the run are written",
        )),
        None => Err(CliError::failed(
            format!("--impact {number}: no contact closes at the start of its step"),
            "take another one; the tables of the run are written",
        )),
    }
}

/// Refuses to count the solutions of steps whose friction is more than a number.
fn detect_one_coefficient_only(detect: bool, scenario: &Scenario<2>) -> Result<(), CliError> {
    if detect && scenario.resists_turning() {
        return Err(CliError::input(
            "--detect: the solutions of steps are counted for friction along surfaces, and here some of it resists rolling",
            format!("leave --detect out, or {}", TurningLengths::KEYS),
        ));
    }
    if !(detect && scenario.friction_depends_on_slip()) {
        return Ok(());
    }
    Err(CliError::input(
        "--detect: the solutions of steps are counted for friction with one coefficient, and here it depends on the slip",
        format!("leave --detect out, or {}", SlidingFriction::KEYS),
    ))
}

/// The failure of a run that is complete on disk, where its motion is not to be trusted.
fn refuse_what_is_no_result<const D: usize>(
    summary: &Summary<D>,
    replay: Option<&Replay>,
    arguments: &Arguments,
    folder: &RunFolder<'_>,
) -> Result<(), CliError> {
    refuse_failed_steps(summary, replay, folder)?;
    refuse_uncertified_steps(summary, folder)?;
    refuse_overlap(summary, arguments, folder)
}

/// The failure of a run that was told to go on after a failed step: its results are complete on disk,
/// and not to be trusted.
fn refuse_failed_steps<const D: usize>(
    summary: &Summary<D>,
    replay: Option<&Replay>,
    folder: &RunFolder<'_>,
) -> Result<(), CliError> {
    let Some(replay) = replay else { return Ok(()) };
    Err(CliError::failed(
        format!(
            "{} of {} of `{}` failed under stepper `{}`, the first at step {}, t = {} s: {}",
            summary.status.failed,
            table::counted(summary.steps, "step"),
            summary.scenario,
            summary.stepper,
            replay.index,
            rounded(replay.time, 12),
            replay.reason
        ),
        format!(
            "the run went on from their best candidates: the results in `{}` are complete, and what follows a failed \
             step is not to be trusted",
            folder.path().display()
        ),
    ))
}

/// The failure of a run with steps whose motion is not that of what touches, by a model that vouches for it.
fn refuse_uncertified_steps<const D: usize>(
    summary: &Summary<D>,
    folder: &RunFolder<'_>,
) -> Result<(), CliError> {
    let complaint = summary.certificates.and_then(|certificates| certificates.complaint());
    let Some(complaint) = complaint.filter(|_| summary.status.uncertified > 0) else { return Ok(()) };
    Err(CliError::failed(
        format!("the run of `{}` under stepper `{}`: {complaint}", summary.scenario, summary.stepper),
        format!(
            "its files in `{}` are complete, and trajectory.csv has these steps as `uncertified`; take shorter steps: what bends \
             within a step, as bodies turn, falls with the square of it",
            folder.path().display()
        ),
    ))
}

/// The failure of a run whose contacts were too soft for what they carry: its steps are solved, and the motion is that of bodies
/// inside each other.
fn refuse_overlap<const D: usize>(
    summary: &Summary<D>,
    arguments: &Arguments,
    folder: &RunFolder<'_>,
) -> Result<(), CliError> {
    let is_refused = summary.is_compliant && !arguments.accept_overlap;
    let Some(overlap) = summary.overlap.as_ref().filter(|_| is_refused) else {
        return Ok(());
    };
    Err(CliError::failed(
        format!(
            "the run of `{}` under stepper `{}` is no result: {overlap}",
            summary.scenario, summary.stepper
        ),
        format!(
            "its files in `{}` are complete; raise the stiffness of the contacts, take shorter steps, or take a stepper with \
             rigid contacts, such as nlp; with --accept-overlap it counts as a success",
            folder.path().display()
        ),
    ))
}

/// Describes the failure of a run whose finished steps are in `partial`.
fn failure<const D: usize>(
    folder: &RunFolder<'_>,
    summary: &Summary<D>,
    replay: Option<Replay>,
    partial: &Path,
) -> Result<CliError, CliError> {
    let Some(replay) = replay else {
        return Ok(CliError::failed(
            "the run ended early",
            "this is a defect of the program; please report it",
        ));
    };
    let file = folder.write_replay(&replay)?;
    let message = format!(
        "step {} at t = {} s of `{}` failed under stepper `{}`: {}",
        replay.index,
        rounded(replay.time, 12),
        summary.scenario,
        summary.stepper,
        replay.reason
    );
    let help = format!(
        "the {} finished steps are in `{}`;\nsolve the failed one again with its log: stickslip run --replay {};\n\
         go on from the best candidate: --on-failure continue",
        summary.steps,
        partial.display(),
        quoted_path(&file)
    );
    Ok(CliError::failed(message, help))
}
