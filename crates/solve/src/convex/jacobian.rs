use nalgebra::SMatrix;

use super::{Block, Vector};

/// Rows of a Jacobian that touch one or two blocks of the velocity: `u = J_1 v_1 + J_2 v_2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jacobian<const ROWS: usize, const D: usize> {
    /// The first block.
    pub first: Term<ROWS, D>,
    /// The second block, another one than the first; `None` against something that does not move.
    pub second: Option<Term<ROWS, D>>,
}

/// The columns of a [`Jacobian`] that belong to one block of the velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term<const ROWS: usize, const D: usize> {
    /// Index of the block.
    pub block: usize,
    /// `J'`: each row of `J` lies together, so that all products go along whole blocks.
    pub transposed: SMatrix<f64, D, ROWS>,
}

impl<const ROWS: usize, const D: usize> Term<ROWS, D> {
    /// `J v`.
    #[inline(always)]
    fn times(&self, v: &Vector<D>) -> Vector<ROWS> {
        Vector::from(self.transposed.data.0.map(|row| dot(&row, &v.data.0[0])))
    }

    /// `J' x`.
    #[inline(always)]
    fn transposed_times(&self, x: &Vector<ROWS>) -> Vector<D> {
        Vector::from(combination(&self.transposed, &x.data.0[0]))
    }

    /// `J' G` of a symmetric `G`.
    #[inline(always)]
    pub(super) fn transposed_mapped(&self, g: &Block<ROWS>) -> SMatrix<f64, D, ROWS> {
        let mut product = SMatrix::zeros();
        for (column, weights) in product.data.0.iter_mut().zip(&g.data.0) {
            *column = combination(&self.transposed, weights);
        }
        product
    }
}

/// The columns of `matrix` with these `weights`, summed up.
#[inline(always)]
fn combination<const ROWS: usize, const D: usize>(
    matrix: &SMatrix<f64, D, ROWS>,
    weights: &[f64; ROWS],
) -> [f64; D] {
    let columns = &matrix.data.0;
    std::array::from_fn(|i| {
        let first = columns[0][i] * weights[0];
        (1..ROWS).fold(first, |entry, row| entry + columns[row][i] * weights[row])
    })
}

/// Adds to `sum`, from component `from` on, the columns of `matrix` with these `weights`.
#[inline(always)]
pub(super) fn add_combination<const ROWS: usize, const D: usize>(
    matrix: &SMatrix<f64, D, ROWS>,
    weights: &[f64; ROWS],
    sum: &mut [f64; D],
    from: usize,
) {
    let columns = &matrix.data.0;
    for i in from..D {
        let first = columns[0][i] * weights[0];
        sum[i] += (1..ROWS).fold(first, |entry, row| entry + columns[row][i] * weights[row]);
    }
}

/// The scalar product, in two sums that the processor forms at once.
#[inline(always)]
fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    // What adds nothing at all, not even the sign of a zero, is -0.
    let (mut even, mut odd) = (-0.0, -0.0);
    for pair in 0..D / 2 {
        even += a[2 * pair] * b[2 * pair];
        odd += a[2 * pair + 1] * b[2 * pair + 1];
    }
    let last = if D % 2 == 1 { a[D - 1] * b[D - 1] } else { -0.0 };
    even + odd + last
}

impl<const ROWS: usize, const D: usize> Jacobian<ROWS, D> {
    /// Rows that touch one block.
    pub fn single(block: usize, matrix: SMatrix<f64, ROWS, D>) -> Self {
        Self { first: Term { block, transposed: matrix.transpose() }, second: None }
    }

    /// Rows that touch the difference of two blocks: `u = matrix (v_first - v_second)`.
    pub fn difference(first: usize, second: usize, matrix: SMatrix<f64, ROWS, D>) -> Self {
        let transposed = matrix.transpose();
        Self {
            first: Term { block: first, transposed },
            second: Some(Term { block: second, transposed: -transposed }),
        }
    }

    /// The blocks that the rows touch.
    pub fn blocks(&self) -> (usize, Option<usize>) {
        (self.first.block, self.second.as_ref().map(|second| second.block))
    }

    /// `J v`.
    #[inline]
    pub fn apply(&self, v: &[Vector<D>]) -> Vector<ROWS> {
        let first = self.first.times(&v[self.first.block]);
        match &self.second {
            None => first,
            Some(second) => first + second.times(&v[second.block]),
        }
    }

    /// `out -= J' x`.
    #[inline]
    pub fn subtract_transposed(&self, x: &Vector<ROWS>, out: &mut [Vector<D>]) {
        out[self.first.block] -= self.first.transposed_times(x);
        if let Some(second) = &self.second {
            out[second.block] -= second.transposed_times(x);
        }
    }

    /// The Delassus operator `J A^-1 J'`; `answer` multiplies the `J'` of a block by its `A^-1`.
    #[inline(always)]
    pub fn delassus(
        &self,
        answer: impl Fn(usize, &SMatrix<f64, D, ROWS>) -> SMatrix<f64, D, ROWS>,
    ) -> Block<ROWS> {
        let of_term = |Term { block, transposed }: &Term<ROWS, D>| {
            let (rows, answers) = (&transposed.data.0, &answer(*block, transposed).data.0);
            // Symmetric: one half is formed.
            Block::from_fn(|i, j| dot(&rows[i.max(j)], &answers[i.min(j)]))
        };
        let first = of_term(&self.first);
        self.second.as_ref().map_or(first, |second| first + of_term(second))
    }

    /// Whether every number is finite.
    pub(super) fn is_finite(&self) -> bool {
        let mut terms = std::iter::once(&self.first).chain(&self.second);
        terms.all(|term| term.transposed.iter().all(|entry| entry.is_finite()))
    }
}
