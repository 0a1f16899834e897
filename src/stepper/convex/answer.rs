//! How bodies answer to impulses.

use nalgebra::{SMatrix, SVector};

use crate::rows;

/// `M^-1` of one body.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer<const N: usize> {
    /// In its principal axes, in which most bodies are.
    Principal(SVector<f64, N>),
    /// In other ones.
    General(SMatrix<f64, N, N>),
}

impl<const N: usize> Answer<N> {
    pub fn new(inverse_mass: &SMatrix<f64, N, N>) -> Self {
        match rows::is_diagonal(inverse_mass) {
            true => Self::Principal(inverse_mass.diagonal()),
            false => Self::General(*inverse_mass),
        }
    }

    /// `M^-1 X`.
    #[inline(always)]
    pub fn to<const COLUMNS: usize>(&self, x: &SMatrix<f64, N, COLUMNS>) -> SMatrix<f64, N, COLUMNS> {
        match self {
            Self::Principal(diagonal) => SMatrix::from_fn(|i, j| diagonal[i] * x[(i, j)]),
            Self::General(inverse_mass) => inverse_mass * x,
        }
    }
}
