//! The hybrid and the penalty stepper: simple models with known artefacts, held to what they can
//! show and to the truth; and what all steppers have in common.

mod far_away;
mod hybrid;
mod lift_off;
mod own_push;
mod plane;
mod slope;
mod smooth;
mod symmetry;
mod table;
mod threads;

use stickslip::{
    scenario::{Body, Ground, Scenario, SmoothLaw},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

const GRAVITY: f64 = 9.81;

/// 10 kg on flat ground with friction 0.1, in steps of 1 ms: the blog post's point.
fn point<const D: usize>(position: [f64; D], velocity: [f64; D], duration: f64) -> Scenario<D> {
    Scenario {
        duration,
        bodies: vec![Body::point(10.0, position, velocity)],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("test")
    }
}

/// The law of the blog's repository with its own numbers.
fn with_original<const D: usize>(mut scenario: Scenario<D>) -> Scenario<D> {
    scenario.steppers.smooth.law = SmoothLaw::TANH;
    scenario
}

fn with_hunt_crossley<const D: usize>(mut scenario: Scenario<D>) -> Scenario<D> {
    scenario.steppers.smooth.law = SmoothLaw::HuntCrossley { stiffness: None, damping: None };
    scenario
}

fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name).unwrap_or_else(|refusal| panic!("{refusal}"));
    let trajectory = simulate(scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Complete, "{name}: {:?}", trajectory.first_failure);
    trajectory
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((actual - expected).abs() <= tolerance, "{what}: {actual}, expected {expected} +- {tolerance:e}");
}
