//! Equations that leave unknowns open, solved by the least change.

use nalgebra::{DMatrix, DVector, linalg::QR};

/// Part of the largest diagonal entry of the triangular factor below which one counts as none.
const RANK: f64 = 1e-10;

/// Square equations whose rank may be less than their number, in a complete orthogonal factorisation (Golub and Van
/// Loan, Matrix Computations, 5.4.7): `A P = Q [R S; 0 0]`, and `[R S]' = Z T` where the rank is not full.
#[derive(Debug, Clone)]
pub struct LeastChange {
    /// Householder vectors below the diagonal, `R` and `S` on and above it.
    factors: DMatrix<f64>,
    /// Of the Householder reflections `1 - scale v v'`, with `v` 1 on the diagonal.
    scales: Vec<f64>,
    /// The place of each column before they were exchanged.
    order: Vec<usize>,
    rank: usize,
    /// `Z` and `T`.
    row_space: Option<(DMatrix<f64>, DMatrix<f64>)>,
}

impl LeastChange {
    /// Factors a square matrix.
    pub fn new(matrix: DMatrix<f64>) -> Self {
        let n = matrix.ncols();
        let mut factors = matrix;
        let mut scales = vec![0.0; n];
        let mut order: Vec<usize> = (0..n).collect();
        let mut rank = n;
        let mut first = 0.0;
        for k in 0..n {
            // The longest of what is left of the columns.
            let left = |column: usize| factors.view((k, column), (n - k, 1)).norm_squared();
            let (longest, _) = (k..n)
                .map(|column| (column, left(column)))
                .fold((k, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best });
            factors.swap_columns(k, longest);
            order.swap(k, longest);
            let norm = factors.view((k, k), (n - k, 1)).norm();
            if k == 0 {
                first = norm;
            }
            if norm <= RANK * first {
                rank = k;
                break;
            }
            let diagonal = factors[(k, k)];
            let reflected = if diagonal > 0.0 { -norm } else { norm };
            let head = diagonal - reflected;
            scales[k] = -head / reflected;
            for i in k + 1..n {
                factors[(i, k)] /= head;
            }
            factors[(k, k)] = reflected;
            for column in k + 1..n {
                reflect(&mut factors, scales[k], k, column);
            }
        }
        let row_space = (rank < n && rank > 0).then(|| {
            let mut rows = factors.rows(0, rank).into_owned();
            for k in 0..rank {
                for i in k + 1..rank {
                    rows[(i, k)] = 0.0;
                }
            }
            let factored = QR::new(rows.transpose());
            (factored.q(), factored.r())
        });
        Self { factors, scales, order, rank, row_space }
    }

    /// How many of the unknowns are left open.
    pub fn open(&self) -> usize {
        self.order.len() - self.rank
    }

    /// The solution of least size for every right-hand side; of what no unknowns fulfil, the nearest.
    pub fn solve(&self, mut right: DMatrix<f64>) -> DMatrix<f64> {
        let n = self.order.len();
        let columns = right.ncols();
        let mut solution = DMatrix::zeros(n, columns);
        if self.rank == 0 {
            return solution;
        }
        for mut column in right.column_iter_mut() {
            for k in 0..self.rank {
                let mut along = column[k];
                for i in k + 1..n {
                    along += self.factors[(i, k)] * column[i];
                }
                along *= self.scales[k];
                column[k] -= along;
                for i in k + 1..n {
                    column[i] -= along * self.factors[(i, k)];
                }
            }
        }
        let mut top = right.rows(0, self.rank).into_owned();
        // Regular by the choice of the rank.
        let turned = match &self.row_space {
            None => {
                self.factors.solve_upper_triangular_mut(&mut top);
                top
            }
            Some((basis, triangle)) => {
                triangle.tr_solve_upper_triangular_mut(&mut top);
                basis * top
            }
        };
        for (place, &unknown) in self.order.iter().enumerate() {
            solution.row_mut(unknown).copy_from(&turned.row(place));
        }
        solution
    }

    /// A basis of what the equations leave open, a column each.
    pub fn open_directions(&self) -> DMatrix<f64> {
        let (n, rank) = (self.order.len(), self.rank);
        let mut basis = DMatrix::zeros(n, n - rank);
        if rank == n {
            return basis;
        }
        let mut top = self.factors.view((0, rank), (rank, n - rank)).into_owned();
        self.factors.view((0, 0), (rank, rank)).solve_upper_triangular_mut(&mut top);
        for (place, &unknown) in self.order.iter().enumerate() {
            if place < rank {
                basis.row_mut(unknown).copy_from(&-top.row(place));
            } else {
                basis[(unknown, place - rank)] = 1.0;
            }
        }
        basis
    }

    /// A basis of the combinations of the equations that say nothing, a column each.
    pub fn idle_combinations(&self) -> DMatrix<f64> {
        let (n, rank) = (self.order.len(), self.rank);
        let mut basis = DMatrix::zeros(n, n - rank);
        for column in 0..n - rank {
            let mut combination = DVector::zeros(n);
            combination[rank + column] = 1.0;
            for k in (0..rank).rev() {
                let mut along = combination[k];
                for i in k + 1..n {
                    along += self.factors[(i, k)] * combination[i];
                }
                along *= self.scales[k];
                combination[k] -= along;
                for i in k + 1..n {
                    combination[i] -= along * self.factors[(i, k)];
                }
            }
            basis.set_column(column, &combination);
        }
        basis
    }
}

/// Reflects what is left of a column by the vector in column `k`.
fn reflect(factors: &mut DMatrix<f64>, scale: f64, k: usize, column: usize) {
    let n = factors.nrows();
    let mut along = factors[(k, column)];
    for i in k + 1..n {
        along += factors[(i, k)] * factors[(i, column)];
    }
    along *= scale;
    factors[(k, column)] -= along;
    for i in k + 1..n {
        let part = along * factors[(i, k)];
        factors[(i, column)] -= part;
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
