//! The point over a plane: isotropic friction, and the plane x-z as a special case.

use stickslip::{
    scenario::{Body, Push, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::Trajectory,
};

use crate::{largest_scaled_error, nominal};

fn run(scenario: &Scenario<3>) -> Trajectory<3> {
    let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
    simulate(scenario, stepper.as_mut())
}

fn thrown(direction: f64) -> Scenario<3> {
    let flat = nominal();
    let (sin, cos) = direction.sin_cos();
    Scenario {
        duration: 0.7,
        bodies: vec![Body::point(10.0, [0.0, 0.0, 0.1], [cos, sin, 0.0])],
        ground: flat.ground,
        ..Scenario::new("over-plane")
    }
}

#[test]
fn a_thrown_point_slides_equally_far_in_every_direction() {
    let reach = |direction: f64| {
        let trajectory = run(&thrown(direction));
        assert_eq!(trajectory.count(StepStatus::Solved), trajectory.steps.len());
        assert!(largest_scaled_error(&trajectory) <= 1e-5);
        trajectory.final_state(0).position.norm()
    };
    let along_x = reach(0.0);
    for direction in [0.3, 1.0, 2.5, -1.7] {
        assert!((reach(direction) - along_x).abs() <= 1e-6, "direction {direction}");
    }
}

#[test]
fn a_push_across_the_motion_turns_it_as_the_closed_form_step_does() {
    let mut scenario = thrown(0.4);
    scenario.pushes.push(Push::constant([-3.0, 14.0, 0.0]));
    let trajectory = run(&scenario);
    assert_eq!(trajectory.count(StepStatus::Failed), 0);
    assert!(largest_scaled_error(&trajectory) <= 1e-5);
}
