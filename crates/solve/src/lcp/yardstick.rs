use nalgebra::{DefaultAllocator, Dim, OVector, U1, allocator::Allocator};

use super::{Problem, scaling::Scaling};

/// Entries of `q` this small against the largest one are rounding of zero: what is left when a
/// sticking contact subtracts equal numbers.
const NOISE: f64 = 1e-14;

/// What counts as large and small in each row of one problem.
///
/// Sizes of different rows compare only in like units. Where the entries of `M` show that the units
/// differ, the rows are compared after balancing as well, and the stricter verdict counts.
#[derive(Debug, Clone)]
pub(super) struct Yardstick<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// `q` with its rounding replaced by zero.
    pub q: OVector<f64, D>,
    /// The largest entry of `q` in the units of each row: the smaller of the two readings.
    smaller: OVector<f64, D>,
    /// The larger of the two readings.
    larger: OVector<f64, D>,
    /// The largest entry of `q`.
    pub largest: f64,
    scaling: Scaling<D>,
}

impl<D: Dim> Yardstick<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    pub fn new(dim: D) -> Self {
        let zeros = || OVector::zeros_generic(dim, U1);
        Self { q: zeros(), smaller: zeros(), larger: zeros(), largest: 0.0, scaling: Scaling::identity(dim) }
    }

    /// Takes the measure of `problem`.
    #[inline]
    pub fn set(&mut self, problem: &Problem<D>) {
        let largest = problem.q.amax();
        self.largest = largest;
        self.smaller.fill(largest);
        self.larger.fill(largest);
        if self.scaling.balance_if_needed(problem) {
            let rows = self.scaling.rows();
            let balanced = problem.q.zip_fold(rows, 0.0, |largest: f64, q, row| largest.max((q * row).abs()));
            self.smaller.zip_apply(rows, |unit, row| *unit = unit.min(balanced / row));
            self.larger.zip_apply(rows, |unit, row| *unit = unit.max(balanced / row));
        }
        self.q.copy_from(&problem.q);
        self.q.zip_apply(&self.smaller, |q, unit| {
            if q.abs() < NOISE * unit {
                *q = 0.0;
            }
        });
    }

    /// The size by which a violation of row `i` is measured, given the sum of the magnitudes of its
    /// terms.
    ///
    /// It is that sum, within limits: terms that are all rounding must not make an error of rounding
    /// look large, and unknowns that go off to infinity must not make a gross error look small.
    #[inline]
    pub fn size(&self, i: usize, terms: f64) -> f64 {
        const SMALLEST: f64 = 1e-4;
        const LARGEST: f64 = 1e6;
        terms.max(SMALLEST * self.smaller[i]).min(LARGEST * self.larger[i])
    }
}
