//! A point over a plane: the same physics with a direction that can turn.

use stickslip::scenario::Push;

use crate::support::{assert_close, run, scenario, sine};

const G: f64 = 9.81;

#[test]
fn straight_motion_is_the_planar_motion_turned() {
    let mut in_plane = scenario([0.0, 0.5], [1.5, 0.0], 1.5);
    in_plane.ground.restitution = 0.3;
    in_plane.pushes = vec![sine([12.0, 3.0], 1.5, 0.2)];
    let mut turned = scenario([0.0, 0.0, 0.5], [0.9, 1.2, 0.0], 1.5);
    turned.ground.restitution = 0.3;
    turned.pushes = vec![sine([7.2, 9.6, 3.0], 1.5, 0.2)];
    let (in_plane, _) = run(&in_plane);
    let (turned, _) = run(&turned);
    for (a, b) in in_plane.bodies[0].states.iter().zip(&turned.bodies[0].states) {
        assert_close(b.position, [0.6 * a.position[0], 0.8 * a.position[0], a.position[1]], 1e-12);
    }
}

/// Sliding under a constant push at an angle `psi` to the velocity: with `kappa = mu g/a`,
/// `v sin(psi) cot(psi/2)^kappa` is constant.
#[test]
fn sliding_under_a_push_from_the_side_keeps_its_invariant() {
    let mut scenario = scenario([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.8);
    scenario.pushes = vec![Push::constant([6.0, 0.0, 0.0])];
    let kappa = 0.1 * G / 0.6;
    let (trajectory, _) = run(&scenario);
    let invariant = |state: &stickslip::model::State<3>| {
        let (vx, vy) = (state.velocity[0], state.velocity[1]);
        let psi = vy.atan2(vx);
        vx.hypot(vy) * psi.sin() * (0.5 * psi).tan().powf(-kappa)
    };
    let start = invariant(&trajectory.bodies[0].states[0]);
    for state in &trajectory.bodies[0].states {
        assert!((invariant(state) - start).abs() < 1e-12 * start, "{:e}", invariant(state) - start);
    }
}

#[test]
fn turning_point_comes_to_rest_at_the_time_of_the_closed_form() {
    // From psi = 90 degrees the stopping time is v0 mu g/((mu g)^2 - a^2).
    let mut scenario = scenario([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 2.0);
    scenario.pushes = vec![Push::constant([6.0, 0.0, 0.0])];
    let (trajectory, events) = run(&scenario);
    let stop = 0.981 / (0.981_f64.powi(2) - 0.36);
    assert!((events[0].time - stop).abs() < 1e-12, "{:?} {stop}", events);
    assert_eq!(trajectory.final_state(0).velocity.norm(), 0.0);
}

#[test]
fn rotating_push_from_rest_does_not_depend_on_the_step() {
    let mut scenario = scenario([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 1.0);
    scenario.pushes = vec![
        sine([14.0, 0.0, 0.0], 1.0, 0.0),
        sine([0.0, 14.0, 0.0], 1.0, std::f64::consts::FRAC_PI_2),
        sine([0.0, 0.0, 60.0], 2.0, 3.3),
    ];
    let (fine, events) = run(&scenario);
    scenario.step = 0.04;
    let (coarse, _) = run(&scenario);
    assert!(!events.is_empty());
    assert!(fine.final_state(0).position.norm() > 1e-3);
    assert_close(coarse.final_state(0).position, fine.final_state(0).position, 1e-12);
}

#[test]
fn frictionless_plane_lets_the_push_act_alone() {
    let mut scenario = scenario([0.0, 0.0, 0.2], [1.0, 0.0, 0.0], 1.0);
    scenario.ground.friction = 0.0;
    scenario.pushes = vec![Push::constant([0.0, 10.0, 0.0])];
    assert_close(run(&scenario).0.final_state(0).position, [1.0, 0.5, 0.0], 1e-12);
}
