//! Restitution, and the infinitely many bounces at its end.

use stickslip::{
    model::State,
    stepper::{EventKind, ExactPoint, PointInput, PointStepper},
};

use crate::support::{assert_close, run, scenario, sine, window};

const G: f64 = 9.81;

/// Bounces one at a time, each of them by hand: position along the ground and speed once the point
/// stays down, and when that is.
fn bounce_by_bounce(z0: f64, vx0: f64, a: f64, mu: f64, e: f64) -> (f64, f64, f64) {
    let mut speed = (2.0 * G * z0).sqrt();
    let mut t = speed / G;
    let mut x = vx0 * t + 0.5 * a * t * t;
    let mut v = vx0 + a * t;
    while speed > 1e-18 {
        v = v.signum() * (v.abs() - mu * (1.0 + e) * speed).max(0.0);
        speed *= e;
        let flight = 2.0 * speed / G;
        x += v * flight + 0.5 * a * flight * flight;
        v += a * flight;
        t += flight;
    }
    (x, v, t)
}

#[test]
fn bouncing_ends_where_the_geometric_series_ends() {
    for e in [0.1, 0.5, 0.9] {
        for (mu, a, vx0) in [
            (0.0, 0.0, 1.0),
            (0.1, 0.0, 1.0),
            (0.1, 0.0, 0.3),
            (0.1, 0.5, 0.3),
            (0.1, 1.5, -0.6),
            (0.1, -3.0, 2.0),
        ] {
            let (x, v, rest) = bounce_by_bounce(0.5, vx0, a, mu, e);
            let mut scenario = scenario([0.0, 0.5], [vx0, 0.0], rest);
            scenario.ground.restitution = e;
            scenario.ground.friction = mu;
            scenario.pushes = vec![window([10.0 * a, 0.0], 0.0, 1e3)];
            // Few large steps and many small ones: trains of bounces are cut in different places.
            for steps in [3.0, 1000.0] {
                scenario.step = rest / steps;
                let end = run(&scenario).0.final_state(0);
                assert!(end.height() < 1e-12);
                assert_close(end.position, [x, 0.0], 1e-11);
                assert!((end.velocity[0] - v).abs() < 1e-11, "{end:?} {v} e={e} mu={mu} a={a}");
            }
        }
    }
}

#[test]
fn bouncing_end_is_an_event_at_the_accumulation_point() {
    let mut scenario = scenario([0.0, 1.0], [0.0, 0.0], 3.0);
    scenario.ground.restitution = 0.5;
    let (trajectory, events) = run(&scenario);
    let impact_speed = (2.0 * G).sqrt();
    let end = impact_speed / G + 2.0 * impact_speed / G;
    let last = events.last().unwrap();
    assert_eq!(last.kind, EventKind::BouncingEnds);
    assert!((last.time - end).abs() < 1e-12);
    assert_eq!(trajectory.final_state(0).velocity[1], 0.0);
    // All impacts together: m (1 + e) vi (1 + e + e^2 + ...).
    let total: f64 = events.iter().map(|event| event.impulse[1]).sum();
    assert!((total - 10.0 * 1.5 * impact_speed * 2.0).abs() < 1e-10);
}

#[test]
fn elastic_bounces_keep_their_height_for_ever() {
    let mut scenario = scenario([0.0, 1.0], [0.0, 0.0], 100.0);
    scenario.ground.restitution = 1.0;
    scenario.step = 0.01;
    let body = scenario.point(0);
    let (trajectory, _) = run(&scenario);
    for state in &trajectory.bodies[0].states {
        assert!((body.energy(state) - 98.1).abs() < 1e-9);
    }
}

#[test]
fn billions_of_bounces_in_one_step_take_no_time() {
    let mut scenario = scenario([0.0, 0.0], [1.0, 1e-10], 1.0);
    scenario.ground.restitution = 1.0;
    scenario.step = 1.0;
    let (trajectory, events) = run(&scenario);
    assert!(
        events.iter().any(|event| matches!(event.kind, EventKind::Impacts(count) if count > 1_000_000_000))
    );
    // Tiny hops brake like sliding.
    assert_close(trajectory.final_state(0).position, [1.0 - 0.5 * 0.981, 0.0], 1e-9);
}

#[test]
fn bounces_under_an_oscillating_push_accumulate_too() {
    let mut scenario = scenario([0.0, 0.3], [0.5, 0.0], 2.0);
    scenario.ground.restitution = 0.6;
    scenario.pushes = vec![sine([3.0, 20.0], 3.0, 0.4)];
    let (fine, events) = run(&scenario);
    assert!(events.iter().any(|event| event.kind == EventKind::BouncingEnds));
    scenario.step = 0.05;
    let (coarse, _) = run(&scenario);
    assert_close(coarse.final_state(0).position, fine.final_state(0).position, 1e-12);
}

#[test]
fn the_step_depends_on_its_input_alone() {
    let mut scenario = scenario([0.0, 0.5], [1.0, 0.0], 1.0);
    scenario.ground.restitution = 0.7;
    let (trajectory, _) = run(&scenario);
    let mut fresh = ExactPoint::new(&scenario).unwrap();
    for k in (0..trajectory.steps.len()).rev().step_by(37) {
        let state: State<2> = trajectory.bodies[0].states[k];
        let input = PointInput {
            index: k,
            time: trajectory.time(k),
            state,
            push: [0.0, 0.0].into(),
            dt: scenario.step,
        };
        assert_eq!(fresh.step(&input).unwrap().state, trajectory.bodies[0].states[k + 1]);
    }
}
