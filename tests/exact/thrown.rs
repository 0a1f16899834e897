//! A thrown point without pushes: the solution in closed form.

use stickslip::stepper::EventKind;

use crate::support::{assert_close, run, scenario};

const G: f64 = 9.81;

/// Position and velocity at time `t` of a point thrown over ground with friction `mu`, without
/// rebound: a parabola, an impact that takes `mu vi` off the tangential speed, braked sliding, rest.
fn thrown(z0: f64, vx0: f64, vz0: f64, mu: f64, t: f64) -> ([f64; 2], [f64; 2]) {
    let impact_speed = (vz0 * vz0 + 2.0 * G * z0).sqrt();
    let landing = (vz0 + impact_speed) / G;
    if t < landing {
        return ([vx0 * t, z0 + vz0 * t - 0.5 * G * t * t], [vx0, vz0 - G * t]);
    }
    let slip = (vx0.abs() - mu * impact_speed).max(0.0);
    let sliding = (t - landing).min(slip / (mu * G));
    let x = vx0.abs() * landing + slip * sliding - 0.5 * mu * G * sliding * sliding;
    let v = slip - mu * G * sliding;
    ([x * vx0.signum(), 0.0], [v * vx0.signum(), 0.0])
}

#[test]
fn agrees_with_the_closed_form() {
    for (z0, vx0, vz0) in [
        (1.0, 1.0, 0.0),
        (0.1, -1.0, 0.0),
        (0.0, 10.0, 0.0),
        (0.3, -2.0, 1.5),
        (0.0, 0.7, 3.0),
        (0.5, 0.1, -2.0),
    ] {
        let scenario = scenario([0.0, z0], [vx0, vz0], 1.2);
        let (trajectory, _) = run(&scenario);
        for (k, state) in trajectory.bodies[0].states.iter().enumerate() {
            let (position, velocity) = thrown(z0, vx0, vz0, 0.1, trajectory.time(k));
            assert_close(state.position, position, 1e-12);
            assert_close(state.velocity, velocity, 1e-12);
        }
    }
}

#[test]
fn nominal_case_of_the_blog_post() {
    let (trajectory, events) = run(&scenario([0.0, 1.0], [1.0, 0.0], 1.2));
    assert_close(trajectory.final_state(0).position, [0.609684, 0.0], 1e-6);
    assert_eq!(
        events.iter().map(|event| event.kind).collect::<Vec<_>>(),
        [EventKind::Impact, EventKind::SlidingStops]
    );
    assert!((events[0].time - 0.451524).abs() < 1e-6);
    assert!((events[0].impulse[1] - 44.294).abs() < 1e-3);
    assert!((events[1].time - 1.019368).abs() < 1e-6);
}

#[test]
fn step_length_does_not_matter() {
    let mut coarse = scenario([0.0, 1.0], [1.0, 0.0], 1.2);
    coarse.step = 0.4;
    let (coarse, _) = run(&coarse);
    let (fine, _) = run(&scenario([0.0, 1.0], [1.0, 0.0], 1.2));
    assert_close(coarse.final_state(0).position, fine.final_state(0).position, 1e-13);
}

#[test]
fn rests_at_exactly_zero() {
    let (trajectory, _) = run(&scenario([0.0, 1.0], [-1.0, 0.0], 2.0));
    let end = trajectory.final_state(0);
    assert_eq!((end.position[1], end.velocity[0], end.velocity[1]), (0.0, 0.0, 0.0));
    assert_eq!(trajectory.bodies[0].states[1500], end);
}

#[test]
fn mirror_image_is_the_mirror_image() {
    let (right, _) = run(&scenario([0.0, 1.0], [1.0, 0.0], 1.2));
    let (left, _) = run(&scenario([0.0, 1.0], [-1.0, 0.0], 1.2));
    for (right, left) in right.bodies[0].states.iter().zip(&left.bodies[0].states) {
        assert_eq!(right.position[0], -left.position[0]);
        assert_eq!(right.velocity[0], -left.velocity[0]);
    }
}

#[test]
fn contact_impulse_explains_the_change_of_momentum() {
    let scenario = scenario([0.0, 1.0], [1.0, 0.0], 1.2);
    let (trajectory, _) = run(&scenario);
    let body = scenario.point(0);
    for (step, pair) in trajectory.bodies[0].steps.iter().zip(trajectory.bodies[0].states.windows(2)) {
        let momentum = (pair[1].velocity - pair[0].velocity) * body.mass;
        assert_close(step.force * scenario.step, momentum - body.gravity * body.mass * scenario.step, 1e-12);
    }
}

#[test]
fn slides_down_a_slope_that_friction_cannot_hold() {
    let mut steep = scenario([0.0, 0.0], [0.0, 0.0], 1.0);
    steep.ground.slope = 30.0;
    let acceleration = G * (0.5 - 0.1 * 0.75_f64.sqrt());
    assert_close(run(&steep).0.final_state(0).position, [0.5 * acceleration, 0.0], 1e-12);

    let mut shallow = steep.clone();
    shallow.ground.slope = 5.0;
    assert_eq!(run(&shallow).0.final_state(0).position[0], 0.0);
}

#[test]
fn without_gravity_or_friction_motion_is_uniform() {
    let mut weightless = scenario([0.0, 0.0], [1.0, 0.0], 1.0);
    weightless.gravity = 0.0;
    assert_close(run(&weightless).0.final_state(0).position, [1.0, 0.0], 1e-12);

    let mut frictionless = scenario([0.0, 0.2], [1.0, 0.0], 1.0);
    frictionless.ground.friction = 0.0;
    assert_close(run(&frictionless).0.final_state(0).position, [1.0, 0.0], 1e-12);
}
