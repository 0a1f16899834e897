//! Equations that leave unknowns open, solved by the least change.

use nalgebra::{ColPivQR, DMatrix, Dyn, linalg::QR};

/// Part of the largest diagonal entry of the triangular factor below which one counts as none.
const RANK: f64 = 1e-10;

/// Square equations whose rank may be less than their number, in a complete orthogonal factorisation (Golub and Van
/// Loan, Matrix Computations, 5.4.7): `A P = Q [R S; 0 0]`, and `[R S]' = Z T` where the rank is not full.
#[derive(Debug, Clone)]
pub struct LeastChange {
    /// `Q` and `P`.
    factored: ColPivQR<f64, Dyn, Dyn>,
    /// `[R S]`.
    triangle: DMatrix<f64>,
    /// `Z` and `T`.
    row_space: Option<(DMatrix<f64>, DMatrix<f64>)>,
}

impl LeastChange {
    /// Factors a square matrix.
    pub fn new(matrix: DMatrix<f64>) -> Self {
        let factored = matrix.col_piv_qr();
        let triangle = factored.r();
        let diagonal = triangle.diagonal();
        let rank = diagonal.iter().take_while(|entry| **entry > RANK * diagonal[0]).count();
        let is_full = rank == triangle.ncols();
        let triangle = triangle.rows(0, rank).into_owned();
        let row_space = (!is_full && rank > 0).then(|| QR::new(triangle.transpose()).unpack());
        Self { factored, triangle, row_space }
    }

    fn rank(&self) -> usize {
        self.triangle.nrows()
    }

    /// How many of the unknowns are left open.
    pub fn open(&self) -> usize {
        self.triangle.ncols() - self.rank()
    }

    /// The solution of least size for every right-hand side; of what no unknowns fulfil, the nearest.
    pub fn solve(&self, mut right: DMatrix<f64>) -> DMatrix<f64> {
        let rank = self.rank();
        self.factored.q_tr_mul(&mut right);
        let mut top = right.rows(0, rank).into_owned();
        // Regular by the choice of the rank.
        let mut solution = match &self.row_space {
            None => {
                self.triangle.columns(0, rank).solve_upper_triangular_mut(&mut top);
                top.resize_vertically(self.triangle.ncols(), 0.0)
            }
            Some((basis, triangle)) => {
                triangle.tr_solve_upper_triangular_mut(&mut top);
                basis * top
            }
        };
        self.factored.p().inv_permute_rows(&mut solution);
        solution
    }

    /// A basis of what the equations leave open, a column each.
    pub fn open_directions(&self) -> DMatrix<f64> {
        let (rank, open) = (self.rank(), self.open());
        let mut top = -self.triangle.columns(rank, open);
        self.triangle.columns(0, rank).solve_upper_triangular_mut(&mut top);
        let mut basis = top.resize_vertically(rank + open, 0.0);
        basis.rows_mut(rank, open).fill_with_identity();
        self.factored.p().inv_permute_rows(&mut basis);
        basis
    }

    /// A basis of the combinations of the equations that say nothing, a column each.
    pub fn idle_combinations(&self) -> DMatrix<f64> {
        self.factored.q().columns(self.rank(), self.open()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A matrix of this rank, and one of numbers with as many rows.
    fn example(n: usize, rank: usize, seed: u64) -> (DMatrix<f64>, DMatrix<f64>) {
        let mut random = Random::seeded(seed);
        let mut numbers = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| random.normal(1.0));
        (numbers(n, rank) * numbers(rank, n), numbers(n, 3))
    }

    #[test]
    fn the_least_solution_is_that_of_the_singular_values() {
        for (n, rank) in [(1, 1), (1, 0), (6, 6), (7, 4), (12, 1), (20, 17)] {
            let (matrix, right) = example(n, rank, 3 + n as u64);
            let singular = matrix.clone().svd(true, true);
            let least = singular.solve(&right, 1e-9).expect("both sides were asked for");
            let factored = LeastChange::new(matrix);
            assert_eq!(factored.open(), n - rank);
            let error = (factored.solve(right) - &least).amax();
            assert!(error < 1e-9 * (1.0 + least.amax()), "{n} {rank}: {error}");
        }
    }

    #[test]
    fn what_is_left_open_and_what_says_nothing_are_bases() {
        for (n, rank) in [(1, 0), (7, 4), (12, 1), (20, 17)] {
            let (matrix, _) = example(n, rank, 8 + n as u64);
            let factored = LeastChange::new(matrix.clone());
            let (open, idle) = (factored.open_directions(), factored.idle_combinations());
            for basis in [&open, &idle] {
                assert_eq!(basis.ncols(), n - rank);
                let values = basis.clone().svd(false, false).singular_values;
                assert!(values.iter().all(|value| *value > 1e-3), "{n} {rank}: {values}");
            }
            assert!((&matrix * open).amax() < 1e-9 && matrix.tr_mul(&idle).amax() < 1e-9, "{n} {rank}");
        }
        let regular = LeastChange::new(example(5, 5, 1).0);
        assert_eq!([regular.open_directions().ncols(), regular.idle_combinations().ncols()], [0, 0]);
    }
}
