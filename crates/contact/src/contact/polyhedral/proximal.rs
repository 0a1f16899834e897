/// What is added to the diagonal of a matrix whose largest entries are about 1.
const PROXIMAL: f64 = 1e-6;

/// Solves after which the answer is as good as it gets.
const MOST_SOLVES: u32 = 6;

/// A residual below this part of its terms is their rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Solutions of `A x = b` where `A` may be singular and `b` is in its range: the proximal point iteration
///
/// ```text
/// x <- x + (A + epsilon)^-1 (b - A x),   x = 0 at first,
/// ```
///
/// which gains a factor of `epsilon` over the least eigenvalue that is not zero with each solve. It ends at the
/// solution within the range of `A`, where small changes of `A` and `b` cannot throw it to another one.
#[derive(Debug, Clone, Default)]
pub(super) struct ProximalSolver {
    /// `A`, column by column.
    pub matrix: Vec<f64>,
    /// `b`.
    pub right: Vec<f64>,
    /// `x`.
    pub solution: Vec<f64>,
    /// Factors of `A + epsilon`, column by column, and the row that was exchanged with each.
    factors: Vec<f64>,
    pivots: Vec<usize>,
    residual: Vec<f64>,
    terms: Vec<f64>,
}

impl ProximalSolver {
    /// Makes room for `size` unknowns; `matrix` and `right` are zero then.
    pub fn reset(&mut self, size: usize) {
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.right.clear();
        self.right.resize(size, 0.0);
    }

    /// Solves the equations; `false` where even the regularised matrix is singular.
    pub fn solve(&mut self) -> bool {
        let n = self.right.len();
        self.solution.clear();
        self.solution.resize(n, 0.0);
        if !self.factor() {
            return false;
        }
        self.residual.clone_from(&self.right);
        for _ in 0..MOST_SOLVES {
            self.solve_by_factors();
            for (x, change) in self.solution.iter_mut().zip(&self.residual) {
                *x += change;
            }
            if self.measure() {
                break;
            }
        }
        true
    }

    /// Writes `b - A x`; whether that is rounding.
    fn measure(&mut self) -> bool {
        let Self { matrix, right, solution, residual, terms, .. } = self;
        residual.clone_from(right);
        terms.clear();
        terms.extend(right.iter().map(|right| right.abs()));
        for (column, x) in matrix.chunks_exact(right.len()).zip(solution.iter()) {
            for ((residual, terms), entry) in residual.iter_mut().zip(terms.iter_mut()).zip(column) {
                *residual -= entry * x;
                *terms += (entry * x).abs();
            }
        }
        residual.iter().zip(terms).all(|(residual, terms)| residual.abs() <= ROUNDING * *terms)
    }

    /// LU with row pivoting.
    fn factor(&mut self) -> bool {
        let n = self.right.len();
        let Self { matrix, factors, pivots, .. } = self;
        factors.clone_from(matrix);
        pivots.clear();
        factors.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal += PROXIMAL);
        for k in 0..n {
            let column = &factors[n * k..n * (k + 1)];
            let (mut pivot, mut largest) = (k, column[k]);
            for (row, &entry) in column.iter().enumerate().skip(k + 1) {
                if entry.abs() > largest.abs() {
                    (pivot, largest) = (row, entry);
                }
            }
            if !(largest.is_finite() && largest != 0.0) {
                return false;
            }
            pivots.push(pivot);
            if pivot != k {
                factors.chunks_exact_mut(n).for_each(|column| column.swap(k, pivot));
            }
            let (column, rest) = factors[n * k..].split_at_mut(n);
            let inverse = 1.0 / largest;
            let multipliers = &mut column[k + 1..];
            multipliers.iter_mut().for_each(|entry| *entry *= inverse);
            for other in rest.chunks_exact_mut(n) {
                let (above, below) = other.split_at_mut(k + 1);
                subtract_multiple(below, multipliers, above[k]);
            }
        }
        true
    }

    /// Solves for the residual, in its place.
    fn solve_by_factors(&mut self) {
        let Self { factors, pivots, residual, .. } = self;
        let n = residual.len();
        for (k, &pivot) in pivots.iter().enumerate() {
            residual.swap(k, pivot);
        }
        for (k, column) in factors.chunks_exact(n).enumerate() {
            let value = residual[k];
            subtract_multiple(&mut residual[k + 1..], &column[k + 1..], value);
        }
        for (k, column) in factors.chunks_exact(n).enumerate().rev() {
            residual[k] /= column[k];
            let value = residual[k];
            subtract_multiple(&mut residual[..k], &column[..k], value);
        }
    }
}

/// `entries -= multiple factors`.
#[inline(always)]
fn subtract_multiple(entries: &mut [f64], factors: &[f64], multiple: f64) {
    for (entry, factor) in entries.iter_mut().zip(factors) {
        *entry -= factor * multiple;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(matrix: &[f64], right: &[f64]) -> Vec<f64> {
        let mut solver = ProximalSolver::default();
        solver.reset(right.len());
        solver.matrix.copy_from_slice(matrix);
        solver.right.copy_from_slice(right);
        assert!(solver.solve());
        solver.solution
    }

    #[test]
    fn a_singular_matrix_gives_the_solution_within_its_range() {
        // Of 1 = x + y the shortest; of a matrix that is not symmetric, the multiple of its column.
        let even = solved(&[1.0, 1.0, 1.0, 1.0], &[1.0, 1.0]);
        assert!(even.iter().all(|x| (x - 0.5).abs() < 1e-9), "{even:?}");
        let oblique = solved(&[1.0, 1.0, 0.5, 0.5], &[3.0, 3.0]);
        assert!(oblique.iter().all(|x| (x - 2.0).abs() < 1e-9), "{oblique:?}");
    }

    #[test]
    fn a_regular_matrix_that_needs_its_rows_exchanged_is_solved_to_rounding() {
        let matrix = [0.0, 2.0, 1.0, 1.0, 0.0, -1.0, 3.0, 1.0, 0.0];
        let expected = [1.0, -2.0, 0.5];
        let mut right = [0.0; 3];
        for (column, x) in matrix.chunks_exact(3).zip(expected) {
            for (right, entry) in right.iter_mut().zip(column) {
                *right += entry * x;
            }
        }
        for (x, expected) in solved(&matrix, &right).into_iter().zip(expected) {
            assert!((x - expected).abs() < 1e-15, "{x}");
        }
    }

    #[test]
    fn what_is_not_a_number_has_no_solution() {
        let mut solver = ProximalSolver::default();
        solver.reset(1);
        solver.matrix[0] = f64::NAN;
        assert!(!solver.solve());
    }
}
