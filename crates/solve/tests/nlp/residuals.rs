use nalgebra::{SVector, vector};
use stickslip_solve::nlp::{Multipliers, Residuals};

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

#[test]
fn the_largest_of_the_four_counts_and_no_number_is_the_largest_of_all() {
    let zero = Residuals { stationarity: 0.0, feasibility: 0.0, complementarity: 0.0, multiplier_sign: 0.0 };
    let set = |value: f64| {
        [
            Residuals { stationarity: value, ..zero },
            Residuals { feasibility: value, ..zero },
            Residuals { complementarity: value, ..zero },
            Residuals { multiplier_sign: value, ..zero },
        ]
    };
    assert_eq!(zero.max(), 0.0);
    assert_eq!(set(0.5).map(|residuals| residuals.max()), [0.5; 4]);
    assert_eq!(set(f64::NAN).map(|residuals| residuals.max()), [f64::INFINITY; 4]);
}

/// The sum of the squares is 40 to either side, the product at least 25.
#[test]
fn a_constraint_is_violated_on_either_side() {
    let (x, multipliers) = published_solution();
    for (factor, violation) in [(0.9, 40.0 * (1.0 - 0.81) / 40.0), (1.1, 40.0 * (1.21 - 1.0) / 40.0)] {
        let residuals = Residuals::new(&HockSchittkowski71, &(x * factor), &multipliers);
        assert!(residuals.feasibility >= violation * (1.0 - 1e-6), "{residuals:?}");
    }
}

/// A multiplier of the wrong sign balances nothing, and neither does one of a bound that does not exist.
#[test]
fn what_is_not_admissible_cannot_make_a_point_stationary() {
    let (x, mut multipliers) = published_solution();
    multipliers.lower[0] = 0.0;
    multipliers.upper[0] = -1.087_871_2;
    let residuals = Residuals::new(&HockSchittkowski71, &x, &multipliers);
    assert!((residuals.stationarity - 1.087_871_2).abs() < 1e-5, "{residuals:?}");
    assert!((residuals.multiplier_sign - 1.087_871_2).abs() < 1e-12, "{residuals:?}");
}
