//! The steppers by nonlinear programs.

use std::error::Error;

use serde::Deserialize;
use serde_json::json;
use stickslip::{
    model::State,
    nlp::{InteriorPoint, InteriorPointOptions, NlpSolver, Start},
    scenario::{Body, Ground, NlpSolverChoice, Scenario},
    stepper::{BuildStepper, PointInput, StepperName, nlp::seed::SeedProgram},
};

use crate::{clock::Samples, measurement::Measurement};

/// Steps in a sample of a solver so fast that reading the clock for each step would be felt.
const STEPS_PER_SAMPLE: usize = 10;

/// A point over flat ground without pushes; SI units.
#[derive(Debug, Deserialize)]
pub struct NlpProblem {
    formulation: Formulation,
    mass: f64,
    friction: f64,
    gravity: f64,
    dt: f64,
    steps: usize,
    position: [f64; 2],
    velocity: [f64; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Formulation {
    Seed,
    Relaxed,
}

impl NlpProblem {
    fn scenario(&self) -> Scenario<2> {
        Scenario {
            duration: self.steps as f64 * self.dt,
            step: self.dt,
            gravity: self.gravity,
            bodies: vec![Body::point(self.mass, self.position, self.velocity)],
            ground: Ground { friction: self.friction, ..Ground::default() },
            ..Scenario::new("peers")
        }
    }
}

/// Runs the whole trajectory.
pub fn measure(row: &str, problem: &NlpProblem) -> Result<Measurement, Box<dyn Error>> {
    let mut scenario = problem.scenario();
    let (solver, is_warm) = match row {
        "interior-point" => return seed_by_interior_point(&scenario),
        "ipopt" | "ipopt-cold" => (NlpSolverChoice::Ipopt, false),
        "ipopt-warm" => (NlpSolverChoice::Ipopt, true),
        "interior-point-cold" => (NlpSolverChoice::InteriorPoint, false),
        "interior-point-warm" => (NlpSolverChoice::InteriorPoint, true),
        _ => return Err(format!("there is no row `{row}`").into()),
    };
    scenario.steppers.nlp.solver = Some(solver);
    scenario.steppers.nlp.warm_start = is_warm;
    let name = match problem.formulation {
        Formulation::Seed => StepperName::NLP_SEED,
        Formulation::Relaxed => StepperName::NLP,
    };
    let mut stepper = scenario.point_stepper(name)?;
    let info = stepper.solver().ok_or("the stepper names no solver")?;
    if (solver == NlpSolverChoice::Ipopt) != (info.name == "IPOPT") {
        return Err(format!("this build solves the program by {}", info.name).into());
    }

    let steps_per_sample = if solver == NlpSolverChoice::Ipopt { 1 } else { STEPS_PER_SAMPLE };
    let solver = format!("{} {}", info.name, info.version);
    run(&scenario, &solver, steps_per_sample, &mut |input| {
        let step = stepper.step(input)?;
        Ok((step.state, step.report.iterations))
    })
}

/// The published program by the crate's own interior-point method, which the stepper `nlp:seed`
/// does not offer because it was published with IPOPT.
fn seed_by_interior_point(scenario: &Scenario<2>) -> Result<Measurement, Box<dyn Error>> {
    const TOLERANCE: f64 = 1e-4;
    let body = scenario.point(0);
    let first = SeedProgram::new(&body, &PointInput::first(scenario), TOLERANCE);
    let options = InteriorPointOptions {
        tolerance: TOLERANCE,
        acceptable_tolerance: TOLERANCE,
        residual_tolerance: TOLERANCE,
        ..InteriorPointOptions::default()
    };
    let mut solver = InteriorPoint::new(&first, options);
    run(scenario, "interior point", STEPS_PER_SAMPLE, &mut |input| {
        let program = SeedProgram::new(&body, input, TOLERANCE);
        let solution = solver.solve(&program, &Start::cold(program.start()));
        if !solution.status.is_success() {
            return Err(format!("step {} was not solved: {}", input.index, solution.status).into());
        }
        Ok((SeedProgram::next_state(&solution.x), solution.iterations))
    })
}

/// One way to take a step: the next state and the iterations.
type Take<'a> = dyn FnMut(&PointInput<2>) -> Result<(State<2>, u32), Box<dyn Error>> + 'a;

fn run(
    scenario: &Scenario<2>,
    solver: &str,
    steps_per_sample: usize,
    take: &mut Take<'_>,
) -> Result<Measurement, Box<dyn Error>> {
    let time = scenario.time();
    let mut state = scenario.initial_state(0);
    let mut samples = Samples::default();
    let mut states = Vec::with_capacity(time.steps);
    let mut iterations = 0;
    for first in (0..time.steps).step_by(steps_per_sample) {
        let steps = first..time.steps.min(first + steps_per_sample);
        samples.take(steps.len(), || {
            for index in steps {
                let push = scenario.push(0, index);
                let input = PointInput { index, time: time.at(index), state, push, dt: time.dt };
                let (next, spent) = take(&input)?;
                state = next;
                iterations += spent;
                states.push([state.position[0], state.position[1], state.velocity[0], state.velocity[1]]);
            }
            Ok::<(), Box<dyn Error>>(())
        })?;
    }
    Ok(Measurement {
        samples,
        result: json!({ "states": states, "iterations": iterations, "solver": solver }),
    })
}
