//! The published program: reproducible in contact, failing where it is known to fail.

use stickslip::{
    metrics::{Metrics, Summary},
    scenario::Scenario,
    simulate::{OnFailure, simulate, simulate_observed},
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::Ending,
};

use crate::nominal;

/// The point slides on the ground from the start.
fn sliding() -> Scenario<2> {
    let mut scenario = nominal();
    scenario.bodies[0].position = [0.0, 0.0].into();
    scenario.duration = 0.3;
    scenario
}

#[test]
fn sliding_on_the_ground_is_solved_in_twenty_five_iterations_a_step() {
    let scenario = sliding();
    let mut stepper = scenario.stepper(StepperName::NLP_SEED).expect("admitted");
    let trajectory = simulate(&scenario, stepper.as_mut());
    assert_eq!(trajectory.count(StepStatus::Solved), 300, "{:?}", trajectory.first_failure);
    let iterations = Summary::of(&trajectory, Metrics::of(&trajectory, None)).iterations;
    let mean = iterations.total as f64 / 300.0;
    assert!((24.9..=25.1).contains(&mean), "{mean} iterations per step");
}

#[test]
fn flight_is_ill_posed_and_many_of_its_steps_fail() {
    let mut scenario = nominal();
    scenario.duration = 0.06;
    let mut stepper = scenario.stepper(StepperName::NLP_SEED).expect("admitted");
    let stopped = simulate(&scenario, stepper.as_mut());
    assert_eq!(stopped.ending, Ending::Failed);
    assert!(stopped.first_failure.is_some());

    let trajectory = simulate_observed(&scenario, stepper.as_mut(), OnFailure::Continue, |_| {
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(trajectory.ending, Ending::Complete);
    assert_eq!(trajectory.steps.len(), 60);
    let failed = trajectory.count(StepStatus::Failed);
    assert!(failed >= 20, "{failed} steps failed");
}

#[test]
fn a_bouncing_ground_is_refused_with_the_reason() {
    let mut scenario = nominal();
    scenario.ground.restitution = 0.5;
    let refusal = scenario.stepper(StepperName::NLP_SEED).err().expect("refused");
    assert!(refusal.to_string().contains("restitution"), "{refusal}");
}
