//! Inverse problems by Newton's method: what has to change so that a throw ends where it should? The
//! answer is found with some models' gradients and never with others'.
//!
//! `cargo run --release --example inverse_problems`

use std::error::Error;

use stickslip::{
    gradient::{DifferentiableModels, ExactGradient, GradientOptions, Grid, Input, Method, Output, tangents},
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario},
    stepper::StepperName,
    watch::Watch,
};

/// Find the value of `input` at which `output` is `target`.
struct Problem {
    question: &'static str,
    scenario: Scenario<2>,
    input: Input,
    output: Output,
    target: f64,
}

/// A model and the way its gradient is taken.
type Model = (&'static str, StepperName, Method, bool);

const MODELS: [Model; 8] = [
    ("exact", StepperName::Exact, Method::Raw, false),
    ("nlp", StepperName::NlpRelaxed, Method::Raw, false),
    ("nlp smoothed", StepperName::NlpRelaxed, Method::Smoothed, false),
    ("lcp", StepperName::LcpStewartTrinkle, Method::Raw, false),
    ("lcp corrected", StepperName::LcpStewartTrinkle, Method::Corrected, false),
    ("lcp divided", StepperName::LcpStewartTrinkle, Method::Raw, true),
    ("convex", StepperName::Convex, Method::Raw, false),
    ("hybrid", StepperName::Hybrid, Method::Raw, false),
];

const TOLERANCE: f64 = 1e-6;

fn main() -> Result<(), Box<dyn Error>> {
    for problem in problems() {
        println!("{}", problem.question);
        for model in MODELS {
            println!("  {:<14} {}", model.0, solve(&problem, model));
        }
    }
    Ok(())
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
            scenario: point(1.0, 1.0, 4.0),
            input: Input::Velocity(0),
            output: Output::Position(0),
            target: 2.0,
        },
        Problem {
            question: "Which push, half a second long, moves the point by 0.5 m? (from one that slides)",
            scenario: pushed(15.0, 0.0, 2.5, Some(0.5)),
            input: force,
            output: Output::Position(0),
            target: 0.5,
        },
        Problem {
            question: "The same from a push of 5 N, under which it sticks",
            scenario: pushed(5.0, 0.0, 2.5, Some(0.5)),
            input: force,
            output: Output::Position(0),
            target: 0.5,
        },
        Problem {
            question: "From which height is the point 0.45 m high 0.8 s later, after a bounce?",
            scenario: bounce,
            input: Input::Position(1),
            output: Output::Position(1),
            target: 0.45,
        },
        Problem {
            question: "How fast must a point start against a push to come back at 0.15 m/s after half a second?",
            scenario: pushed(-14.715, 0.3, 0.5, None),
            input: Input::Velocity(0),
            output: Output::Velocity(0),
            target: -0.15,
        },
    ]
}

/// The output and its derivative.
fn evaluate(problem: &Problem, scenario: &Scenario<2>, model: Model) -> Option<(f64, f64)> {
    let (_, stepper, method, _) = model;
    let inputs = [problem.input];
    let (value, gradient) = if stepper == StepperName::Exact {
        let exact = ExactGradient::new(scenario, &inputs, Grid::new(scenario.time()), &Watch::none()).ok()?;
        problem.output.of(&exact.state, &exact.tangents, exact.stop.as_ref())?
    } else {
        let mut stepper = scenario.model(stepper, method, 0.1).ok()?;
        let run =
            tangents(scenario, stepper.as_mut(), &inputs, &GradientOptions::of(scenario), &Watch::none())
                .ok()?;
        problem.output.of(&run.state, &run.tangents, run.stop.as_ref())?
    };
    Some((value - problem.target, gradient[0]))
}

/// Newton's method with backtracking.
fn solve(problem: &Problem, model: Model) -> String {
    let mut scenario = problem.scenario.clone();
    scenario.steppers.lcp.time_of_impact = model.3;
    let Some((mut off, mut slope)) = evaluate(problem, &scenario, model) else {
        return "does not run".to_owned();
    };
    for iteration in 0..40 {
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
