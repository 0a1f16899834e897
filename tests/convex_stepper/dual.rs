//! `stepper.convex.solver = "dual"`: the same motion from another solver and another problem.

use stickslip::{
    scenario::{Body, ConvexSolver, Scenario},
    stepper::{BuildStepper, StepperName},
};

use crate::{run, thrown};

#[test]
fn the_dual_solver_gives_the_same_motion_in_the_plane() {
    let primal = run(&thrown());
    let mut scenario = thrown();
    scenario.steppers.convex.solver = ConvexSolver::Dual;
    let dual = run(&scenario);
    for (a, b) in primal.bodies[0].states.iter().zip(&dual.bodies[0].states) {
        assert!((a.position - b.position).amax() <= 1e-9, "{a:?} {b:?}");
    }
    assert!(dual.steps.iter().any(|step| step.report.iterations > 0));
    assert!(dual.steps.iter().all(|step| step.report.residual <= 1e-6));
}

#[test]
fn the_dual_solver_gives_the_same_motion_over_a_plane() {
    let mut scenario = Scenario::<3> {
        duration: 0.2,
        bodies: vec![Body::point(10.0, [0.0, 0.0, 0.05], [1.0, 0.5, 0.0])],
        ground: thrown().ground,
        steppers: thrown().steppers,
        ..Scenario::new("test")
    };
    let primal = run(&scenario).final_state(0);
    scenario.steppers.convex.solver = ConvexSolver::Dual;
    let dual = run(&scenario).final_state(0);
    assert!((primal.position - dual.position).amax() <= 1e-8, "{primal:?} {dual:?}");
}

#[test]
fn the_solver_is_named_with_the_version_that_is_built_in() {
    let mut scenario = thrown();
    let solver = |scenario: &Scenario<2>| scenario.stepper(StepperName::CONVEX).expect("admitted").solver();
    assert_eq!(solver(&scenario), None, "a closed form");
    scenario.steppers.convex.solver = ConvexSolver::Dual;
    let info = solver(&scenario).expect("a solver");
    assert_eq!(info.name, "Clarabel");
    let package = format!("name = \"clarabel\"\nversion = \"{}\"", info.version);
    assert!(include_str!("../../Cargo.lock").contains(&package), "{package}");
}
