//! The rules about values, for scenarios written in code.

use stickslip::{
    model::Vector,
    scenario::{Push, Scenario, SmoothLaw, Violation},
};

fn scenario() -> Scenario<2> {
    Scenario::new("code")
}

/// The one violation of a scenario after `change`.
fn violation(change: impl FnOnce(&mut Scenario<2>)) -> Violation {
    let mut scenario = scenario();
    change(&mut scenario);
    let violations = scenario.check().expect_err("the scenario should break a rule");
    assert_eq!(violations.len(), 1, "{violations:#?}");
    violations.into_iter().next().unwrap()
}

#[test]
fn a_new_scenario_is_valid() {
    assert_eq!(scenario().check(), Ok(()));
}

#[test]
fn a_violation_tells_key_value_range_and_remedy() {
    let violation = violation(|scenario| scenario.bodies[0].mass = -3.0);
    assert_eq!(violation.key, "particle.mass");
    assert_eq!(violation.value, "-3");
    assert_eq!(
        violation.to_string(),
        "`particle.mass` is -3, but must be at least 1e-12 and at most 1e12 kg; give the mass in kilograms"
    );
}

#[test]
fn all_violations_are_told_at_once() {
    let mut scenario = scenario();
    scenario.name = "Two Words".to_owned();
    scenario.duration = 0.0;
    scenario.ground.restitution = 1.5;
    scenario.steppers.lcp.directions = Some(7);
    let keys: Vec<String> = scenario.check().unwrap_err().into_iter().map(|one| one.key).collect();
    assert_eq!(keys, ["name", "duration", "ground.restitution", "stepper.lcp.directions"]);
}

#[test]
fn nothing_that_is_not_finite_passes() {
    let places: [fn(&mut Scenario<2>, f64); 24] = [
        |scenario, bad| scenario.duration = bad,
        |scenario, bad| scenario.step = bad,
        |scenario, bad| scenario.gravity = bad,
        |scenario, bad| scenario.bodies[0].mass = bad,
        |scenario, bad| scenario.bodies[0].position[0] = bad,
        |scenario, bad| scenario.bodies[0].position[1] = bad,
        |scenario, bad| scenario.bodies[0].velocity[0] = bad,
        |scenario, bad| scenario.bodies[0].velocity[1] = bad,
        |scenario, bad| scenario.ground.friction = bad,
        |scenario, bad| scenario.ground.restitution = bad,
        |scenario, bad| scenario.ground.slope = bad,
        |scenario, bad| scenario.pushes = vec![Push::constant([0.0, bad])],
        |scenario, bad| scenario.pushes = vec![Push { from: Some(bad), ..Push::constant([0.0, 1.0]) }],
        |scenario, bad| scenario.pushes = vec![Push { to: Some(bad), ..Push::constant([0.0, 1.0]) }],
        |scenario, bad| scenario.pushes = vec![Push { frequency: Some(bad), ..Push::constant([0.0, 1.0]) }],
        |scenario, bad| scenario.pushes = vec![Push { phase: bad, ..Push::constant([0.0, 1.0]) }],
        |scenario, bad| scenario.steppers.nlp.tolerance = Some(bad),
        |scenario, bad| scenario.steppers.nlp.epsilon = Some(bad),
        |scenario, bad| scenario.steppers.convex.stiffness = Some(bad),
        |scenario, bad| scenario.steppers.convex.dissipation_time = Some(bad),
        |scenario, bad| scenario.steppers.convex.beta = bad,
        |scenario, bad| scenario.steppers.convex.sigma = bad,
        |scenario, bad| {
            scenario.steppers.smooth.law =
                SmoothLaw::HuntCrossley { stiffness: Some(bad), damping: Some(0.0) };
        },
        |scenario, bad| {
            scenario.steppers.smooth.law = SmoothLaw::Tanh { amplitude: 1.0, sharpness: 1.0, damping: bad };
        },
    ];
    for place in places {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let violation = violation(|scenario| place(scenario, bad));
            assert!(violation.allowed.contains("finite"), "{violation}");
        }
    }
}

#[test]
fn the_ends_of_the_ranges_are_allowed_and_what_lies_beyond_is_not() {
    let mut scenario = scenario();
    scenario.bodies[0].mass = 1e12;
    scenario.bodies[0].position = Vector::from([-1e6, 0.0]);
    scenario.bodies[0].velocity = Vector::from([0.0, 1e6]);
    scenario.ground.restitution = 1.0;
    scenario.ground.friction = 0.0;
    scenario.gravity = 0.0;
    scenario.duration = 1e5;
    assert_eq!(scenario.check(), Ok(()));
    assert_eq!(violation(|s| s.bodies[0].velocity = Vector::from([8e5, 8e5])).key, "particle.velocity");
    assert_eq!(violation(|s| s.bodies[0].position = Vector::from([1e7, 0.0])).key, "particle.position");
    assert_eq!(violation(|s| s.bodies[0].position[1] = -1e-300).key, "particle.position[1]");
    assert_eq!(violation(|s| s.ground.slope = 90.0).key, "ground.slope");
    assert_eq!(violation(|s| s.duration = 1e5 + 1.0).key, "step");
}

#[test]
fn a_duration_below_half_a_step_is_one_step() {
    let mut scenario = scenario();
    scenario.duration = 1e-9;
    assert_eq!(scenario.check(), Ok(()));
    assert_eq!(scenario.time().steps, 1);
}

#[test]
fn the_strongest_push_depends_on_the_mass() {
    let push = |scenario: &mut Scenario<2>, mass| {
        scenario.bodies[0].mass = mass;
        scenario.pushes = vec![Push::constant([2e9, 0.0])];
    };
    let violation = violation(|scenario| push(scenario, 1.0));
    assert_eq!(violation.key, "push[0].force");
    assert_eq!(violation.others, ["particle.mass"]);
    let mut heavy = scenario();
    push(&mut heavy, 10.0);
    assert_eq!(heavy.check(), Ok(()));
}
