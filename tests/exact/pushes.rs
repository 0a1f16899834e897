//! Pushes: held, exceeded, reversed, lifted off by; windows between samples; sinusoids.

use std::f64::consts::TAU;

use stickslip::{
    model::{State, Vector},
    scenario::{Push, Scenario},
    stepper::{EventKind, Exact, ExactPoint, PointInput, PointStepper},
};

use crate::support::{assert_close, run, scenario, sine, window};

const WEIGHT: f64 = 98.1;

#[test]
fn push_below_friction_moves_nothing() {
    for share in [0.5, 0.99, 1.0] {
        let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 0.5);
        scenario.pushes = vec![Push::constant([share * 0.1 * WEIGHT, 0.0])];
        let (trajectory, events) = run(&scenario);
        assert_eq!(trajectory.final_state(0).position[0], 0.0);
        assert!(events.is_empty());
        for step in &trajectory.bodies[0].steps {
            assert!((step.force[0] + step.push[0]).abs() < 1e-12);
        }
    }
}

#[test]
fn push_above_friction_accelerates_by_the_excess() {
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 0.5);
    scenario.pushes = vec![Push::constant([1.5 * 0.1 * WEIGHT, 0.0])];
    assert_close(run(&scenario).0.final_state(0).position, [0.5 * 0.4905 * 0.25, 0.0], 1e-13);
}

#[test]
fn opposing_push_reverses_the_motion() {
    let mut scenario = scenario([0.0, 0.0], [0.3, 0.0], 0.5);
    scenario.pushes = vec![Push::constant([-1.5 * 0.1 * WEIGHT, 0.0])];
    let (trajectory, events) = run(&scenario);
    let stop: f64 = 0.3 / (2.5 * 0.981);
    let back = 0.5 - stop;
    assert_close(trajectory.final_state(0).position, [0.15 * stop - 0.25 * 0.981 * back * back, 0.0], 1e-13);
    assert_close(trajectory.final_state(0).velocity, [-0.4905 * back, 0.0], 1e-13);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].kind, EventKind::SlidingReverses);
    assert!((events[0].time - stop).abs() < 1e-14);
}

#[test]
fn upward_push_above_the_weight_lifts_off() {
    let mut scenario = scenario([0.0, 0.0], [0.3, 0.0], 0.5);
    scenario.pushes = vec![Push::constant([0.0, 1.5 * WEIGHT])];
    let end = run(&scenario).0.final_state(0);
    assert_close(end.position, [0.15, 0.613125], 1e-12);
    assert_close(end.velocity, [0.3, 2.4525], 1e-12);
}

#[test]
fn window_edges_are_felt_between_the_samples() {
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 1.2);
    scenario.step = 0.01;
    scenario.pushes = vec![window([20.0, 0.0], 0.1234, 0.5678)];
    let (trajectory, events) = run(&scenario);
    let pushed = 0.5678 - 0.1234;
    let speed = (2.0 - 0.981) * pushed;
    let x = 0.5 * speed * pushed + 0.5 * speed * speed / 0.981;
    assert_close(trajectory.final_state(0).position, [x, 0.0], 1e-13);
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    use EventKind::{PushChanges, SlidingStarts, SlidingStops};
    assert_eq!(kinds, [PushChanges, SlidingStarts, PushChanges, SlidingStops]);
    assert!((events[0].time - 0.1234).abs() < 1e-15);
}

#[test]
fn overlapping_windows_add_up() {
    let mut scenario = scenario([0.0, 1e3], [0.0, 0.0], 1.0);
    scenario.pushes =
        vec![window([10.0, 0.0], 0.2, 0.6), window([10.0, 0.0], 0.4, 0.8), sine([0.0, 0.0], 5.0, 0.0)];
    assert_close(run(&scenario).0.final_state(0).velocity, [0.8, -9.81], 1e-12);
}

#[test]
fn sinusoid_in_flight_is_integrated_in_closed_form() {
    let mut scenario = scenario([0.0, 100.0], [0.0, 0.0], 1.0);
    for (frequency, phase) in [(0.01, 0.3), (2.0, 0.7), (300.0, -1.0), (0.0, 0.5)] {
        scenario.pushes = vec![sine([10.0, 0.0], frequency, phase)];
        let omega = TAU * frequency;
        let (v, x) = if omega == 0.0 {
            (phase.sin(), 0.5 * phase.sin())
        } else {
            let v = (phase.cos() - (omega + phase).cos()) / omega;
            (v, phase.cos() / omega - ((omega + phase).sin() - phase.sin()) / omega.powi(2))
        };
        let end = run(&scenario).0.final_state(0);
        let tolerance = if frequency == 0.01 { 1e-11 } else { 1e-12 };
        assert!((end.velocity[0] - v).abs() < tolerance, "{frequency} Hz");
        assert!((end.position[0] - x).abs() < tolerance, "{frequency} Hz");
    }
}

#[test]
fn oscillating_push_breaks_away_when_it_reaches_the_friction_limit() {
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 0.25);
    scenario.pushes = vec![sine([20.0, 0.0], 1.0, 0.0)];
    for step in [1e-3, 0.05] {
        scenario.step = step;
        let (trajectory, events) = run(&scenario);
        let break_away = (9.81 / 20.0_f64).asin() / TAU;
        assert_eq!(events.len(), 1);
        assert_eq!(events[0].kind, EventKind::SlidingStarts);
        assert!((events[0].time - break_away).abs() < 1e-14);
        let v = 2.0 * ((TAU * break_away).cos() - (TAU * 0.25).cos()) / TAU - 0.981 * (0.25 - break_away);
        assert!((trajectory.final_state(0).velocity[0] - v).abs() < 1e-13);
    }
}

#[test]
fn oscillating_lift_takes_off_when_it_carries_the_weight_and_lands_again() {
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 1.0);
    scenario.pushes = vec![sine([0.0, 1.5 * WEIGHT], 1.0, 0.0)];
    let (fine, events) = run(&scenario);
    let take_off = (1.0 / 1.5_f64).asin() / TAU;
    assert_eq!(events[0].kind, EventKind::LiftOff);
    assert!((events[0].time - take_off).abs() < 1e-14);
    assert_eq!(events[1].kind, EventKind::Impact);
    scenario.step = 0.2;
    let (coarse, coarse_events) = run(&scenario);
    assert_close(coarse.final_state(0).position, fine.final_state(0).position, 1e-13);
    assert_eq!(coarse_events.len(), events.len());
    for (coarse, fine) in coarse_events.iter().zip(&events) {
        assert!((coarse.time - fine.time).abs() < 1e-13);
    }
}

#[test]
fn stick_and_slip_under_a_sinusoid_do_not_depend_on_the_step() {
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 3.0);
    scenario.pushes = vec![sine([15.0, 0.0], 1.0, 0.2), sine([4.0, 30.0], 2.7, 1.0)];
    let (fine, fine_events) = run(&scenario);
    scenario.step = 0.25;
    let (coarse, coarse_events) = run(&scenario);
    assert!(fine_events.len() > 8, "{fine_events:?}");
    assert_eq!(fine_events.len(), coarse_events.len());
    assert_close(coarse.final_state(0).position, fine.final_state(0).position, 1e-12);
}

#[test]
fn push_that_swings_too_often_within_a_step_is_refused() {
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 1.0);
    scenario.pushes = vec![sine([1.0, 0.0], 1e9, 0.0)];
    let refusal = Exact::new(&scenario).unwrap_err().to_string();
    assert!(refusal.contains("1000000000 Hz") && refusal.contains("`frequency`"), "{refusal}");
}

/// Steps an exact stepper by hand under a push of the caller's own, on top of what the scenario has.
fn by_hand(scenario: &Scenario<2>, own: impl Fn(&State<2>) -> Vector<2>) -> State<2> {
    let mut exact = ExactPoint::new(scenario).expect("exact admits it");
    let mut state = scenario.initial_state(0);
    for index in 0..scenario.time().steps {
        let (time, push) = (scenario.time().at(index), scenario.push(0, index) + own(&state));
        let input = PointInput { index, time, state, push, dt: scenario.step };
        state = exact.step(&input).expect("every step is solved").state;
    }
    state
}

#[test]
fn push_that_only_the_caller_knows_is_held_over_the_step() {
    // The same push in the scenario and by hand: a throw that lands, slides, is pushed on and lifts off.
    let mut with_push = scenario([0.0, 0.1], [0.4, 0.0], 0.8);
    with_push.pushes = vec![Push::constant([14.0, 120.0])];
    let without = Scenario { pushes: Vec::new(), ..with_push.clone() };
    let expected = run(&with_push).0.final_state(0);
    let found = by_hand(&without, |_| [14.0, 120.0].into());
    assert_close(found.position, expected.position, 1e-12);
    assert_close(found.velocity, expected.velocity, 1e-12);
    assert!(expected.position[1] > 0.05);

    // On top of a push that the scenario has, which goes on being followed within the step.
    with_push.pushes.push(sine([8.0, 0.0], 3.0, 0.5));
    let without = Scenario { pushes: vec![sine([8.0, 0.0], 3.0, 0.5)], ..with_push.clone() };
    let expected = run(&with_push).0.final_state(0);
    let found = by_hand(&without, |_| [14.0, 120.0].into());
    assert_close(found.position, expected.position, 1e-12);
}

#[test]
fn spring_of_the_caller_makes_the_point_oscillate() {
    // Without friction, over half a period of 40 N/m on 10 kg; the push is sampled at the left ends, so
    // that the amplitude grows at first order in the step.
    let mut scenario = scenario([0.1, 0.0], [0.0, 0.0], std::f64::consts::PI / 2.0);
    scenario.ground.friction = 0.0;
    let end = |scenario: &Scenario<2>| by_hand(scenario, |state| [-40.0 * state.position[0], 0.0].into());
    let error = |step: f64| (end(&Scenario { step, ..scenario.clone() }).position[0] + 0.1).abs();
    let (coarse, fine) = (error(1e-2), error(1e-3));
    assert!(fine < 1e-3 && coarse / fine > 5.0, "{coarse} {fine}");
}
