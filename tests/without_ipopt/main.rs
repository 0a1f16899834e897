//! The crate built without the feature `ipopt`:
//! `cargo test --no-default-features --test without_ipopt`.

#![cfg(not(feature = "ipopt"))]

use stickslip::{
    compare::{Comparison, default_steppers},
    learn::{Experiment, Request},
    scenario::{Body, Ground, NlpSolverChoice, Scenario},
    simulate::{OnFailure, simulate},
    stepper::{BuildStepper, Refusal, StepStatus, StepperName},
    watch::Watch,
};

fn slide() -> Scenario<2> {
    Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("slide")
    }
}

fn refusal(scenario: &Scenario<2>, name: StepperName) -> Refusal {
    scenario.stepper(name).err().unwrap_or_else(|| panic!("{name} is not refused"))
}

#[test]
fn nlp_runs_by_the_interior_point_method() {
    let mut stepper = slide().stepper(StepperName::NLP).expect("nlp admits every scenario");
    let trajectory = simulate(&slide(), stepper.as_mut());
    assert_eq!(trajectory.solver.as_ref().map(|solver| solver.name.as_str()), Some("interior-point"));
    assert_eq!(trajectory.count(StepStatus::Solved), 1200);
    assert!((trajectory.final_state(0).position[0] - 0.609184).abs() < 1e-6);
}

#[test]
fn whoever_asks_for_ipopt_is_told_what_to_do() {
    let mut scenario = slide();
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::Ipopt);
    let refused = refusal(&scenario, StepperName::NLP);
    assert!(refused.reason.contains("this build leaves out"), "{refused}");
    assert!(refused.remedy.contains("\"interior-point\"") && refused.remedy.contains("feature `ipopt`"));
    let refused = refusal(&slide(), StepperName::NLP_SEED);
    assert!(refused.remedy.contains("`nlp`") && refused.remedy.contains("feature `ipopt`"), "{refused}");
}

#[test]
fn comparison_has_every_other_stepper_and_no_cross_check() {
    let comparison = Comparison::run(&slide(), &default_steppers(&slide()), OnFailure::Stop, &Watch::none());
    assert!(comparison.entries.len() >= 8);
    assert_eq!(comparison.cross_check, None);
}

#[test]
fn learning_by_ipopt_is_refused() {
    let experiment: Experiment = "mpcc".parse().expect("an experiment");
    let refused = Request::new(experiment, 1).prepare().err().expect("mpcc is refused").to_string();
    assert!(refused.contains("`bilevel`") && refused.contains("feature `ipopt`"), "{refused}");
}
