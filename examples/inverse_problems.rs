//! Inverse problems by Newton's method: what has to change so that a throw ends where it should? The
//! answer is found with some models' gradients and never with others'. And by the method of Gauss and Newton: which
//! friction and restitution explain a measured throw? The picture `output/examples/inverse-problems.svg` has a panel
//! per problem: how far off each model is after each iteration.
//!
//! `cargo run --release --example inverse_problems`

use std::{error::Error, path::Path};

use nalgebra::{Matrix2, Vector2};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    gradient::{DerivativeRule, GradientOptions, Input, Method, Steps, Tangents, tangents},
    plot::{Axis, Figure, Marker, Panel, Style},
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario},
    stepper::StepperName,
    watch::Watch,
};

/// Find the value of `input` at which `output` is `target`.
struct Problem {
    question: &'static str,
    axis: &'static str,
    scenario: Scenario<2>,
    input: Input,
    output: &'static str,
    target: f64,
}

/// A model and the way its gradient is taken.
type Model = (&'static str, StepperName, Method, bool);

const MODELS: [Model; 8] = [
    ("exact", StepperName::EXACT, Method::Raw, false),
    ("nlp", StepperName::NLP, Method::Raw, false),
    ("nlp smoothed", StepperName::NLP, Method::Smoothed, false),
    ("lcp", StepperName::LCP, Method::Raw, false),
    ("lcp corrected", StepperName::LCP, Method::Corrected, false),
    ("lcp divided", StepperName::LCP, Method::Raw, true),
    ("convex", StepperName::CONVEX, Method::Raw, false),
    ("hybrid", StepperName::HYBRID, Method::Raw, false),
];

const TOLERANCE: f64 = 1e-6;

const MARKERS: [Marker; 5] = [Marker::Disc, Marker::Square, Marker::Up, Marker::Circle, Marker::Down];

/// How Newton's method went: in words, and how far off it was after each iteration.
struct Way {
    outcome: String,
    misses: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut figure = Figure::new("Newton's method on the gradients of each model");
    figure.shared_x = true;
    for problem in problems() {
        println!("{}", problem.question);
        figure.panels.push(panel(problem.axis, |model| solve(&problem, model)));
    }
    figure.panels.push(identification());
    std::fs::create_dir_all("output/examples")?;
    figure.write_svg(Path::new("output/examples/inverse-problems.svg"))?;
    Ok(())
}

/// How far off every model is after each iteration.
fn panel(axis: &str, solve: impl Fn(Model) -> Way) -> Panel {
    let mut panel = Panel::new(Axis::new("iteration", ""), Axis::new(axis, "").log());
    for (index, model) in MODELS.into_iter().enumerate() {
        let Way { outcome, misses } = solve(model);
        println!("  {:<14} {outcome}", model.0);
        // Below the tolerance all are there.
        let at = |(iteration, miss): (usize, &f64)| [iteration as f64, miss.max(0.1 * TOLERANCE)];
        let points = misses.iter().enumerate().map(at).collect();
        let style = Style::of_series(index, MODELS.len()).with_marker(MARKERS[index % MARKERS.len()]);
        panel = panel.curve(model.0, points, style);
    }
    panel
}

fn problems() -> Vec<Problem> {
    let point = |height: f64, vx: f64, duration: f64| {
        let mut scenario = Scenario {
            duration,
            bodies: vec![Body::point(10.0, [0.0, height], [vx, 0.0])],
            ground: Ground { friction: 0.1, ..Ground::default() },
            ..Scenario::new("inverse")
        };
        scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
        scenario
    };
    let pushed = |force: f64, vx: f64, duration: f64, to: Option<f64>| {
        let mut scenario = point(0.0, vx, duration);
        scenario.pushes.push(Push { to, ..Push::constant([force, 0.0]) });
        scenario
    };
    let mut bounce = point(1.0, 2.0, 0.8);
    bounce.ground.restitution = 0.6;
    let force = Input::PushForce(0, 0);
    vec![
        Problem {
            question: "How fast is a throw that stops at 2 m?",
            axis: "stop at 2 m: off in m",
            scenario: point(1.0, 1.0, 4.0),
            input: Input::Velocity(0),
            output: "final_x",
            target: 2.0,
        },
        Problem {
            question: "Which push, half a second long, moves the point by 0.5 m? (from one that slides)",
            axis: "push by 0.5 m: off in m",
            scenario: pushed(15.0, 0.0, 2.5, Some(0.5)),
            input: force,
            output: "final_x",
            target: 0.5,
        },
        Problem {
            question: "The same from a push of 5 N, under which it sticks",
            axis: "from a stick: off in m",
            scenario: pushed(5.0, 0.0, 2.5, Some(0.5)),
            input: force,
            output: "final_x",
            target: 0.5,
        },
        Problem {
            question: "From which height is the point 0.45 m high 0.8 s later, after a bounce?",
            axis: "bounce: off in m",
            scenario: bounce,
            input: Input::Position(1),
            output: "final_z",
            target: 0.45,
        },
        Problem {
            question: "How fast must a point start against a push to come back at 0.15 m/s after half a second?",
            axis: "reversal: off in m/s",
            scenario: pushed(-14.715, 0.3, 0.5, None),
            input: Input::Velocity(0),
            output: "final_vx",
            target: -0.15,
        },
    ]
}

/// The end of a run and its derivatives.
fn run(scenario: &Scenario<2>, inputs: &[Input], model: Model) -> Option<Tangents> {
    let (_, stepper, method, _) = model;
    let (steps, rule) = (Steps::of(stepper, method, 0.1), DerivativeRule::from(method));
    tangents(scenario, steps, rule, inputs, &GradientOptions::of(scenario), &Watch::none()).ok()
}

/// The output and its derivative.
fn evaluate(problem: &Problem, scenario: &Scenario<2>, model: Model) -> Option<(f64, f64)> {
    let run = run(scenario, &[problem.input], model)?;
    let (value, gradient) = (run.end.value(problem.output)?, run.gradient(problem.output)?);
    Some((value - problem.target, gradient[0]))
}

/// Newton's method with backtracking.
fn solve(problem: &Problem, model: Model) -> Way {
    let mut misses = Vec::new();
    let outcome = search(problem, model, &mut misses);
    Way { outcome, misses }
}

fn search(problem: &Problem, model: Model, misses: &mut Vec<f64>) -> String {
    let mut scenario = problem.scenario.clone();
    scenario.steppers.lcp.time_of_impact = model.3;
    let Some((mut off, mut slope)) = evaluate(problem, &scenario, model) else {
        return "does not run".to_owned();
    };
    for iteration in 0..40 {
        misses.push(off.abs());
        if off.abs() <= TOLERANCE {
            let found = problem.input.value(&scenario).unwrap_or(f64::NAN);
            return format!("{found:.5} after {iteration} iterations");
        }
        if slope == 0.0 {
            return format!("no way to go: the gradient is zero, {:.1e} off", off.abs());
        }
        let mut step = -off / slope;
        let next = (0..30).find_map(|_| {
            let next = problem.input.shifted(&scenario, step);
            step *= 0.5;
            let admitted = next.check().is_ok() && problem.input.check(&next).is_ok();
            let (new, slope) = evaluate(problem, &next, model).filter(|_| admitted)?;
            (new.abs() < off.abs()).then_some((next, new, slope))
        });
        let Some(next) = next else {
            return format!("stuck after {iteration} iterations, {:.1e} off", off.abs());
        };
        (scenario, off, slope) = next;
    }
    format!("not there after 40 iterations, {:.1e} off", off.abs())
}

/// Samples of the measured throw, 10 ms apart.
const SAMPLES: usize = 160;
const APART: f64 = 0.01;
/// Standard deviation of the measurement in m.
const NOISE: f64 = 1e-3;
/// Friction and restitution of the measured throw, and where the search starts.
const TRUE: [f64; 2] = [0.1, 0.6];
const START: [f64; 2] = [0.2, 0.45];
const UNKNOWN: [Input; 2] = [Input::Friction, Input::Restitution];

/// A throw over so many samples.
fn throw([friction, restitution]: [f64; 2], samples: usize) -> Scenario<2> {
    let mut scenario = Scenario {
        duration: samples as f64 * APART,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [2.0, 0.0])],
        ground: Ground { friction, restitution, ..Ground::default() },
        ..Scenario::new("measured")
    };
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
    scenario
}

/// Which friction and restitution explain a throw that was measured with noise?
fn identification() -> Panel {
    println!("Which friction and restitution has a throw that was measured to a millimetre?");
    let mut random = StdRng::seed_from_u64(1);
    let exact = ("exact", StepperName::EXACT, Method::Raw, false);
    // Of twelve uniform numbers: normal enough.
    let mut noise = || NOISE * ((0..12).map(|_| random.random_range(0.0..1.0)).sum::<f64>() - 6.0);
    let measured: Vec<[f64; 2]> = (1..=SAMPLES)
        .filter_map(|samples| run(&throw(TRUE, samples), &[], exact))
        .map(|run| [run.end.values[0] + noise(), run.end.values[1] + noise()])
        .collect();
    panel("identification: off in mu, e", |model| identify(&measured, model))
}

/// Half the squared residuals, their gradient and its curvature without second derivatives.
type Squares = (f64, Vector2<f64>, Matrix2<f64>);

fn squares(measured: &[[f64; 2]], at: Vector2<f64>, model: Model) -> Option<Squares> {
    let (mut half, mut gradient, mut curvature) = (0.0, Vector2::zeros(), Matrix2::zeros());
    for (sample, place) in measured.iter().enumerate() {
        let mut scenario = throw(at.into(), sample + 1);
        scenario.steppers.lcp.time_of_impact = model.3;
        let run = run(&scenario, &UNKNOWN, model)?;
        for (axis, coordinate) in place.iter().enumerate() {
            let residual = run.end.values[axis] - coordinate;
            let slope = Vector2::new(run.jacobian[(axis, 0)], run.jacobian[(axis, 1)]);
            half += 0.5 * residual * residual;
            gradient += slope * residual;
            curvature += slope * slope.transpose();
        }
    }
    Some((half, gradient, curvature))
}

/// The method of Gauss and Newton with backtracking.
fn identify(measured: &[[f64; 2]], model: Model) -> Way {
    let mut at = Vector2::from(START);
    let mut misses = vec![(at - Vector2::from(TRUE)).amax()];
    let Some((mut half, mut gradient, mut curvature)) = squares(measured, at, model) else {
        return Way { outcome: "does not run".to_owned(), misses: Vec::new() };
    };
    for iteration in 0..20 {
        let said =
            |how: &str, at: Vector2<f64>| format!("{:.4}, {:.4} {how} {iteration} iterations", at.x, at.y);
        let Some(mut step) = curvature.try_inverse().map(|inverse| inverse * -gradient) else {
            return Way { outcome: said("and no way to go after", at), misses };
        };
        let next = (0..20).find_map(|_| {
            let next = at + step;
            step *= 0.5;
            let admitted = next.x > 0.0 && next.y > 0.0 && next.y < 1.0;
            let new = squares(measured, next, model).filter(|_| admitted)?;
            (new.0 < half).then_some((next, new))
        });
        let Some((next, new)) = next else {
            return Way { outcome: said("after", at), misses };
        };
        let moved = (next - at).amax();
        (at, (half, gradient, curvature)) = (next, new);
        misses.push((at - Vector2::from(TRUE)).amax());
        if moved < TOLERANCE {
            return Way { outcome: said("after", at), misses };
        }
    }
    Way { outcome: format!("{:.4}, {:.4}, still on its way", at.x, at.y), misses }
}
