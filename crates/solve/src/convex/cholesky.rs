use super::{
    Block, BlockMatrix, Elimination, Pattern, Vector,
    block_matrix::{add_lower, add_product},
};
use crate::{fault, rows};

/// Block sparse Cholesky factorisation `H = L Delta L'` of a symmetric positive definite
/// matrix, `L` with a unit diagonal and `Delta` diagonal: the form of Cholesky that needs no square roots in its
/// chain of dependent operations. Scaling the matrix by a diagonal first would change nothing: what rounding does
/// to the factors scales along with them (Higham 2002, section 10.1).
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
        // Tests of the crates above put faults in, too: asked once, so that the pivots themselves cost nothing.
        let triangle =
            if fault::is_in_pivots() { unit_triangle::<D, true> } else { unit_triangle::<D, false> };
        self.load(matrix);
        let Elimination { start, row, row_start, row_entries, .. } = &self.elimination;
        for k in 0..self.diagonal.len() {
            let column = start[k]..start[k + 1];
            for entry in column.clone() {
                self.entry_of_row[row[entry]] = entry;
            }
            let diagonal = &mut self.diagonal[k];
            for &(j, entry) in &row_entries[row_start[k]..row_start[k + 1]] {
                let u = self.lower[entry];
                let minus_l = scale_columns(&u, &-self.inverse_pivots[j]);
                add_lower(diagonal, &u, &minus_l);
                let rest_of_column = entry + 1..start[j + 1];
                for (&row, source) in row[rest_of_column.clone()].iter().zip(rest_of_column) {
                    let from = self.lower[source];
                    add_product(&mut self.lower[self.entry_of_row[row]], &from, &minus_l);
                }
            }
            self.inverse_pivots[k] = triangle(diagonal)?;
            for entry in column {
                solve_right_transposed(diagonal, &mut self.lower[entry]);
            }
        }
        Ok(())
    }

    /// Solves `H x = b` with the last factorisation; `x` holds `b` on entry.
    pub fn solve(&mut self, x: &mut [Vector<D>]) {
        let Elimination { order, start, row, .. } = &self.elimination;
        let y = &mut self.solution;
        for (y_k, &block) in y.iter_mut().zip(order) {
            *y_k = x[block];
        }
        for k in 0..y.len() {
            let mut y_k = y[k];
            solve_unit_lower(&self.diagonal[k], &mut y_k);
            y_k.component_mul_assign(&self.inverse_pivots[k]);
            y[k] = y_k;
            for entry in start[k]..start[k + 1] {
                y[row[entry]] -= rows::times(&self.lower[entry], &y_k);
            }
        }
        for k in (0..y.len()).rev() {
            let mut sum = Vector::zeros();
            for entry in start[k]..start[k + 1] {
                sum += rows::transposed_times(&self.lower[entry], &y[row[entry]]);
            }
            let mut y_k = y[k] - sum.component_mul(&self.inverse_pivots[k]);
            solve_unit_lower_transposed(&self.diagonal[k], &mut y_k);
            y[k] = y_k;
        }
        for (y_k, &block) in y.iter().zip(order) {
            x[block] = *y_k;
        }
    }

    /// Puts the matrix where its factor will be.
    fn load(&mut self, matrix: &BlockMatrix<D>) {
        let Elimination { order, edge_entry, .. } = &self.elimination;
        for (diagonal, &block) in self.diagonal.iter_mut().zip(order) {
            *diagonal = matrix.diagonal[block];
        }
        self.lower.fill(Block::zeros());
        for (edge, &(entry, transposed)) in matrix.lower.iter().zip(edge_entry) {
            self.lower[entry] = if transposed { edge.transpose() } else { *edge };
        }
    }
}

/// `M diag(columns)`.
#[inline]
fn scale_columns<const D: usize>(m: &Block<D>, columns: &Vector<D>) -> Block<D> {
    Block::from_fn(|i, j| m[(i, j)] * columns[j])
}

/// Overwrites a symmetric block by the unit lower triangle of `L Delta L'`; returns the diagonal
/// of `Delta^-1`. `FAULTY` pivots are wrong on purpose.
#[inline(never)] // By itself it is unrolled, whatever is around it.
fn unit_triangle<const D: usize, const FAULTY: bool>(
    block: &mut Block<D>,
) -> Result<Vector<D>, NotPositiveDefinite> {
    let mut inverse_pivots = Vector::zeros();
    let mut is_positive = true;
    for j in 0..D {
        let pivot = if FAULTY { block[(j, j)] * fault::of_pivot() } else { block[(j, j)] };
        // Asked at the end: what lies between has no branches then.
        is_positive &= pivot > 0.0 && pivot < f64::INFINITY;
        let inverse = 1.0 / pivot;
        inverse_pivots[j] = inverse;
        let column = block.data.0[j];
        let l = column.map(|entry| entry * inverse);
        for k in j + 1..D {
            for i in k..D {
                block[(i, k)] -= l[i] * column[k];
            }
        }
        block.data.0[j] = l;
    }
    if is_positive { Ok(inverse_pivots) } else { Err(NotPositiveDefinite) }
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
