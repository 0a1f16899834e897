use std::ops::ControlFlow;

use stickslip::{
    compare::{ConvergenceStudy, DEFAULT_STEPS, NoError, write_convergence},
    scenario::Scenario,
    stepper::{
        Refusal,
        StepperName::{self, Exact, Hybrid, NlpRelaxed, NlpSeed, Smooth},
    },
    watch::Watch,
};

use crate::{assert_close, published, slide};

fn study(
    scenario: &Scenario<2>,
    names: &[StepperName],
    steps: &[f64],
) -> (ConvergenceStudy<2>, Vec<Refusal>) {
    ConvergenceStudy::run(scenario, names, steps, &Watch::none())
}

#[test]
fn slide_converges_at_first_order_and_smooth_to_its_model_error() {
    let (study, refused) = study(&published(slide()), &[NlpRelaxed, Hybrid, Smooth], &DEFAULT_STEPS);
    assert!(refused.is_empty());
    for stepper in &study.steppers[..2] {
        let order = stepper.order.slope.unwrap();
        assert!((0.95..=1.05).contains(&order), "{}: order {order}", stepper.stepper);
        assert_eq!(stepper.order.floor, None);
    }
    let smooth = &study.steppers[2];
    let floor = smooth.order.floor.unwrap();
    assert_close(floor[0], 1.3e-3, 1e-4, "model error in x");
    assert_close(floor[1], 13.3e-3, 1e-4, "model error in z");
    // The three coarsest steps are unstable, and refused.
    let reasons: Vec<_> =
        smooth.outcomes.iter().filter_map(|outcome| outcome.errors.as_ref().err()).collect();
    assert_eq!(reasons.len(), 3);
    assert!(reasons[0].to_string().contains("stable only up to"), "{}", reasons[0]);
}

#[test]
fn where_the_end_is_exact_the_largest_error_counts() {
    let mut drop = slide();
    drop.bodies[0].velocity[0] = 0.0;
    let (study, _) = study(&drop, &[Hybrid], &DEFAULT_STEPS);
    let order = study.steppers[0].order;
    assert!(order.of_largest);
    assert!((0.9..=1.1).contains(&order.slope.unwrap()), "{order:?}");
}

#[test]
fn exact_has_no_order() {
    let (study, _) = study(&slide(), &[Exact], &[1e-2, 5e-3]);
    assert_eq!(study.steppers[0].order.slope, None);
}

#[test]
fn stepper_that_refuses_every_step_is_left_out_with_its_reason() {
    let (study, refused) = study(&published(slide()), &[Hybrid, Smooth], &[1e-2, 5e-3]);
    assert_eq!(study.steppers.len(), 1);
    assert_eq!(refused[0].stepper, Smooth);
}

#[test]
fn table_has_a_row_per_stepper_and_step() {
    let (study, _) = study(&published(slide()), &[Hybrid, Smooth], &[5e-3, 1e-3]);
    let mut text = Vec::new();
    write_convergence(&study, &mut text).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let headers = reader.headers().unwrap().clone();
    assert_eq!(
        headers.iter().collect::<Vec<_>>(),
        [
            "stepper",
            "step",
            "final_error_x",
            "final_error_z",
            "max_error_x",
            "max_error_z",
            "outcome",
            "order"
        ]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!(&rows[0][6], "complete");
    assert!(rows[2][2].is_empty() && rows[2][6].contains("stable"));
}

#[test]
fn a_stepper_that_fails_has_no_error_but_a_record_of_the_failure() {
    let (study, _) = study(&slide(), &[NlpSeed], &[1e-3]);
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
        ConvergenceStudy::run(&slide(), &[Hybrid], &[1e-3], &Watch::new(|_| ControlFlow::Break(())));
    assert_eq!(study.steppers[0].outcomes[0].errors, Err(NoError::Interrupted));
}
