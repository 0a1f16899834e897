//! Noise of the contact force: a force that comes and goes is noise, a flight is not.

use stickslip::{metrics::force_noise, scenario::Push, stepper::StepperName, trajectory::Trajectory};

use crate::{assert_close, compare, slide};

const EXACT: StepperName = StepperName::EXACT;

const WEIGHT: f64 = 98.1;

/// The exact sliding of a point that was on the ground from the start.
fn sliding() -> Trajectory<2> {
    let mut scenario = slide();
    scenario.bodies[0].position[1] = 0.0;
    scenario.pushes = vec![Push::constant([20.0, 0.0])];
    compare(&scenario, &[EXACT]).entries.remove(0).trajectory
}

#[test]
fn the_exact_force_has_none() {
    assert_close(force_noise(sliding().track(0)), 0.0, 1e-9, "noise of the exact force");
}

#[test]
fn force_on_every_nth_step_is_noise() {
    // n times the weight on every nth step carries the weight on the mean, with a standard deviation
    // of sqrt(n - 1) weights.
    for n in 2..=4_usize {
        let mut chattering = sliding();
        for (k, step) in chattering.bodies[0].steps.iter_mut().enumerate() {
            step.force[1] = if k % n == 0 { n as f64 * WEIGHT } else { 0.0 };
        }
        let expected = ((n - 1) as f64).sqrt() * WEIGHT;
        assert_close(
            force_noise(chattering.track(0)),
            expected,
            0.01 * expected,
            &format!("every step number {n}"),
        );
    }
}

#[test]
fn small_ripple_is_measured_as_it_is() {
    let mut rippled = sliding();
    for (k, step) in rippled.bodies[0].steps.iter_mut().enumerate() {
        step.force[1] += if k % 2 == 0 { 1e-3 } else { -1e-3 };
    }
    assert_close(force_noise(rippled.track(0)), 1e-3, 1e-6, "a ripple of 1 mN");
}

#[test]
fn bounces_are_not_noise() {
    let mut scenario = slide();
    scenario.duration = 2.5;
    scenario.ground.restitution = 0.6;
    let comparison = compare(&scenario, &[EXACT]);
    assert_close(force_noise(comparison.entries[0].trajectory.track(0)), 0.0, 1e-9, "noise of a bounce");
}

/// Flights of the last bounces are shorter than a step, which then presses and flies.
#[test]
fn flights_within_a_step_are_not_noise() {
    let mut scenario = slide();
    scenario.ground.restitution = 0.45;
    for (step, duration) in [(1e-2, 0.9), (1e-2, 1.5), (2e-2, 1.5)] {
        (scenario.step, scenario.duration) = (step, duration);
        let comparison = compare(&scenario, &[EXACT]);
        let noise = force_noise(comparison.entries[0].trajectory.track(0));
        assert_close(noise, 0.0, 1e-9, &format!("noise at {step} s"));
    }
}

#[test]
fn push_that_varies_and_lifts_off_is_not_noise() {
    let mut scenario = slide();
    scenario.bodies[0].position[1] = 0.0;
    scenario.pushes = vec![
        Push { frequency: Some(4.0), ..Push::constant([0.0, 0.5 * WEIGHT]) },
        Push { from: Some(0.6), to: Some(0.8), ..Push::constant([0.0, 1.8 * WEIGHT]) },
    ];
    let comparison = compare(&scenario, &[EXACT]);
    let trajectory = &comparison.entries[0].trajectory;
    let highest = trajectory.bodies[0].states.iter().map(|state| state.position[1]).fold(0.0, f64::max);
    assert!(highest > 0.05, "it rises to {highest} m");
    // The exact force is the mean over a step, the push that of its start.
    let mean_and_sample = 0.5 * WEIGHT * std::f64::consts::TAU * 4.0 * 0.5e-3;
    assert!(force_noise(trajectory.track(0)) < mean_and_sample, "{}", force_noise(trajectory.track(0)));
}
