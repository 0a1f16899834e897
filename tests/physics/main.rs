//! What every rigid stepper must show, against closed-form solutions of the continuous motion.

mod anisotropic_friction;
mod belt;
mod complementarity;
mod convergence;
mod friction_laws;
mod friction_of_a_point;
mod friction_orders;
mod ice;
mod pushes;
mod rejected_rules;
mod rejected_rules_in_motion;
mod restitution;
mod slope;
mod symmetry;
mod thrown;
mod thrown_point;
mod turning_friction;

use stickslip::{
    scenario::{Body, Ground, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

/// Steppers that solve the rigid contact problem at gap level, all to the same accuracy.
const RIGID: &[StepperName] = &[StepperName::NLP, StepperName::LCP, StepperName::LCP_BELBUTE_PERES];

/// Steppers that know friction against turning, and friction that differs across an axis.
const OF_GROUPED_FRICTION: [StepperName; 6] = [
    StepperName::NLP,
    StepperName::LCP,
    StepperName::LCP_ANITESCU,
    StepperName::CONE,
    StepperName::CONVEX,
    StepperName::SMOOTH,
];

const GRAVITY: f64 = 9.81;

/// 10 kg on flat ground with friction 0.1, in steps of 1 ms: the blog post's point.
fn point(position: [f64; 2], velocity: [f64; 2], duration: f64) -> Scenario<2> {
    Scenario {
        duration,
        bodies: vec![Body::point(10.0, position, velocity)],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("test")
    }
}

/// The whole trajectory; every step has to be solved.
fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name).unwrap_or_else(|refusal| panic!("{refusal}"));
    let trajectory = simulate(scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Complete, "{name}: {:?}", trajectory.first_failure);
    trajectory
}

fn max_speed<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    trajectory.bodies[0].states.iter().map(|state| state.velocity.norm()).fold(0.0, f64::max)
}

fn assert_close(actual: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((actual - expected).abs() <= tolerance, "{what}: {actual}, expected {expected} +- {tolerance:e}");
}
