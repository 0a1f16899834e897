//! The program of a plan, all steps of it.

use std::{error::Error, path::Path};

use serde::Deserialize;
use serde_json::json;
use stickslip::{
    nlp::sparse::SparseNlp,
    plan::{
        Program, Slot, Sought, parse_plan,
        relaxation::{Beginning, Point, is_plan, solve, zeros},
    },
    watch::Watch,
};

use crate::{clock::Samples, measurement::Measurement};

/// A point that is pushed along the ground from rest to rest, and the motion at which the search starts; SI units.
#[derive(Debug, Deserialize)]
pub struct PlanProblem {
    steps: usize,
    duration: f64,
    distance: f64,
    largest_push: f64,
    mass: f64,
    friction: f64,
    gravity: f64,
    /// Push in every step.
    pushes: Vec<f64>,
    /// Place and velocity along the ground at the end of every step.
    states: Vec<[f64; 2]>,
    /// Friction as a part of its limit.
    friction_share: f64,
    /// By how much both slips are more than they have to be, in units of the plan.
    slip: f64,
}

impl PlanProblem {
    fn program(&self) -> Result<Program, Box<dyn Error>> {
        let Self { steps, duration, distance, largest_push, mass, friction, gravity, .. } = self;
        let text = format!(
            "steps = {steps}\nduration = {duration:?}\ngravity = {gravity:?}\n\
             [particle]\nmass = {mass:?}\nposition = [0.0, 0.0]\nvelocity = [0.0, 0.0]\n\
             [ground]\nfriction = {friction:?}\n\
             [[control]]\nforce = [[-{largest_push:?}, {largest_push:?}], 0]\n\
             [goal]\nposition = [{distance:?}, nan]\nvelocity = [0.0, 0.0]\nwithin = 0\n"
        );
        Ok(Program::new(&parse_plan("plan.toml", &text, "peers", Path::new(""), &[])?, Sought::Cost))
    }

    /// The motion of the problem as variables of the program.
    fn start(&self, program: &Program) -> Vec<f64> {
        let (layout, units) = (program.rows.layout(), program.rows.units);
        let mut x = vec![0.0; program.variables()];
        for (k, (push, [place, velocity])) in self.pushes.iter().zip(&self.states).enumerate() {
            let speed = velocity / units.velocity;
            let contact = layout.contacts[0];
            let values = [
                (layout.push, push / units.force),
                (layout.velocity_after, speed),
                (layout.place_after, place / units.length),
                (contact, 1.0),
                (contact + 2, self.friction_share),
                (contact + 3, speed + self.slip),
                (contact + 4, self.slip),
            ];
            for (local, value) in values {
                if let Slot::Variable(variable) = program.slots(k)[local] {
                    x[variable] = value;
                }
            }
        }
        x
    }

    /// Place and velocity along the ground at the end of every step.
    fn states(&self, program: &Program, x: &[f64]) -> Vec<[f64; 2]> {
        let (layout, units) = (program.rows.layout(), program.rows.units);
        let state = |k: usize| {
            let local = program.local(k, x);
            [local[layout.place_after] * units.length, local[layout.velocity_after] * units.velocity]
        };
        (0..self.steps).map(state).collect()
    }
}

/// Solves the program at its last relaxation, as the direct starts of a plan do.
pub fn measure(row: &str, problem: &PlanProblem) -> Result<Measurement, Box<dyn Error>> {
    if row != "ipopt" {
        return Err(format!("there is no row `{row}`").into());
    }
    let program = problem.program()?;
    let start = Point { multipliers: zeros(&program), x: problem.start(&program) };
    let mut samples = Samples::default();
    let solution = samples.take_counted(|| {
        let solution = solve(&program, &start, Beginning::COLD, &Watch::none());
        let iterations = solution.as_ref().map_or(1, |solution| solution.iterations.max(1));
        (solution, iterations as usize)
    })?;
    if !is_plan(&solution) {
        return Err(format!("the program was not solved: {}", solution.status).into());
    }
    let states = problem.states(&program, &solution.x);
    Ok(Measurement {
        samples,
        result: json!({ "states": states, "iterations": solution.iterations, "solver": "IPOPT" }),
    })
}
