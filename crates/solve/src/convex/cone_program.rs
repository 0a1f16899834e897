//! What programs for a general-purpose interior-point method are made of.

use clarabel::{
    algebra::CscMatrix,
    solver::{DefaultSettings, DefaultSettingsBuilder},
};

/// Relative accuracy asked of the interior-point method. It often ends short of it, at what double precision allows.
const TOLERANCE: f64 = 1e-14;

/// Parts of the way to the boundary of the cone that one iteration may go, tried in turn until the answer is as good as
/// asked for. The usual 0.99 runs into the boundary of second-order cones too early and leaves five digits fewer at the
/// end.
pub const STEP_FRACTIONS: [f64; 3] = [0.6, 0.7, 0.8];

/// Regularisation of the solver's linear systems, small because every unknown has a quadratic cost
/// of its own; the usual 1e-8 costs accuracy where masses differ by a million.
const REGULARIZATION: f64 = 1e-14;

/// Settings for an answer as accurate as double precision allows, with one of [`STEP_FRACTIONS`].
///
/// # Errors
/// A fraction that is none.
pub fn accurate(step_fraction: f64) -> Result<DefaultSettings<f64>, String> {
    DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(TOLERANCE)
        .tol_gap_rel(TOLERANCE)
        .tol_feas(TOLERANCE)
        .max_step_fraction(step_fraction)
        .static_regularization_constant(REGULARIZATION)
        .build()
        .map_err(|error| error.to_string())
}

/// Entries of a sparse matrix, in any order.
#[derive(Debug, Clone, Default)]
pub struct Triplets {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Triplets {
    /// Adds an entry; those of one place add up.
    pub fn push(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.values.push(value);
    }

    /// The matrix of so many rows and columns.
    pub fn build(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.rows, self.columns, self.values)
    }
}
