//! The crate's interior-point method and IPOPT on the same steps.
//!
//! Both get the same memory of the step before, so that both start from the same point. At a
//! tolerance of 1e-10 it is the programs that are compared; at the default of 1e-8 it would be the
//! places where two solvers stop, which differ by more than 1e-8 on one step in ten thousand.

use proptest::{prelude::*, test_runner::TestCaseError};
use stickslip::{
    scenario::{NlpSolverChoice, Scenario},
    stepper::{BuildStepper, PointInput, PointStepper, Step, StepperName},
};

use crate::random_scenarios::for_random_scenarios;

fn stepper_with(scenario: &Scenario<2>, solver: NlpSolverChoice) -> Box<dyn PointStepper<2>> {
    let mut scenario = scenario.clone();
    scenario.steppers.nlp.solver = Some(solver);
    scenario.point_stepper(StepperName::NLP).expect("nlp admits every scenario")
}

/// Difference of two steps, relative to the largest velocity in the step.
fn difference(scenario: &Scenario<2>, input: &PointInput<2>, a: &Step<2>, b: &Step<2>) -> f64 {
    let body = scenario.point(0);
    let free = body.free_velocity(&input.state, &input.push, input.dt).norm();
    let scale = free.max(input.state.velocity.norm()).max(body.gravity_norm() * input.dt);
    let velocity = (a.state.velocity - b.state.velocity).norm();
    let impulse = (a.contact_impulse - b.contact_impulse).norm() / body.mass;
    velocity.max(impulse) / scale
}

#[test]
fn both_solvers_agree_on_every_step_of_two_thousand_random_scenarios() {
    for_random_scenarios(2000, |mut scenario| {
        scenario.steppers.nlp.tolerance = Some(1e-10);
        let mut own = stepper_with(&scenario, NlpSolverChoice::InteriorPoint);
        let mut ipopt = stepper_with(&scenario, NlpSolverChoice::Ipopt);
        let mut input = PointInput::first(&scenario);
        for index in 0..scenario.time().steps {
            let time = index as f64 * scenario.step;
            input = PointInput { index, time, push: scenario.push(0, index), ..input };
            ipopt.restore(&own.memory());
            let (Ok(step), Ok(reference)) = (own.step(&input), ipopt.step(&input)) else {
                return Err(TestCaseError::fail("a step failed"));
            };
            let difference = difference(&scenario, &input, &step, &reference);
            prop_assert!(difference <= 1e-8, "step {} differs by {:e}", index, difference);
            input.state = step.state;
        }
        Ok(())
    });
}
