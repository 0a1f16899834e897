use nalgebra::SMatrix;

use super::Vector;
use crate::rows;

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
    /// The columns.
    pub matrix: SMatrix<f64, ROWS, D>,
}

impl<const ROWS: usize, const D: usize> Jacobian<ROWS, D> {
    /// Rows that touch one block.
    pub fn single(block: usize, matrix: SMatrix<f64, ROWS, D>) -> Self {
        Self { first: Term { block, matrix }, second: None }
    }

    /// Rows that touch the difference of two blocks: `u = matrix (v_first - v_second)`.
    pub fn difference(first: usize, second: usize, matrix: SMatrix<f64, ROWS, D>) -> Self {
        Self { first: Term { block: first, matrix }, second: Some(Term { block: second, matrix: -matrix }) }
    }

    /// The blocks that the rows touch.
    pub fn blocks(&self) -> (usize, Option<usize>) {
        (self.first.block, self.second.as_ref().map(|second| second.block))
    }

    /// `J v`.
    #[inline]
    pub fn apply(&self, v: &[Vector<D>]) -> Vector<ROWS> {
        let first = rows::times(&self.first.matrix, &v[self.first.block]);
        match &self.second {
            None => first,
            Some(second) => first + rows::times(&second.matrix, &v[second.block]),
        }
    }

    /// `out -= J' x`.
    #[inline]
    pub fn subtract_transposed(&self, x: &Vector<ROWS>, out: &mut [Vector<D>]) {
        out[self.first.block] -= rows::transposed_times(&self.first.matrix, x);
        if let Some(second) = &self.second {
            out[second.block] -= rows::transposed_times(&second.matrix, x);
        }
    }
}
