//! The steppers of the LCP notes.

mod agreement;
mod allocation;
#[path = "../counting_allocator/mod.rs"]
mod counting_allocator;
mod extremes;
mod fixed_point;
mod infeasible;
mod plane;
mod refusals;
mod restitution;
mod sliding_block;
mod tables;

use stickslip::{
    model::{State, Vector},
    scenario::{Body, Ground, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, OnePoint, PointInput, PointStepper, Step, StepError, StepperName},
    trajectory::{Ending, Trajectory},
};

const GRAVITY: f64 = 9.81;

/// The formulations of a block that slides both ways.
const SLIDING: [StepperName; 4] = [
    StepperName::LCP_DIRECT,
    StepperName::LCP_TRADITIONAL,
    StepperName::LCP_MIXED,
    StepperName::LCP_BELBUTE_PERES,
];

/// A block on flat ground.
fn block(mass: f64, friction: f64, velocity: f64, duration: f64, step: f64) -> Scenario<2> {
    Scenario {
        duration,
        step,
        bodies: vec![Body::point(mass, [0.0, 0.0], [velocity, 0.0])],
        ground: Ground { friction, ..Ground::default() },
        ..Scenario::new("block")
    }
}

fn stepper<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Box<dyn PointStepper<D>>
where
    Scenario<D>: BuildStepper<D>,
{
    scenario.point_stepper(name).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The whole trajectory; every step has to be solved.
fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let trajectory = simulate(scenario, &mut OnePoint(stepper(scenario, name)));
    assert_eq!(trajectory.ending, Ending::Complete, "{name}: {:?}", trajectory.first_failure);
    trajectory
}

/// One step from `state`.
fn take<const D: usize>(
    stepper: &mut dyn PointStepper<D>,
    state: State<D>,
    push: Vector<D>,
    dt: f64,
) -> Result<Step<D>, StepError<D>> {
    stepper.step(&PointInput { index: 0, time: 0.0, state, push, dt })
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((actual - expected).abs() <= tolerance, "{what}: {actual}, expected {expected} +- {tolerance:e}");
}
