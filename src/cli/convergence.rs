use std::path::PathBuf;

use clap::Args;
use stickslip::{
    atomic_file::write_atomically,
    compare::{
        ConvergenceStudy, DEFAULT_STEPS, ErrorAt, NoError, Reference, StepperConvergence,
        convergence_summary, default_families, write_convergence,
    },
    decimal::shortest,
    plot::{self, Axis, Convergence, Figure},
    scenario::{AnyScenario, Scenario},
    stepper::BuildStepper,
};

use super::{
    error::CliError, figures::FigureSize, folder::Folder, interrupt, outdated::remove_replays,
    output::SUMMARY, progress::Amount, report_page::Report, scenario::ScenarioArguments, session::Session,
    shell::quoted_path, stepper_arguments::StepperArguments, table,
};

/// Arguments of `stickslip convergence`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    steppers: StepperArguments,
    /// Steps in s, separated by commas [default: 1e-2,5e-3,2e-3,1e-3,5e-4]
    #[arg(long, value_delimiter = ',', value_name = "SECONDS", value_parser = parse_step)]
    steps: Vec<f64>,
    /// Folder for results; the study goes to OUTPUT/<name>/convergence/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// Draw no picture, and write no report.html
    #[arg(long)]
    no_plots: bool,
    #[command(flatten)]
    size: FigureSize,
}

const EXAMPLES: &str = "\
Examples:
  stickslip convergence examples/scenarios/slide.toml
  stickslip convergence examples/scenarios/slide.toml --steppers nlp,hybrid,smooth \\
    --steps 1e-3,5e-4,2e-4

Writes convergence.csv, summary.json, timings.json, a picture and report.html. Errors are root mean square distances
from the exact motion over the whole run, and where there is none, from the motion of the model itself at a finer step;
the order is the slope of their logarithms over those of the step, or of its distance from that finer step.";

fn parse_step(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "write numbers of seconds, as in 1e-3,5e-4".to_owned())
}

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    match arguments.scenario.read()? {
        AnyScenario::InPlane(scenario) => study(arguments, &scenario, session),
        AnyScenario::OverPlane(scenario) => study(arguments, &scenario, session),
    }
}

fn study<const D: usize>(
    arguments: &Arguments,
    scenario: &Scenario<D>,
    session: &Session,
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    arguments.size.check(!arguments.no_plots)?;
    if let Some(setting) = arguments.scenario.set("step") {
        return Err(CliError::input(
            format!("--set {setting} has no effect: the steps of the study are those of --steps"),
            "leave it out, or name the steps, as in --steps 1e-3,5e-4",
        ));
    }
    let mut steps: Vec<f64> = Vec::new();
    for &step in if arguments.steps.is_empty() { &DEFAULT_STEPS[..] } else { &arguments.steps[..] } {
        check_step(scenario, step)?;
        if !steps.contains(&step) {
            let rounded = Scenario { step, ..scenario.clone() }.rounded_duration();
            session.warn("", rounded.as_slice(), &[]);
            steps.push(step);
        } else {
            session.note(&format!("--steps: {step} is given more than once, and studied once"));
        }
    }
    let steps = steps.as_slice();
    let (mut names, named) = arguments.steppers.names(&default_families(scenario));
    // The exact stepper has no error to study.
    names.retain(|name| named || !name.is_exact());
    arguments.scenario.check_heeded(&names, session)?;
    let folder = Folder::of_input(
        session,
        &arguments.output,
        &scenario.name,
        "convergence",
        &scenario.to_toml(),
        &[],
    )?;
    let count = ConvergenceStudy::amount(scenario, &names, steps);
    let title = format!("{} at {} steps", scenario.name, steps.len());
    let (study, refused) = session
        .execute(&title, Amount::Steps(count), |watch| ConvergenceStudy::run(scenario, &names, steps, watch));
    if interrupt::requested() {
        return Err(CliError::Interrupted("nothing is written".to_owned()));
    }
    if let Some(refusal) = refused.iter().find(|_| named) {
        return Err(refusal.clone().into());
    }
    let folder = folder.open()?;
    write_atomically(&folder.file("convergence.csv"), |out| write_convergence(&study, out))?;
    let summary = convergence_summary(&study, &refused);
    let provenance = session.provenance(scenario.to_toml(), &arguments.scenario.applied());
    let summary = session.record(folder.path(), SUMMARY, &summary, &provenance)?;
    let lines = table::of_convergence(&study, &refused, folder.path());
    if !arguments.no_plots {
        let figure = arguments.size.apply(figure(&study));
        folder.write_figure("convergence", &figure)?;
        let report = Report {
            title: format!("{}: convergence", scenario.name),
            introduction: format!(
                "How the errors of {} steppers against {} fall with the length of the step.",
                study.steppers.len(),
                match study.reference {
                    Reference::Exact => "the exact motion".to_owned(),
                    Reference::OwnMotion { step, .. } => format!("their own motions at dt = {step} s"),
                }
            ),
            motion: None,
            figures: &[("Error over the length of the step: root mean square, and the largest.", &figure)],
            settings: None,
            lines: &lines,
            provenance: &provenance,
        };
        report.write(folder.path())?;
    }
    session.print(&lines, &summary)?;
    report_failures(&folder, &study)
}

/// Writes a replay file for every step that failed, and tells of all of them.
fn report_failures<const D: usize>(folder: &Folder<'_>, study: &ConvergenceStudy<D>) -> Result<(), CliError> {
    let mut failures = Vec::new();
    let mut files = Vec::new();
    for outcome in study.steppers.iter().flat_map(|stepper| &stepper.outcomes) {
        let Err(failed @ NoError::Failed(replay)) = &outcome.errors else { continue };
        let stepper = replay.stepper.replace(':', "-");
        let name = format!("{stepper}.dt-{}.replay-step-{}.json", outcome.step, replay.index);
        folder.write_json(&name, replay)?;
        let file = folder.file(&name);
        failures.push(format!(
            "`{}` under stepper `{}` at dt = {} s: {failed}; replay file `{}`",
            study.scenario,
            replay.stepper,
            outcome.step,
            file.display()
        ));
        files.push(file);
    }
    remove_replays(folder.path(), &files)?;
    let Some(first) = files.first() else { return Ok(()) };
    let help = format!(
        "the other errors are written; solve a failed step again with `stickslip run --replay {}`",
        quoted_path(first)
    );
    Err(CliError::failed(failures.join("\n"), help))
}

/// Holds the scenario with this step against the rules of scenarios.
fn check_step<const D: usize>(scenario: &Scenario<D>, step: f64) -> Result<(), CliError> {
    if step > scenario.duration {
        return Err(CliError::input(
            format!(
                "--steps {}: a step longer than the whole scenario, which lasts {} s",
                shortest(step),
                shortest(scenario.duration)
            ),
            "for example --steps 1e-3,5e-4",
        ));
    }
    Scenario { step, ..scenario.clone() }.check().map_err(|violations| {
        let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
        CliError::input(
            format!("--steps {}: {}", shortest(step), violations.join("; ")),
            "for example --steps 1e-3,5e-4",
        )
    })
}

/// Two panels: the root mean square error, and the largest one.
fn figure<const D: usize>(study: &ConvergenceStudy<D>) -> Figure {
    let curves = |measure: fn(&ErrorAt<D>) -> f64, order: fn(&StepperConvergence<D>) -> Option<f64>| {
        let steppers = study.steppers.iter();
        let curve = steppers.map(|stepper| {
            let errors = stepper.outcomes.iter();
            let points =
                errors.filter_map(|outcome| Some([outcome.step, measure(outcome.errors.as_ref().ok()?)]));
            let label = match stepper.model_error {
                Some(error) => {
                    format!("{}: error of the model, {} m", stepper.stepper, table::significant(error.rms))
                }
                None => stepper.stepper.to_string(),
            };
            Convergence { label, points: points.collect(), order: order(stepper) }
        });
        curve.collect::<Vec<_>>()
    };
    let rms = curves(|errors| errors.rms, |stepper| stepper.order);
    let largest = curves(|errors| errors.largest.norm(), |_| None);
    let of = match study.reference {
        Reference::Exact => "error",
        Reference::OwnMotion { .. } => "distance from own finer motion",
    };
    let axis = |which: &str| Axis::new(format!("{which} {of}"), "m");
    let mut figure = plot::convergence(format!("{}: convergence", study.scenario), axis("rms"), &rms);
    let second = plot::convergence("", axis("largest"), &largest);
    // One legend for both: the curves of a stepper look alike.
    figure.panels.extend(second.panels.into_iter().map(|mut panel| {
        panel.curves.iter_mut().for_each(|curve| curve.label.clear());
        panel
    }));
    figure.shared_x = true;
    figure
}
