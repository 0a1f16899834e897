//! What the notes claim of the sliding block, and where they are wrong.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    lcp::{Enumeration, Lcp, Lemke},
    scenario::Push,
    stepper::{
        StepperName,
        lcp::{BlockFormulation, DirectFormulation, TraditionalFormulation},
    },
};

use crate::{SLIDING, assert_close, block, run, stepper, take};

#[test]
fn all_formulations_give_the_same_motion() {
    let mut rng = StdRng::seed_from_u64(21);
    for _ in 0..100 {
        let mass = 10_f64.powf(rng.random_range(-2.0..2.0));
        let friction = rng.random_range(0.0..1.0);
        let mut scenario = block(mass, friction, rng.random_range(-2.0..2.0), 1.0, 0.01);
        scenario.ground.slope = rng.random_range(-20.0..20.0);
        for _ in 0..2 {
            let force = [rng.random_range(-10.0..10.0) * mass, rng.random_range(-5.0..3.0) * mass];
            scenario
                .pushes
                .push(Push { frequency: Some(rng.random_range(0.1..3.0)), ..Push::constant(force) });
        }
        let reference = run(&scenario, StepperName::LCP);
        for name in SLIDING {
            let trajectory = run(&scenario, name);
            for (a, b) in trajectory.bodies[0].states.iter().zip(&reference.bodies[0].states) {
                assert_close(a.position[0], b.position[0], 1e-10, name.as_str());
                assert_close(a.velocity[0], b.velocity[0], 1e-10, name.as_str());
            }
            for (a, b) in trajectory.bodies[0].steps.iter().zip(&reference.bodies[0].steps) {
                assert_close(a.force[0], b.force[0], 1e-8 * mass, name.as_str());
                assert_close(a.force[1], b.force[1], 1e-8 * mass, name.as_str());
            }
        }
    }
}

#[test]
fn the_direct_formulation_has_the_closed_form_of_a_soft_threshold() {
    let mut rng = StdRng::seed_from_u64(22);
    for _ in 0..10_000 {
        let (p, h): (f64, f64) = (rng.random_range(-3.0..3.0), rng.random_range(0.0..2.0));
        let solution = Lemke::default().solve(&DirectFormulation::problem(p, h));
        let v = DirectFormulation::velocity(&solution, p);
        assert_close(v, p.signum() * (p.abs() - h).max(0.0), 1e-15, "v");
        assert_eq!(solution.z[0] * solution.z[1], 0.0, "one part of the velocity is zero");
        // Friction that the formulation calls lambda may be fictitious; its positive part is not.
        let physical = (h - solution.w[1]).max(0.0) - (h - solution.w[0]).max(0.0);
        assert_close(v - p, physical, 1e-14, "friction");
    }
}

#[test]
fn the_traditional_matrix_is_no_p_matrix() {
    let m = TraditionalFormulation::problem(0.0, 1.0).m;
    let minor = |rows: &[usize]| {
        nalgebra::DMatrix::from_fn(rows.len(), rows.len(), |i, j| m[(rows[i], rows[j])]).determinant()
    };
    assert_eq!([minor(&[0]), minor(&[1]), minor(&[2])], [1.0, 1.0, 0.0]);
    assert_eq!([minor(&[0, 1]), minor(&[0, 2]), minor(&[1, 2])], [0.0, 1.0, 1.0]);
    assert_close(m.determinant(), 4.0, 1e-14, "determinant");
}

#[test]
fn sticking_leaves_the_split_of_friction_open_but_not_the_rest() {
    let (p, h) = (0.3, 1.0);
    let problem: Lcp<3> = TraditionalFormulation::problem(p, h);
    let solutions = Enumeration::default().all_solutions(&problem);
    assert!(solutions.len() > 1, "{solutions:?}");
    for z in &solutions {
        assert_close(z[0] - z[1], -p, 1e-15, "lambda+ - lambda-");
        assert_close(z[2], 0.0, 1e-15, "gamma");
        assert!(z[0] + z[1] <= h + 1e-15);
    }
}

#[test]
fn moving_forward_only_is_right_as_long_as_friction_can_hold() {
    let scenario = block(2.0, 0.4, 0.0, 1.0, 0.01);
    let mut forward = stepper(&scenario, StepperName::LCP_FORWARD);
    let mut direct = stepper(&scenario, StepperName::LCP_DIRECT);
    let state = scenario.initial_state(0);
    let weight = 0.4 * 2.0 * crate::GRAVITY;
    for share in [-1.0, -0.5, 0.0, 0.5, 1.0, 2.0] {
        let push = [share * weight, 0.0].into();
        let a = take(forward.as_mut(), state, push, 0.01).unwrap();
        let b = take(direct.as_mut(), state, push, 0.01).unwrap();
        assert_eq!(a.state, b.state, "pushed by {share} of the friction");
    }
    let error = take(forward.as_mut(), state, [-2.0 * weight, 0.0].into(), 0.01).unwrap_err();
    assert!(error.to_string().contains("only moves towards +x"), "{error}");
}

#[test]
fn a_block_on_a_slope_slides_where_gravity_beats_friction() {
    for (slope, friction, moves) in [(10.0_f64, 0.1, true), (10.0, 0.2, false), (-10.0, 0.1, true)] {
        let mut scenario = block(3.0, friction, 0.0, 1.0, 1e-3);
        scenario.ground.slope = slope;
        for name in SLIDING {
            let x = run(&scenario, name).final_state(0).position[0];
            let (sin, cos) = slope.to_radians().sin_cos();
            let acceleration = sin.signum() * crate::GRAVITY * (sin.abs() - friction * cos);
            let expected = if moves { 0.5 * acceleration } else { 0.0 };
            assert_close(x, expected, 1e-3 * acceleration.abs(), name.as_str());
        }
    }
}

/// A push of exactly the weight is admitted; rounding must not lift the block off then, whatever the
/// numbers are.
#[test]
fn push_that_balances_the_weight_leaves_the_block_on_the_ground() {
    let mut rng = StdRng::seed_from_u64(23);
    for trial in 0..200 {
        let mass = 10_f64.powf(rng.random_range(-3.0..3.0));
        let speed = rng.random_range(0.0..2.0);
        let mut scenario = block(mass, rng.random_range(0.0..1.0), speed, 0.05, 1e-3);
        scenario.gravity = if trial % 2 == 0 { 9.81 } else { rng.random_range(0.1..30.0) };
        let weight = mass * scenario.gravity;
        // From parts, which add up to the weight only to rounding.
        scenario.pushes =
            [0.3, 0.3, 0.4].map(|part| Push::constant([0.0, part * weight])).into_iter().collect();
        for name in SLIDING.into_iter().chain([StepperName::LCP_FORWARD]) {
            let state = run(&scenario, name).final_state(0);
            assert_close(state.velocity[0], speed, 1e-12, name.as_str());
            assert_close(state.position[0], 0.05 * speed, 1e-12, name.as_str());
            assert_close(state.position[1], 0.0, 1e-15, name.as_str());
        }
    }
}
