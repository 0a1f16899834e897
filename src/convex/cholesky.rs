use super::{Block, BlockMatrix, Elimination, Pattern, Vector};

/// Block sparse Cholesky factorisation `S H S = L Delta L'` of a symmetric positive definite
/// matrix after Jacobi scaling `S = diag(H)^-1/2`, `L` with a unit diagonal and `Delta` diagonal:
/// the form of Cholesky that needs no square roots in its chain of dependent operations.
///
/// Left-looking over the columns in an order of minimum degree. The factor holds `U = L Delta` below the
/// diagonal blocks.
#[derive(Debug, Clone, Default)]
pub struct Cholesky<const D: usize> {
    elimination: Elimination,
    /// Unit lower triangles `L_kk`, in elimination order.
    diagonal: Vec<Block<D>>,
    /// Diagonals of `Delta^-1`, in elimination order.
    inverse_pivots: Vec<Vector<D>>,
    /// Entries of `U`, column by column.
    lower: Vec<Block<D>>,
    /// Jacobi scaling, in elimination order.
    scaling: Vec<Vector<D>>,
    /// For the column at hand, the entry of each row.
    entry_of_row: Vec<usize>,
    solution: Vec<Vector<D>>,
}

/// The matrix is not positive definite to working precision, or not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPositiveDefinite;

impl<const D: usize> Cholesky<D> {
    /// Room for the factors of all matrices of `pattern`.
    pub fn new(pattern: &Pattern) -> Self {
        let elimination = Elimination::new(pattern);
        let blocks = pattern.blocks();
        Self {
            diagonal: vec![Block::zeros(); blocks],
            inverse_pivots: vec![Vector::zeros(); blocks],
            lower: vec![Block::zeros(); elimination.entries()],
            scaling: vec![Vector::zeros(); blocks],
            entry_of_row: vec![0; blocks],
            solution: vec![Vector::zeros(); blocks],
            elimination,
        }
    }

    /// Factors `matrix`, whose pattern must be the one given to [`Cholesky::new`].
    ///
    /// # Errors
    /// [`NotPositiveDefinite`] when a pivot is not a positive number.
    pub fn factor(&mut self, matrix: &BlockMatrix<D>) -> Result<(), NotPositiveDefinite> {
        self.load(matrix);
        let Elimination { start, row, row_start, row_entries, .. } = &self.elimination;
        for k in 0..self.diagonal.len() {
            let column = start[k]..start[k + 1];
            for entry in column.clone() {
                self.entry_of_row[row[entry]] = entry;
            }
            let mut diagonal = self.diagonal[k];
            for &(j, entry) in &row_entries[row_start[k]..row_start[k + 1]] {
                let u = self.lower[entry];
                let l = scale_columns(&u, &self.inverse_pivots[j]);
                diagonal -= times_transposed(&u, &l);
                let rest_of_column = entry + 1..start[j + 1];
                for (&row, source) in row[rest_of_column.clone()].iter().zip(rest_of_column) {
                    let update = times_transposed(&self.lower[source], &l);
                    self.lower[self.entry_of_row[row]] -= update;
                }
            }
            self.inverse_pivots[k] = unit_triangle(&mut diagonal)?;
            self.diagonal[k] = diagonal;
            for entry in column {
                solve_right_transposed(&diagonal, &mut self.lower[entry]);
            }
        }
        Ok(())
    }

    /// Solves `H x = b` with the last factorisation; `x` holds `b` on entry.
    pub fn solve(&mut self, x: &mut [Vector<D>]) {
        let Elimination { order, start, row, .. } = &self.elimination;
        let y = &mut self.solution;
        for ((y_k, &block), scaling) in y.iter_mut().zip(order).zip(&self.scaling) {
            *y_k = x[block].component_mul(scaling);
        }
        for k in 0..y.len() {
            let mut y_k = y[k];
            solve_unit_lower(&self.diagonal[k], &mut y_k);
            y_k.component_mul_assign(&self.inverse_pivots[k]);
            y[k] = y_k;
            for entry in start[k]..start[k + 1] {
                y[row[entry]] -= self.lower[entry] * y_k;
            }
        }
        for k in (0..y.len()).rev() {
            let mut sum = Vector::zeros();
            for entry in start[k]..start[k + 1] {
                sum += self.lower[entry].tr_mul(&y[row[entry]]);
            }
            let mut y_k = y[k] - sum.component_mul(&self.inverse_pivots[k]);
            solve_unit_lower_transposed(&self.diagonal[k], &mut y_k);
            y[k] = y_k;
        }
        for ((y_k, &block), scaling) in y.iter().zip(order).zip(&self.scaling) {
            x[block] = y_k.component_mul(scaling);
        }
    }

    /// Puts the scaled matrix where its factor will be.
    fn load(&mut self, matrix: &BlockMatrix<D>) {
        let Elimination { order, start, row, edge_entry, .. } = &self.elimination;
        for (k, &block) in order.iter().enumerate() {
            let diagonal = &matrix.diagonal[block];
            let scaling = Vector::from_fn(|i, _| 1.0 / diagonal[(i, i)].sqrt());
            self.scaling[k] = scaling;
            self.diagonal[k] = scale_both(diagonal, &scaling, &scaling);
        }
        self.lower.fill(Block::zeros());
        for (edge, &(entry, transposed)) in matrix.lower.iter().zip(edge_entry) {
            self.lower[entry] = if transposed { edge.transpose() } else { *edge };
        }
        for k in 0..self.diagonal.len() {
            let column = start[k]..start[k + 1];
            for (lower, &row) in self.lower[column.clone()].iter_mut().zip(&row[column]) {
                *lower = scale_both(lower, &self.scaling[row], &self.scaling[k]);
            }
        }
    }
}

/// `diag(rows) M diag(columns)`.
#[inline]
fn scale_both<const D: usize>(m: &Block<D>, rows: &Vector<D>, columns: &Vector<D>) -> Block<D> {
    Block::from_fn(|i, j| m[(i, j)] * rows[i] * columns[j])
}

/// `M diag(columns)`.
#[inline]
fn scale_columns<const D: usize>(m: &Block<D>, columns: &Vector<D>) -> Block<D> {
    Block::from_fn(|i, j| m[(i, j)] * columns[j])
}

/// `A B'`.
#[inline]
fn times_transposed<const D: usize>(a: &Block<D>, b: &Block<D>) -> Block<D> {
    Block::from_fn(|i, j| (0..D).map(|k| a[(i, k)] * b[(j, k)]).sum())
}

/// Overwrites a symmetric block by the unit lower triangle of `L Delta L'`; returns the diagonal
/// of `Delta^-1`.
#[inline]
fn unit_triangle<const D: usize>(block: &mut Block<D>) -> Result<Vector<D>, NotPositiveDefinite> {
    let mut inverse_pivots = Vector::zeros();
    for j in 0..D {
        let pivot = block[(j, j)];
        #[cfg(test)]
        let pivot = pivot * crate::fault::of_pivot();
        if !(pivot > 0.0 && pivot.is_finite()) {
            return Err(NotPositiveDefinite);
        }
        let inverse = 1.0 / pivot;
        inverse_pivots[j] = inverse;
        for i in j + 1..D {
            let l = block[(i, j)] * inverse;
            for k in j + 1..=i {
                block[(i, k)] -= l * block[(k, j)];
            }
        }
        for i in j + 1..D {
            block[(i, j)] *= inverse;
        }
    }
    Ok(inverse_pivots)
}

/// `M := M L'^-1` with `L` unit lower triangular.
#[inline]
fn solve_right_transposed<const D: usize>(l: &Block<D>, m: &mut Block<D>) {
    for j in 1..D {
        for k in 0..j {
            for i in 0..D {
                m[(i, j)] -= m[(i, k)] * l[(j, k)];
            }
        }
    }
}

/// `x := L^-1 x` with `L` unit lower triangular.
#[inline]
fn solve_unit_lower<const D: usize>(l: &Block<D>, x: &mut Vector<D>) {
    for i in 1..D {
        for k in 0..i {
            x[i] -= l[(i, k)] * x[k];
        }
    }
}

/// `x := L'^-1 x` with `L` unit lower triangular.
#[inline]
fn solve_unit_lower_transposed<const D: usize>(l: &Block<D>, x: &mut Vector<D>) {
    for i in (0..D).rev() {
        for k in i + 1..D {
            x[i] -= l[(k, i)] * x[k];
        }
    }
}
