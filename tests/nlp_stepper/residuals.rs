//! The residual of a step, recomputed from the conditions: each of them counts, alone too.

use nalgebra::SVector;
use stickslip::{
    contact::SingleContact,
    scenario::{Body, Ground, Scenario},
    stepper::{
        PointInput,
        nlp::{relaxed::RelaxedProgram, seed::SeedProgram},
    },
};

const FRICTION: f64 = 0.5;

fn scenario(height: f64, speed: f64) -> Scenario<2> {
    Scenario {
        bodies: vec![Body::point(1.0, [0.0, height], [speed, 0.0])],
        ground: Ground { friction: FRICTION, ..Ground::default() },
        ..Scenario::new("residuals")
    }
}

/// The program of a point at `height` whose speed is twice `g dt`, the unit of velocity.
fn program(height: f64) -> RelaxedProgram<1> {
    let gained = 9.81e-3;
    let speed = 2.0 * gained;
    let (gap, response, friction) = (height, 1.0, FRICTION);
    let contact = SingleContact { free: [-gained, speed].into(), bias: gap / 1e-3, gap, response, friction };
    let program = RelaxedProgram::new(&contact, gained, 1e-15);
    assert!((program.velocity_unit() - 0.5 * speed).abs() < 1e-15 && program.impulse_ratio() == 1.0);
    program
}

/// The residual of `(v_t, v_z, b, p_z, lambda)` without slack.
fn relaxed(program: &RelaxedProgram<1>, [v, w, b, p, lambda]: [f64; 5]) -> f64 {
    program.residual(&SVector::from([v, w, b, p, 0.0, 0.0, lambda]))
}

#[track_caller]
fn assert_close(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-12, "{actual} instead of {expected}");
}

#[test]
fn every_condition_of_the_relaxed_program_counts() {
    let ground = program(0.0);
    assert_close(relaxed(&ground, [1.5, 0.0, -1.0, 1.0, 1.5]), 0.0);
    // In units of the speed, 2: momentum along the ground, dissipation, penetration, a multiplier that pulls,
    // friction kept back.
    assert_close(relaxed(&ground, [1.6, 0.0, -1.0, 1.0, 1.6]), 0.05);
    assert_close(relaxed(&ground, [1.5, 0.0, -1.0, 1.0, 1.6]), 0.05);
    assert_close(relaxed(&ground, [2.0, -1.0, -1.0, 0.0, 2.0]), 0.5);
    assert_close(relaxed(&ground, [2.5, 0.0, 1.0, 1.0, -2.5]), 1.25);
    assert_close(relaxed(&ground, [1.75, 0.0, -0.5, 1.0, 3.5]), 0.875);
    // As they are: more friction than there is, and a push on what leaves.
    assert_close(relaxed(&ground, [1.0, 0.0, -2.0, 1.0, 0.5]), 1.0);
    assert_close(relaxed(&ground, [1.4, 0.2, -1.0, 1.2, 1.4]), 0.24);
    // High above the ground: momentum normal to it, and a pull.
    let air = program(1.0);
    assert_close(relaxed(&air, [2.0, -1.0, -1.0, 0.0, 2.0]), 0.0);
    assert_close(relaxed(&air, [2.0, -0.9, -1.0, 0.0, 2.0]), 0.05);
    assert_close(relaxed(&air, [2.05, -1.1, -1.0, -0.1, 2.05]), 0.1);
}

#[test]
fn no_number_is_never_small() {
    for place in 0..5 {
        let mut wrong = [1.5, 0.0, -1.0, 1.0, 1.5];
        wrong[place] = f64::NAN;
        assert_eq!(relaxed(&program(0.0), wrong), f64::INFINITY, "{place}");
    }
}

/// The residual of `(x, z, vx, vz, Fx, Fz, s1, s2, lambda)` after a step of a point of 1 kg at 1 m/s.
fn seed(height: f64, change: impl FnOnce(&mut [f64; 9], f64)) -> f64 {
    let scenario = scenario(height, 1.0);
    let (dt, weight) = (scenario.step, scenario.point(0).gravity_norm());
    let vx = 1.0 - FRICTION * weight * dt;
    let mut y = [vx * dt, height, vx, 0.0, -FRICTION * weight, weight, weight * height, 0.0, 1.0];
    change(&mut y, FRICTION * weight * dt);
    SeedProgram::new(&scenario.point(0), &PointInput::first(&scenario), 1e-12).residual(&SVector::from(y))
}

#[test]
fn every_condition_of_the_published_program_counts() {
    let close = |actual: f64, expected: f64| assert!((actual - expected).abs() < 1e-9, "{actual} {expected}");
    close(seed(0.0, |_, _| ()), 0.0);
    close(seed(0.01, |_, _| ()), 0.0);
    // An equation, missed to either side; the complementarity of a force above the ground.
    close(seed(0.0, |y, _| y[0] += 0.1), 0.1);
    close(seed(0.0, |y, _| y[0] -= 0.1), 0.1);
    close(seed(0.01, |y, _| y[6] = 0.0), 9.81 * 0.01);
    // Friction along the motion, by a multiplier that is negative.
    let along = |y: &mut [f64; 9], gain: f64| {
        y[2] = 1.0 + gain;
        y[0] = y[2] * 1e-3;
        (y[4], y[8]) = (-y[4], -1.0);
    };
    close(seed(0.0, along), 1.0);
}
