use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use stickslip::{
    atomic_file::write_atomically,
    decimal::shortest,
    gradient::{
        DifferentiableModels, GradientError, GradientRequest, GradientStudy, Input, InputError, Method,
        bias_curve, default_steppers, gradient_summary, landscapes, output_names, write_gradients,
        write_kinks,
    },
    plot::{self, Axis, Convergence, Figure},
    scenario::{AnyScenario, Scenario},
    watch::Watch,
};

use super::{
    error::CliError, figures::FigureSize, folder::Folder, gradient_picture::landscape_figure,
    output::SUMMARY, progress::Amount, report_page::Report, scenario::ScenarioArguments, session::Session,
    stepper_arguments::StepperArguments, table,
};

/// Step lengths of the picture, in steps of the scenario.
const STEPS_OF_PICTURE: [f64; 4] = [8.0, 4.0, 2.0, 1.0];

/// Arguments of `stickslip gradient`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    steppers: StepperArguments,
    /// Results, separated by commas: final_x, final_z, final_vx, final_vz, stop_time; of bodies
    /// NAME.final_x and so on [default: all]
    #[arg(long, value_delimiter = ',', value_name = "RESULTS")]
    of: Vec<String>,
    /// Keys of the scenario, separated by commas [default: start, ground, gravity and pushes, as far as there
    /// is a derivative]
    #[arg(long, value_delimiter = ',', value_name = "KEYS")]
    wrt: Vec<String>,
    /// raw, corrected (lcp and nlp) or smoothed (nlp), separated by commas [default: raw,corrected]
    #[arg(long, value_delimiter = ',', value_name = "METHODS")]
    method: Vec<Method>,
    /// Smoothing of the method `smoothed`, in units of (g dt)^2; up to 0.3 is a moderate change [default: 0.1]
    #[arg(long, value_name = "KAPPA", value_parser = parse_kappa)]
    kappa: Option<f64>,
    /// Number of step phases to average over
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    phases: u16,
    /// Take central differences too, on the same branch and over a kink spacing
    #[arg(long)]
    check: bool,
    /// Folder for results; they go to OUTPUT/<name>/gradient/
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
  stickslip gradient examples/scenarios/slide.toml
  stickslip gradient examples/scenarios/bounce.toml --of final_z \\
    --wrt particle.position.1,ground.restitution
  stickslip gradient examples/scenarios/slide.toml --steppers nlp --method smoothed --kappa 0.1
  stickslip gradient examples/scenarios/bounce.toml --steppers lcp \\
    --set stepper.lcp.time_of_impact=true --check

Writes gradient.csv (every figure, the exact one beside it, and a verdict: ok, biased, zero, one-sided,
indeterminate, contradicted, unchecked or exploding), kinks.csv (where the nearest branch of a step changes, and the gradients on both sides), summary.json,
timings.json, pictures and report.html: the error over the step (of a point), and the landscape of the worst
figures, which shows where each gradient points and where the kinks lie.";

/// Smoothing where none is given.
const KAPPA: f64 = 0.1;

fn parse_kappa(text: &str) -> Result<f64, String> {
    let kappa: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if kappa > 0.0 && kappa <= 100.0 { Ok(kappa) } else { Err("has to be in 0..100, 0 excluded".to_owned()) }
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
    Scenario<D>: DifferentiableModels<D>,
{
    arguments.size.check(!arguments.no_plots)?;
    let (request, named) = request(arguments, scenario)?;
    arguments.scenario.check_heeded(&request.steppers, session)?;
    let folder =
        Folder::of_input(session, &arguments.output, &scenario.name, "gradient", &scenario.to_toml(), &[])?;
    let steps = request.most_steps(scenario);
    let title = format!("gradient of {}", scenario.name);
    let study = session
        .execute(&title, Amount::Steps(steps), |watch| GradientStudy::run(scenario, &request, watch))?;
    for &stepper in request.steppers.iter().filter(|_| named) {
        if study.rows.iter().any(|row| row.stepper == stepper) {
            continue;
        }
        if let Some(left) = study.left_out.iter().find(|left| left.stepper == stepper) {
            return Err(left.reason.clone().into());
        }
    }
    let folder = folder.open()?;
    write_atomically(&folder.file("gradient.csv"), |out| write_gradients(&study, out))?;
    write_atomically(&folder.file("kinks.csv"), |out| write_kinks(&study, out))?;
    let mut summary = gradient_summary(scenario, &study, &request);
    if arguments.wrt.is_empty() {
        let left_out = Input::left_out(scenario).into_iter();
        let told = left_out
            .map(|(wrt, InputError { reason, .. })| json!({ "wrt": wrt.to_string(), "reason": reason }));
        summary["inputs_left_out"] = told.collect();
    }
    let provenance = session.provenance(scenario.to_toml(), &arguments.scenario.applied());
    let summary = session.record(folder.path(), SUMMARY, &summary, &provenance)?;
    let lines = table::of_gradients(&summary, folder.path());
    if arguments.no_plots {
        return session.print(&lines, &summary);
    }
    let title = format!("pictures of {title}");
    let pictures =
        session.execute(&title, Amount::Share, |watch| pictures(scenario, &study, &request, watch))?;
    let mut figures = Vec::with_capacity(pictures.len());
    for (name, caption, figure) in pictures {
        let figure = arguments.size.apply(figure);
        folder.write_figure(name, &figure)?;
        figures.push((caption, figure));
    }
    let figures: Vec<(&str, &Figure)> = figures.iter().map(|(caption, figure)| (*caption, figure)).collect();
    let report = Report {
        title: format!("{}: gradients", scenario.name),
        introduction: format!(
            "What the gradients of the steppers are worth: each beside {}.",
            if study.rows.iter().any(|row| row.exact.is_some()) {
                "that of the exact motion"
            } else {
                "the corrected one, which takes impacts as the motion does, where there is one"
            }
        ),
        motion: None,
        figures: &figures,
        settings: None,
        lines: &lines,
        provenance: &provenance,
    };
    report.write(folder.path())?;
    session.print(&lines, &summary)
}

fn request<const D: usize>(
    arguments: &Arguments,
    scenario: &Scenario<D>,
) -> Result<(GradientRequest, bool), CliError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let names = output_names(scenario);
    let outputs = if arguments.of.is_empty() {
        names
    } else {
        let known = |given: &String| {
            let given = given.trim();
            names.iter().find(|name| *name == given).cloned().ok_or_else(|| {
                CliError::input(
                    format!("--of {given}: there is no such result"),
                    format!("choose from {}", names.join(", ")),
                )
            })
        };
        let outputs: Vec<String> = arguments.of.iter().map(known).collect::<Result<_, _>>()?;
        refuse_twice("--of", &outputs)?;
        outputs
    };
    let inputs = if arguments.wrt.is_empty() {
        Input::of(scenario)
    } else {
        let parse = |key: &String| {
            let input = key.trim().parse::<Input>().and_then(|input| input.check(scenario).map(|()| input));
            input.map_err(|error| {
                CliError::input(
                    format!("--wrt: {error}"),
                    "for example --wrt ground.friction,particle.velocity.0",
                )
            })
        };
        let inputs: Vec<Input> = arguments.wrt.iter().map(parse).collect::<Result<_, _>>()?;
        refuse_twice("--wrt", &inputs.iter().map(Input::to_string).collect::<Vec<_>>())?;
        inputs
    };
    let (steppers, named) = arguments.steppers.names(&default_steppers(scenario));
    let methods = match arguments.method.as_slice() {
        [] => vec![Method::Raw, Method::Corrected],
        given => given.to_vec(),
    };
    let Arguments { kappa, phases, check, .. } = *arguments;
    if let Some(kappa) = kappa
        && !methods.contains(&Method::Smoothed)
    {
        return Err(CliError::input(
            format!("--kappa {} has no effect: it is the smoothing of --method smoothed", shortest(kappa)),
            "leave it out, or add --method smoothed",
        ));
    }
    let kappa = kappa.unwrap_or(KAPPA);
    let request = GradientRequest { steppers, methods, outputs, inputs, kappa, phases: phases.into(), check };
    Ok((request, named))
}

/// Refuses what is named twice, of which there would be two equal rows.
fn refuse_twice(option: &str, names: &[String]) -> Result<(), CliError> {
    let twice = (names.iter().enumerate()).find(|(place, name)| names[..*place].contains(name));
    match twice {
        None => Ok(()),
        Some((_, name)) => Err(CliError::input(format!("{option}: `{name}` is named twice"), "name it once")),
    }
}

/// A picture: the name of its files, what it shows, and itself.
type Captioned = (&'static str, &'static str, Figure);

/// The landscapes of the worst gradients, and for a point the error over the step.
///
/// # Errors
/// [`CliError::Interrupted`] if `watch` says to stop.
fn pictures<const D: usize>(
    scenario: &Scenario<D>,
    study: &GradientStudy,
    request: &GradientRequest,
    watch: &Watch<'_>,
) -> Result<Vec<Captioned>, CliError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let mut pictures = Vec::new();
    if let Some(figure) = bias_figure(scenario, study, request, watch)? {
        pictures.push(("bias", "Relative error of the gradients over the length of the step.", figure));
    }
    let found = landscapes(scenario, study, request, watch).map_err(|_| stopped())?;
    if !found.is_empty() {
        let caption = "Results over numbers of the scenario, from the scenario's own values: what each stepper makes \
                       of the change, where its gradients point, and where a step takes another branch. The worst \
                       gradients come first.";
        pictures.push(("landscape", caption, landscape_figure(scenario, &found)));
    }
    Ok(pictures)
}

/// What is left where the pictures are stopped.
fn stopped() -> CliError {
    CliError::Interrupted("the tables are written, the pictures are not".to_owned())
}

/// The error of the gradient of the final state over the step; `None` if the exact motion has none in dual numbers, as that
/// of bodies.
///
/// # Errors
/// [`CliError::Interrupted`] if `watch` says to stop.
fn bias_figure<const D: usize>(
    scenario: &Scenario<D>,
    study: &GradientStudy,
    request: &GradientRequest,
    watch: &Watch<'_>,
) -> Result<Option<Figure>, CliError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let steps = STEPS_OF_PICTURE.map(|share| share * scenario.step);
    let steps: Vec<f64> = steps.into_iter().filter(|step| *step <= scenario.duration).collect();
    let mut curves: Vec<Convergence> = Vec::new();
    for row in &study.rows {
        let label = format!("{} {}", row.stepper, row.method);
        if row.stepper.is_exact() || curves.iter().any(|curve| curve.label == label) {
            continue;
        }
        let points = match bias_curve(scenario, row.stepper, row.method, request, &steps, watch) {
            Ok(points) => points,
            Err(GradientError::Interrupted) => return Err(stopped()),
            Err(_) => return Ok(None),
        };
        curves.push(Convergence { label, points, order: None });
    }
    curves.retain(|curve| !curve.points.is_empty());
    if curves.is_empty() {
        return Ok(None);
    }
    let axis = Axis::new("relative error of the gradient", "");
    Ok(Some(plot::convergence(format!("{}: error of gradients", scenario.name), axis, &curves)))
}

impl From<GradientError> for CliError {
    fn from(error: GradientError) -> Self {
        match error {
            GradientError::Refused(refusal) => refusal.into(),
            GradientError::Interrupted => Self::Interrupted("nothing is written".to_owned()),
            error @ (GradientError::Input(_) | GradientError::Output(_) | GradientError::NoDerivative(_)) => {
                Self::input(
                    error.to_string(),
                    "choose other keys with --wrt, or other steppers with --steppers",
                )
            }
            error @ (GradientError::Step { .. } | GradientError::NotFinite { .. }) => Self::failed(
                error.to_string(),
                "try a smaller `step`, or leave this stepper out with --steppers",
            ),
        }
    }
}
