//! A point at rest stays where it is, where the forces on it only just balance too.

use stickslip::{
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
};

/// In units of `g dt`, what the default tolerance leaves of a velocity.
const TOLERANCE: f64 = 1e-7;

/// Runs `scenario` by both solvers, and measures how far it gets from where it starts and how fast it
/// ever is.
fn at_rest<const D: usize>(scenario: &Scenario<D>, what: &str)
where
    Scenario<D>: BuildStepper<D>,
{
    for solver in [NlpSolverChoice::Ipopt, NlpSolverChoice::InteriorPoint] {
        let mut scenario = scenario.clone();
        scenario.steppers.nlp.solver = Some(solver);
        let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
        let trajectory = simulate(&scenario, stepper.as_mut());
        assert_eq!(trajectory.count(StepStatus::Solved), 1000, "{what} by {solver:?}");
        let start = scenario.initial_state(0);
        let states = || trajectory.bodies[0].states.iter();
        let fastest = states().map(|state| state.velocity.norm()).fold(0.0, f64::max);
        let farthest = states().map(|state| (state.position - start.position).norm()).fold(0.0, f64::max);
        let bound = TOLERANCE * 9.81 * scenario.step;
        assert!(fastest <= bound, "{what} by {solver:?}: {fastest:e} m/s");
        assert!(farthest <= bound * scenario.duration, "{what} by {solver:?}: {farthest:e} m");
    }
}

fn resting(friction: f64) -> Scenario<2> {
    Scenario {
        duration: 1.0,
        bodies: vec![Body::point(10.0, [0.0, 0.0], [0.0, 0.0])],
        ground: Ground { friction, ..Ground::default() },
        ..Scenario::new("rest")
    }
}

fn resting_over_a_plane(friction: f64) -> Scenario<3> {
    Scenario {
        duration: 1.0,
        bodies: vec![Body::point(10.0, [0.0; 3], [0.0; 3])],
        ground: Ground { friction, ..Ground::default() },
        ..Scenario::new("rest")
    }
}

#[test]
fn without_gravity() {
    for friction in [0.0, 0.5] {
        at_rest(&Scenario { gravity: 0.0, ..resting(friction) }, "no gravity");
        at_rest(&Scenario { gravity: 0.0, ..resting_over_a_plane(friction) }, "no gravity over a plane");
    }
}

#[test]
fn under_a_push_that_balances_the_weight() {
    for friction in [0.0, 0.5] {
        let mut scenario = resting(friction);
        scenario.pushes = vec![Push::constant([0.0, 98.1])];
        at_rest(&scenario, "push of the weight");
        let mut scenario = resting_over_a_plane(friction);
        scenario.pushes = vec![Push::constant([0.0, 0.0, 98.1])];
        at_rest(&scenario, "push of the weight over a plane");
    }
}

#[test]
fn on_a_slope_whose_tangent_is_the_friction() {
    for slope in [5.0_f64, 20.0, 40.0] {
        for share in [1.0, 1.001, 1.1] {
            let mut scenario = resting(share * slope.to_radians().tan());
            scenario.ground.slope = slope;
            at_rest(&scenario, "slope");
        }
    }
}

#[test]
fn under_a_push_that_friction_just_holds() {
    for share in [0.9, 0.99, 0.9999, 1.0] {
        let mut scenario = resting(0.1);
        scenario.pushes = vec![Push::constant([share * 9.81, 0.0])];
        at_rest(&scenario, "push");
        let mut scenario = resting_over_a_plane(0.1);
        scenario.pushes = vec![Push::constant([0.6 * share * 9.81, -0.8 * share * 9.81, 0.0])];
        at_rest(&scenario, "push over a plane");
    }
}

/// The polish replaces a solution only by one that fulfils the conditions better, so that a point which
/// is to move does.
#[test]
fn whatever_is_to_move_moves() {
    for (slope, excess) in [(20.0_f64, 0.99), (40.0, 0.999)] {
        let mut scenario = resting(excess * slope.to_radians().tan());
        scenario.ground.slope = slope;
        let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
        let trajectory = simulate(&scenario, stepper.as_mut());
        let speed = trajectory.final_state(0).velocity.norm();
        let expected = 9.81 * slope.to_radians().sin() * (1.0 - excess);
        assert!((speed - expected).abs() <= 1e-4 * expected + 1e-5, "{speed} {expected}");
    }
    let mut scenario = resting(0.5);
    scenario.pushes = vec![Push::constant([0.0, 1.001 * 98.1])];
    let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
    let speed = simulate(&scenario, stepper.as_mut()).final_state(0).velocity[1];
    // The tolerance of the momentum, 1e-8 g dt in each of a thousand steps.
    assert!((speed - 9.81e-3).abs() < 1e-7, "{speed}");
}
