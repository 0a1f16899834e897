//! A point over a plane: the same physics with a direction that can turn.

use std::f64::consts::TAU;

use stickslip::{
    scenario::{Push, Scenario},
    stepper::EventKind,
};

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

/// A point of 1 kg with friction 0.5 that a constant push almost moves, and one across, of `amplitude` N
/// and `frequency` Hz, does.
fn hardly_moved(amplitude: f64, frequency: f64, duration: f64, step: f64) -> Scenario<3> {
    let mut scenario = scenario([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], duration);
    scenario.step = step;
    scenario.bodies[0].mass = 1.0;
    scenario.ground.friction = 0.5;
    scenario.pushes = vec![Push::constant([4.9, 0.0, 0.0]), sine([0.0, amplitude, 0.0], frequency, 0.0)];
    scenario
}

/// When friction first gives way in [`hardly_moved`].
fn breakaway(amplitude: f64, frequency: f64) -> f64 {
    let across = (0.5 * G).powi(2) - 4.9_f64.powi(2);
    (across.sqrt() / amplitude).asin() / (TAU * frequency)
}

/// The motion of [`hardly_moved`] at time `end`, `(x, y, vx, vy)`, by the classical method of Runge and
/// Kutta in tiny steps. A hundredth of a second after the breakaway the direction of motion lags that of
/// the push by its rate of turning times `w/|a|`; what that leaves out is forgotten within milliseconds.
fn oracle(amplitude: f64, frequency: f64, end: f64) -> Option<[f64; 4]> {
    const FIRST: f64 = 0.01;
    const CELLS: usize = 2000;
    let omega = TAU * frequency;
    let limit = 0.5 * G;
    let start = breakaway(amplitude, frequency);
    let across = |t: f64| amplitude * (omega * t).sin();
    let lagging = |t: f64, speed: f64| {
        let push = 4.9_f64.hypot(across(t));
        let turning = 4.9 * amplitude * omega * (omega * t).cos() / (push * push);
        let angle = across(t).atan2(4.9) - turning * speed / push;
        [speed * angle.cos(), speed * angle.sin()]
    };
    let (mut y, mut speed) = ([0.0; 4], 0.0);
    for cell in 0..CELLS {
        let h = FIRST / CELLS as f64;
        let t = start + (cell as f64 + 0.5) * h;
        let gain = h * (4.9_f64.hypot(across(t)) - limit);
        let [vx, vy] = lagging(t, speed + 0.5 * gain);
        y[0] += h * vx;
        y[1] += h * vy;
        speed += gain;
    }
    let mut t = start + FIRST;
    [y[2], y[3]] = lagging(t, speed);
    let rate = |t: f64, y: &[f64; 4]| {
        let speed = y[2].hypot(y[3]);
        [y[2], y[3], 4.9 - limit * y[2] / speed, across(t) - limit * y[3] / speed]
    };
    while t < end {
        let speed = y[2].hypot(y[3]);
        if speed < 1e-12 {
            return None;
        }
        let h = (0.02 * speed).min(1e-4).min(end - t);
        let ahead = |k: &[f64; 4], part: f64| std::array::from_fn(|i| y[i] + part * h * k[i]);
        let k1 = rate(t, &y);
        let k2 = rate(t + 0.5 * h, &ahead(&k1, 0.5));
        let k3 = rate(t + 0.5 * h, &ahead(&k2, 0.5));
        let k4 = rate(t + h, &ahead(&k3, 1.0));
        for i in 0..4 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        t += h;
    }
    Some(y)
}

#[test]
fn point_that_starts_slowly_under_a_turning_push_is_followed_in_few_intervals() {
    let (amplitude, frequency) = (1.0, 0.1);
    for (duration, step) in [(2.0, 1e-3), (2.0, 1e-2), (2.0, 0.1), (2.0, 2.0), (0.4, 1e-2)] {
        let begun = std::time::Instant::now();
        let (trajectory, events) = run(&hardly_moved(amplitude, frequency, duration, step));
        assert!(begun.elapsed().as_secs() < 5, "steps of {step} s take {:?}", begun.elapsed());
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!(events[0].kind, EventKind::SlidingStarts);
        // The rounding of the guard, over its slope.
        let late = events[0].time - breakaway(amplitude, frequency);
        assert!(late.abs() < 1e-11, "{late:e}");
        let [x, y, vx, vy] = oracle(amplitude, frequency, duration).expect("it slides on");
        let state = trajectory.final_state(0);
        assert_close(state.velocity, [vx, vy, 0.0], 1e-11 * vx + 1e-14);
        assert_close(state.position, [x, y, 0.0], 1e-11 * x + 1e-15);
    }
}

/// Friction gives way for 0.3 s, by at most 0.03 %: the point never gets faster than 0.2 mm/s.
#[test]
fn point_that_slides_slowly_and_stops_again_is_followed_too() {
    let (amplitude, frequency) = (0.25, 0.5);
    let ends: Vec<_> = [1e-3, 1e-2, 0.1, 0.9]
        .into_iter()
        .map(|step| {
            let (trajectory, events) = run(&hardly_moved(amplitude, frequency, 0.9, step));
            let kinds: Vec<EventKind> = events.iter().map(|event| event.kind).collect();
            assert_eq!(kinds, [EventKind::SlidingStarts, EventKind::SlidingStops], "steps of {step} s");
            let late = events[0].time - breakaway(amplitude, frequency);
            assert!(late.abs() < 1e-10, "{late:e}");
            (trajectory.final_state(0).position, events[1].time)
        })
        .collect();
    for (position, stop) in &ends {
        assert_close(*position, ends[0].0, 1e-15);
        assert!((stop - ends[0].1).abs() < 1e-9, "{stop} {}", ends[0].1);
    }
    let on_the_way = 0.6;
    let (trajectory, _) = run(&hardly_moved(amplitude, frequency, on_the_way, 1e-2));
    let [x, y, vx, vy] = oracle(amplitude, frequency, on_the_way).expect("it is on its way");
    assert_close(trajectory.final_state(0).velocity, [vx, vy, 0.0], 1e-10 * vx);
    assert_close(trajectory.final_state(0).position, [x, y, 0.0], 1e-10 * x);
}
