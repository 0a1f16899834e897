use stickslip::{
    compare::{ConvergenceStudy, DEFAULT_STEPS, write_convergence},
    stepper::StepperName::{Exact, Hybrid, NlpRelaxed, Smooth},
};

use crate::{assert_close, slide};

#[test]
fn slide_converges_at_first_order_and_smooth_to_its_model_error() {
    let (study, refused) = ConvergenceStudy::run(&slide(), &[NlpRelaxed, Hybrid, Smooth], &DEFAULT_STEPS);
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
    assert!(reasons[0].contains("stable only up to"), "{}", reasons[0]);
}

#[test]
fn where_the_end_is_exact_the_largest_error_counts() {
    let mut drop = slide();
    drop.particle.velocity[0] = 0.0;
    let (study, _) = ConvergenceStudy::run(&drop, &[Hybrid], &DEFAULT_STEPS);
    let order = study.steppers[0].order;
    assert!(order.of_largest);
    assert!((0.9..=1.1).contains(&order.slope.unwrap()), "{order:?}");
}

#[test]
fn exact_has_no_order() {
    let (study, _) = ConvergenceStudy::run(&slide(), &[Exact], &[1e-2, 5e-3]);
    assert_eq!(study.steppers[0].order.slope, None);
}

#[test]
fn stepper_that_refuses_every_step_is_left_out_with_its_reason() {
    let (study, refused) = ConvergenceStudy::run(&slide(), &[Hybrid, Smooth], &[1e-2, 5e-3]);
    assert_eq!(study.steppers.len(), 1);
    assert_eq!(refused[0].stepper, Smooth);
}

#[test]
fn table_has_a_row_per_stepper_and_step() {
    let (study, _) = ConvergenceStudy::run(&slide(), &[Hybrid, Smooth], &[5e-3, 1e-3]);
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
