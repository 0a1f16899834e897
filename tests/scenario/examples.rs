//! The scenarios that come with the program show what their headers say.
//!
//! They are followed here with the closed-form step, the oracle of all rigid steppers.

use std::path::{Path, PathBuf};

use stickslip::{
    model::{State, closed_form_step},
    scenario::{AnyScenario, Scenario, read_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios")
}

fn example(name: &str) -> Scenario<2> {
    match read_scenario(folder().join(format!("{name}.toml")), &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        Ok(_) => panic!("{name} is not a point in a vertical plane"),
        Err(error) => panic!("{error}"),
    }
}

fn example_over_plane(name: &str) -> Scenario<3> {
    match read_scenario(folder().join(format!("{name}.toml")), &[]) {
        Ok(AnyScenario::OverPlane(scenario)) => scenario,
        Ok(_) => panic!("{name} is not a point over a plane"),
        Err(error) => panic!("{error}"),
    }
}

/// The states `t_0, t_1, ...` and the contact force of every step.
fn follow<const D: usize>(scenario: &Scenario<D>) -> (Vec<State<D>>, Vec<[f64; D]>) {
    let (body, time) = (scenario.point(0), scenario.time());
    let mut states = vec![scenario.initial_state(0)];
    let mut forces = Vec::new();
    for k in 0..time.steps {
        let step = closed_form_step(&body, &states[k], &scenario.push(0, k), time.dt);
        forces.push((step.impulse / time.dt).into());
        states.push(step.state);
    }
    (states, forces)
}

fn end<const D: usize>(states: &[State<D>]) -> &State<D> {
    states.last().expect("there is an initial state")
}

/// The last time in s at which the point moves along the ground.
fn stop_time(scenario: &Scenario<2>, states: &[State<2>]) -> f64 {
    let last = states.iter().rposition(|state| state.velocity[0].abs() > 1e-12);
    last.map_or(0.0, |k| (k + 1) as f64 * scenario.step)
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} within {tolerance}");
}

#[test]
fn every_example_is_valid_and_named_after_its_file() {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let scenario = read_scenario(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Some(scenario.name()), path.file_stem().and_then(|stem| stem.to_str()));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# "), "{} does not say what is seen", path.display());
        names.push(scenario.name().to_owned());
    }
    let points = [
        "slide",
        "drop",
        "push-and-hold",
        "reverse",
        "stick-slip",
        "lift-off",
        "bounce",
        "ice",
        "curve",
        "turn",
    ];
    for name in points.into_iter().chain(["chain", "tumbling-frame", "pile"]) {
        assert!(names.iter().any(|found| found == name), "no example {name}");
    }
}

#[test]
fn slide_comes_to_rest() {
    let scenario = example("slide");
    let (states, _) = follow(&scenario);
    assert_close(end(&states).position[0], 0.609684, 5.1e-4);
    assert_close(stop_time(&scenario, &states), 1.019368, 3e-3);
}

#[test]
fn drop_lands_once_and_is_carried() {
    let scenario = example("drop");
    let (states, forces) = follow(&scenario);
    let impact = forces.iter().position(|force| force[1] > 0.0).unwrap();
    assert_close(impact as f64 * scenario.step, 0.4515, 2e-3);
    // The step that reaches the ground leaves the velocity that closes the gap, the next one stops.
    let impulse = (forces[impact][1] + forces[impact + 1][1]) * scenario.step;
    assert_close(impulse, 44.3, 0.2);
    assert!(forces[impact + 2..].iter().all(|force| (force[1] - 98.1).abs() < 1e-6));
    assert_close(end(&states).position[1], 0.0, 1e-12);
}

#[test]
fn push_and_hold_sticks_slides_and_rests() {
    let scenario = example("push-and-hold");
    let (states, forces) = follow(&scenario);
    assert!(states[..=600].iter().all(|state| state.position[0] == 0.0), "it creeps");
    assert!(forces[..600].iter().all(|force| (force[0] + 4.905).abs() < 1e-9));
    assert!(states[601].velocity[0] > 0.0, "it is not let go at 0.6 s");
    assert_eq!(end(&states).velocity[0], 0.0);
    // 0.4 s at half of mu g, then the same speed lost at mu g.
    let speed = 0.5 * 0.981 * 0.4;
    let expected = 0.5 * speed * 0.4 + speed * speed / (2.0 * 0.981);
    assert_close(end(&states).position[0], expected, 2e-4);
    // As its header says.
    assert_close(expected, 0.059, 5e-4);
}

#[test]
fn reverse_turns_back() {
    let scenario = example("reverse");
    let (states, forces) = follow(&scenario);
    let turn = states.iter().position(|state| state.velocity[0] < 0.0).unwrap();
    assert_close(turn as f64 * scenario.step, 0.1223, 2.0 * scenario.step);
    let friction = |force: &[f64; 2]| force[0];
    assert_close(friction(&forces[0]), -9.81, 1e-9);
    assert_close(friction(&forces[turn]), 9.81, 1e-9);
    assert_close(end(&states).position[0], -0.01663, 3e-4);
    assert_close(end(&states).velocity[0], -0.18525, 1e-3);
}

#[test]
fn stick_slip_slips_twice_a_period_and_sticks_in_between() {
    let scenario = example("stick-slip");
    let (states, forces) = follow(&scenario);
    let sticks = |k: usize| states[k].velocity[0] == 0.0 && states[k + 1].velocity[0] == 0.0;
    let slip_starts: Vec<usize> =
        (1..forces.len()).filter(|&k| sticks(k - 1) && !sticks(k) && states[k].velocity[0] == 0.0).collect();
    assert_eq!(slip_starts.len(), 6, "slips begin at steps {slip_starts:?}");
    for pair in slip_starts.windows(2) {
        let directions = [pair[0], pair[1]].map(|k| states[k + 1].velocity[0].signum());
        assert_eq!(directions[0], -directions[1], "not to and fro");
    }
    for k in (0..forces.len()).filter(|&k| sticks(k)) {
        assert_close(forces[k][0], -scenario.push(0, k)[0], 1e-9);
    }
}

#[test]
fn lift_off_leaves_the_ground_without_friction() {
    let scenario = example("lift-off");
    let (states, forces) = follow(&scenario);
    assert!(forces.iter().all(|force| *force == [0.0, 0.0]));
    assert_close(end(&states).position[1], 0.61312, 2e-3);
    assert_close(end(&states).velocity[1], 2.4525, 1e-9);
    assert_close(end(&states).velocity[0], 0.3, 1e-12);
}

#[test]
fn bounce_ends_in_sliding_and_rest() {
    let scenario = example("bounce");
    let (states, forces) = follow(&scenario);
    let impacts = forces.iter().filter(|force| force[1] > 2.0 * 98.1).count();
    assert!(impacts >= 5, "{impacts} impacts");
    let last_flight = states.iter().rposition(|state| state.position[1] > 1e-6).unwrap();
    assert_close(last_flight as f64 * scenario.step, 1.806, 0.05);
    assert_close(stop_time(&scenario, &states), 2.04, 0.03);
    assert_eq!(end(&states).velocity[0], 0.0);
}

#[test]
fn ice_takes_nothing_of_the_forward_velocity() {
    let scenario = example("ice");
    let (states, _) = follow(&scenario);
    assert!(states.iter().all(|state| state.velocity[0] == 1.0));
    assert_close(end(&states).position[0], 1.5, 1e-9);
    assert_close(end(&states).position[1], 0.0, 1e-12);
}

#[test]
fn curve_turns_with_the_push_and_rests_by_the_closed_form() {
    let scenario = example_over_plane("curve");
    let (states, forces) = follow(&scenario);
    // The impact and the way to the push at 0.3 s take mu v each off the speed, then the push across
    // the velocity brings the point to rest after v mu g/((mu g)^2 - a^2).
    let (deceleration, push) = (0.981, 0.6);
    let speed = 1.2 - deceleration * 0.3;
    let stop = 0.3 + speed * deceleration / (deceleration * deceleration - push * push);
    assert_close(stop, 1.775, 5e-4);
    let last = states.iter().rposition(|state| state.velocity[0].hypot(state.velocity[1]) > 1e-12).unwrap();
    assert_close((last + 1) as f64 * scenario.step, stop, 3e-3);
    assert_close(end(&states).position[0], 0.204, 1e-3);
    assert_close(end(&states).position[1], 0.797, 1e-3);
    let sliding = states
        .windows(2)
        .zip(&forces)
        .filter(|(pair, force)| pair[1].velocity[0].hypot(pair[1].velocity[1]) > 1e-6 && force[2] > 0.0);
    for (pair, force) in sliding {
        let across = force[0] * pair[1].velocity[1] - force[1] * pair[1].velocity[0];
        assert!(across.abs() < 1e-6 * force[2], "friction is not along the velocity");
    }
}

#[test]
fn turn_is_pushed_round_by_a_force_of_40_newtons() {
    let Ok(AnyScenario::OverPlane(scenario)) = read_scenario(folder().join("turn.toml"), &[]) else {
        panic!("turn is a point over a plane")
    };
    let (body, time) = (scenario.point(0), scenario.time());
    let mut state = scenario.initial_state(0);
    let mut turned = 0.0;
    for k in 0..time.steps {
        let push = scenario.push(0, k);
        assert_close(push.norm(), 40.0, 1e-9);
        assert_close(push[1].atan2(push[0]), time.at(k), 1e-6);
        let step = closed_form_step(&body, &state, &push, time.dt);
        let slip = step.state.velocity;
        let friction = step.impulse / time.dt;
        // Friction of 0.3 m g against the motion.
        assert_close(friction.xy().norm(), 0.3 * 98.1, 1e-9);
        assert_close(friction.xy().dot(&slip.xy()), -0.3 * 98.1 * slip.xy().norm(), 1e-9);
        turned += state.velocity.xy().perp(&slip.xy()).atan2(state.velocity.xy().dot(&slip.xy()));
        state = step.state;
    }
    assert!((1.5..2.5).contains(&turned), "the velocity turns by {turned} rad");
    // What its header says, up to the error of the step.
    assert_close(state.position[0], 1.86, 0.01);
    assert_close(state.position[1], 5.11, 0.01);
    for (directions, expected) in [(4, 2.6), (8, 0.55)] {
        let mut pyramid = scenario.clone();
        pyramid.steppers.lcp.directions = Some(directions);
        let mut stepper = pyramid.stepper(StepperName::LCP_POLYHEDRAL).unwrap();
        let end = simulate(&pyramid, stepper.as_mut()).final_state(0).position;
        assert_close((end - state.position).norm(), expected, 0.05);
    }
}

#[test]
fn pile_wedges_two_beads_apart_and_stays() {
    let scenario = example("pile");
    let mut stepper = scenario.stepper(StepperName::CONVEX).unwrap();
    let trajectory = simulate(&scenario, stepper.as_mut());
    let apart = |k: usize| {
        let [left, right] = [0, 1].map(|bead| trajectory.track(bead).states[k].position);
        right[0] - left[0]
    };
    assert_close(apart(0), 0.21, 1e-12);
    assert_close(apart(2000), 0.223, 5e-4);
    let [wedge, top] = [2, 3].map(|bead| trajectory.final_state(bead));
    assert_close((top.position - wedge.position).norm(), 0.2, 1e-4);
    assert!(top.velocity.norm() < 1e-4, "{top:?}");
}
