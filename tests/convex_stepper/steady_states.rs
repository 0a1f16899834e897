//! Rest, creep and sliding against their closed forms.

use std::f64::consts::{PI, SQRT_2};

use stickslip::scenario::Scenario;

use crate::{point, run};

const DT: f64 = 1e-3;
const WEIGHT: f64 = 10.0 * 9.81;

/// `w` of a point of 10 kg in the plane.
const W: f64 = 1.0 / (10.0 * SQRT_2);

fn incline(slope: f64, friction: f64, dissipation_time: f64) -> Scenario<2> {
    let mut scenario = point([0.0, 0.0], [0.0, 0.0], friction, 1.0);
    scenario.ground.slope = slope;
    scenario.steppers.convex.dissipation_time = Some(dissipation_time);
    scenario
}

#[test]
fn a_sticking_point_creeps_at_sigma_w_times_the_friction_impulse() {
    let end = run(&incline(20.0, 0.5, 0.02)).final_state(0);
    let friction = WEIGHT * 20f64.to_radians().sin();
    let predicted = 1e-3 * W * friction * DT;
    assert!((predicted - 2.372497e-6).abs() < 1e-12);
    assert!((end.velocity[0] - predicted).abs() <= 1e-9 * predicted, "{:e}", end.velocity[0]);
}

#[test]
fn the_creep_is_proportional_to_sigma() {
    let mut scenario = incline(20.0, 0.5, 0.02);
    scenario.steppers.convex.sigma = 1e-6;
    let end = run(&scenario).final_state(0);
    assert!((end.velocity[0] - 2.372497e-9).abs() <= 1e-14, "{:e}", end.velocity[0]);
}

/// What Coulomb's law makes of a second on 30 degrees with friction 0.5.
fn coulomb_speed() -> f64 {
    let angle = 30f64.to_radians();
    9.81 * (angle.sin() - 0.5 * angle.cos())
}

#[test]
fn a_point_slides_down_a_steep_incline_a_little_slower_than_coulomb_has_it() {
    assert!((coulomb_speed() - 0.657145).abs() < 1e-6);
    let mut scenario = incline(30.0, 0.5, 0.01);
    scenario.steppers.convex.gated = false;
    let end = run(&scenario).final_state(0);
    // Rising onto the layer on which it glides costs normal force, and so friction.
    assert!((end.velocity[0] - 0.655338).abs() <= 5e-7, "{}", end.velocity[0]);
}

#[test]
fn gated_sliding_flickers_around_coulombs_law() {
    let trajectory = run(&incline(30.0, 0.5, 0.01));
    let end = trajectory.final_state(0);
    assert!((end.velocity[0] - coulomb_speed()).abs() <= 0.03 * coulomb_speed(), "{}", end.velocity[0]);
    // The layer on which it would glide lies above the ground, where gated contacts do not act.
    let touching = trajectory.bodies[0].steps.iter().filter(|step| step.force[1] > 0.0).count();
    assert!((10..500).contains(&touching), "{touching} of 1000 steps");
}

#[test]
fn a_resting_point_sinks_in_by_its_weight_over_the_stiffness() {
    for stiffness in [1e4, 1e5, 1e6] {
        let mut scenario = point([0.0, 0.0], [0.0, 0.0], 0.5, 3.0);
        scenario.steppers.convex.stiffness = Some(stiffness);
        let depth = -run(&scenario).final_state(0).position[1];
        let predicted = WEIGHT / stiffness;
        assert!((depth - predicted).abs() <= 1e-6 * predicted, "k = {stiffness:e}: {depth:e}");
    }
}

#[test]
fn ground_stiffer_than_the_step_can_tell_is_near_rigid() {
    // k > 4 pi^2/(beta^2 w dt (dt + tau_d)) = 2.66e7 here
    let limit = 4.0 * PI * PI / (W * DT * (DT + 0.02));
    for stiffness in [1e8, 1e12] {
        assert!(stiffness > limit);
        let mut scenario = point([0.0, 0.0], [0.0, 0.0], 0.5, 3.0);
        scenario.steppers.convex.stiffness = Some(stiffness);
        let end = run(&scenario).final_state(0);
        assert!((end.position[1] + 3.689891e-6).abs() <= 1e-12, "k = {stiffness:e}: {:e}", end.position[1]);
    }
}

#[test]
fn a_sliding_point_glides_on_a_layer_proportional_to_its_speed() {
    let mut scenario = point([0.0, 0.0], [1.0, 0.0], 0.2, 0.2);
    // Gated, the layer would lie above the ground and the contact would flicker.
    scenario.steppers.convex.gated = false;
    let trajectory = run(&scenario);
    let (before, after) = (&trajectory.bodies[0].states[150], &trajectory.bodies[0].states[151]);
    let normal_impulse = trajectory.bodies[0].steps[150].force[1] * DT;
    let regularization = (W / (4.0 * PI * PI)).max(1.0 / (DT * 1e7 * (DT + 0.02)));
    let shrink = 1.0 + 0.2 * 0.2 * 1e-3 * W / regularization;
    // v_n - vhat_n + R_n (1 + mu^2 R_t/R_n) gamma_n = mu |v_t|
    let reference = -before.position[1] / (DT + 0.02);
    let left = after.velocity[1] - reference + regularization * shrink * normal_impulse;
    let right = 0.2 * after.velocity[0];
    assert!((left - right).abs() <= 1e-12, "{left} {right}");
    // The point comes down as it slows, so it is a little above the height of a steady glide.
    let height = (DT + 0.02) * (0.2 * after.velocity[0] - regularization * shrink * normal_impulse);
    assert!((before.position[1] - height).abs() <= 0.1 * height, "{} {height}", before.position[1]);
}
