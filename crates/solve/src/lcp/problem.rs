use nalgebra::{
    Const, DMatrix, DVector, DefaultAllocator, Dim, Dyn, OMatrix, OVector, SMatrix, SVector, U1,
    allocator::Allocator,
};

/// The linear complementarity problem LCP(M, q): find `z >= 0` with `w = M z + q >= 0`, `z'w = 0`.
///
/// The first `free` indices are different: there `z_i` has no sign and `w_i = 0` is an equation
/// (a mixed problem). A plain problem has `free = 0`.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// Matrix `M`, n by n.
    pub m: OMatrix<f64, D, D>,
    /// Vector `q`, n entries.
    pub q: OVector<f64, D>,
    pub(super) free: usize,
}

/// A problem of `N` unknowns on the stack.
pub type Lcp<const N: usize> = Problem<Const<N>>;

/// A problem whose size is known at run time.
pub type DynamicLcp = Problem<Dyn>;

/// Why numbers do not make a problem. Rows and columns count from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// There is no unknown at all.
    #[error("the problem is empty; give at least one row of `M` and one entry of `q`")]
    Empty,
    /// A row of `M` is not as long as `M` is high.
    #[error("`M` is not square: it has {rows} rows, but row {row} has {entries} entries")]
    NotSquare {
        /// Number of rows of `M`.
        rows: usize,
        /// The first row of another length.
        row: usize,
        /// Its length.
        entries: usize,
    },
    /// `q` does not fit `M`.
    #[error("`q` has {entries} entries, but `M` has {rows} rows; they must agree")]
    SizeMismatch {
        /// Number of rows of `M`.
        rows: usize,
        /// Length of `q`.
        entries: usize,
    },
    /// An entry of `M` is infinite or not a number.
    #[error("`M` holds {value} in row {row}, column {column}; every entry must be finite")]
    MatrixNotFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// An entry of `q` is infinite or not a number.
    #[error("`q` holds {value} in row {row}; every entry must be finite")]
    VectorNotFinite {
        /// Row of the entry.
        row: usize,
        /// The entry.
        value: f64,
    },
    /// More free unknowns than unknowns.
    #[error("{free} unknowns are said to be free, but there are only {unknowns}")]
    TooManyFree {
        /// Number of unknowns without a sign.
        free: usize,
        /// Number of unknowns.
        unknowns: usize,
    },
}

impl<const N: usize> Lcp<N> {
    /// A plain problem from rows of `M` and the entries of `q`.
    pub fn from_arrays(m: [[f64; N]; N], q: [f64; N]) -> Self {
        Self::mixed_from_arrays::<0>(m, q)
    }

    /// A mixed problem whose first `F` unknowns have no sign, from rows of `M` and the entries of
    /// `q`.
    pub fn mixed_from_arrays<const F: usize>(m: [[f64; N]; N], q: [f64; N]) -> Self {
        const { assert!(F <= N, "more free unknowns than unknowns") };
        Self { m: SMatrix::from_fn(|i, j| m[i][j]), q: SVector::from(q), free: F }
    }
}

impl DynamicLcp {
    /// A plain problem from rows of `M` and the entries of `q`.
    ///
    /// # Errors
    /// [`ProblemError`] when the sizes disagree or an entry is not finite.
    pub fn from_rows(m: &[Vec<f64>], q: &[f64]) -> Result<Self, ProblemError> {
        let rows = m.len();
        if let Some((index, row)) = m.iter().enumerate().find(|(_, row)| row.len() != rows) {
            return Err(ProblemError::NotSquare { rows, row: index + 1, entries: row.len() });
        }
        if q.len() != rows {
            return Err(ProblemError::SizeMismatch { rows, entries: q.len() });
        }
        Self::new(DMatrix::from_fn(rows, rows, |i, j| m[i][j]), DVector::from_column_slice(q))
    }
}

impl<D: Dim> Problem<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// A plain problem.
    ///
    /// # Errors
    /// [`ProblemError`] when it is empty, the sizes disagree or an entry is not finite.
    pub fn new(m: OMatrix<f64, D, D>, q: OVector<f64, D>) -> Result<Self, ProblemError> {
        Self::mixed(m, q, 0)
    }

    /// A mixed problem: the first `free` unknowns have no sign, and their rows are equations.
    ///
    /// # Errors
    /// As [`Problem::new`], or when `free` is larger than the number of unknowns.
    pub fn mixed(m: OMatrix<f64, D, D>, q: OVector<f64, D>, free: usize) -> Result<Self, ProblemError> {
        let problem = Self { m, q, free };
        problem.check()?;
        Ok(problem)
    }

    /// Room for a problem of `dim` unknowns.
    pub(super) fn zeros(dim: D) -> Self {
        Self { m: OMatrix::zeros_generic(dim, dim), q: OVector::zeros_generic(dim, U1), free: 0 }
    }

    /// Number of unknowns `n`, the free ones among them.
    pub fn size(&self) -> usize {
        self.q.nrows()
    }

    /// Number of unknowns without a sign; they come first.
    pub fn free(&self) -> usize {
        self.free
    }

    /// The size as a nalgebra dimension.
    pub fn dim(&self) -> D {
        self.q.shape_generic().0
    }

    fn check(&self) -> Result<(), ProblemError> {
        let n = self.size();
        if n == 0 {
            return Err(ProblemError::Empty);
        }
        if self.m.nrows() != n {
            return Err(ProblemError::SizeMismatch { rows: self.m.nrows(), entries: n });
        }
        if self.free > n {
            return Err(ProblemError::TooManyFree { free: self.free, unknowns: n });
        }
        for row in 0..n {
            for column in 0..n {
                let value = self.m[(row, column)];
                if !value.is_finite() {
                    return Err(ProblemError::MatrixNotFinite { row: row + 1, column: column + 1, value });
                }
            }
            let value = self.q[row];
            if !value.is_finite() {
                return Err(ProblemError::VectorNotFinite { row: row + 1, value });
            }
        }
        Ok(())
    }
}
