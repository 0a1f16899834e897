use std::ops::ControlFlow;

use stickslip::{
    compare::{ConvergenceStudy, DEFAULT_STEPS, NoError, write_convergence},
    scenario::Scenario,
    stepper::{Refusal, StepperName},
    watch::Watch,
};

use crate::{assert_close, published, slide};

const NLP: StepperName = StepperName::NLP;
const NLP_SEED: StepperName = StepperName::NLP_SEED;
const LCP: StepperName = StepperName::LCP;
const LCP_ANITESCU: StepperName = StepperName::LCP_ANITESCU;
const CONVEX: StepperName = StepperName::CONVEX;
const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

fn study(
    scenario: &Scenario<2>,
    names: &[StepperName],
    steps: &[f64],
) -> (ConvergenceStudy<2>, Vec<Refusal>) {
    ConvergenceStudy::run(scenario, names, steps, &Watch::none())
}

#[test]
fn slide_converges_at_first_order_and_smooth_to_its_model_error() {
    let (study, refused) = study(&published(slide()), &[NLP, HYBRID, SMOOTH], &DEFAULT_STEPS);
    assert!(refused.is_empty());
    for stepper in &study.steppers[..2] {
        let order = stepper.order.unwrap();
        assert!((0.95..=1.05).contains(&order), "{}: order {order}", stepper.stepper);
        assert_eq!(stepper.model_error, None);
    }
    let smooth = &study.steppers[2];
    assert_eq!(smooth.order, None);
    let error = smooth.model_error.unwrap();
    assert_close(error.largest[0], 1.3e-3, 2e-4, "model error in x");
    assert_close(error.largest[1], 13.3e-3, 1e-4, "model error in z");
    assert!(error.rms > 5e-3 && error.rms < error.largest.norm() && error.step == 6.25e-5, "{error:?}");
    assert!(error.settled < 0.1 * error.rms, "{error:?}");
    // The three coarsest steps are unstable, and refused.
    let reasons: Vec<_> =
        smooth.outcomes.iter().filter_map(|outcome| outcome.errors.as_ref().err()).collect();
    assert_eq!(reasons.len(), 3);
    assert!(reasons[0].to_string().contains("stable only up to"), "{}", reasons[0]);
}

#[test]
fn a_model_that_never_bounces_is_not_level_with_one_that_does() {
    // Both end where the exact motion does along x, and only there.
    let mut bounce = slide();
    bounce.duration = 2.5;
    bounce.bodies[0].velocity[0] = 2.0;
    bounce.ground.restitution = 0.6;
    let (study, _) = study(&bounce, &[LCP, CONVEX], &DEFAULT_STEPS);
    let [lcp, convex] = &study.steppers[..] else { panic!("both are admitted") };
    assert!(lcp.order.is_some_and(|order| order > 0.8) && lcp.model_error.is_none(), "{lcp:?}");
    assert_eq!(convex.order, None);
    let error = convex.model_error.expect("the rebounds are missing");
    assert_close(error.largest[1], 0.36, 0.01, "height of the first rebound");
    assert_eq!(convex.ignored[0].key, "ground.restitution");
    let finest = |errors: &stickslip::compare::StepperConvergence<2>| {
        errors.outcomes.last().unwrap().errors.as_ref().unwrap().rms
    };
    assert!(finest(convex) > 50.0 * finest(lcp));
}

#[test]
fn noise_of_the_phases_of_impacts_is_no_error_of_the_model() {
    // Dropped from 1 m with restitution 0.8: errors go up and down with where impacts fall between samples.
    let mut ball = slide();
    ball.duration = 3.0;
    ball.bodies[0].velocity[0] = 0.0;
    for (restitution, steps) in [
        (0.8, &DEFAULT_STEPS[..]),
        (0.8, &[1.1e-3, 1e-3]),
        (0.7, &[1e-3, 7e-4, 5e-4]),
        (0.9, &[2e-3, 1.9e-3]),
    ] {
        ball.ground.restitution = restitution;
        let (study, _) = study(&ball, &[LCP, LCP_ANITESCU, HYBRID], steps);
        for stepper in &study.steppers {
            assert_eq!(stepper.model_error, None, "{} with e = {restitution}, {steps:?}", stepper.stepper);
        }
    }
}

#[test]
fn the_whole_motion_counts_where_the_end_is_exact() {
    let mut drop = slide();
    drop.bodies[0].velocity[0] = 0.0;
    let (study, _) = study(&drop, &[HYBRID], &DEFAULT_STEPS);
    let stepper = &study.steppers[0];
    assert!(stepper.outcomes.iter().all(|outcome| outcome.errors.as_ref().unwrap().at_end.norm() < 1e-10));
    assert!((0.9..=1.1).contains(&stepper.order.unwrap()), "{stepper:?}");
}

#[test]
fn exact_has_no_order() {
    let (study, _) = study(&slide(), &[EXACT], &[1e-2, 5e-3]);
    assert_eq!(study.steppers[0].order, None);
}

#[test]
fn stepper_that_refuses_every_step_is_left_out_with_its_reason() {
    let (study, refused) = study(&published(slide()), &[HYBRID, SMOOTH], &[1e-2, 5e-3]);
    assert_eq!(study.steppers.len(), 1);
    assert_eq!(refused[0].stepper, SMOOTH);
}

#[test]
fn table_has_a_row_per_stepper_and_step() {
    let (study, _) = study(&published(slide()), &[HYBRID, SMOOTH], &[5e-3, 1e-3]);
    let mut text = Vec::new();
    write_convergence(&study, &mut text).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let headers = reader.headers().unwrap().clone();
    assert_eq!(
        headers.iter().collect::<Vec<_>>(),
        [
            "stepper",
            "step",
            "rms_error",
            "final_error_x",
            "final_error_z",
            "max_error_x",
            "max_error_z",
            "outcome",
            "order",
            "model_error",
            "reference"
        ]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!(&rows[0][7], "complete");
    assert!(rows[2][2].is_empty() && rows[2][7].contains("stable"));
}

#[test]
fn a_stepper_that_fails_has_no_error_but_a_record_of_the_failure() {
    let (study, _) = study(&slide(), &[NLP_SEED], &[1e-3]);
    let outcome = &study.steppers[0].outcomes[0];
    let Err(NoError::Failed(replay)) = &outcome.errors else {
        panic!("the published program fails in flight")
    };
    assert_eq!((replay.stepper.as_str(), replay.dt), ("nlp:seed", 1e-3));
    assert!(outcome.errors.as_ref().unwrap_err().to_string().contains("failed"));
}

#[test]
fn a_study_can_be_stopped() {
    let (study, _) =
        ConvergenceStudy::run(&slide(), &[HYBRID], &[1e-3], &Watch::new(|_| ControlFlow::Break(())));
    assert_eq!(study.steppers[0].outcomes[0].errors, Err(NoError::Interrupted));
}
