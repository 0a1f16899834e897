//! A point on compliant ground, by the convex problem of each step.

use std::{error::Error, f64::consts::TAU};

use serde::Deserialize;
use serde_json::json;
use stickslip::{
    convex::{
        Block, Contact, FrictionCone, IsotropicContact, Jacobian, Problem, Regularization, Settings, Solver,
        Vector,
    },
    model::{PointMass, State},
    scenario::{Body, ConvexSettings, DelassusNorm, Ground, Push, Scenario},
    stepper::{BuildStepper, PointInput, StepperName},
};

use crate::{clock::Samples, measurement::Measurement};

/// Trajectories in one measurement; each is a sample.
const RUNS: usize = 20;

/// A point of `mass` on compliant ground, pushed along it by a constant force; SI units. The
/// regularisation is scaled as Drake does it, by `w = 1/(m sqrt 3)`.
#[derive(Debug, Deserialize)]
pub struct ConvexProblem {
    mass: f64,
    friction: f64,
    gravity: f64,
    dt: f64,
    steps: usize,
    position: [f64; 2],
    velocity: [f64; 2],
    push: [f64; 2],
    stiffness: f64,
    dissipation_time: f64,
}

/// `sigma`: tangential regularisation relative to `w`.
const STICTION: f64 = 1e-3;

impl ConvexProblem {
    fn regularization(&self) -> Regularization {
        let delassus = 1.0 / (self.mass * 3f64.sqrt());
        let compliant = 1.0 / (self.dt * self.stiffness * (self.dt + self.dissipation_time));
        let near_rigid = delassus / (TAU * TAU);
        Regularization { tangential: STICTION * delassus, normal: near_rigid.max(compliant) }
    }

    fn point(&self) -> PointMass<2> {
        PointMass {
            mass: self.mass,
            friction: self.friction,
            restitution: 0.0,
            gravity: Vector::<2>::new(0.0, -self.gravity),
        }
    }

    fn scenario(&self) -> Scenario<2> {
        let mut scenario = Scenario {
            duration: self.steps as f64 * self.dt,
            step: self.dt,
            gravity: self.gravity,
            bodies: vec![Body::point(self.mass, self.position, self.velocity)],
            ground: Ground { friction: self.friction, ..Ground::default() },
            pushes: vec![Push::constant(self.push)],
            ..Scenario::new("peers")
        };
        scenario.steppers.convex = ConvexSettings {
            stiffness: Some(self.stiffness),
            dissipation_time: Some(self.dissipation_time),
            delassus_norm: DelassusNorm::Spatial,
            ..ConvexSettings::PUBLISHED
        };
        scenario
    }
}

/// One way to take the steps of a run.
type Take<'a> = dyn FnMut(usize, &State<2>) -> Result<State<2>, Box<dyn Error>> + 'a;

/// Runs the whole trajectory, many times over.
pub fn measure(row: &str, problem: &ConvexProblem) -> Result<Measurement, Box<dyn Error>> {
    match row {
        "stepper" => by_stepper(problem),
        "closed-form" => by_closed_form(problem),
        "newton" => by_newton(problem),
        _ => Err(format!("there is no row `{row}`").into()),
    }
}

/// Through the stepper `convex`, as a run of the program takes it.
fn by_stepper(problem: &ConvexProblem) -> Result<Measurement, Box<dyn Error>> {
    let scenario = problem.scenario();
    let mut stepper = scenario.point_stepper(StepperName::CONVEX)?;
    let time = scenario.time();
    run(problem, &mut |index, state| {
        let input = PointInput {
            index,
            time: time.at(index),
            state: *state,
            push: scenario.push(0, index),
            dt: time.dt,
        };
        Ok(stepper.step(&input)?.state)
    })
}

/// Through the closed form of a single contact.
fn by_closed_form(problem: &ConvexProblem) -> Result<Measurement, Box<dyn Error>> {
    let cone = FrictionCone::new(problem.friction, problem.regularization());
    let (body, push) = (problem.point(), problem.push.into());
    run(problem, &mut |_, state| {
        let free_velocity = body.free_velocity(state, &push, problem.dt);
        if state.height() >= 0.0 {
            return Ok(state.advance(free_velocity, problem.dt));
        }
        let reference = Vector::<2>::new(0.0, -state.height() / (problem.dt + problem.dissipation_time));
        let contact = IsotropicContact { delassus: 1.0 / body.mass, free_velocity, reference, cone };
        Ok(state.advance(contact.solve().velocity, problem.dt))
    })
}

/// Through the general solver for any number of bodies and contacts, started at the old velocity.
fn by_newton(problem: &ConvexProblem) -> Result<Measurement, Box<dyn Error>> {
    let (body, push) = (problem.point(), problem.push.into());
    let contact = Contact {
        jacobian: Jacobian::single(0, Block::identity()),
        reference: Vector::zeros(),
        cone: FrictionCone::new(problem.friction, problem.regularization()),
        active: true,
    };
    let mut step = Problem {
        inertia: vec![Block::identity() * body.mass],
        free_velocity: vec![Vector::zeros()],
        contacts: vec![contact],
        equalities: Vec::new(),
    };
    let mut solver = Solver::new(Settings::default());
    run(problem, &mut |_, state| {
        step.free_velocity[0] = body.free_velocity(state, &push, problem.dt);
        step.contacts[0].active = state.height() < 0.0;
        step.contacts[0].reference[1] = -state.height() / (problem.dt + problem.dissipation_time);
        let mut velocity = [state.velocity];
        let report = solver.solve(&step, &mut velocity)?;
        if !report.status.is_solved() {
            return Err(format!("the solver ended with {:?}", report.status).into());
        }
        Ok(state.advance(velocity[0], problem.dt))
    })
}

fn run(problem: &ConvexProblem, take: &mut Take<'_>) -> Result<Measurement, Box<dyn Error>> {
    let mut samples = Samples::default();
    let mut states = Vec::with_capacity(problem.steps);
    for _ in 0..RUNS {
        let mut state = State { position: problem.position.into(), velocity: problem.velocity.into() };
        states.clear();
        samples.take(problem.steps, || {
            for index in 0..problem.steps {
                state = take(index, &state)?;
                states.push([state.position[0], state.position[1], state.velocity[0], state.velocity[1]]);
            }
            Ok::<(), Box<dyn Error>>(())
        })?;
    }
    Ok(Measurement { samples, result: json!({ "states": states }) })
}
