//! A step that fails can be taken again from its replay record.

use stickslip::{
    contact::FailureKind,
    simulate::simulate,
    stepper::{BuildStepper, OnePoint, StepperName},
    trajectory::Replay,
};

use crate::nominal;

#[test]
fn a_replay_record_fails_again_in_the_same_way() {
    let scenario = nominal();
    let mut stepper = scenario.stepper(StepperName::NLP_SEED).expect("admitted");
    let trajectory = simulate(&scenario, stepper.as_mut());
    let replay = Replay::of(&trajectory).expect("a step failed");
    let text = serde_json::to_string(&replay).expect("a record is plain data");
    let read: Replay = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(read, replay);

    let mut fresh = scenario.stepper(StepperName::NLP_SEED).expect("admitted");
    let again = read.take_again(&scenario, fresh.as_mut()).expect("the record fits the scenario");
    let error = again.expect_err("it fails again");
    assert_eq!((error.kind, Some(error.kind)), (FailureKind::NotConverged, replay.kind));
    assert_eq!(error.residual, replay.residual);
    assert_eq!(error.to_string(), replay.reason);
}

#[test]
fn memory_lets_a_fresh_stepper_take_the_same_step() {
    let mut scenario = nominal();
    scenario.bodies[0].position = [0.0, 0.0].into();
    let mut stepper = scenario.point_stepper(StepperName::NLP).expect("admitted");
    scenario.duration = 0.05;
    let trajectory = simulate(&scenario, &mut OnePoint(stepper.as_mut()));
    let k = trajectory.steps.len();
    let input = stickslip::stepper::PointInput {
        index: k,
        time: trajectory.time(k),
        state: trajectory.final_state(0),
        push: scenario.push(0, k),
        dt: scenario.step,
    };
    let mut fresh = scenario.point_stepper(StepperName::NLP).expect("admitted");
    fresh.restore(&stepper.memory());
    assert_eq!(fresh.step(&input).expect("solved"), stepper.step(&input).expect("solved"));
}
