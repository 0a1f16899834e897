//! Pushes that no scenario file can hold.

use std::ops::ControlFlow;

use stickslip::{
    model::{Spin, Vector},
    scenario::{Body, Ground, Push, Scenario, Shape},
    simulate::{Beginning, OnFailure, simulate, simulate_pushed, takes_pushes},
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

fn block() -> Scenario<2> {
    Scenario {
        duration: 0.4,
        bodies: vec![Body::point(2.0, [0.0, 0.0], [0.0, 0.0])],
        ground: Ground { friction: 0.3, ..Ground::default() },
        ..Scenario::new("pushed")
    }
}

fn pushed(
    scenario: &Scenario<2>,
    name: StepperName,
    push: impl FnMut(&Beginning<'_, 2>, &mut [Vector<2>], &mut [Spin]) -> ControlFlow<()>,
) -> Trajectory<2> {
    let mut stepper = scenario.stepper(name).unwrap();
    simulate_pushed(scenario, stepper.as_mut(), OnFailure::Stop, push, |_| ControlFlow::Continue(()))
}

#[test]
fn a_push_by_hand_is_that_of_the_scenario() {
    let force = [20.0, 1.0];
    let in_scenario = Scenario {
        pushes: vec![Push { from: Some(0.1), to: Some(0.3), ..Push::constant(force) }],
        ..block()
    };
    for name in [StepperName::LCP, StepperName::CONVEX, StepperName::HYBRID] {
        let mut stepper = in_scenario.stepper(name).unwrap();
        let expected = simulate(&in_scenario, stepper.as_mut());
        let by_hand = pushed(&block(), name, |now, forces, _| {
            if (100..300).contains(&now.index) {
                forces[0] += Vector::from(force);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(by_hand.bodies[0].states, expected.bodies[0].states, "{name}");
        assert_eq!(by_hand.bodies[0].steps, expected.bodies[0].steps, "{name}");
    }
}

#[test]
fn a_torque_by_hand_turns_a_body() {
    let size = [0.4, 0.2];
    let body = Body { shape: Shape::Box { size: size.into() }, ..Body::point(3.0, [0.0, 5.0], [0.0, 0.0]) };
    let scenario = Scenario { duration: 0.2, gravity: 0.0, bodies: vec![body], ..block() };
    let turned = pushed(&scenario, StepperName::LCP, |_, _, torques| {
        torques[0][0] += 0.5;
        ControlFlow::Continue(())
    });
    let inertia = 3.0 * (size[0] * size[0] + size[1] * size[1]) / 12.0;
    let spin = turned.bodies[0].attitudes.last().unwrap().spin[0];
    assert!((spin - 0.5 * 0.2 / inertia).abs() < 1e-12 * spin, "{spin}");
}

#[test]
fn a_push_may_end_the_run() {
    let ended = pushed(&block(), StepperName::HYBRID, |now, _, _| match now.index {
        7 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!((ended.ending, ended.steps.len()), (Ending::Interrupted, 7));
}

#[test]
fn the_exact_motion_takes_no_push_by_hand() {
    let scenario = block();
    let exact = scenario.stepper(StepperName::EXACT).unwrap();
    let refusal = takes_pushes(exact.as_ref()).unwrap_err();
    assert!(refusal.reason.contains("own pushes") && !refusal.remedy.is_empty(), "{refusal}");
    let lcp = scenario.stepper(StepperName::LCP).unwrap();
    takes_pushes(lcp.as_ref()).unwrap();
}
