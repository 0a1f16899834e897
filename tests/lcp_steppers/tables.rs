//! Tables that another program made by enumerating all complementary bases.

use std::{collections::HashMap, path::Path};

use stickslip::{
    model::State,
    scenario::{Body, Ground, Scenario},
    stepper::{PointStepper, StepperName},
};

use crate::{GRAVITY, SLIDING, assert_close, block, run, stepper, take};

type Row = HashMap<String, f64>;

fn table(name: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lcp").join(name);
    let mut reader = csv::Reader::from_path(&path).expect("the table is there");
    reader.deserialize().collect::<Result<_, _>>().expect("a table of numbers")
}

#[test]
fn single_sliding_steps() {
    let rows = table("single_step_sliding.csv");
    assert_eq!(rows.len(), 400);
    for row in &rows {
        let scenario = block(row["m"], row["mu"], row["v"], 1.0, row["dt"]);
        let force_unit = (row["mu"] * row["m"] * GRAVITY).max(row["u_N"].abs());
        let speed_unit = row["v"].abs().max(force_unit * row["dt"] / row["m"]);
        for name in SLIDING {
            let push = [row["u_N"], 0.0].into();
            let step =
                take(stepper(&scenario, name).as_mut(), scenario.initial_state(0), push, row["dt"]).unwrap();
            assert_close(step.state.velocity[0], row["v_next"], 1e-10 * speed_unit, name.as_str());
            assert_close(
                step.contact_impulse[0] / row["dt"],
                row["friction_N"],
                1e-10 * force_unit,
                name.as_str(),
            );
        }
    }
}

#[test]
fn single_steps_of_a_thrown_point() {
    let rows = table("single_step_point2d.csv");
    assert_eq!(rows.len(), 400);
    for row in &rows {
        let scenario = Scenario {
            step: row["dt"],
            bodies: vec![Body {
                mass: row["m"],
                position: [0.0, row["phi"]].into(),
                velocity: [row["vx"], row["vz"]].into(),
                ..Body::default()
            }],
            ground: Ground { friction: row["mu"], ..Ground::default() },
            ..Scenario::new("point")
        };
        let impulse_unit = row["imp_n"].max(row["m"] * GRAVITY * row["dt"]);
        for name in [StepperName::LCP, StepperName::LCP_BELBUTE_PERES] {
            let push = [row["ux_N"], row["uz_N"]].into();
            let step =
                take(stepper(&scenario, name).as_mut(), scenario.initial_state(0), push, row["dt"]).unwrap();
            let speed_unit = row["vx"].abs().max(row["vz"].abs()).max(impulse_unit / row["m"]);
            assert_close(step.state.velocity[0], row["vx_next"], 1e-10 * speed_unit, name.as_str());
            assert_close(step.state.velocity[1], row["vz_next"], 1e-10 * speed_unit, name.as_str());
            assert_close(step.contact_impulse[1], row["imp_n"], 1e-10 * impulse_unit, name.as_str());
            assert_close(step.contact_impulse[0], row["imp_t"], 1e-10 * impulse_unit, name.as_str());
        }
    }
}

#[test]
fn a_falling_block_lands_in_two_steps() {
    let rows = table("falling_block_unit.csv");
    let mut scenario = block(1.0, 0.0, 0.0, 1.0, 0.01);
    scenario.bodies[0].position[1] = 1.0;
    let trajectory = run(&scenario, StepperName::LCP_FALLING_BLOCK);
    assert_eq!(rows.len(), trajectory.bodies[0].states.len());
    for (k, (row, state)) in rows.iter().zip(&trajectory.bodies[0].states).enumerate() {
        assert_close(state.position[1], row["x"], 1e-9, "x");
        assert_close(state.velocity[1], row["v"], 1e-9, "v");
        if k > 0 {
            let force = trajectory.bodies[0].steps[k - 1].force[1];
            assert_close(force, row["lambda_N"], 1e-9 * row["lambda_N"].max(1.0), "lambda");
        }
    }
    // Sum of the impulses: m (dv + g T).
    let impulse: f64 = trajectory.bodies[0].steps.iter().map(|step| step.force[1] * 0.01).sum();
    assert_close(impulse, GRAVITY * 1.0, 1e-12, "impulse");
    assert_close(trajectory.bodies[0].steps[99].force[1], GRAVITY, 1e-12, "force at rest");
}

#[test]
fn a_block_that_moves_forward_coasts_to_rest() {
    let rows = table("forward_coast.csv");
    let scenario = block(1.0, 0.3, 1.0, 0.6, 0.01);
    let trajectory = run(&scenario, StepperName::LCP_FORWARD);
    assert_eq!(rows.len(), trajectory.bodies[0].states.len());
    for (row, state) in rows.iter().zip(&trajectory.bodies[0].states) {
        assert_close(state.position[0], row["x"], 1e-9, "x");
        assert_close(state.velocity[0], row["v"], 1e-9, "v");
    }
    for (row, step) in rows.iter().skip(1).zip(&trajectory.bodies[0].steps) {
        assert_close(-step.force[0], row["lambda_N"], 1e-9, "lambda");
    }
}

/// Follows a table of a block under the pushes of its column `u_N`.
fn follow(
    rows: &[Row],
    stepper: &mut dyn PointStepper<2>,
    velocity: impl Fn(&Row) -> f64,
    friction: impl Fn(&Row) -> f64,
) {
    let dt = 0.01;
    let mut state = State { position: [0.0, 0.0].into(), velocity: [0.0, 0.0].into() };
    for row in rows {
        let step = take(stepper, state, [row["u_N"], 0.0].into(), dt).unwrap();
        state = step.state;
        assert_close(state.position[0], row["x"], 1e-9, "x");
        assert_close(state.velocity[0], velocity(row), 1e-9, "v");
        assert_close(step.contact_impulse[0] / dt, friction(row), 1e-9, "friction");
    }
}

#[test]
fn a_block_under_a_sinusoidal_push_slides_both_ways() {
    let scenario = block(1.0, 0.5, 0.0, 6.0, 0.01);
    let directions = table("bidirectional_sin_unit.csv");
    let traditional = table("traditional_sin_unit.csv");
    assert_eq!((directions.len(), traditional.len()), (600, 600));
    let slides = directions.iter().filter(|row| row["xdot_plus"] > 0.0 || row["xdot_minus"] > 0.0).count();
    for name in SLIDING {
        let mut stepper = stepper(&scenario, name);
        follow(
            &directions,
            stepper.as_mut(),
            |row| row["xdot_plus"] - row["xdot_minus"],
            |row| row["f_phys_N"],
        );
        follow(
            &traditional,
            stepper.as_mut(),
            |row| row["v"],
            |row| row["lambda_plus_N"] - row["lambda_minus_N"],
        );
    }
    assert!(slides < 600, "{slides} of 600 steps slide");
}

#[test]
fn the_blog_posts_thrown_point() {
    let rows = table("point2d_thrown.csv");
    assert_eq!(rows.len(), 301);
    let mut scenario = block(10.0, 0.1, 1.0, 1.5, 1e-3);
    scenario.bodies[0].position[1] = 1.0;
    for name in [StepperName::LCP, StepperName::LCP_BELBUTE_PERES] {
        let trajectory = run(&scenario, name);
        for row in &rows {
            let k = row["k"] as usize;
            let state = &trajectory.bodies[0].states[k];
            assert_close(state.position[0], row["x"], 1e-9, "x");
            assert_close(state.position[1], row["z"], 1e-9, "z");
            assert_close(state.velocity[0], row["vx"], 1e-9, "vx");
            assert_close(state.velocity[1], row["vz"], 1e-9, "vz");
            if k > 0 {
                let impulse = trajectory.bodies[0].steps[k - 1].force * scenario.step;
                assert_close(impulse[1], row["imp_n_Ns"], 1e-9, "normal impulse");
                assert_close(
                    impulse[0],
                    row["imp_tplus_Ns"] - row["imp_tminus_Ns"],
                    1e-9,
                    "friction impulse",
                );
            }
        }
    }
}

#[test]
fn a_block_on_a_plane_under_a_rotating_push() {
    let rows = table("plane_k8_rotating_push.csv");
    assert_eq!(rows.len(), 300);
    let dt = 0.01;
    let mut scenario = Scenario::<3> { step: dt, ..Scenario::new("plane") };
    scenario.ground.friction = 0.3;
    scenario.steppers.lcp.directions = Some(8);
    let mut polyhedral = stepper(&scenario, StepperName::LCP_POLYHEDRAL);
    let mut state = State { position: [0.0; 3].into(), velocity: [1.0, 0.4, 0.0].into() };
    for row in &rows {
        let (sin, cos) = row["t"].sin_cos();
        state = take(polyhedral.as_mut(), state, [4.0 * cos, 4.0 * sin, 0.0].into(), dt).unwrap().state;
        for (actual, column) in [
            (state.position[0], "x"),
            (state.position[1], "y"),
            (state.velocity[0], "vx"),
            (state.velocity[1], "vy"),
        ] {
            assert_close(actual, row[column], 1e-6, &format!("{column} at step {}", row["k"]));
        }
    }
}
