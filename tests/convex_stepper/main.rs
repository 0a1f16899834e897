//! The convex compliant stepper: against Drake, against the closed forms of its steady states, and
//! the artefacts that a user should know.

mod drake;
mod dual;
mod gating;
mod presets;
mod settings;
mod steady_states;
mod systems;
mod touching;

use stickslip::{
    scenario::{Body, ConvexSettings, Ground, Scenario, StepperSettings},
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::{Ending, Trajectory},
};

/// 10 kg in steps of 1 ms, with the published parameters.
fn point(position: [f64; 2], velocity: [f64; 2], friction: f64, duration: f64) -> Scenario<2> {
    Scenario {
        steppers: published(),
        duration,
        bodies: vec![Body::point(10.0, position, velocity)],
        ground: Ground { friction, ..Ground::default() },
        ..Scenario::new("test")
    }
}

/// The published parameters of the convex stepper.
fn published() -> StepperSettings {
    StepperSettings { convex: ConvexSettings::PUBLISHED, ..StepperSettings::default() }
}

/// The blog post's thrown point.
fn thrown() -> Scenario<2> {
    point([0.0, 1.0], [1.0, 0.0], 0.1, 1.5)
}

/// The whole trajectory; every step has to be solved, with residuals at rounding level.
fn run<const D: usize>(scenario: &Scenario<D>) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(StepperName::CONVEX).unwrap_or_else(|refusal| panic!("{refusal}"));
    let trajectory = simulate(scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Complete, "{:?}", trajectory.first_failure);
    assert_eq!(trajectory.count(StepStatus::Solved), trajectory.steps.len());
    trajectory
}

#[test]
fn the_closed_form_meets_the_optimality_conditions_to_rounding() {
    for step in run(&thrown()).steps {
        assert!(step.report.residual <= 1e-12, "{:e}", step.report.residual);
        assert_eq!(step.report.iterations, 0);
    }
}

#[test]
fn motion_over_a_plane_is_the_motion_in_the_plane_turned() {
    let mut scenario = thrown();
    scenario.steppers.convex.delassus_norm = stickslip::scenario::DelassusNorm::Spatial;
    let planar = run(&scenario).final_state(0);
    let (sin, cos) = 0.6f64.sin_cos();
    let spatial = Scenario::<3> {
        duration: scenario.duration,
        bodies: vec![Body::point(10.0, [0.0, 0.0, 1.0], [cos, sin, 0.0])],
        ground: scenario.ground,
        steppers: scenario.steppers,
        ..Scenario::new("turned")
    };
    let end = run(&spatial).final_state(0);
    assert!((end.position[0] - cos * planar.position[0]).abs() <= 1e-12);
    assert!((end.position[1] - sin * planar.position[0]).abs() <= 1e-12);
    assert!((end.position[2] - planar.position[1]).abs() <= 1e-12);
}

#[test]
fn the_motion_does_not_depend_on_the_mass_when_stiffness_scales_with_it() {
    let light = run(&thrown()).final_state(0);
    let mut scenario = thrown();
    scenario.bodies[0].mass *= 1e6;
    scenario.steppers.convex.stiffness = Some(1e7 * 1e6);
    let heavy = run(&scenario).final_state(0);
    assert!((light.position - heavy.position).amax() <= 1e-12, "{light:?} {heavy:?}");
}

#[test]
fn mirrored_scenarios_have_mirrored_motions() {
    let right = run(&thrown()).final_state(0);
    let mut scenario = thrown();
    scenario.bodies[0].velocity[0] *= -1.0;
    let left = run(&scenario).final_state(0);
    assert_eq!(left.position[0], -right.position[0]);
    assert_eq!(left.position[1], right.position[1]);
}

#[test]
fn without_gravity_a_point_on_the_ground_stays_there() {
    let mut scenario = point([0.0, 0.0], [0.0, 0.0], 0.5, 0.1);
    scenario.gravity = 0.0;
    for gated in [true, false] {
        scenario.steppers.convex.gated = gated;
        let end = run(&scenario).final_state(0);
        assert_eq!((end.position.norm(), end.velocity.norm()), (0.0, 0.0));
    }
}

#[test]
fn restitution_is_admitted_and_not_used() {
    let inelastic = run(&thrown());
    let mut scenario = thrown();
    scenario.ground.restitution = 0.8;
    assert_eq!(run(&scenario).bodies[0].states, inelastic.bodies[0].states);
}
