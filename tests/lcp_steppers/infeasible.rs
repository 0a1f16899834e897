//! `lcp:direct2` cannot be solved, and says so.

use stickslip::{
    contact::FailureKind,
    scenario::Push,
    simulate::simulate,
    stepper::{OnePoint, StepperName},
    trajectory::Ending,
};

use crate::{block, run, stepper, take};

#[test]
fn every_step_with_motion_fails_with_the_reason() {
    let scenario = block(10.0, 0.1, 0.0, 1.0, 1e-3);
    let mut direct2 = stepper(&scenario, StepperName::LCP_DIRECT2);
    for exponent in -12..=3 {
        for sign in [-1.0, 1.0] {
            let push = [sign * 10_f64.powi(exponent), 0.0].into();
            let error = take(direct2.as_mut(), scenario.initial_state(0), push, 1e-3).unwrap_err();
            let failure = error.failure;
            assert_eq!(failure.kind, FailureKind::NoSolution);
            assert!(
                failure.explanation.starts_with("no-solution: the formulation is infeasible"),
                "{}",
                failure.explanation
            );
            assert!(failure.explanation.contains("only p = 0 allows"), "{}", failure.explanation);
        }
    }
}

#[test]
fn at_rest_without_a_push_there_is_a_solution() {
    let trajectory = run(&block(10.0, 0.1, 0.0, 0.1, 1e-3), StepperName::LCP_DIRECT2);
    assert_eq!(trajectory.final_state(0).position[0], 0.0);
}

#[test]
fn a_run_ends_at_the_first_push() {
    let mut scenario = block(10.0, 0.1, 0.0, 0.1, 1e-3);
    scenario.pushes.push(Push { from: Some(0.05), ..Push::constant([1.0, 0.0]) });
    let trajectory = simulate(&scenario, &mut OnePoint(stepper(&scenario, StepperName::LCP_DIRECT2)));
    assert_eq!((trajectory.ending, trajectory.steps.len()), (Ending::Failed, 50));
}
