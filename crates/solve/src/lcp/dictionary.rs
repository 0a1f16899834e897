use nalgebra::{DefaultAllocator, Dim, OMatrix, OVector, U1, allocator::Allocator};

use super::Problem;

/// A variable of `w - M z - d z0 = q`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variable {
    /// `w_i`
    W(usize),
    /// `z_i`
    Z(usize),
    /// The covering variable `z0`, which makes every start feasible.
    Cover,
}

/// The equations `w - M z - d z0 = q` solved for n basic variables,
///
/// ```text
/// x_B + A x_N = rhs.
/// ```
///
/// On an almost complementary path the nonbasic variables are one of each pair `(w_j, z_j)`, kept
/// in column `j` of `block`, and the variable that left last, kept in `spare`. So the variable to
/// enter next, the complement of `spare`, stands in the column of its own pair.
#[derive(Debug, Clone)]
pub(super) struct Dictionary<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    pub block: OMatrix<f64, D, D>,
    pub spare: OVector<f64, D>,
    pub rhs: OVector<f64, D>,
    /// Copy of the entering column.
    pub entering: OVector<f64, D>,
    /// Rows that a pivot keeps: 1, and 0 in the pivot's own.
    keep: OVector<f64, D>,
    /// The identity matrix.
    units: OMatrix<f64, D, D>,
    /// Which variable each row is solved for.
    pub basic: OVector<Variable, D>,
    /// Whether column `j` of `block` belongs to `z_j` (otherwise to `w_j`).
    pub holds_z: OVector<bool, D>,
    /// The variable that `spare` belongs to.
    pub spare_variable: Variable,
}

impl<D: Dim> Dictionary<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    pub fn new(dim: D) -> Self {
        Self {
            block: OMatrix::zeros_generic(dim, dim),
            spare: OVector::zeros_generic(dim, U1),
            rhs: OVector::zeros_generic(dim, U1),
            entering: OVector::zeros_generic(dim, U1),
            keep: OVector::zeros_generic(dim, U1),
            units: OMatrix::identity_generic(dim, dim),
            basic: OVector::from_element_generic(dim, U1, Variable::Cover),
            holds_z: OVector::from_element_generic(dim, U1, true),
            spare_variable: Variable::Cover,
        }
    }

    /// The starting dictionary: every `w` basic, `q` multiplied by `unit`, and `z0` with the column
    /// `-cover(i, unit q_i)`, except that it does not enter the equations of free unknowns.
    #[inline]
    pub fn start(
        &mut self,
        problem: &Problem<D>,
        q: &OVector<f64, D>,
        unit: f64,
        cover: impl Fn(usize, f64) -> f64,
    ) {
        for i in 0..problem.size() {
            self.rhs[i] = unit * q[i];
            self.basic[i] = Variable::W(i);
            self.holds_z[i] = true;
            self.spare[i] = if i < problem.free { 0.0 } else { -cover(i, self.rhs[i]) };
        }
        self.spare_variable = Variable::Cover;
        self.block.zip_apply(&problem.m, |entry, m| *entry = -m);
    }

    /// `z0` enters for the basic variable of `row`.
    #[inline]
    pub fn enter_cover(&mut self, row: usize) {
        self.entering.copy_from(&self.spare);
        let inverse = self.eliminate_from_block_and_rhs(row);
        self.retire(row, inverse, Variable::Cover);
    }

    /// The variable in column `slot`, which [`Dictionary::load_column`] copied before, enters for
    /// the basic variable of `row`.
    #[inline(always)]
    pub fn enter(&mut self, slot: usize, row: usize) {
        let variable = if self.holds_z[slot] { Variable::Z(slot) } else { Variable::W(slot) };
        let inverse = self.eliminate_from_block_and_rhs(row);
        self.eliminate_from_spare(row, inverse);
        self.block.set_column(slot, &self.spare);
        self.holds_z[slot] = !self.holds_z[slot];
        self.retire(row, inverse, variable);
    }

    /// Copies column `slot` to `entering`.
    #[inline]
    pub fn load_column(&mut self, slot: usize) {
        self.entering.copy_from(&self.block.column(slot));
    }

    /// Eliminates the free unknowns: each enters for the equation of its row, which can then never
    /// be violated again. Returns `false` where the equations do not determine them.
    pub fn eliminate_free(&mut self, free: usize) -> bool {
        for slot in 0..free {
            self.load_column(slot);
            let is_open = |row: usize| matches!(self.basic[row], Variable::W(_));
            let pivot = (0..free)
                .filter(|&row| is_open(row))
                .max_by(|&a, &b| self.entering[a].abs().total_cmp(&self.entering[b].abs()));
            let scale = self.entering.amax();
            match pivot {
                Some(row) if self.entering[row].abs() > 1e-12 * scale => {
                    let inverse = self.eliminate_from_block_and_rhs(row);
                    self.eliminate_from_spare(row, inverse);
                    self.block.column_mut(slot).fill(0.0); // the equation's w is 0 for good
                    self.basic[row] = Variable::Z(slot);
                }
                _ => return false,
            }
        }
        true
    }

    /// Solves the equations of the block and of the right-hand side for the entering variable in
    /// `row`. Gives the reciprocal of the pivot, and leaves its factors in `entering`.
    #[inline(always)]
    fn eliminate_from_block_and_rhs(&mut self, row: usize) -> f64 {
        let inverse = 1.0 / self.entering[row];
        #[cfg(test)]
        let inverse = inverse * crate::fault::of_pivot();
        let unit = self.units.column(row);
        for (keep, unit) in self.keep.iter_mut().zip(unit.iter()) {
            *keep = 1.0 - unit;
        }
        for ((factor, keep), unit) in self.entering.iter_mut().zip(self.keep.iter()).zip(unit.iter()) {
            *factor = *factor * keep - unit;
        }
        let n = self.rhs.nrows();
        let pivot = Pivot { row, inverse, factors: self.entering.as_slice(), keep: self.keep.as_slice() };
        for column in self.block.as_mut_slice().chunks_exact_mut(n) {
            pivot.eliminate(column);
        }
        pivot.eliminate(self.rhs.as_mut_slice());
        inverse
    }

    #[inline(always)]
    fn eliminate_from_spare(&mut self, row: usize, inverse: f64) {
        let pivot = Pivot { row, inverse, factors: self.entering.as_slice(), keep: self.keep.as_slice() };
        pivot.eliminate(self.spare.as_mut_slice());
    }

    /// Makes `variable` basic in `row`, and the variable that leaves the spare one.
    #[inline(always)]
    fn retire(&mut self, row: usize, inverse: f64, variable: Variable) {
        self.spare.zip_apply(&self.entering, |spare, factor| *spare = -factor * inverse);
        self.spare_variable = std::mem::replace(&mut self.basic[row], variable);
    }
}

/// A pivot: `row` is divided by its entry of the entering column, and `factors` times of it is
/// subtracted from the other rows.
///
/// The row itself is treated as the others are, without a store of its own that the next load of
/// the column would have to wait for: there the factor is -1, and `keep` is 0 where it is 1
/// elsewhere.
struct Pivot<'a> {
    row: usize,
    inverse: f64,
    factors: &'a [f64],
    keep: &'a [f64],
}

impl Pivot<'_> {
    #[inline(always)]
    fn eliminate(&self, column: &mut [f64]) {
        let top = column[self.row] * self.inverse;
        for ((value, factor), keep) in column.iter_mut().zip(self.factors).zip(self.keep) {
            *value = keep * *value - top * factor;
        }
    }
}
