//! A pivot that went wrong gives no wrong minimum: the optimality conditions are computed anew afterwards.

use nalgebra::SVector;
use num_dual::DualNum;

use super::{Bounds, InteriorPoint, InteriorPointOptions, Nlp, NlpSolver, SolveStatus, Start};
use crate::fault::{FACTORS, in_pivots};

/// The point of a ball of radius 3/2, on `x + y + z = 2` and with no negative coordinate, that is nearest to
/// (3, 2, 1); a convex program.
struct Nearest;

const TARGET: [f64; 3] = [3.0, 2.0, 1.0];

impl Nearest {
    /// By hand: on the sphere, and `z = 0`.
    fn is_at(x: &[f64]) -> bool {
        let half = 0.125_f64.sqrt();
        let distances = x.iter().zip([1.0 + half, 1.0 - half, 0.0]).map(|(x, y)| (x - y).abs());
        distances.fold(0.0, f64::max) < 1e-4
    }
}

impl Nlp<3, 2> for Nearest {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> T {
        (x[0] - TARGET[0]).powi(2) + (x[1] - TARGET[1]).powi(2) + (x[2] - TARGET[2]).powi(2)
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> SVector<T, 2> {
        SVector::from([x[0] + x[1] + x[2], x.dot(x)])
    }

    fn variable_bounds(&self) -> Bounds<3> {
        Bounds::non_negative()
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        Bounds::new([2.0, f64::NEG_INFINITY], [2.0, 2.25])
    }
}

/// Tries every fault on a solver that gives a status and a point.
fn check(solve: impl Fn() -> (SolveStatus, Vec<f64>)) {
    let (status, x) = solve();
    assert!(status == SolveStatus::Solved && Nearest::is_at(&x), "{status}: {x:?}");
    let (mut right, mut failed) = (0, 0);
    for factor in FACTORS {
        for numbers in [0..1, 3..4, 7..8, 20..21, 0..20, 0..usize::MAX, 9..usize::MAX] {
            let ((status, x), met) = in_pivots(numbers.clone(), factor, &solve);
            assert!(met > 0, "there is no pivot {numbers:?}");
            if status.is_success() {
                assert!(Nearest::is_at(&x), "pivots {numbers:?} times {factor}: {status} at {x:?}");
                right += 1;
            } else {
                failed += 1;
            }
        }
    }
    assert!(right > 0 && failed > 0, "{right} right, {failed} failed");
}

const START: [f64; 3] = [0.5, 0.5, 0.5];

#[test]
fn whatever_pivots_go_wrong_the_interior_point_calls_no_wrong_point_solved() {
    check(|| {
        let mut solver = InteriorPoint::new(&Nearest, InteriorPointOptions::default());
        let solution = solver.solve(&Nearest, &Start::cold(START.into()));
        (solution.status, solution.x.as_slice().to_vec())
    });
}

#[cfg(feature = "ipopt")]
mod ipopt {
    use super::*;
    use crate::nlp::{
        Ipopt, IpoptOptions, SparseIpopt,
        sparse::{SparseBounds, SparseNlp},
    };

    fn options() -> IpoptOptions {
        IpoptOptions { max_iterations: 60, ..IpoptOptions::default() }
    }

    #[test]
    fn whatever_pivots_go_wrong_ipopt_calls_no_wrong_point_solved() {
        check(|| {
            let mut solver = Ipopt::new(&Nearest, &options()).expect("a solver");
            let solution = solver.solve(&Nearest, &Start::cold(START.into()));
            (solution.status, solution.x.as_slice().to_vec())
        });
    }

    #[test]
    fn whatever_pivots_go_wrong_ipopt_with_sparse_matrices_calls_no_wrong_point_solved() {
        check(|| {
            let mut solver = SparseIpopt::new(&Nearest, &options()).expect("a solver");
            let solution = solver.solve(&Nearest, &START, None);
            (solution.status, solution.x)
        });
    }

    impl SparseNlp for Nearest {
        fn variables(&self) -> usize {
            3
        }

        fn constraints(&self) -> usize {
            2
        }

        fn variable_bounds(&self) -> SparseBounds {
            SparseBounds { lower: vec![0.0; 3], upper: vec![f64::INFINITY; 3] }
        }

        fn constraint_bounds(&self) -> SparseBounds {
            SparseBounds { lower: vec![2.0, f64::NEG_INFINITY], upper: vec![2.0, 2.25] }
        }

        fn objective(&self, x: &[f64]) -> f64 {
            x.iter().zip(TARGET).map(|(x, target)| (x - target).powi(2)).sum()
        }

        fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
            for ((entry, x), target) in gradient.iter_mut().zip(x).zip(TARGET) {
                *entry = 2.0 * (x - target);
            }
        }

        fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
            values.copy_from_slice(&[x.iter().sum(), x.iter().map(|x| x * x).sum()]);
        }

        fn jacobian_entries(&self) -> Vec<(usize, usize)> {
            (0..2).flat_map(|row| (0..3).map(move |column| (row, column))).collect()
        }

        fn jacobian_values(&self, x: &[f64], values: &mut [f64]) {
            values[..3].fill(1.0);
            values[3..].copy_from_slice(&[2.0 * x[0], 2.0 * x[1], 2.0 * x[2]]);
        }

        fn hessian_entries(&self) -> Vec<(usize, usize)> {
            (0..3).map(|k| (k, k)).collect()
        }

        fn hessian_values(&self, _: &[f64], sigma: f64, y: &[f64], values: &mut [f64]) {
            values.fill(2.0 * (sigma + y[1]));
        }
    }
}
