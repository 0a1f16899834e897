//! Impacts rebound with the coefficient of restitution, and the bouncing ends.

use stickslip::{metrics::max_energy_gain, scenario::Ground};

use crate::{GRAVITY, RIGID, assert_close, max_speed, point, run};

#[test]
fn the_first_rebound_reaches_the_square_of_the_restitution() {
    for &name in RIGID {
        for restitution in [0.3, 0.6, 0.9] {
            let mut scenario = point([0.0, 1.0], [0.0, 0.0], 1.2);
            scenario.ground.restitution = restitution;
            let trajectory = run(&scenario, name);
            let impact =
                trajectory.bodies[0].steps.iter().position(|step| step.force[1] > 1e3).expect("an impact");
            let vi = (2.0 * GRAVITY).sqrt();
            let rebound = trajectory.bodies[0].states[impact + 1].velocity[1];
            assert_close(rebound, restitution * vi, 2.0 * GRAVITY * scenario.step, "rebound speed");
        }
    }
}

#[test]
fn bouncing_ends_at_rest_near_its_accumulation_point() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.5], [0.0, 0.0], 3.0);
        scenario.ground.restitution = 0.5;
        let trajectory = run(&scenario, name);
        let state = trajectory.final_state(0);
        assert_close(state.position[1], 0.0, 1e-8, "z");
        assert_close(state.velocity[1], 0.0, 1e-8, "vz");
        let vi = GRAVITY.sqrt();
        let accumulation = vi / GRAVITY + 2.0 * vi / GRAVITY;
        let rest = (0..trajectory.bodies[0].states.len())
            .rfind(|&k| trajectory.bodies[0].states[k].velocity[1].abs() > 1e-6)
            .map_or(0.0, |k| trajectory.time(k));
        assert_close(rest, accumulation, 0.05, "end of the bouncing");
    }
}

#[test]
fn impacts_that_lose_energy_never_gain_any() {
    for &name in RIGID {
        for restitution in [0.2, 0.5, 0.7] {
            let mut scenario = point([0.0, 0.3], [1.0, 0.0], 2.0);
            scenario.ground.restitution = restitution;
            let gain = max_energy_gain(run(&scenario, name).track(0));
            assert!(gain <= 1e-9 * 40.0, "{name}, e = {restitution}: gains {gain} J");
        }
    }
}

/// A rebound starts from the height of the state before it, at most one step above the ground: this
/// much, `m g dt v`, a lossless impact may seem to gain, and no more however often it bounces.
#[test]
fn lossless_bouncing_keeps_the_energy_to_first_order_in_the_step() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.3], [0.0, 0.0], 5.0);
        scenario.ground = Ground { friction: 0.0, restitution: 1.0, slope: 0.0, ..Ground::default() };
        let trajectory = run(&scenario, name);
        let body = scenario.point(0);
        let start = body.energy(&scenario.initial_state(0));
        let step_of_height = body.mass * GRAVITY * scenario.step * max_speed(&trajectory);
        for (k, state) in trajectory.bodies[0].states.iter().enumerate() {
            assert_close(
                body.energy(state),
                start,
                2.0 * step_of_height,
                &format!("{name}, energy of state {k}"),
            );
        }
    }
}
