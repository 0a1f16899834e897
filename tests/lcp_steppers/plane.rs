//! A point over a plane: the pyramid's anisotropy, and its agreement with the cone in the limit.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    model::closed_form_step,
    scenario::{Body, RestitutionLaw, Scenario},
    stepper::StepperName,
};

use crate::{GRAVITY, assert_close, run, stepper, take};

fn over_plane(velocity: [f64; 3], height: f64, directions: usize) -> Scenario<3> {
    let mut scenario = Scenario::<3> {
        bodies: vec![Body::point(2.0, [0.0, 0.0, height], velocity)],
        ..Scenario::new("over-plane")
    };
    scenario.ground.friction = 0.3;
    scenario.steppers.lcp.directions = Some(directions);
    scenario
}

#[test]
fn one_step_error_against_the_cone_stays_below_its_bound() {
    let mut rng = StdRng::seed_from_u64(31);
    for (directions, largest) in [(4, 0.683), (8, 0.350), (16, 0.176), (32, 0.079)] {
        let scenario = over_plane([0.0; 3], 0.0, directions);
        let mut polyhedral = stepper(&scenario, StepperName::LCP_POLYHEDRAL);
        let (body, dt) = (scenario.point(0), scenario.step);
        let h = body.friction * GRAVITY * dt;
        let bound = 2.0 * (std::f64::consts::PI / (2 * directions) as f64).sin();
        let mut worst = 0.0_f64;
        for _ in 0..2_000 {
            let (angle, speed) =
                (rng.random_range(0.0..std::f64::consts::TAU), h * rng.random_range(0.0..6.0));
            let mut state = scenario.initial_state(0);
            state.velocity = [speed * f64::cos(angle), speed * f64::sin(angle), 0.0].into();
            let step = take(polyhedral.as_mut(), state, [0.0; 3].into(), dt).unwrap();
            let exact = closed_form_step(&body, &state, &[0.0; 3].into(), dt).state;
            worst = worst.max((step.state.velocity - exact.velocity).norm() / h);
        }
        assert!(worst <= bound * (1.0 + 1e-9), "k = {directions}: {worst} > {bound}");
        assert!(worst >= 0.85 * largest, "k = {directions}: {worst}, expected about {largest}");
    }
}

#[test]
fn along_a_direction_the_pyramid_is_exact() {
    for directions in [4, 8, 12] {
        for i in 0..directions {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(directions);
            let scenario = over_plane([angle.cos(), angle.sin(), 0.0], 0.0, directions as usize);
            let end = run(&scenario, StepperName::LCP_POLYHEDRAL).final_state(0).position;
            let exact = run(&scenario, StepperName::LCP_FIXED_POINT).final_state(0).position;
            assert!((end - exact).norm() < 1e-10, "k = {directions}, direction {i}: {end} {exact}");
        }
    }
}

#[test]
fn the_fixed_point_from_the_free_velocity_is_the_cone() {
    let mut rng = StdRng::seed_from_u64(32);
    for _ in 0..50 {
        let mut random = || rng.random_range(-2.0..2.0);
        let mut scenario = over_plane([random(), random(), random()], 0.2, 8);
        scenario.ground.slope = 10.0 * random();
        scenario.ground.restitution = 0.4;
        let trajectory = run(&scenario, StepperName::LCP_FIXED_POINT);
        let body = scenario.point(0);
        for (k, pair) in trajectory.bodies[0].states.windows(2).enumerate() {
            let exact = closed_form_step(&body, &pair[0], &[0.0; 3].into(), scenario.step).state;
            assert!((pair[1].velocity - exact.velocity).norm() < 1e-12, "step {k}: {pair:?} {exact:?}");
        }
        assert!(trajectory.steps.iter().all(|step| step.report.iterations <= 1));
    }
}

#[test]
fn a_thrown_point_lands_slides_and_stops_under_both_laws_of_impact() {
    for law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
        for name in [StepperName::LCP_POLYHEDRAL, StepperName::LCP_FIXED_POINT] {
            let mut scenario = over_plane([1.5, 0.8, 0.0], 0.5, 16);
            scenario.ground.restitution = 0.5;
            scenario.duration = 6.0;
            scenario.steppers.lcp.restitution = law;
            let trajectory = run(&scenario, name);
            let end = trajectory.final_state(0);
            assert_eq!(end.velocity.as_slice()[..2], [0.0, 0.0], "{name} {law:?}");
            assert_close(end.height(), 0.0, 1e-12, name.as_str());
            assert!(trajectory.bodies[0].states.iter().all(|state| state.height() > -1e-12));
        }
    }
}

#[test]
fn a_vertical_plane_is_a_special_case() {
    let scenario = over_plane([1.0, 0.0, 0.0], 1.0, 8);
    let mut in_plane = Scenario::<2>::new("in-plane");
    in_plane.bodies = vec![Body::point(2.0, [0.0, 1.0], [1.0, 0.0])];
    in_plane.ground.friction = 0.3;
    let a = run(&scenario, StepperName::LCP_POLYHEDRAL);
    let b = run(&in_plane, StepperName::LCP);
    for (a, b) in a.bodies[0].states.iter().zip(&b.bodies[0].states) {
        assert_close(a.position[0], b.position[0], 1e-12, "x");
        assert_close(a.position[1], 0.0, 1e-15, "y");
        assert_close(a.position[2], b.position[1], 1e-12, "z");
    }
}
