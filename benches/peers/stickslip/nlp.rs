//! The steppers by nonlinear programs.

use std::error::Error;

use serde::Deserialize;
use serde_json::json;
use stickslip::{
    scenario::{Ground, NlpSolverChoice, Particle, Scenario},
    stepper::{BuildStepper, StepInput, StepperName},
};

use crate::{clock::Samples, rows::Measurement};

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
            particle: Particle {
                mass: self.mass,
                position: self.position.into(),
                velocity: self.velocity.into(),
            },
            ground: Ground { friction: self.friction, ..Ground::default() },
            ..Scenario::new("peers")
        }
    }
}

/// Runs the whole trajectory. A sample is one step, or ten where the clock would be felt in one.
pub fn measure(row: &str, problem: &NlpProblem) -> Result<Measurement, Box<dyn Error>> {
    let mut scenario = problem.scenario();
    let (solver, is_warm) = match row {
        "ipopt" => (NlpSolverChoice::Ipopt, false),
        "ipopt-cold" => (NlpSolverChoice::Ipopt, false),
        "ipopt-warm" => (NlpSolverChoice::Ipopt, true),
        "interior-point" | "interior-point-cold" => (NlpSolverChoice::InteriorPoint, false),
        "interior-point-warm" => (NlpSolverChoice::InteriorPoint, true),
        _ => return Err(format!("there is no row `{row}`").into()),
    };
    scenario.steppers.nlp.solver = solver;
    scenario.steppers.nlp.warm_start = is_warm;
    let name = match problem.formulation {
        Formulation::Seed => StepperName::NlpSeed,
        Formulation::Relaxed => StepperName::NlpRelaxed,
    };
    let mut stepper = scenario.stepper(name)?;
    let info = stepper.solver().ok_or("the stepper names no solver")?;
    if (solver == NlpSolverChoice::Ipopt) != (info.name == "IPOPT") {
        return Err(format!("this build solves the program by {}", info.name).into());
    }

    let steps_per_sample = if solver == NlpSolverChoice::Ipopt { 1 } else { 10 };
    let time = scenario.time();
    let mut state = scenario.initial_state();
    let mut samples = Samples::default();
    let mut states = Vec::with_capacity(time.steps);
    let mut iterations = 0;
    for first in (0..time.steps).step_by(steps_per_sample) {
        let steps = first..time.steps.min(first + steps_per_sample);
        samples.take(steps.len(), || {
            for index in steps {
                let input = StepInput {
                    index,
                    time: time.at(index),
                    state,
                    push: scenario.push(index),
                    dt: time.dt,
                };
                let step = stepper.step(&input)?;
                state = step.state;
                iterations += step.report.iterations;
                states.push([state.position[0], state.position[1], state.velocity[0], state.velocity[1]]);
            }
            Ok::<(), Box<dyn Error>>(())
        })?;
    }
    let solver = format!("{} {}", info.name, info.version);
    Ok(Measurement { samples, result: json!({ "states": states, "iterations": iterations, "solver": solver }) })
}
