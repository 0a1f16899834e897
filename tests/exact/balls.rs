//! Discs and spheres over the ground: closed forms.

use nalgebra::{UnitQuaternion, Vector3};
use stickslip::{
    model::{Attitude, Orientation, Spin},
    scenario::{Body, Scenario, Shape},
    stepper::{ContactMode, EventKind, Exact},
};

use crate::support::{assert_close, ball, run};

const G: f64 = 9.81;

fn over_ground<const D: usize>(body: Body<D>, friction: f64, duration: f64) -> Scenario<D> {
    let mut scenario = Scenario::new("ball");
    scenario.bodies = vec![body];
    scenario.ground.friction = friction;
    scenario.duration = duration;
    scenario.step = 0.01;
    scenario
}

fn quaternion(attitude: &Attitude) -> UnitQuaternion<f64> {
    match attitude.orientation {
        Orientation::Quaternion(turn) => turn,
        Orientation::Angle(_) => panic!("in space"),
    }
}

/// A sphere that is pushed off without spin slides for `2 v/(7 mu g)` and rolls at `5/7` of its speed.
#[test]
fn a_sphere_slides_and_then_rolls() {
    let (radius, mu, speed) = (0.1, 0.3, 2.0);
    let scenario = over_ground(ball(radius, [1.0, 2.0, radius], [1.2, 1.6, 0.0]), mu, 1.0);
    let (trajectory, events) = run(&scenario);
    let stop = 2.0 * speed / (7.0 * mu * G);
    assert_eq!(events[0].kind, EventKind::SlidingStops);
    assert!((events[0].time - stop).abs() < 1e-14, "{}", events[0].time);
    let way = speed * stop - 0.5 * mu * G * stop * stop + 5.0 / 7.0 * speed * (1.0 - stop);
    assert_close(trajectory.final_state(0).velocity, [1.2 * 5.0 / 7.0, 1.6 * 5.0 / 7.0, 0.0], 1e-13);
    assert_close(trajectory.final_state(0).position, [1.0 + 0.6 * way, 2.0 + 0.8 * way, radius], 1e-13);
    let attitude = trajectory.bodies[0].attitudes.last().unwrap();
    let turn = quaternion(attitude);
    // Rolling: the spin is across the way, v/R.
    let rolling = Vector3::new(-1.6, 1.2, 0.0) * (5.0 / 7.0 / radius);
    assert!((turn * attitude.spin - rolling).amax() < 1e-12);
    // It has turned about that one axis by the way of its rim.
    let turned = (way - slip_way(speed, mu, stop)) / radius;
    let expected = UnitQuaternion::from_scaled_axis(Vector3::new(-0.8, 0.6, 0.0) * turned);
    // Thousands of small turns round.
    assert!(turn.angle_to(&expected) < 1e-10, "{}", turn.angle_to(&expected));
    let modes = [5, 90].map(|step| trajectory.contacts.of_step(step)[0].mode);
    assert_eq!(modes, [ContactMode::Slip, ContactMode::Stick]);
}

/// The way of the point that slips, which slows down by `7/2 mu g`.
fn slip_way(speed: f64, mu: f64, stop: f64) -> f64 {
    speed * stop - 0.5 * 3.5 * mu * G * stop * stop
}

/// Backspin of more than `5/2 v/R` brings it back; the spin about the vertical stays, for nothing drills.
#[test]
fn backspin_brings_a_sphere_back_and_drilling_stays() {
    let radius = 0.1;
    let mut body = ball(radius, [0.0, 0.0, radius], [1.0, 0.0, 0.0]);
    body.spin = Spin::new(0.0, -60.0, 7.0);
    let (trajectory, _) = run(&over_ground(body, 0.2, 2.0));
    // v = (5 v0 + 2 R w)/7.
    let speed = (5.0 - 2.0 * radius * 60.0) / 7.0;
    assert_close(trajectory.final_state(0).velocity, [speed, 0.0, 0.0], 1e-12);
    let attitude = trajectory.bodies[0].attitudes.last().unwrap();
    let spin = quaternion(attitude) * attitude.spin;
    assert!((spin - Vector3::new(0.0, speed / radius, 7.0)).amax() < 1e-11, "{spin}");
}

/// In the plane the disc's slip ends at `|u0|/(3 mu g)`, and it rolls at `(2 v0 - R w0)/3`.
#[test]
fn a_disc_with_backspin_rolls_back() {
    let (radius, mu) = (0.1, 0.2);
    let mut body = ball(radius, [0.0, radius], [1.0, 0.0]);
    body.spin = Spin::new(40.0, 0.0, 0.0);
    let (trajectory, events) = run(&over_ground(body, mu, 1.0));
    assert!((events[0].time - 5.0 / (3.0 * mu * G)).abs() < 1e-14);
    assert_close(trajectory.final_state(0).velocity, [(2.0 - 4.0) / 3.0, 0.0], 1e-13);
    let Orientation::Angle(angle) = trajectory.bodies[0].attitudes.last().unwrap().orientation else {
        panic!("in the plane")
    };
    // w = 40 - 2 mu g/R t while it slips, then -v/R.
    let stop = 5.0 / (3.0 * mu * G);
    let expected = 40.0 * stop - mu * G / radius * stop * stop + (2.0 / 3.0) / radius * (1.0 - stop);
    assert!((angle - expected).abs() < 1e-12, "{angle} {expected}");
}

/// A ball that falls with spin: friction gives `min(mu (1 + e) m vz, m u/(1 + b))` in its first impact, by hand.
#[test]
fn a_bouncing_ball_with_spin_kicks_off() {
    let (radius, e, height) = (0.05, 0.6, 0.3);
    let hit = (2.0 * height / G).sqrt();
    let fall = G * hit;
    for (mu, spin) in [(0.1, 100.0), (0.8, 20.0)] {
        let mut body = ball(radius, [0.0, 0.0, radius + height], [0.0; 3]);
        body.spin = Spin::new(0.0, spin, 0.0);
        let mut scenario = over_ground(body, mu, hit + 0.1);
        scenario.ground.restitution = e;
        scenario.step = hit + 0.1;
        let (trajectory, events) = run(&scenario);
        // The lowest point runs towards -x at R w; friction points to +x.
        let sliding = mu * (1.0 + e) * fall;
        let gripping = radius * spin / 3.5;
        let kick = sliding.min(gripping);
        assert!((mu < 0.5) == (sliding < gripping), "one slips, one grips");
        assert_close(events[0].impulse, [2.0 * kick, 0.0, 2.0 * (1.0 + e) * fall], 1e-12);
        let end = trajectory.final_state(0);
        assert_close(end.velocity, [kick, 0.0, e * fall - G * 0.1], 1e-13);
        assert_close(end.position, [0.1 * kick, 0.0, radius + e * fall * 0.1 - 0.5 * G * 0.01], 1e-13);
        let attitude = trajectory.bodies[0].attitudes.last().unwrap();
        let after = quaternion(attitude) * attitude.spin;
        let expected = spin - 2.5 * kick / radius;
        assert!((after - Vector3::new(0.0, expected, 0.0)).amax() < 1e-10, "{after}");
        // About one axis the orientation is the sum of angles.
        let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.0, spin * hit + expected * 0.1, 0.0));
        assert!(quaternion(attitude).angle_to(&turned) < 1e-11);
        // What the ground gave is in the record of the step, about the centre as well.
        let impulse = trajectory.bodies[0].steps[0].force * scenario.step;
        assert_close(impulse, [2.0 * kick, 0.0, 2.0 * (1.0 + e) * fall], 1e-11);
    }
}

/// The end of bouncing: `v/g (1 + e)/(1 - e)` after the first impact at `v`, whatever the spin.
#[test]
fn a_bouncing_ball_comes_to_rest_and_rolls_on() {
    let (radius, e, height) = (0.1, 0.5, 0.2);
    let mut scenario = over_ground(ball(radius, [0.0, 0.0, radius + height], [1.0, 0.0, 0.0]), 0.9, 3.0);
    scenario.ground.restitution = e;
    let (trajectory, events) = run(&scenario);
    let fall = (2.0 * height / G).sqrt();
    let ends = events.iter().find(|event| event.kind == EventKind::BouncingEnds).unwrap().time;
    assert!((ends - fall * (1.0 + 2.0 * e / (1.0 - e))).abs() < 1e-11, "{ends}");
    assert_close(trajectory.final_state(0).velocity, [5.0 / 7.0, 0.0, 0.0], 1e-12);
}

/// Down a slope it rolls at `5/7 g sin a`, where friction holds it, and slips where `tan a > 7/2 mu`.
#[test]
fn a_sphere_rolls_down_a_slope() {
    let slope = 20.0_f64;
    let (sin, cos) = slope.to_radians().sin_cos();
    for mu in [0.3, 0.05] {
        let mut scenario = over_ground(ball(0.2, [0.0, 0.0, 0.2], [0.0; 3]), mu, 1.0);
        scenario.ground.slope = slope;
        let (trajectory, _) = run(&scenario);
        let gain = if sin / cos > 3.5 * mu { G * (sin - mu * cos) } else { 5.0 / 7.0 * G * sin };
        assert_close(trajectory.final_state(0).velocity, [gain, 0.0, 0.0], 1e-12);
        assert_close(trajectory.final_state(0).position, [0.5 * gain, 0.0, 0.2], 1e-12);
    }
}

/// The orientation of a sphere whose axis moves: at half and quarter steps it is the same, and at rest in the body's own
/// axes where nothing touches.
#[test]
fn the_orientation_does_not_depend_on_the_step() {
    let mut body = ball(0.1, [0.0, 0.0, 0.4], [1.0, -0.5, 0.0]);
    body.spin = Spin::new(3.0, 12.0, 20.0);
    let end = |step: f64| {
        let mut scenario = over_ground(body.clone(), 0.25, 1.0);
        scenario.ground.restitution = 0.4;
        scenario.step = step;
        let trajectory = run(&scenario).0;
        (quaternion(trajectory.bodies[0].attitudes.last().unwrap()), trajectory.final_state(0).position)
    };
    let (expected, place) = end(1e-3);
    for step in [0.01, 0.25] {
        let (turn, there) = end(step);
        assert!(turn.angle_to(&expected) < 1e-7, "{step}: {:e}", turn.angle_to(&expected));
        assert_close(there, place, 1e-12);
    }
    let mut free = over_ground(Body { position: [0.0, 0.0, 50.0].into(), ..body.clone() }, 0.25, 1.0);
    free.step = 0.1;
    let (trajectory, _) = run(&free);
    let turn = quaternion(trajectory.bodies[0].attitudes.last().unwrap());
    assert!(turn.angle_to(&UnitQuaternion::from_scaled_axis(body.spin)) < 1e-10);
}

#[test]
fn a_sphere_that_is_not_uniform_is_refused() {
    let mut body = ball(0.1, [0.0, 0.0, 0.1], [0.0; 3]);
    body.inertia = Some(stickslip::scenario::Inertia::principal([1e-3, 1e-3, 2e-3]));
    let refusal = Exact::new(&over_ground(body.clone(), 0.1, 1.0)).unwrap_err().to_string();
    assert!(refusal.contains("more easily"), "{refusal}");
    body.inertia = Some(stickslip::scenario::Inertia::principal([2e-3; 3]));
    assert!(Exact::new(&over_ground(body, 0.1, 1.0)).is_ok());
    let cube = Body { shape: Shape::Box { size: [0.1; 3].into() }, ..ball(1.0, [0.0, 0.0, 1.0], [0.0; 3]) };
    let refusal = Exact::new(&over_ground(cube, 0.1, 1.0)).unwrap_err().to_string();
    assert!(refusal.contains("turns in space"), "{refusal}");
}
