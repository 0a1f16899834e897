use nalgebra::{DefaultAllocator, Dim, OVector, U1, allocator::Allocator};

use super::Problem;

/// A matrix whose entries differ by no more than this factor is left as it is.
const WELL_SCALED: f64 = 1e6;
/// An entry below this fraction of the largest one of its row, and of its column, is rounding of
/// zero (the cosine of a right angle) and has no say in the choice of units.
const ROUNDING: f64 = 1e-14;
/// Passes of the alternating least squares; each roughly halves what is left to gain.
const PASSES: usize = 30;
/// Exponents beyond this could overflow a product.
const MAX_EXPONENT: f64 = 400.0;

/// Positive diagonal scalings `M' = R M C`, `q' = R q`, `z = C z'`, under which complementarity
/// problems keep their solutions. All factors are powers of two, so that scaling is exact.
#[derive(Debug, Clone)]
pub(super) struct Scaling<D: Dim>
where
    DefaultAllocator: Allocator<D>,
{
    row: OVector<f64, D>,
    column: OVector<f64, D>,
    /// Magnitudes below which an entry of the row, or of the column, may be rounding.
    row_rounding: OVector<f64, D>,
    column_rounding: OVector<f64, D>,
}

impl<D: Dim> Scaling<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    pub fn identity(dim: D) -> Self {
        let ones = || OVector::from_element_generic(dim, U1, 1.0);
        Self { row: ones(), column: ones(), row_rounding: ones(), column_rounding: ones() }
    }

    /// Balances the problem if the entries of `M` differ by more than a factor of 1e6, and leaves
    /// it alone otherwise. Returns which.
    #[inline]
    pub fn balance_if_needed(&mut self, problem: &Problem<D>) -> bool {
        let needed = is_spread_slice(problem.m.as_slice());
        if needed {
            self.balance(problem);
        } else {
            self.row.fill(1.0);
            self.column.fill(1.0);
        }
        needed
    }

    /// Chooses the factors that bring the entries of `M` closest to 1. Where that does not bring
    /// them within a factor of 1e6, the entries that may be rounding lose their say.
    pub fn balance(&mut self, problem: &Problem<D>) {
        self.row_rounding.fill(0.0);
        self.column_rounding.fill(0.0);
        self.least_squares(problem);
        if is_spread(self.significant(problem)) {
            for i in 0..problem.size() {
                self.row_rounding[i] = ROUNDING * problem.m.row(i).amax();
                self.column_rounding[i] = ROUNDING * problem.m.column(i).amax();
            }
            self.least_squares(problem);
        }
    }

    /// Least squares of the logarithms of the entries (Curtis and Reid 1972), rows and columns in
    /// turn.
    fn least_squares(&mut self, problem: &Problem<D>) {
        let n = problem.size();
        self.row.fill(0.0);
        self.column.fill(0.0);
        for _ in 0..PASSES {
            for i in 0..n {
                self.row[i] = -mean((0..n).map(|j| (self.entry(problem, i, j), self.column[j])));
            }
            for j in 0..n {
                self.column[j] = -mean((0..n).map(|i| (self.entry(problem, i, j), self.row[i])));
            }
        }
        for exponent in self.row.iter_mut().chain(self.column.iter_mut()) {
            *exponent = exponent.round().clamp(-MAX_EXPONENT, MAX_EXPONENT).exp2();
        }
    }

    /// Writes the scaled `problem`, with `q` for its vector, into `scaled`.
    pub fn apply(&self, problem: &Problem<D>, q: &OVector<f64, D>, scaled: &mut Problem<D>) {
        for j in 0..problem.size() {
            for i in 0..problem.size() {
                scaled.m[(i, j)] = self.row[i] * problem.m[(i, j)] * self.column[j];
            }
            scaled.q[j] = self.row[j] * q[j];
        }
        scaled.free = problem.free;
    }

    /// The row factors `R`.
    pub fn rows(&self) -> &OVector<f64, D> {
        &self.row
    }

    /// Turns unknowns of the scaled problem into unknowns of the original one.
    pub fn restore(&self, z: &mut OVector<f64, D>) {
        z.component_mul_assign(&self.column);
    }

    /// The entry, or zero where it is rounding.
    fn entry(&self, problem: &Problem<D>, i: usize, j: usize) -> f64 {
        let entry = problem.m[(i, j)];
        if entry.abs() < self.row_rounding[i].min(self.column_rounding[j]) { 0.0 } else { entry }
    }

    /// The balanced entries that are not rounding.
    fn significant(&self, problem: &Problem<D>) -> impl Iterator<Item = f64> {
        let n = problem.size();
        let balanced = move |i, j| self.row[i] * self.entry(problem, i, j) * self.column[j];
        (0..n).flat_map(move |j| (0..n).map(move |i| balanced(i, j)))
    }
}

/// Whether the magnitudes of the entries that are not zero differ by more than [`WELL_SCALED`].
fn is_spread(entries: impl Iterator<Item = f64>) -> bool {
    let (smallest, largest) = entries
        .map(f64::abs)
        .filter(|&entry| entry > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(smallest, largest), entry| {
            (smallest.min(entry), largest.max(entry))
        });
    largest > WELL_SCALED * smallest
}

/// [`is_spread`] of entries that lie side by side: in lanes and without branches, for every problem
/// is asked this.
#[inline]
fn is_spread_slice(entries: &[f64]) -> bool {
    let (quadruples, rest) = entries.as_chunks::<4>();
    let mut lanes = [0.0_f64; 4];
    for quadruple in quadruples {
        for (largest, entry) in lanes.iter_mut().zip(quadruple) {
            *largest = if entry.abs() > *largest { entry.abs() } else { *largest };
        }
    }
    let largest = lanes.iter().chain(rest).fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let bound = largest / WELL_SCALED;
    let is_small = |entry: &f64| (entry.abs() > 0.0) & (entry.abs() < bound);
    entries.iter().fold(false, |any, entry| any | is_small(entry))
}

/// Mean of `log2 |entry| + shift` over the entries that are not zero.
fn mean(entries: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, count) = entries
        .filter(|(entry, _)| *entry != 0.0)
        .fold((0.0, 0.0), |(sum, count), (entry, shift)| (sum + entry.abs().log2() + shift, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}
