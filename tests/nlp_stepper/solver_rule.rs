//! Which solver steps what: a point IPOPT or the crate's own, points beside each other these and the
//! structured one, bodies that turn the structured one or IPOPT.

use stickslip::{
    scenario::{Body, NlpSolverChoice, Scenario, Shape},
    stepper::{BuildStepper, StepperName},
};

use crate::nominal;

/// Name of the solver, or the refusal in words.
fn solver(mut scenario: Scenario<2>, choice: Option<NlpSolverChoice>) -> Result<String, String> {
    scenario.steppers.nlp.solver = choice;
    let stepper = scenario.stepper(StepperName::NLP).map_err(|refusal| refusal.to_string())?;
    Ok(stepper.solver().expect("nlp has a solver").name)
}

#[test]
fn point_is_stepped_by_ipopt_or_the_interior_point_method() {
    assert_eq!(solver(nominal(), None).as_deref(), Ok("IPOPT"));
    assert_eq!(solver(nominal(), Some(NlpSolverChoice::InteriorPoint)).as_deref(), Ok("interior-point"));
    assert_eq!(
        solver(nominal(), Some(NlpSolverChoice::Structured)).as_deref(),
        Ok("structured interior point")
    );
}

/// A step of points with one contact goes to IPOPT, or the solver that is named; one with more to the structured solver.
#[test]
fn points_beside_each_other_are_stepped_by_the_solver_of_a_point_and_the_structured_one() {
    let mut scenario = nominal();
    scenario.bodies.push(Body::point(1.0, [0.5, 0.2], [0.0, 0.0]));
    assert_eq!(solver(scenario.clone(), None).as_deref(), Ok("IPOPT"));
    assert_eq!(solver(scenario.clone(), Some(NlpSolverChoice::Ipopt)).as_deref(), Ok("IPOPT"));
    let own = solver(scenario.clone(), Some(NlpSolverChoice::InteriorPoint));
    assert_eq!(own.as_deref(), Ok("interior-point"));
    let stepper = scenario.stepper(StepperName::NLP).expect("points");
    let told = stepper.settings().get("stepper.nlp.solver").map(ToString::to_string).unwrap_or_default();
    assert!(told.contains("ipopt") && told.contains("structured for several"), "{told}");
}

#[test]
fn bodies_are_stepped_by_the_structured_solver_or_ipopt() {
    let mut scenario = nominal();
    let size = [0.2, 0.2].into();
    scenario.bodies[0].shape = Shape::Box { size };
    for choice in [None, Some(NlpSolverChoice::Structured)] {
        let name = solver(scenario.clone(), choice).expect("bodies");
        assert!(name.starts_with("structured"), "{name}");
    }
    assert_eq!(solver(scenario.clone(), Some(NlpSolverChoice::Ipopt)).as_deref(), Ok("IPOPT"));
    let refused = solver(scenario, Some(NlpSolverChoice::InteriorPoint)).expect_err("a solver of points");
    assert!(refused.contains("single point") && refused.contains("\"structured\""), "{refused}");
}
