//! The nonlinear-program steppers: solved at every step, in few iterations, and right.

mod both_solvers;
mod drift;
mod extreme_scales;
mod failure;
mod nominal;
mod over_plane;
mod random_scenarios;
mod residuals;
mod seed;
mod solver_rule;

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use stickslip::{
    model::{PointMass, State, Vector, closed_form_step},
    scenario::{Body, Ground, Scenario},
    stepper::PointInput,
    trajectory::Trajectory,
};

/// Log-uniform over `[low, high]`.
fn log_uniform(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

/// Runs `test` on `cases` random values of `strategy`, always the same ones.
fn for_all<S: Strategy>(strategy: &S, cases: u32, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    if let Err(error) = runner.run(strategy, test) {
        panic!("{error}");
    }
}

/// The nominal case of the blog post: thrown from 1 m at 1 m/s, 10 kg, friction 0.1, 1.2 s.
fn nominal() -> Scenario<2> {
    Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("slide")
    }
}

/// How far a step's velocity is from the closed-form step's, relative to the velocities in play.
fn scaled_error<const D: usize>(body: &PointMass<D>, input: &PointInput<D>, next: &State<D>) -> f64 {
    let expected = closed_form_step(body, &input.state, &input.push, input.dt);
    let free = body.free_velocity(&input.state, &input.push, input.dt);
    let scale = free.norm().max(input.state.velocity.norm()).max(body.gravity_norm() * input.dt);
    let velocity = (next.velocity - expected.state.velocity).norm() / scale;
    let position = (next.position - expected.state.position).norm() / (scale * input.dt);
    velocity.max(position)
}

/// The largest [`scaled_error`] over the steps of a trajectory.
fn largest_scaled_error<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let body = trajectory.scenario.point(0);
    trajectory.bodies[0]
        .steps
        .iter()
        .zip(trajectory.bodies[0].states.windows(2))
        .enumerate()
        .map(|(index, (step, pair))| {
            let push: Vector<D> = step.push;
            let input = PointInput {
                index,
                time: trajectory.time(index),
                state: pair[0],
                push,
                dt: trajectory.scenario.step,
            };
            scaled_error(&body, &input, &pair[1])
        })
        .fold(0.0, f64::max)
}
