//! Linear programs of a few unknowns: the simplex method on a dense table, by Bland's rule, which does not go round
//! in circles.

use nalgebra::{DMatrix, DVector};

/// Entries of a table and costs that count as zero, where those of the program are about 1.
const ZERO: f64 = 1e-9;

/// Exchanges after which rounding must have led the search in circles.
const MOST_EXCHANGES: usize = 1000;

/// Rounding does not let a program be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Undecided;

/// A corner of `A x = b`, `x >= 0`.
pub(super) struct Tableau {
    /// The basic unknowns by the others, a row each; the last column has their values.
    table: DMatrix<f64>,
    basis: Vec<usize>,
    unknowns: usize,
}

impl Tableau {
    /// A corner of `matrix x = right`, `x >= 0`; `None` if these miss each other by more than `tolerance`, the sum
    /// over the rows.
    pub fn of(
        matrix: &DMatrix<f64>,
        right: &DVector<f64>,
        tolerance: f64,
    ) -> Result<Option<Self>, Undecided> {
        let (rows, unknowns) = matrix.shape();
        let sign = |row: usize| if right[row] < 0.0 { -1.0 } else { 1.0 };
        // What is missing in each row is an unknown too, and the sum of these is to be least.
        let table = DMatrix::from_fn(rows, unknowns + rows + 1, |row, column| match column {
            column if column < unknowns => sign(row) * matrix[(row, column)],
            column if column == unknowns + rows => sign(row) * right[row],
            column => f64::from(u8::from(column == unknowns + row)),
        });
        let mut tableau = Self { table, basis: (unknowns..unknowns + rows).collect(), unknowns };
        let missing = DVector::from_fn(unknowns + rows, |column, _| f64::from(u8::from(column >= unknowns)));
        tableau.descend(&missing)?;
        let least: f64 =
            (0..rows).filter(|&row| tableau.basis[row] >= unknowns).map(|row| tableau.value(row)).sum();
        if least <= tolerance {
            tableau.forget_missing();
            return Ok(Some(tableau));
        }
        // No `x >= 0` has `y A x = y b` where `y A <= 0 < y b` (Farkas).
        let reduced = tableau.reduced(&missing);
        let y = DVector::from_fn(rows, |row, _| sign(row) * (1.0 - reduced[unknowns + row]));
        let is_proof = y.dot(right) > 0.5 * tolerance && matrix.tr_mul(&y).iter().all(|entry| *entry <= ZERO);
        if is_proof { Ok(None) } else { Err(Undecided) }
    }

    /// Moves on to a corner where `cost . x` is least; `false` if it has no least value.
    pub fn descend(&mut self, cost: &DVector<f64>) -> Result<bool, Undecided> {
        for _ in 0..MOST_EXCHANGES {
            let Some(enters) = self.reduced(cost).iter().position(|cost| *cost < -ZERO) else {
                return Ok(true);
            };
            let ratio = |row: &usize| self.value(*row) / self.table[(*row, enters)];
            let rows = (0..self.basis.len()).filter(|&row| self.table[(row, enters)] > ZERO);
            let leaves =
                rows.min_by(|a, b| ratio(a).total_cmp(&ratio(b)).then(self.basis[*a].cmp(&self.basis[*b])));
            let Some(leaves) = leaves else { return Ok(false) };
            self.exchange(leaves, enters);
        }
        Err(Undecided)
    }

    /// The unknowns at this tableau.
    pub fn point(&self) -> DVector<f64> {
        let mut point = DVector::zeros(self.unknowns);
        for (row, unknown) in self.basis.iter().enumerate() {
            point[*unknown] = self.value(row);
        }
        point
    }

    fn value(&self, row: usize) -> f64 {
        self.table[(row, self.table.ncols() - 1)]
    }

    /// How the cost answers to each unknown while the basic ones follow.
    fn reduced(&self, cost: &DVector<f64>) -> DVector<f64> {
        let of_basis = DVector::from_fn(self.basis.len(), |row, _| cost[self.basis[row]]);
        cost - self.table.columns(0, cost.len()).tr_mul(&of_basis)
    }

    fn exchange(&mut self, leaves: usize, enters: usize) {
        let pivot = self.table.row(leaves) / self.table[(leaves, enters)];
        for row in (0..self.basis.len()).filter(|&row| row != leaves) {
            let factor = self.table[(row, enters)];
            let mut row = self.table.row_mut(row);
            row -= &pivot * factor;
            // Rounding of a value that is zero would hide that it ties with others.
            let value = &mut row[pivot.len() - 1];
            if value.abs() < 1e-13 {
                *value = 0.0;
            }
        }
        self.table.set_row(leaves, &pivot);
        self.basis[leaves] = enters;
    }

    /// Takes the unknowns of what is missing out, and the rows that say nothing without them.
    fn forget_missing(&mut self) {
        let last = self.table.ncols() - 1;
        let mut idle = Vec::new();
        for row in (0..self.basis.len()).filter(|&row| self.basis[row] >= self.unknowns).collect::<Vec<_>>() {
            self.table[(row, last)] = 0.0;
            let enters = (0..self.unknowns)
                .max_by(|a, b| self.table[(row, *a)].abs().total_cmp(&self.table[(row, *b)].abs()));
            match enters.filter(|&column| self.table[(row, column)].abs() > ZERO) {
                Some(column) => self.exchange(row, column),
                None => idle.push(row),
            }
        }
        let missing = last - self.unknowns;
        self.table =
            std::mem::take(&mut self.table).remove_columns(self.unknowns, missing).remove_rows_at(&idle);
        let basis = std::mem::take(&mut self.basis);
        self.basis = basis.into_iter().filter(|unknown| *unknown < self.unknowns).collect();
    }
}
