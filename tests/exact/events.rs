//! Events at the edge of existence: grazing, and several at once.

use stickslip::{scenario::Push, stepper::EventKind};

use crate::support::{assert_close, run, scenario, sine, window};

#[test]
fn grazing_the_ground_without_pressing_is_no_impact() {
    // z = 1 - 2 t + t^2 touches the ground at t = 1 with no speed and rises again.
    let mut scenario = scenario([0.0, 1.0], [1.0, -2.0], 2.0);
    scenario.gravity = 8.0;
    scenario.pushes = vec![Push::constant([0.0, 100.0])];
    scenario.step = 0.25;
    let (trajectory, _) = run(&scenario);
    assert_close(trajectory.final_state(0).position, [2.0, 1.0], 1e-12);
}

#[test]
fn impact_at_the_very_sample_is_taken_once() {
    // With g = 8 the point lands at t = 0.5, exactly a sample.
    let mut scenario = scenario([0.0, 1.0], [1.0, 0.0], 1.0);
    scenario.gravity = 8.0;
    scenario.step = 0.125;
    let (trajectory, events) = run(&scenario);
    assert_eq!(events.iter().filter(|event| event.kind == EventKind::Impact).count(), 1);
    assert_eq!(events[0].time, 0.5);
    assert_close(trajectory.bodies[0].states[5].velocity, [0.6 - 0.1, 0.0], 1e-15);
}

#[test]
fn impact_and_window_edge_at_once() {
    let mut scenario = scenario([0.0, 1.0], [0.0, 0.0], 1.0);
    scenario.gravity = 8.0;
    scenario.step = 0.3;
    scenario.duration = 0.9;
    scenario.pushes = vec![window([50.0, 0.0], 0.5, 0.7)];
    let (trajectory, events) = run(&scenario);
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    use EventKind::{Impact, PushChanges, SlidingStarts};
    assert_eq!(kinds, [PushChanges, Impact, SlidingStarts, PushChanges]);
    assert_close(trajectory.final_state(0).velocity, [(5.0 - 0.8) * 0.2 - 0.8 * 0.2, 0.0], 1e-13);
}

#[test]
fn events_come_in_order_of_time() {
    let mut scenario = scenario([0.0, 0.4], [1.0, 0.0], 3.0);
    scenario.ground.restitution = 0.4;
    scenario.pushes = vec![sine([20.0, 130.0], 1.3, 0.0), window([-20.0, 0.0], 0.77, 1.9)];
    let (_, events) = run(&scenario);
    assert!(events.len() > 10);
    assert!(events.windows(2).all(|pair| pair[0].time <= pair[1].time));
}
