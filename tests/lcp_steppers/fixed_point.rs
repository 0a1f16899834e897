//! The notes' fixed-point iteration: exact from the free velocity, fragile from the previous one.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    contact::FailureKind,
    scenario::{Body, FixedPointStart, Scenario},
    stepper::{
        StepperName,
        lcp::{Polygon, iterate},
    },
};

use crate::{assert_close, stepper, take};

fn unit(angle: f64) -> [f64; 2] {
    [angle.cos(), angle.sin()]
}

#[test]
fn from_the_free_velocity_one_sweep_is_exact() {
    let mut rng = StdRng::seed_from_u64(41);
    for directions in [4, 6, 8, 16] {
        let polygon = Polygon::new(directions);
        for _ in 0..500 {
            let (speed, h): (f64, f64) = (rng.random_range(0.0..3.0), rng.random_range(0.0..2.0));
            let [x, y] = unit(rng.random_range(0.0..6.3));
            let p = [speed * x, speed * y];
            let iteration = iterate(&polygon, p, h, p);
            assert!(iteration.converged && iteration.sweeps == 1, "{iteration:?}");
            let kept = (speed - h).max(0.0);
            assert_close(iteration.velocity[0], kept * x, 1e-14, "vx");
            assert_close(iteration.velocity[1], kept * y, 1e-14, "vy");
        }
    }
}

#[test]
fn from_another_direction_it_converges_only_above_twice_the_friction() {
    // Half way between two directions, where the polygon is as round as it gets.
    let polygon = Polygon::new(16);
    let [x, y] = unit(std::f64::consts::PI / 16.0);
    let start = unit(0.3);
    for (ratio, converges) in [(1.2, false), (1.8, false), (2.2, true), (3.0, true), (10.0, true)] {
        let iteration = iterate(&polygon, [ratio * x, ratio * y], 1.0, start);
        assert_eq!(iteration.converged, converges, "|p| = {ratio} h: {iteration:?}");
        if converges {
            assert_close(iteration.velocity[0], (ratio - 1.0) * x, 1e-11, "vx");
            assert_close(iteration.velocity[1], (ratio - 1.0) * y, 1e-11, "vy");
            // The error shrinks by h/(|p| - h) in every sweep.
            let expected = 30.0 / (ratio - 1.0).ln();
            assert!(f64::from(iteration.sweeps) <= 1.5 * expected + 3.0, "{iteration:?}");
        }
    }
}

#[test]
fn from_another_direction_it_rarely_finds_out_that_the_block_sticks() {
    let mut rng = StdRng::seed_from_u64(42);
    let polygon = Polygon::new(32);
    let trials = 2_000;
    let stuck = (0..trials)
        .filter(|_| {
            let [x, y] = unit(rng.random_range(0.0..6.3));
            let speed: f64 = rng.random_range(0.0..1.0);
            let iteration = iterate(&polygon, [speed * x, speed * y], 1.0, unit(rng.random_range(0.0..6.3)));
            iteration.converged && iteration.velocity[0].hypot(iteration.velocity[1]) < 1e-12
        })
        .count();
    let share = stuck as f64 / f64::from(trials);
    assert!((0.02..0.25).contains(&share), "sticks in {share}");
}

#[test]
fn a_step_that_does_not_converge_fails_with_numbers() {
    let mut scenario =
        Scenario::<3> { bodies: vec![Body::point(1.0, [0.0; 3], [0.01, 0.0, 0.0])], ..Scenario::new("turn") };
    scenario.ground.friction = 0.5;
    scenario.steppers.lcp.fixed_point_start = FixedPointStart::PreviousVelocity;
    let mut fixed_point = stepper(&scenario, StepperName::LCP_FIXED_POINT);
    let push = [-10.0, 7.0, 0.0].into();
    let error = take(fixed_point.as_mut(), scenario.initial_state(0), push, 1e-3).unwrap_err();
    let failure = error.failure;
    assert_eq!((failure.kind, failure.iterations), (FailureKind::NotConverged, 1000));
    assert!(failure.residual.is_some_and(|residual| residual > 0.0) && failure.candidate.is_some());
    assert!(failure.explanation.contains("did not converge in 1000 sweeps"), "{}", failure.explanation);
    assert!(failure.explanation.contains("2 mu p_z/m"), "{}", failure.explanation);
}
