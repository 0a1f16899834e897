//! Scenarios with known ends: position and velocity after the given time.

use stickslip::{
    scenario::{Push, Scenario},
    stepper::StepperName,
};

use crate::{GRAVITY, assert_close, point, run, with_hunt_crossley};

const WEIGHT: f64 = 10.0 * GRAVITY;
const FRICTION: f64 = 0.1 * WEIGHT;

struct Case {
    what: &'static str,
    scenario: Scenario<2>,
    position: [f64; 2],
    velocity: [f64; 2],
    fastest: f64,
}

fn case(
    what: &'static str,
    (z0, vx0): (f64, f64),
    push: [f64; 2],
    duration: f64,
    [position, velocity]: [[f64; 2]; 2],
    fastest: f64,
) -> Case {
    let mut scenario = point([0.0, z0], [vx0, 0.0], duration);
    scenario.pushes = vec![Push::constant(push)];
    Case { what, scenario, position, velocity, fastest }
}

fn cases() -> Vec<Case> {
    let rest = [0.0, 0.0];
    vec![
        case("nominal throw", (1.0, 1.0), [0.0, 0.0], 1.2, [[0.609684, 0.0], rest], 4.54),
        case("low throw right", (0.1, 1.0), [0.0, 0.0], 0.5, [[0.38738, 0.0], [0.50950, 0.0]], 1.72),
        case("low throw left", (0.1, -1.0), [0.0, 0.0], 0.5, [[-0.38738, 0.0], [-0.50950, 0.0]], 1.72),
        case("fast throw", (0.1, 10.0), [0.0, 0.0], 0.5, [[4.88737, 0.0], [9.50950, 0.0]], 10.1),
        case("half the friction limit", (0.0, 0.0), [0.5 * FRICTION, 0.0], 0.5, [rest, rest], 1e-3),
        case("almost the friction limit", (0.0, 0.0), [0.99 * FRICTION, 0.0], 0.5, [rest, rest], 1e-3),
        case(
            "beyond the friction limit",
            (0.0, 0.0),
            [1.5 * FRICTION, 0.0],
            0.5,
            [[0.06131, 0.0], [0.24525, 0.0]],
            0.25,
        ),
        case("reversal", (0.0, 0.3), [-1.5 * FRICTION, 0.0], 0.5, [[-0.01663, 0.0], [-0.18525, 0.0]], 0.3),
        case("lift-off", (0.0, 0.3), [0.0, 1.5 * WEIGHT], 0.5, [[0.15, 0.61312], [0.3, 2.4525]], 2.5),
    ]
}

#[test]
fn hybrid_ends_where_the_exact_motion_ends() {
    for Case { what, scenario, position, velocity, fastest } in cases() {
        for dt in [1e-3, 1e-4] {
            let scenario = Scenario { step: dt, ..scenario.clone() };
            let end = run(&scenario, StepperName::HYBRID).final_state(0);
            for i in 0..2 {
                assert_close(end.position[i], position[i], 3.0 * dt * fastest + 1e-5, what);
                assert_close(end.velocity[i], velocity[i], 3.0 * dt * GRAVITY + 1e-5, what);
            }
        }
    }
}

#[test]
fn smooth_ends_near_the_exact_motion() {
    for Case { what, scenario, position, .. } in cases() {
        for scenario in [scenario.clone(), with_hunt_crossley(scenario)] {
            for dt in [1e-3, 5e-4] {
                let scenario = Scenario { step: dt, ..scenario.clone() };
                let end = run(&scenario, StepperName::SMOOTH).final_state(0);
                let what = &format!("{what}, {:?}, dt = {dt}", scenario.steppers.smooth.law);
                assert_close(end.position[0], position[0], 0.02 * position[0].abs().max(1.0), what);
                // On the ground is deep in the soft layer of the tanh law: it throws a point that is let
                // go there upwards, at the speed 1/beta = 0.1 m/s above which it stops pushing.
                let thrown = 0.1 * if what.starts_with("lift-off, Tanh") { scenario.duration } else { 0.0 };
                assert_close(end.position[1], position[1], 0.02 + thrown, what);
            }
        }
    }
}
