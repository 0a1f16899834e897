use std::{ops::ControlFlow, path::PathBuf};

use clap::Args;
use rayon::prelude::*;
use stickslip::{
    atomic_file::write_atomically,
    compare::{
        Comparison, FAMILIES, Matched, Parting, Picture, comparison_summary, match_compliant, partings,
        report, write_events, write_metrics, write_partings,
    },
    plot::{self, Figure, PlotError, Series},
    scenario::{AnyScenario, Scenario},
    stepper::BuildStepper,
    trajectory::{Ending, Replay, write_csv},
};

use super::{
    comparison::{Folder, StepperArguments, require_admission},
    error::CliError,
    interrupt,
    progress::StepProgress,
    run::OnFailureArgument,
    scenario::{ScenarioArguments, single_point_only},
    table,
};

/// Impacts that get a close-up of their own.
const CLOSE_UPS: usize = 3;

/// Time in s that a close-up shows before and after the impact, at least.
const CLOSE_UP: (f64, f64) = (0.01, 0.03);

/// The same in steps.
const CLOSE_UP_STEPS: (f64, f64) = (5.0, 15.0);

/// Arguments of `stickslip compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    steppers: StepperArguments,
    /// Folder for results; the comparison goes to OUTPUT/<name>/compare/
    #[arg(long, default_value = "output")]
    output: PathBuf,
    /// Draw no pictures; the report is written without them
    #[arg(long)]
    no_plots: bool,
    /// Distance in m beyond which two steppers count as parted
    #[arg(long, default_value = "1e-3", value_name = "METRES", value_parser = parse_tolerance)]
    tolerance: f64,
    /// Choose the compliant steppers' stiffness and damping to match the scenario's restitution
    #[arg(long = "match")]
    matched: bool,
    /// What to do when a step fails
    #[arg(long, value_enum, default_value = "stop")]
    on_failure: OnFailureArgument,
}

const EXAMPLES: &str = "\
Examples:
  stickslip compare examples/scenarios/slide.toml
  stickslip compare examples/scenarios/bounce.toml --match
  stickslip compare examples/scenarios/slide.toml --steppers nlp,nlp:seed,lcp,exact --on-failure continue
  stickslip compare examples/scenarios/slide.toml --tolerance 1e-2 --set step=5e-4

Writes metrics.csv, partings.csv, events.csv, summary.json, pictures, animation.gif and report.html, which
opens in any browser.";

fn parse_tolerance(text: &str) -> Result<f64, String> {
    let tolerance: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if tolerance > 0.0 && tolerance.is_finite() {
        Ok(tolerance)
    } else {
        Err("has to be positive and finite".to_owned())
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    match arguments.scenario.read()? {
        AnyScenario::InPlane(scenario) => compare(arguments, scenario),
        AnyScenario::OverPlane(scenario) => compare(arguments, scenario),
        system => Err(single_point_only("compare", &system)),
    }
}

fn compare<const D: usize>(arguments: &Arguments, scenario: Scenario<D>) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    let matched = if arguments.matched { Some(matched(&scenario)?) } else { None };
    let scenario = matched.as_ref().map_or(scenario, |matched| matched.scenario.clone());
    let (names, named) = arguments.steppers.names(&FAMILIES);
    if named {
        require_admission(&scenario, &names)?;
    }
    let folder = Folder::create(&arguments.output, &scenario.name, "compare")?;
    interrupt::listen();
    let progress = StepProgress::new(
        &format!("{} by {} steppers", scenario.name, names.len()),
        names.len() * scenario.time().steps,
    );
    let comparison = Comparison::run(&scenario, &names, arguments.on_failure.into(), |done| {
        progress.update(done);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(progress);
    refuse_interrupted()?;

    let partings = partings(&comparison, arguments.tolerance);
    write_tables(&folder, &comparison, &partings, matched.as_ref())?;
    let pictures = if arguments.no_plots { Vec::new() } else { draw(&folder, &comparison)? };
    let page = report(&comparison, &partings, arguments.tolerance, matched.as_ref(), &pictures);
    folder.write("report.html", page.as_bytes())?;
    table::print_comparison(&comparison, matched.as_ref(), folder.path());
    refuse_interrupted()?;
    report_failure(&folder, &comparison)
}

fn matched<const D: usize>(scenario: &Scenario<D>) -> Result<Matched<D>, CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    match_compliant(scenario).map_err(|error| CliError::input(error.to_string(), "compare without --match"))
}

fn refuse_interrupted() -> Result<(), CliError> {
    if interrupt::requested() {
        return Err(CliError::Interrupted("the comparison is not complete".to_owned()));
    }
    Ok(())
}

fn write_tables<const D: usize>(
    folder: &Folder,
    comparison: &Comparison<D>,
    partings: &[Parting],
    matched: Option<&Matched<D>>,
) -> Result<(), CliError> {
    write_atomically(&folder.file("metrics.csv"), |out| write_metrics(comparison, out))?;
    write_atomically(&folder.file("partings.csv"), |out| write_partings(partings, out))?;
    if let Some(truth) = &comparison.truth {
        write_atomically(&folder.file("events.csv"), |out| write_events(&truth.events, out))?;
    }
    folder.write_json("summary.json", &comparison_summary(comparison, partings, matched))
}

/// Draws everything, in parallel, and gives the pictures of the report.
fn draw<const D: usize>(folder: &Folder, comparison: &Comparison<D>) -> Result<Vec<Picture>, CliError> {
    let series = Series::of_steppers(&comparison.trajectories());
    let figures = figures(comparison, &series);
    let animation_file = folder.file("animation.gif");
    let (drawn, animated) = rayon::join(
        || figures.par_iter().try_for_each(|(name, _, figure)| folder.write_figure(name, figure)),
        || plot::animation(&series, &animation_file),
    );
    drawn?;
    animated?;
    let svgs = figures.iter().map(|(_, title, figure)| {
        let data = figure.to_svg()?.into_bytes();
        Ok(Picture { title: title.clone(), media_type: "image/svg+xml", data })
    });
    let mut pictures = svgs.collect::<Result<Vec<_>, PlotError>>()?;
    // An animation of nothing is not written.
    if let Ok(data) = std::fs::read(&animation_file) {
        pictures.push(Picture { title: "The motion".to_owned(), media_type: "image/gif", data });
    }
    Ok(pictures)
}

/// The figures with their file names and titles.
fn figures<const D: usize>(
    comparison: &Comparison<D>,
    series: &[Series<'_, D>],
) -> Vec<(String, String, Figure)> {
    // Position, velocity and force; the multipliers of the nonlinear program have no counterpart.
    let mut history = plot::history_overlay(series);
    history.panels.truncate(3 * D);
    let mut figures = vec![
        ("history".to_owned(), "Position, velocity and contact force over time".to_owned(), history),
        ("path".to_owned(), "Path of the point".to_owned(), plot::path_overlay(series)),
    ];
    let Some(truth) = &comparison.truth else { return figures };
    let exact = truth.trajectory.stepper;
    let inexact = series.iter().filter(|series| series.trajectory.stepper != exact).cloned();
    let inexact: Vec<Series<'_, D>> = inexact.collect();
    figures.push((
        "error".to_owned(),
        "Distance from the exact motion over time".to_owned(),
        plot::error_history(&inexact, &truth.trajectory),
    ));
    let dt = comparison.scenario.step;
    for (index, time) in truth.impacts().take(CLOSE_UPS).enumerate() {
        let before = CLOSE_UP.0.max(CLOSE_UP_STEPS.0 * dt);
        let after = CLOSE_UP.1.max(CLOSE_UP_STEPS.1 * dt);
        figures.push((
            format!("impact-{}", index + 1),
            format!("Contact force around the impact at {time:.6} s"),
            plot::force_closeup(series, ((time - before).max(0.0), time + after)),
        ));
    }
    figures
}

/// Keeps what failed steppers finished, and describes the first failure.
fn report_failure<const D: usize>(folder: &Folder, comparison: &Comparison<D>) -> Result<(), CliError> {
    let mut failures = Vec::new();
    for entry in comparison.entries.iter().filter(|entry| entry.trajectory.ending == Ending::Failed) {
        let trajectory = &entry.trajectory;
        let file = trajectory.stepper.as_str().replace(':', "-");
        let partial = format!("{file}.partial.csv");
        write_atomically(&folder.file(&partial), |out| write_csv(trajectory, out))?;
        let Some(replay) = Replay::of(trajectory) else { continue };
        let replay_file = format!("{file}.replay-step-{}.json", replay.index);
        let value = serde_json::to_value(&replay)
            .map_err(|error| CliError::failed(error.to_string(), "please report this defect"))?;
        folder.write_json(&replay_file, &value)?;
        failures.push(format!(
            "step {} at t = {} s of `{}` failed under stepper `{}`: {}; replay file `{}`",
            replay.index,
            replay.time,
            trajectory.scenario.name,
            trajectory.stepper,
            replay.reason,
            folder.file(&replay_file).display()
        ));
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(CliError::failed(
        failures.join("\n"),
        "the other steppers are compared; solve a failed step again with `stickslip run --replay FILE`, or go on from \
         its best candidate with --on-failure continue",
    ))
}
