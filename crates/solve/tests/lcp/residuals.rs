//! The residual of guesses whose fault is known.

use nalgebra::{SMatrix, SVector};
use stickslip_solve::lcp::{Lcp, RESIDUAL_TOLERANCE, residual};

fn of(m: [[f64; 2]; 2], q: [f64; 2], z: [f64; 2]) -> f64 {
    let m = SMatrix::from_fn(|row, column| m[row][column]);
    let problem = Lcp::<2>::new(m, q.into()).expect("well posed");
    residual(&problem, &z.into(), &mut SVector::zeros())
}

const IDENTITY: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];

#[test]
fn every_row_and_every_condition_counts() {
    assert_eq!(of(IDENTITY, [-1.0, 1.0], [1.0, 0.0]), 0.0);
    // `w < 0` in the first row, and in the second.
    assert_eq!(of(IDENTITY, [-1.0, 1.0], [0.0, 0.0]), 1.0);
    assert_eq!(of(IDENTITY, [1.0, -1.0], [0.0, 0.0]), 1.0);
    // `z > 0` and `w > 0` in the second row, and in the first.
    assert_eq!(of(IDENTITY, [-1.0, 1.0], [1.0, 1.0]), 1.0);
    assert_eq!(of(IDENTITY, [1.0, -1.0], [1.0, 1.0]), 1.0);
}

#[test]
fn what_is_negative_or_no_number_is_no_solution_at_all() {
    for bad in [-1e-300, f64::NAN, f64::INFINITY] {
        assert_eq!(of(IDENTITY, [-1.0, 1.0], [1.0, bad]), f64::INFINITY);
        assert_eq!(of(IDENTITY, [1.0, -1.0], [bad, 1.0]), f64::INFINITY);
    }
}

/// A violation is large or small beside the terms of its row, within limits.
#[test]
fn neither_huge_unknowns_nor_a_large_neighbour_hide_a_violation() {
    let opposed = [[1.0, -1.0], [-1.0, 1.0]];
    assert_eq!(of(opposed, [-1.0, -1.0], [1e12, 1e12]), 1e-6, "nothing solves it");
    assert!(of(opposed, [-1.0, -1.0], [1e300, 1e300]) > RESIDUAL_TOLERANCE);
    let small = of(IDENTITY, [-1.0, -1e-6], [1.0, 0.0]);
    assert!((small - 1e-2).abs() < 1e-12, "{small}");
}
