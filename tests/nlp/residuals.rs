use nalgebra::{SVector, vector};
use stickslip::nlp::{Multipliers, Residuals};

use crate::programs::HockSchittkowski71;

fn published_solution() -> (SVector<f64, 4>, Multipliers<4, 2>) {
    let multipliers = Multipliers {
        constraints: vector![-0.552_293_66, 0.161_468_57],
        lower: vector![1.087_871_2, 0.0, 0.0, 0.0],
        upper: SVector::zeros(),
    };
    (SVector::from(HockSchittkowski71::MINIMISER), multipliers)
}

#[test]
fn of_the_published_solution_are_as_small_as_its_digits_allow() {
    let (x, multipliers) = published_solution();
    let residuals = Residuals::new(&HockSchittkowski71, &x, &multipliers);
    assert!(residuals.max() < 2e-6, "{residuals:?}");
}

#[test]
fn name_the_condition_that_a_wrong_answer_breaks() {
    let (x, multipliers) = published_solution();
    let of = |x: SVector<f64, 4>, multipliers: &Multipliers<4, 2>| {
        Residuals::new(&HockSchittkowski71, &x, multipliers)
    };

    let outside = of(x - SVector::x() * 0.25, &multipliers);
    assert!(outside.feasibility >= 0.25, "{outside:?}");

    let mut wrong = multipliers;
    wrong.lower[0] = 0.0;
    let unbalanced = of(x, &wrong);
    assert!((unbalanced.stationarity - 1.087_871_2).abs() < 1e-5, "{unbalanced:?}");

    let mut wrong = multipliers;
    wrong.upper[0] = 0.5;
    wrong.lower[0] += 0.5;
    let slack = of(x, &wrong);
    assert!(slack.stationarity < 1e-5 && (slack.complementarity - 2.0).abs() < 1e-12, "{slack:?}");

    let mut wrong = multipliers;
    wrong.lower[1] = -0.25;
    assert_eq!(of(x, &wrong).multiplier_sign, 0.25);

    let mut wrong = multipliers;
    wrong.constraints[0] = 0.5;
    assert_eq!(of(x, &wrong).multiplier_sign, 0.5, "the first constraint has no upper bound");
}

#[test]
fn of_something_that_is_not_a_number_are_infinite() {
    let (x, multipliers) = published_solution();
    let mut wrong = x;
    wrong[2] = f64::NAN;
    assert_eq!(Residuals::new(&HockSchittkowski71, &wrong, &multipliers).max(), f64::INFINITY);
}
