//! Friction that differs at rest and in motion, falls with the slip or grows with it, against closed forms, quadratures and
//! integrations of other kinds.

use num_dual::{Derivative, DualSVec64};
use stickslip::{
    contact::{Friction, Hold},
    model::{Number, PointMass, State, Vector},
    scenario::{AnyScenario, Push, Scenario, Wall, parse_scenario},
    stepper::{BuildStepper, ContactMode, Event, EventKind, Forcing, PointMotion},
    trajectory::Trajectory,
};

use crate::support::{assert_close, end_of, run, sine, window};

const G: f64 = 9.81;
const DRY: &str = "friction = 0.4\nkinetic_friction = 0.25";

/// A point of 1 kg on the ground with these keys.
fn point(velocity: f64, duration: f64, ground: &str) -> Scenario<2> {
    plane(&format!(
        "name = \"law\"\nduration = {duration}\nstep = 1e-2\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [{velocity}, 0.0]\n[ground]\n{ground}\n"
    ))
}

fn plane(text: &str) -> Scenario<2> {
    match parse_scenario("law.toml", text, &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

fn space(text: &str) -> Scenario<3> {
    match parse_scenario("law.toml", text, &[]) {
        Ok(AnyScenario::OverPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

/// The same over a plane.
fn point_over_plane(velocity: [f64; 2], duration: f64, ground: &str) -> Scenario<3> {
    let [x, y] = velocity;
    space(&format!(
        "name = \"law\"\nduration = {duration}\nstep = 1e-2\n[particle]\nmass = 1.0\nposition = [0.0, 0.0, 0.0]\n\
         velocity = [{x}, {y}, 0.0]\n[ground]\n{ground}\n"
    ))
}

fn end<const D: usize>(scenario: &Scenario<D>) -> State<D>
where
    Scenario<D>: BuildStepper<D>,
{
    run(scenario).0.final_state(0)
}

fn time_of<const D: usize>(events: &[Event<D>], kind: EventKind) -> f64 {
    events.iter().find(|event| event.kind == kind).unwrap_or_else(|| panic!("{kind} in {events:?}")).time
}

#[track_caller]
fn assert_near(actual: f64, expected: f64, what: &str) {
    assert!((actual - expected).abs() < 1e-9, "{what}: {actual}, expected {expected}");
}

/// The integral of a function from 0 to `end`, by Simpson's rule.
fn integral(end: f64, function: impl Fn(f64) -> f64) -> f64 {
    const HALVES: usize = 20_000;
    let h = end / (2 * HALVES) as f64;
    let sum: f64 = (0..HALVES)
        .map(|k| {
            let x = (2 * k) as f64 * h;
            function(x) + 4.0 * function(x + h) + function(x + 2.0 * h)
        })
        .sum();
    sum * h / 3.0
}

#[test]
fn what_rests_slips_at_the_static_angle_and_slides_by_the_kinetic_coefficient() {
    let critical = 0.4_f64.atan().to_degrees();
    let held = end(&point(0.0, 0.5, &format!("{DRY}\nslope = {}", critical - 1e-9)));
    assert_eq!(held.velocity, Vector::<2>::zeros());
    let slope = critical + 1e-9;
    let slides = end(&point(0.0, 0.5, &format!("{DRY}\nslope = {slope}")));
    let (sin, cos) = slope.to_radians().sin_cos();
    let a = G * (sin - 0.25 * cos);
    assert!((a - 1.366_253).abs() < 1e-6);
    assert_close(slides.velocity, [0.5 * a, 0.0], 1e-9);
    assert_close(slides.position, [0.125 * a, 0.0], 1e-9);
}

/// At 20 degrees mu_k < tan < mu_s: it rests, and what is pushed off slides away.
#[test]
fn between_the_coefficients_both_rest_and_slide_go_on() {
    let ground = format!("{DRY}\nslope = 20.0");
    assert_eq!(end(&point(0.0, 0.5, &ground)).velocity, Vector::<2>::zeros());
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    let a = G * (sin - 0.25 * cos);
    assert!((a - 1.050_621).abs() < 1e-6);
    let pushed = end(&point(0.1, 0.5, &ground));
    assert_close(pushed.velocity, [0.1 + 0.5 * a, 0.0], 1e-9);
    assert_close(pushed.position, [0.05 + 0.125 * a, 0.0], 1e-9);
}

#[test]
fn what_stops_on_the_way_up_stays() {
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    let braked = G * (sin + 0.25 * cos);
    for speed in [1.0, 0.013, 2.7] {
        let (trajectory, events) = run(&point(-speed, 1.0, &format!("{DRY}\nslope = 20.0")));
        assert_near(time_of(&events, EventKind::SlidingStops), speed / braked, "stop");
        assert_close(trajectory.final_state(0).position, [-0.5 * speed * speed / braked, 0.0], 1e-9);
        assert_eq!(trajectory.final_state(0).velocity, Vector::<2>::zeros());
    }
    assert!((1.0 / braked - 0.176_684).abs() < 1e-6 && (0.5 / braked - 0.088_342).abs() < 1e-6);
}

/// A slip of 1.05 m/s goes on at .3 m/s after an impact of 3 m/s; with `c` the coefficient is that of the slip before.
#[test]
fn an_impact_slides_by_the_friction_of_motion() {
    for (law, mu) in [(DRY.to_owned(), 0.25), (format!("{DRY}\nviscous_friction = 0.05"), 0.25 + 0.05 * 1.05)]
    {
        let mut scenario = point(1.05, 0.01, &law);
        scenario.bodies[0].velocity[1] = -3.0;
        let (_, events) = run(&scenario);
        assert_close(events[0].impulse, [-3.0 * mu, 3.0], 1e-12);
    }
}

#[test]
fn a_push_above_the_friction_of_rest_moves_and_one_below_does_not() {
    let mut scenario = point(0.0, 1.2, DRY);
    scenario.pushes = vec![window([4.5, 0.0], 0.0, 0.5)];
    let (trajectory, events) = run(&scenario);
    let gained = 0.5 * (4.5 - 0.25 * G);
    assert_near(time_of(&events, EventKind::SlidingStops), 0.5 + gained / (0.25 * G), "stop");
    let place = 0.25 * gained + 0.5 * gained * gained / (0.25 * G);
    assert!((place - 0.469_610).abs() < 1e-6);
    assert_close(trajectory.final_state(0).position, [place, 0.0], 1e-9);
    scenario.pushes = vec![window([3.9, 0.0], 0.0, 0.5)];
    assert_eq!(end(&scenario).position, Vector::<2>::zeros());
}

/// The slow rise of a sine breaks away where it comes to mu_s N, and friction falls at once.
#[test]
fn a_push_that_swings_breaks_away_at_the_static_coefficient() {
    let (amplitude, frequency) = (8.0, 0.05);
    let omega = std::f64::consts::TAU * frequency;
    let broken = (0.4 * G / amplitude).asin() / omega;
    let speed =
        |t: f64| amplitude / omega * ((omega * broken).cos() - (omega * t).cos()) - 0.25 * G * (t - broken);
    let mut scenario = point(0.0, 2.6, DRY);
    scenario.pushes = vec![sine([amplitude, 0.0], frequency, 0.0)];
    let (trajectory, events) = run(&scenario);
    assert_near(time_of(&events, EventKind::SlidingStarts), broken, "break-away");
    assert_close(trajectory.final_state(0).velocity, [speed(2.6), 0.0], 1e-9);
    assert_close(
        trajectory.final_state(0).position,
        [integral(2.6 - broken, |s| speed(broken + s)), 0.0],
        1e-9,
    );
    // In space, along neither axis.
    let mut oblique = point_over_plane([0.0, 0.0], 2.6, DRY);
    oblique.pushes = vec![sine([0.6 * amplitude, -0.8 * amplitude, 0.0], frequency, 0.0)];
    let velocity = end(&oblique).velocity;
    assert_close(velocity, [0.6 * speed(2.6), -0.8 * speed(2.6), 0.0], 1e-9);
}

/// What a swinging push turns round: it stops at the end of each slide and sticks until mu_s is overcome the other way.
#[test]
fn a_push_to_and_fro_sticks_between_its_slides() {
    let mut scenario = point(0.0, 3.0, DRY);
    scenario.pushes = vec![sine([5.0, 0.0], 1.0, 0.0)];
    let (_, events) = run(&scenario);
    let omega = std::f64::consts::TAU;
    let broken = (0.4 * G / 5.0).asin() / omega;
    let starts: Vec<f64> = events
        .iter()
        .filter(|event| event.kind == EventKind::SlidingStarts)
        .map(|event| event.time)
        .collect();
    assert_eq!(starts.len(), 6, "{events:?}");
    for (index, start) in starts.iter().enumerate() {
        assert_near(*start, broken + 0.5 * index as f64, "break-away");
    }
    let stops = events.iter().filter(|event| event.kind == EventKind::SlidingStops).count();
    assert!((5..=6).contains(&stops), "{events:?}");
}

/// `v' = -g mu(v)`: from 1 m/s .392286 s and .202915 m with v_s = .1 m/s and no viscous part.
#[test]
fn friction_that_falls_with_the_slip_stops_a_slide_when_its_integral_says() {
    for (v_s, exponent, viscous, speed) in [
        (0.1, 2.0, 0.0, 1.0),
        (0.1, 1.0, 0.0, 1.0),
        (0.1, 2.0, 0.1, 1.0),
        (0.03, 2.0, 0.4, 2.3),
        (0.2, 1.5, 0.0, 0.7),
    ] {
        let law = format!(
            "{DRY}\nstribeck_velocity = {v_s}\nstribeck_exponent = {exponent:?}\nviscous_friction = {viscous:?}"
        );
        let friction =
            Friction::static_and_kinetic(0.4, 0.25).with_speed(v_s, viscous).with_stribeck_exponent(exponent);
        let slowing = |v: f64| G * friction.coefficient(Hold::Kinetic(v));
        let (time, way) = (integral(speed, |v| 1.0 / slowing(v)), integral(speed, |v| v / slowing(v)));
        if viscous == 0.0 && exponent == 2.0 {
            assert!((time - 0.392_286).abs() < 1e-6 && (way - 0.202_915).abs() < 1e-6);
        }
        let (trajectory, events) = run(&point(speed, 1.5, &law));
        assert_near(time_of(&events, EventKind::SlidingStops), time, &law);
        assert_close(trajectory.final_state(0).position, [way, 0.0], 1e-9);
        let oblique = end(&point_over_plane([0.28 * speed, 0.96 * speed], 1.5, &law));
        assert_close(oblique.position, [0.28 * way, 0.96 * way, 0.0], 1e-9);
    }
}

/// t = ln(1 + c v/mu)/(c g) = .365292 s, x = .261630 m from 2 m/s.
#[test]
fn viscous_friction_stops_by_a_logarithm() {
    for (mu, c, speed) in [(0.2_f64, 0.5_f64, 2.0_f64), (0.31, 0.02, 1.3), (0.1, 3.0, 4.0), (0.2, 1e-7, 1.0)]
    {
        let law = format!("friction = {mu}\nviscous_friction = {c:?}");
        let time = (c * speed / mu).ln_1p() / (c * G);
        let way = integral(time, |s| (speed + mu / c) * (-c * G * s).exp_m1() + speed);
        if speed == 2.0 {
            assert!((time - 0.365_292).abs() < 1e-6 && (way - 0.261_630).abs() < 1e-6);
        }
        let (trajectory, events) = run(&point(speed, 1.2, &law));
        assert_near(time_of(&events, EventKind::SlidingStops), time, &law);
        assert_close(trajectory.final_state(0).position, [way, 0.0], 1e-9);
    }
}

/// Without dry friction the drag is linear, in every direction and under any push, and nothing ever stops.
#[test]
fn viscous_friction_alone_is_a_linear_drag() {
    let damping = 0.5 * G;
    let duration = 1.7;
    let left = (-damping * duration).exp();
    let mut scenario = point_over_plane([1.0, -0.5], duration, "friction = 0.0\nviscous_friction = 0.5");
    scenario.pushes = vec![Push::constant([0.7, 2.0, 0.0])];
    let part = |v: f64, push: f64| push / damping + (v - push / damping) * left;
    assert_close(end(&scenario).velocity, [part(1.0, 0.7), part(-0.5, 2.0), 0.0], 1e-9);
    scenario.pushes.clear();
    assert_close(end(&scenario).velocity, [left, -0.5 * left, 0.0], 1e-9);
    // From rest, by a push that swings: v' = 3 sin(w t) - damping v.
    let omega = std::f64::consts::TAU * 0.7;
    let mut swung = point(0.0, duration, "friction = 0.0\nviscous_friction = 0.5");
    swung.pushes = vec![sine([3.0, 0.0], 0.7, 0.0)];
    let (sin, cos) = (omega * duration).sin_cos();
    let speed = 3.0 * (damping * sin - omega * cos + omega * left) / (damping * damping + omega * omega);
    assert_close(end(&swung).velocity, [speed, 0.0], 1e-9);
}

/// `v' = F - g mu(|v|) v/|v|` by small steps of the classical method of Runge and Kutta.
fn turned(law: &Friction, push: [f64; 2], start: [f64; 2], duration: f64) -> [[f64; 2]; 2] {
    const STEPS: usize = 100_000;
    let h = duration / STEPS as f64;
    let rate = |[x, y]: [f64; 2]| {
        let speed = x.hypot(y);
        let slowing = G * law.coefficient(Hold::Kinetic(speed)) / speed;
        [push[0] - slowing * x, push[1] - slowing * y]
    };
    let to = |a: [f64; 2], b: [f64; 2], h: f64| [a[0] + h * b[0], a[1] + h * b[1]];
    let (mut place, mut v) = ([0.0; 2], start);
    for _ in 0..STEPS {
        let k1 = rate(v);
        let v2 = to(v, k1, 0.5 * h);
        let k2 = rate(v2);
        let v3 = to(v, k2, 0.5 * h);
        let k3 = rate(v3);
        let v4 = to(v, k3, h);
        let k4 = rate(v4);
        for i in 0..2 {
            place[i] += h / 6.0 * (v[i] + 2.0 * (v2[i] + v3[i]) + v4[i]);
        }
        for i in 0..2 {
            v[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    [place, v]
}

#[test]
fn a_push_from_the_side_turns_what_slides_by_the_friction_of_its_speed() {
    for (keys, law) in [
        (DRY.to_owned(), Friction::static_and_kinetic(0.4, 0.25)),
        (
            format!("{DRY}\nviscous_friction = 0.2"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.0, 0.2),
        ),
        (
            format!("{DRY}\nstribeck_velocity = 0.3\nviscous_friction = 0.05"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.3, 0.05),
        ),
    ] {
        let mut scenario = point_over_plane([1.0, 0.2], 0.8, &keys);
        scenario.pushes = vec![Push::constant([-1.5, 2.5, 0.0])];
        let [place, velocity] = turned(&law, [-1.5, 2.5], [1.0, 0.2], 0.8);
        let end = end(&scenario);
        assert_close(end.velocity, [velocity[0], velocity[1], 0.0], 1e-9);
        assert_close(end.position, [place[0], place[1], 0.0], 1e-9);
    }
}

fn belt(speed: f64, law: &str, duration: f64) -> Scenario<2> {
    plane(&format!(
        "name = \"belt\"\nduration = {duration}\nstep = 1e-2\n[[body]]\nshape = \"point\"\nmass = 2.0\n\
         position = [0.0, 0.2]\nvelocity = [0.0, 0.0]\n[ground]\nfriction = 0.1\n[[wall]]\nnormal = [0.0, 1.0]\n\
         offset = 0.2\nvelocity = {speed}\n{law}\n"
    ))
}

/// It is taken along by mu(u) of its slip on the belt until it has the belt's speed.
#[test]
fn a_belt_takes_a_point_along_by_the_friction_of_its_slip() {
    for (law, slowing) in [
        (DRY.to_owned(), Friction::static_and_kinetic(0.4, 0.25)),
        (
            format!("{DRY}\nviscous_friction = 0.3"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.0, 0.3),
        ),
        (
            format!("{DRY}\nstribeck_velocity = 0.1"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.1, 0.0),
        ),
    ] {
        let rate = |u: f64| G * slowing.coefficient(Hold::Kinetic(u));
        let (time, slipped) = (integral(0.6, |u| 1.0 / rate(u)), integral(0.6, |u| u / rate(u)));
        let (trajectory, events) = run(&belt(0.6, &law, 0.5));
        assert_near(time_of(&events, EventKind::SlidingStops), time, &law);
        assert_close(trajectory.final_state(0).velocity, [0.6, 0.0], 1e-12);
        assert_close(trajectory.final_state(0).position, [0.3 - slipped, 0.2], 1e-9);
        let modes: Vec<ContactMode> =
            [5, 49].map(|step| trajectory.contacts.of_step(step)[0].mode).into_iter().collect();
        assert_eq!(modes, [ContactMode::Slip, ContactMode::Stick]);
    }
}

/// Bounces one by one, for sums of them: each takes mu(u) (1 + e) of its speed off the slip.
#[test]
fn bounces_take_the_friction_of_their_slips() {
    for (law, friction) in [
        (DRY.to_owned(), Friction::static_and_kinetic(0.4, 0.25)),
        (
            format!("{DRY}\nviscous_friction = 0.1"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.0, 0.1),
        ),
        (
            format!("{DRY}\nstribeck_velocity = 0.5"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.5, 0.0),
        ),
    ] {
        let (e, mut fall, mut slip) = (0.5, 2.0, 3.0);
        let (mut time, mut place) = (0.0, 0.0);
        for _ in 0..200 {
            slip = f64::max(0.0, slip - friction.coefficient(Hold::Kinetic(slip)) * (1.0 + e) * fall);
            fall *= e;
            let flight = 2.0 * fall / G;
            (time, place) = (time + flight, place + slip * flight);
        }
        let mut scenario = point(3.0, 0.44, &format!("{law}\nrestitution = {e}"));
        scenario.bodies[0].velocity[1] = -2.0;
        let left = 0.44 - time;
        let law = |v: f64| G * friction.coefficient(Hold::Kinetic(v));
        let (mut place_after, mut v) = (place, slip);
        let steps = 20_000;
        let h = left / f64::from(steps);
        for _ in 0..steps {
            let k1 = -law(v);
            let k2 = -law(v + 0.5 * h * k1);
            let k3 = -law(v + 0.5 * h * k2);
            let k4 = -law(v + h * k3);
            place_after += h * (v + h / 6.0 * (k1 + k2 + k3));
            v += h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
        }
        let end = end(&scenario);
        assert_close(end.velocity, [v, 0.0], 1e-9);
        assert_close(end.position, [place_after, 0.0], 1e-9);
    }
}

/// In a groove of two planes at 45 degrees each carries N = m g cos(slope)/sqrt 2, and what slides has a = g (sin - sqrt 2 mu_k cos).
/// What rests is held by mu_s up to tan(slope) = sqrt 2 mu_s, and may wedge itself up to sqrt 2 mu_s/sqrt(1 - mu_s^2), which is 3 degrees
/// further at most.
#[test]
fn a_groove_holds_by_the_static_coefficient_and_slides_by_the_kinetic_one() {
    let half = 0.5_f64.sqrt();
    let groove = |slope: f64, speed: f64| {
        let mut scenario = point_over_plane([speed, 0.0], 0.3, &format!("{DRY}\nslope = {slope}"));
        scenario.bodies[0].position[2] = 1.0;
        scenario.walls = vec![Wall::new([0.0, half, half], half), Wall::new([0.0, -half, half], half)];
        end(&scenario)
    };
    let critical = (2.0_f64.sqrt() * 0.4).atan().to_degrees();
    assert_eq!(groove(critical - 1e-6, 0.0).velocity, Vector::<3>::zeros());
    for (slope, speed) in [(critical + 3.0, 0.0), (critical - 3.0, 0.2)] {
        let (sin, cos) = slope.to_radians().sin_cos();
        let a = G * (sin - 2.0_f64.sqrt() * 0.25 * cos);
        assert_close(groove(slope, speed).velocity, [speed + 0.3 * a, 0.0, 0.0], 1e-9);
    }
}

#[test]
fn an_edge_whose_friction_changes_with_the_speed_says_so() {
    let half = 0.5_f64.sqrt();
    let law = format!("{DRY}\nviscous_friction = 0.1\nslope = 10.0");
    let mut scenario = point_over_plane([0.3, 0.0], 0.3, &law);
    scenario.bodies[0].position[2] = 1.0;
    scenario.walls = vec![Wall::new([0.0, half, half], half), Wall::new([0.0, -half, half], half)];
    let why = end_of(&scenario);
    assert!(why.contains("friction changes with the speed"), "{why}");
    scenario.bodies[0].velocity[0] = 0.0;
    assert_eq!(end(&scenario).velocity, Vector::<3>::zeros());
}

fn crate_on(velocity: f64, duration: f64, ground: &str, more: &str) -> Scenario<2> {
    plane(&format!(
        "name = \"law\"\nduration = {duration}\nstep = 1e-2\n[[body]]\nshape = \"box\"\nsize = [0.4, 0.1]\nmass = 1.0\n\
         position = [0.0, 0.05]\nvelocity = [{velocity}, 0.0]\n[ground]\n{ground}\n{more}"
    ))
}

fn place<const D: usize>(trajectory: &Trajectory<D>) -> [f64; 2] {
    let end = trajectory.final_state(0);
    [end.position[0], end.velocity[0]]
}

/// A box slides as a point does, whatever its corners carry.
#[test]
fn a_box_slides_as_a_point_does() {
    let push = "[[push]]\nforce = [4.5, 0.0]\nto = 0.5\n";
    for (velocity, duration, ground, more) in [
        (1.0, 0.3, format!("{DRY}\nstribeck_velocity = 0.1"), ""),
        (1.0, 0.6, format!("{DRY}\nstribeck_velocity = 0.1"), ""),
        (
            1.0,
            0.3,
            format!("{DRY}\nstribeck_velocity = 0.1\nstribeck_exponent = 1.0\nviscous_friction = 0.1"),
            "",
        ),
        (2.0, 0.2, "friction = 0.2\nviscous_friction = 0.5".to_owned(), ""),
        (2.0, 0.6, "friction = 0.2\nviscous_friction = 0.5".to_owned(), ""),
        (-1.0, 0.5, format!("{DRY}\nslope = 20.0"), ""),
        (0.1, 0.5, format!("{DRY}\nslope = 20.0"), ""),
        (0.0, 0.5, format!("{DRY}\nslope = 21.9"), ""),
        (0.0, 0.7, DRY.to_owned(), push),
        (0.0, 1.2, DRY.to_owned(), push),
        (0.0, 0.7, format!("{DRY}\nviscous_friction = 0.2"), push),
    ] {
        let (of_box, _) = run(&crate_on(velocity, duration, &ground, more));
        let mut alone = point(velocity, duration, &ground);
        if !more.is_empty() {
            alone.pushes = vec![window([4.5, 0.0], 0.0, 0.5)];
        }
        let (of_point, _) = run(&alone);
        let ([x, v], [expected_x, expected_v]) = (place(&of_box), place(&of_point));
        assert_near(x, expected_x, &ground);
        assert_near(v, expected_v, &ground);
    }
}

/// A tall box of which friction that grows towards rest tips the slide: it goes over its leading corner.
#[test]
fn a_slide_tips_once_its_friction_does() {
    let tall = |stribeck: f64| {
        plane(&format!(
            "name = \"tips\"\nduration = 0.4\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [0.1, 0.4]\nmass = 1.0\n\
             position = [0.0, 0.2]\nvelocity = [1.0, 0.0]\n[ground]\nfriction = 0.6\nkinetic_friction = 0.1\n\
             stribeck_velocity = {stribeck}\n"
        ))
    };
    // It tips where mu(v) comes to half the width over half the height, .25.
    let (trajectory, _) = run(&tall(0.5));
    let tilted = |k: usize| match trajectory.bodies[0].attitudes[k].orientation {
        stickslip::model::Orientation::Angle(angle) => angle,
        stickslip::model::Orientation::Quaternion(_) => panic!("in space"),
    };
    let tips = (0..400).find(|&k| tilted(k).abs() > 1e-9).expect("it tips");
    let speed = trajectory.bodies[0].states[tips - 1].velocity[0];
    let critical = 0.5 * (0.5_f64 / 0.15).ln().sqrt();
    assert!((speed - critical).abs() < 1e-2, "{speed}, {critical}");
}

/// A rod on its foot at .2 rad, .5 and .2: event integration at 1e-12 has it slip at .582513 s, and at .7 s its foot at .022596 m and
/// its tilt 1.389167.
#[test]
fn a_rod_on_its_foot_slips_when_the_static_cone_is_left() {
    let (length, tilt) = (1.0_f64, 0.2_f64);
    let scenario = plane(&format!(
        "name = \"rod\"\nduration = 0.7\nstep = 1e-3\n[[body]]\nshape = \"rod\"\nsize = {length}\nmass = 1.0\n\
         position = [{}, {}]\nangle = {}\n[ground]\nfriction = 0.5\nkinetic_friction = 0.2\n",
        0.5 * length * tilt.sin(),
        0.5 * length * tilt.cos(),
        std::f64::consts::FRAC_PI_2 - tilt
    ));
    let (trajectory, _) = run(&scenario);
    let body = &trajectory.bodies[0];
    let angle = |k: usize| match body.attitudes[k].orientation {
        stickslip::model::Orientation::Angle(angle) => angle,
        stickslip::model::Orientation::Quaternion(_) => panic!("in space"),
    };
    let foot = |k: usize| body.states[k].position[0] - 0.5 * length * angle(k).cos();
    let slips = (0..700).find(|&k| (foot(k + 1) - foot(k)).abs() > 1e-9).expect("it slips");
    assert_eq!(slips, 582);
    assert!((foot(700) - 0.022_596).abs() < 1e-6, "{}", foot(700));
    let tilted = std::f64::consts::FRAC_PI_2 - angle(700);
    assert!((tilted - 1.389_167).abs() < 1e-6, "{tilted}");
}

/// The lowest point of a ball slips by u' = -3.5 g mu(u), and the ball rolls once that is over.
#[test]
fn a_ball_slides_by_the_friction_of_the_slip_of_its_lowest_point() {
    for (law, friction) in [
        (DRY.to_owned(), Friction::static_and_kinetic(0.4, 0.25)),
        (
            format!("{DRY}\nviscous_friction = 0.4"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.0, 0.4),
        ),
        (
            format!("{DRY}\nstribeck_velocity = 0.2"),
            Friction::static_and_kinetic(0.4, 0.25).with_speed(0.2, 0.0),
        ),
    ] {
        let ball = space(&format!(
            "name = \"ball\"\nduration = 0.5\nstep = 1e-2\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
             position = [0.0, 0.0, 0.1]\nvelocity = [0.6, 0.8, 0.0]\n[ground]\n{law}\n"
        ));
        let time = integral(1.0, |u| 1.0 / (3.5 * G * friction.coefficient(Hold::Kinetic(u))));
        let (trajectory, events) = run(&ball);
        assert_near(time_of(&events, EventKind::SlidingStops), time, &law);
        let speed = 5.0 / 7.0;
        assert_close(trajectory.final_state(0).velocity, [0.6 * speed, 0.8 * speed, 0.0], 1e-9);
    }
}

/// A disc and a ball on ground that resists rolling slide by the kinetic coefficient, and roll on.
#[test]
fn what_rolls_against_resistance_has_two_coefficients_and_no_more() {
    let disc = |law: &str| {
        plane(&format!(
            "name = \"disc\"\nduration = 0.05\nstep = 1e-2\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\n\
             position = [0.0, 0.1]\nvelocity = [1.0, 0.0]\n[ground]\n{law}\nrolling_friction = 0.002\n"
        ))
    };
    let [x, v] = place(&run(&disc(DRY)).0);
    assert_near(v, 1.0 - 0.25 * G * 0.05, "speed");
    assert_near(x, 0.05 - 0.5 * 0.25 * G * 0.0025, "place");
    let refusal = disc(&format!("{DRY}\nviscous_friction = 0.1"))
        .stepper(stickslip::stepper::StepperName::EXACT)
        .err()
        .expect("refused")
        .to_string();
    assert!(refusal.contains("changes with the speed"), "{refusal}");
    // What resists drilling falls with the friction of motion.
    let spin = |law: &str| {
        space(&format!(
            "name = \"ball\"\nduration = 1.0\nstep = 1e-2\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
             position = [0.0, 0.0, 0.1]\nvelocity = [0.0, 0.0, 0.0]\nspin = [0.0, 0.0, 20.0]\n[ground]\n{law}\n\
             torsional_friction = 0.004\n"
        ))
    };
    let (trajectory, _) = run(&spin(DRY));
    let left = trajectory.bodies[0].attitudes[100].spin[2];
    assert_near(left, 20.0 - 0.004 * 0.625 * G / (0.4 * 0.01), "spin");
}

type Dual = DualSVec64<5>;

fn dual(value: f64, input: usize) -> Dual {
    let direction = nalgebra::SVector::from_fn(|row, _| if row == input { 1.0 } else { 0.0 });
    Dual::new(value, Derivative::some(direction))
}

/// Place and velocity after `duration` as functions of mu_s, mu_k, v_s, c and a constant push along x.
fn motion<N: Number>(
    [at_rest, in_motion, fast, viscous, push]: [N; 5],
    across: f64,
    duration: f64,
) -> [N; 4] {
    let zero = N::constant(0.0);
    let body = PointMass::<3, N> {
        mass: N::constant(1.0),
        friction: at_rest,
        restitution: zero,
        gravity: Vector::from([zero, zero, N::constant(-G)]),
    };
    let force = Vector::from([push, N::constant(across), zero]);
    let forcing = Forcing { force, from: None, to: None, frequency: None, phase: zero };
    let law = Friction::static_and_kinetic(at_rest, in_motion).with_speed(fast, viscous);
    let mut exact = PointMotion::of(body, &[forcing]).with_friction(law);
    let start =
        State { position: Vector::from([zero; 3]), velocity: Vector::from([N::constant(1.0), zero, zero]) };
    let (state, _) = exact.advance(start, zero, N::constant(duration)).expect("the motion is followed");
    [state.position[0], state.position[1], state.velocity[0], state.velocity[1]]
}

#[test]
fn slides_carry_derivatives_by_all_numbers_of_the_law() {
    for (inputs, across, duration) in [
        ([0.4, 0.25, 0.2, 0.1, -0.5], 0.0, 0.2),
        ([0.4, 0.25, 0.2, 0.1, -0.5], 0.0, 0.6),
        ([0.4, 0.25, 0.2, 0.1, -0.5], 1.0, 0.2),
        ([0.4, 0.25, 0.0, 0.1, -0.5], 0.0, 0.2),
        ([0.4, 0.25, 0.0, 0.1, -0.5], 0.0, 0.6),
    ] {
        let duals = motion([0, 1, 2, 3, 4].map(|input| dual(inputs[input], input)), across, duration);
        for input in (0..5).filter(|input| inputs[*input] != 0.0) {
            let h = 1e-5;
            let at = |sign: f64| {
                let mut shifted = inputs;
                shifted[input] += sign * h;
                motion(shifted, across, duration)
            };
            let (above, below) = (at(1.0), at(-1.0));
            for output in 0..4 {
                let slope =
                    duals[output].eps.unwrap_generic(nalgebra::Const::<5>, nalgebra::Const::<1>)[input];
                let difference = (above[output] - below[output]) / (2.0 * h);
                assert!(
                    (slope - difference).abs() < 1e-6 * slope.abs().max(1.0),
                    "{inputs:?}, d[{output}]/d[{input}]: {slope}, differences {difference}"
                );
            }
        }
    }
}
