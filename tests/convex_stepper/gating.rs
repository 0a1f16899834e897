//! Contacts that act only below the ground, and those whose damper acts at a distance.

use std::f64::consts::{PI, SQRT_2};

use stickslip::{
    model::State,
    scenario::{Scenario, Shape},
};

use crate::{point, run, thrown};

fn ungated(mut scenario: Scenario<2>) -> Scenario<2> {
    scenario.steppers.convex.gated = false;
    scenario
}

#[test]
fn gated_contacts_do_nothing_above_the_ground() {
    let trajectory = run(&thrown());
    for (step, state) in trajectory.bodies[0].steps.iter().zip(&trajectory.bodies[0].states) {
        assert!(state.position[1] < 0.0 || step.force.norm() == 0.0, "{state:?} {:?}", step.force);
    }
}

#[test]
fn ungated_contacts_brake_before_they_touch() {
    let (gated, ungated) = (run(&thrown()), run(&ungated(thrown())));
    let first = |trajectory: &stickslip::trajectory::Trajectory<2>| {
        trajectory.bodies[0].steps.iter().position(|step| step.force[1] > 0.0).expect("it lands")
    };
    assert!(first(&ungated) < first(&gated));
    assert!(ungated.bodies[0].states[first(&ungated)].position[1] > 0.0);
    let pairs = gated.bodies[0].states.iter().zip(&ungated.bodies[0].states);
    let apart = pairs.map(|(a, b)| (a.position - b.position).norm()).fold(0.0, f64::max);
    assert!(apart > 0.02, "the two are different models: {apart}");
}

#[test]
fn ungated_motion_never_gains_energy() {
    for dissipation_time in [0.0, 1e-3, 0.02, 0.5] {
        let mut scenario = ungated(thrown());
        scenario.steppers.convex.dissipation_time = Some(dissipation_time);
        let trajectory = run(&scenario);
        let body = scenario.point(0);
        // What the spring holds counts, too: 1/2 k z^2 of the stiffness that the step can resolve.
        let stiffness = 1.0 / (regularization(&scenario) * 1e-3 * (1e-3 + dissipation_time));
        let energy =
            |state: &State<2>| body.energy(state) + 0.5 * stiffness * state.position[1].min(0.0).powi(2);
        for pair in trajectory.bodies[0].states.windows(2) {
            let gain = energy(&pair[1]) - energy(&pair[0]);
            assert!(
                gain <= 1e-9 * energy(&trajectory.bodies[0].states[0]),
                "tau_d = {dissipation_time}: {gain:e}"
            );
        }
    }
}

/// `R_n` of the point.
fn regularization(scenario: &Scenario<2>) -> f64 {
    let convex = scenario.steppers.convex;
    let near_rigid = 1.0 / (scenario.bodies[0].mass * SQRT_2) / (4.0 * PI * PI);
    near_rigid.max(1.0 / (1e-3 * convex.stiffness.unwrap() * (1e-3 + convex.dissipation_time_at(1e-3))))
}

#[test]
fn a_gated_impact_pops_out_at_the_speed_its_depth_allows() {
    for dissipation_time in [0.0, 1e-3, 5e-3, 0.02, 0.1] {
        let mut scenario = point([0.0, 1.0], [0.0, 0.0], 0.0, 0.6);
        scenario.steppers.convex.dissipation_time = Some(dissipation_time);
        scenario.steppers.convex.stiffness = Some(1e9);
        let trajectory = run(&scenario);
        let impact =
            trajectory.bodies[0].steps.iter().position(|step| step.force[1] > 0.0).expect("it lands");
        let (before, after) =
            (&trajectory.bodies[0].states[impact], &trajectory.bodies[0].states[impact + 1]);
        let depth = -before.position[1];
        assert!(depth > 0.0 && depth <= 1e-3 * before.velocity[1].abs());
        // The velocity is between the one that closes the gap and the free one, as 1 to m R_n.
        let closing = depth / (1e-3 + dissipation_time);
        let share = 10.0 * regularization(&scenario);
        let free = before.velocity[1] - 9.81e-3;
        let predicted = (closing + share * free) / (1.0 + share);
        assert!((after.velocity[1] - predicted).abs() <= 1e-12, "{} {predicted}", after.velocity[1]);
        // Nearly rigid: restitution ~ (|phi|/(|v| dt)) dt/(dt + tau_d)
        let restitution = -after.velocity[1] / before.velocity[1];
        let estimate = closing / -before.velocity[1];
        assert!((restitution - estimate).abs() <= 0.05, "{restitution} {estimate}");
    }
}

#[test]
fn dissipation_much_longer_than_the_step_keeps_impacts_inelastic() {
    let mut scenario = point([0.0, 1.0], [0.0, 0.0], 0.0, 1.0);
    scenario.steppers.convex.dissipation_time = Some(0.1);
    let trajectory = run(&scenario);
    let landed = trajectory.bodies[0].steps.iter().position(|step| step.force[1] > 0.0).expect("it lands");
    let highest =
        trajectory.bodies[0].states[landed + 1..].iter().map(|state| state.position[1]).fold(0.0, f64::max);
    assert!(highest <= 1e-3, "{highest}");
}

/// With `tau_d` of many steps a contact that is not gated pushes from far above the ground, in a step in which it cannot
/// close: that of a body as well as that of a point.
#[test]
fn a_strongly_damped_body_is_braked_from_as_high_as_a_point() {
    let mut point = ungated(thrown());
    point.steppers.convex.dissipation_time = Some(0.02);
    point.bodies[0].velocity[0] = 0.0;
    let mut disc = point.clone();
    disc.bodies[0].shape = Shape::Ball { radius: 0.1 };
    disc.bodies[0].position[1] += 0.1;
    let [point, disc] = [run(&point), run(&disc)];
    let heights = point.bodies[0].states.iter().zip(&disc.bodies[0].states);
    let apart =
        heights.map(|(point, disc)| (disc.position[1] - 0.1 - point.position[1]).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart:e} m");
}
