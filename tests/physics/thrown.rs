//! A thrown point lands, slides and stops where the continuous solution says.

use stickslip::{
    metrics::{Metrics, max_energy_gain},
    scenario::Scenario,
    stepper::StepperName,
};

use crate::{GRAVITY, RIGID, assert_close, max_speed, point, run, thrown_point::ThrownPoint};

/// Compares every state with the continuous solution: `|x error| <= 0.75 dt max|v| + 1e-5`,
/// `|z error| <= dt vi`, `z >= -1e-8`, and away from the impact `|v error| <= mu g dt`.
fn assert_follows(scenario: &Scenario<2>, name: StepperName) {
    let trajectory = run(scenario, name);
    let [z0, vx0, vz0] =
        [scenario.bodies[0].position[1], scenario.bodies[0].velocity[0], scenario.bodies[0].velocity[1]];
    let exact = ThrownPoint { z0, vx0, vz0, mu: scenario.ground.friction };
    let (dt, speed) = (scenario.step, max_speed(&trajectory));
    for (k, state) in trajectory.bodies[0].states.iter().enumerate() {
        let t = trajectory.time(k);
        let [x, z, vx, vz] = exact.at(t);
        let at = format!("{name} at t = {t}");
        assert_close(state.position[0], x, 0.75 * dt * speed + 1e-5, &format!("{at}: x"));
        assert_close(state.position[1], z, dt * speed, &format!("{at}: z"));
        assert!(state.position[1] >= -1e-8, "{at}: z = {}", state.position[1]);
        if (t - exact.impact_time()).abs() > 3.0 * dt {
            let slack = scenario.ground.friction * GRAVITY * dt + 1e-5 * speed;
            assert_close(state.velocity[0], vx, slack, &format!("{at}: vx"));
            assert_close(state.velocity[1], vz, slack, &format!("{at}: vz"));
        }
    }
    let weight = scenario.bodies[0].mass * GRAVITY;
    let metrics = Metrics::of(&trajectory, None);
    let noise = metrics.force_noise().expect("of a single point");
    assert!(noise <= 1e-4 * weight, "{name}: force noise {noise} N");
    let energy = weight * z0 + 0.5 * scenario.bodies[0].mass * speed.powi(2);
    let gain = max_energy_gain(trajectory.track(0));
    assert!(gain <= 1e-9 * energy, "{name}: gains {gain} J of {energy} J");
}

#[test]
fn the_nominal_case_of_the_blog_post_ends_half_a_step_short() {
    for &name in RIGID {
        let scenario = point([0.0, 1.0], [1.0, 0.0], 1.2);
        assert_follows(&scenario, name);
        let trajectory = run(&scenario, name);
        let x = trajectory.final_state(0).position[0];
        assert_close(x, 0.609684 - 0.5 * scenario.step, 1e-5, "final x");
        let metrics = Metrics::of(&trajectory, None);
        assert_close(
            metrics.stop_time().expect("the point stops"),
            1.019368,
            2.0 * scenario.step,
            "stop time",
        );
        let impulse: f64 =
            trajectory.bodies[0].steps[450..455].iter().map(|step| step.force[1] * scenario.step).sum();
        let weight_share = 2.0 * 98.1 * scenario.step;
        assert_close(impulse, 44.294, 44.294 * scenario.step + 2.0 * weight_share, "normal impulse in N s");
    }
}

#[test]
fn low_and_fast_throws_follow_the_continuous_solution() {
    let cases = [
        ([0.0, 0.1], [1.0, 0.0], 0.5, [0.38738, 0.50950]),
        ([0.0, 0.1], [-1.0, 0.0], 0.5, [-0.38738, -0.50950]),
        ([0.0, 0.1], [10.0, 0.0], 0.5, [4.88737, 9.50950]),
    ];
    for &name in RIGID {
        for (position, velocity, duration, [x, vx]) in cases {
            let scenario = point(position, velocity, duration);
            assert_follows(&scenario, name);
            let state = run(&scenario, name).final_state(0);
            assert_close(state.position[0], x, 0.75e-3 * velocity[0].abs().max(1.5) + 1e-5, "final x");
            assert_close(state.velocity[0], vx, 0.1 * GRAVITY * 1e-3, "final vx");
        }
    }
}

#[test]
fn a_point_thrown_upwards_and_one_thrown_down_follow_the_continuous_solution() {
    for &name in RIGID {
        assert_follows(&point([0.0, 0.0], [0.5, 2.0], 0.8), name);
        assert_follows(&point([0.0, 0.5], [2.0, -3.0], 0.8), name);
    }
}

#[test]
fn mass_does_not_change_the_motion_of_a_thrown_point() {
    for &name in RIGID {
        let reference = run(&point([0.0, 0.2], [1.0, 0.0], 0.6), name);
        for mass in [1e-6, 1e-2, 1e4, 1e8] {
            let mut scenario = point([0.0, 0.2], [1.0, 0.0], 0.6);
            scenario.bodies[0].mass = mass;
            let trajectory = run(&scenario, name);
            for (k, (state, expected)) in
                trajectory.bodies[0].states.iter().zip(&reference.bodies[0].states).enumerate()
            {
                let off = (state.position - expected.position).norm();
                assert!(off <= 1e-9, "{name}, {mass} kg, step {k}: off by {off}");
            }
        }
    }
}

#[test]
fn a_point_that_stopped_does_not_drift() {
    for &name in RIGID {
        let trajectory = run(&point([0.0, 0.0], [0.2, 0.0], 3.0), name);
        let at_rest = trajectory.bodies[0].states[500].position[0];
        let drift = (trajectory.final_state(0).position[0] - at_rest).abs();
        assert!(drift <= 1e-9, "{name} drifts by {drift} m in 2.5 s");
    }
}
