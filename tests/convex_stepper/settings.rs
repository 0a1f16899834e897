//! Every setting of the stepper, by its key in a scenario file.

use std::f64::consts::{PI, SQRT_2};

use stickslip::{model::State, scenario::Scenario};

use crate::run;

const DT: f64 = 1e-3;
const WEIGHT: f64 = 10.0 * 9.81;
/// `w` of 10 kg in the plane.
const W: f64 = 1.0 / (10.0 * SQRT_2);

/// 10 kg on ground inclined by 10 degrees with friction 0.5, after 3 s.
fn end(settings: &str) -> State<2> {
    let text = format!(
        "name = \"settings\"\nduration = 3.0\nstep = {DT}\n[particle]\nmass = 10.0\nposition = [0.0, 0.0]\n\
         velocity = [0.0, 0.0]\n[ground]\nfriction = 0.5\nslope = 10.0\n[stepper.convex]\npreset = \"published\"\n{settings}\n"
    );
    let scenario: Scenario<2> = text.parse().expect("a scenario in a vertical plane");
    run(&scenario).final_state(0)
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance * expected.abs(), "{actual:e} instead of {expected:e}");
}

/// Depth at rest, and velocity of creep.
fn predicted(regularization: f64, dissipation_time: f64, sigma: f64, w: f64) -> (f64, f64) {
    let (sin, cos) = 10f64.to_radians().sin_cos();
    let depth = (DT + dissipation_time) * regularization * WEIGHT * cos * DT;
    (-depth, sigma * w * WEIGHT * sin * DT)
}

/// Checks a resting point against the formulas.
#[track_caller]
fn assert_rests(settings: &str, regularization: f64, dissipation_time: f64, sigma: f64, w: f64) {
    let state = end(settings);
    let (depth, creep) = predicted(regularization, dissipation_time, sigma, w);
    assert_close(state.position[1], depth, 1e-6);
    assert_close(state.velocity[0], creep, 1e-6);
}

#[test]
fn stiffness_and_dissipation_time_set_the_normal_compliance() {
    let compliant = |stiffness: f64, tau: f64| 1.0 / (DT * stiffness * (DT + tau));
    assert_rests("stiffness = 1e5", compliant(1e5, 0.02), 0.02, 1e-3, W);
    assert_rests("stiffness = 1e5\ndissipation_time = 0.05", compliant(1e5, 0.05), 0.05, 1e-3, W);
}

#[test]
fn beta_sets_the_near_rigid_limit() {
    let near_rigid = |beta: f64| (beta / (2.0 * PI)).powi(2) * W;
    assert_rests("stiffness = 1e12", near_rigid(1.0), 0.02, 1e-3, W);
    assert_rests("stiffness = 1e12\nbeta = 0.5", near_rigid(0.5), 0.02, 1e-3, W);
}

#[test]
fn sigma_sets_the_stiction_regularisation() {
    let near_rigid = W / (4.0 * PI * PI);
    assert_rests("stiffness = 1e12\nsigma = 1e-5", near_rigid, 0.02, 1e-5, W);
}

#[test]
fn delassus_norm_sets_the_mean_of_the_delassus_operator() {
    let w = 1.0 / (10.0 * 3f64.sqrt());
    assert_rests("stiffness = 1e12\ndelassus_norm = \"spatial\"", w / (4.0 * PI * PI), 0.02, 1e-3, w);
}

#[test]
fn gated_sets_whether_the_damper_acts_at_a_distance() {
    // Thrown downwards from 1 mm: the ungated damper brakes it within the first step.
    let mut speeds = Vec::new();
    for gated in [true, false] {
        let text = format!(
            "name = \"gated\"\nduration = 1e-3\nstep = 1e-3\n[particle]\nmass = 10.0\nposition = [0.0, 1e-3]\n\
             velocity = [0.0, -0.5]\n[ground]\nfriction = 0.5\n[stepper.convex]\npreset = \"published\"\ngated = {gated}\n"
        );
        let scenario: Scenario<2> = text.parse().expect("a scenario in a vertical plane");
        speeds.push(run(&scenario).final_state(0).velocity[1]);
    }
    assert_close(speeds[0], -0.5 - 9.81e-3, 1e-12);
    // vhat_n = -phi/(dt + tau_d) = -1 mm/21 ms, approached up to the compliance.
    assert!(speeds[1] > -0.2 && speeds[1] < -1e-3 / 0.021, "{}", speeds[1]);
}

#[test]
fn solver_chooses_between_newton_and_the_dual_program() {
    let (newton, dual) = (end("solver = \"newton\""), end("solver = \"dual\""));
    assert!((newton.position - dual.position).amax() <= 1e-8, "{newton:?} {dual:?}");
}
