//! Every threshold can fail, and can be met.

use stickslip::{
    scorecard::{Group, Outcome, Phenomenon, Score, Verdict, phenomena},
    stepper::StepperName,
    watch::Watch,
};

fn score(phenomenon: &Phenomenon, stepper: StepperName, step: f64) -> Score {
    let outcome = phenomenon.trial.run(stepper, step, None, &Watch::none()).unwrap();
    Score::of(phenomenon, outcome)
}

#[test]
fn what_each_phenomenon_names_as_failing_fails() {
    for phenomenon in phenomena() {
        let failing = &phenomenon.failing;
        let adjust = failing.settings.map(|settings| settings.apply);
        let outcome = phenomenon.trial.run(failing.stepper, failing.step, adjust, &Watch::none()).unwrap();
        assert!(matches!(outcome, Outcome::Measured(_)), "{}: {outcome:?}", phenomenon.name);
        let verdict = Score::of(&phenomenon, outcome.clone()).verdict;
        assert!(matches!(verdict, Verdict::Off | Verdict::Wrong), "{}: {outcome:?}", phenomenon.name);
    }
}

/// In steps of 1 ms; the gradient of a bounce is right in those that take impacts within steps.
#[test]
fn each_phenomenon_is_right_in_some_model() {
    for phenomenon in phenomena() {
        let steppers =
            [StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONVEX, StepperName::HYBRID];
        let right =
            steppers.into_iter().any(|stepper| score(&phenomenon, stepper, 1e-3).verdict == Verdict::Right);
        assert!(right, "{}", phenomenon.name);
    }
}

/// In steps of 1 ms, by the models that take impacts by the law that a scenario names: each by itself is right, or a remark says
/// why it is not.
#[test]
fn each_phenomenon_of_impacts_is_right_in_each_model_that_knows_its_law() {
    for phenomenon in phenomena().into_iter().filter(|phenomenon| phenomenon.group == Group::Impact) {
        for stepper in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
            let score = score(&phenomenon, stepper, 1e-3);
            let is_remarked = phenomenon.remarks.iter().any(|remark| remark.steppers.contains(&stepper));
            println!("{} by {stepper}: {:?}, remarked: {is_remarked}", phenomenon.name, score.verdict);
            assert!(score.verdict == Verdict::Right || is_remarked, "{} by {stepper}", phenomenon.name);
        }
    }
}

/// A model that is right at every step needs no excuse.
#[test]
fn remarks_are_about_models_that_are_not_right() {
    for phenomenon in phenomena() {
        for &stepper in phenomenon.remarks.iter().flat_map(|remark| remark.steppers) {
            let verdicts = [1e-2, 1e-3].map(|step| score(&phenomenon, stepper, step).verdict);
            let missed = verdicts.iter().any(|verdict| matches!(verdict, Verdict::Off | Verdict::Wrong));
            assert!(missed, "{} by {stepper}: {verdicts:?}", phenomenon.name);
        }
    }
}
