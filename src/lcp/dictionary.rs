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
            basic: OVector::from_element_generic(dim, U1, Variable::Cover),
            holds_z: OVector::from_element_generic(dim, U1, true),
            spare_variable: Variable::Cover,
        }
    }

    /// The starting dictionary: every `w` basic, `q` multiplied by `unit`, and `z0` with the column
    /// `-cover(i, unit q_i)`, except that it does not enter the equations of free unknowns.
    pub fn start(&mut self, problem: &Problem<D>, unit: f64, cover: impl Fn(usize, f64) -> f64) {
        for i in 0..problem.size() {
            self.rhs[i] = unit * problem.q[i];
            self.basic[i] = Variable::W(i);
            self.holds_z[i] = true;
            self.spare[i] = if i < problem.free { 0.0 } else { -cover(i, self.rhs[i]) };
        }
        self.spare_variable = Variable::Cover;
        self.block.zip_apply(&problem.m, |entry, m| *entry = -m);
    }

    /// `z0` enters for the basic variable of `row`.
    pub fn enter_cover(&mut self, row: usize) {
        self.entering.copy_from(&self.spare);
        self.eliminate_from_block_and_rhs(row);
        self.retire(row, Variable::Cover);
    }

    /// The variable in column `slot`, which [`Dictionary::load_column`] copied before, enters for
    /// the basic variable of `row`.
    pub fn enter(&mut self, slot: usize, row: usize) {
        let variable = if self.holds_z[slot] { Variable::Z(slot) } else { Variable::W(slot) };
        self.eliminate_from_block_and_rhs(row);
        eliminate(self.spare.as_mut_slice(), self.entering.as_slice(), row);
        self.block.set_column(slot, &self.spare);
        self.holds_z[slot] = !self.holds_z[slot];
        self.retire(row, variable);
    }

    /// Copies column `slot` to `entering`.
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
                    self.eliminate_from_block_and_rhs(row);
                    eliminate(self.spare.as_mut_slice(), self.entering.as_slice(), row);
                    self.block.column_mut(slot).fill(0.0); // the equation's w is 0 for good
                    self.basic[row] = Variable::Z(slot);
                }
                _ => return false,
            }
        }
        true
    }

    fn eliminate_from_block_and_rhs(&mut self, row: usize) {
        let n = self.rhs.nrows();
        let entering = self.entering.as_slice();
        for column in self.block.as_mut_slice().chunks_exact_mut(n) {
            eliminate(column, entering, row);
        }
        eliminate(self.rhs.as_mut_slice(), entering, row);
    }

    /// Makes `variable` basic in `row`, and the variable that leaves the spare one.
    fn retire(&mut self, row: usize, variable: Variable) {
        let inverse = 1.0 / self.entering[row];
        for i in 0..self.spare.nrows() {
            self.spare[i] = -self.entering[i] * inverse;
        }
        self.spare[row] = inverse;
        self.spare_variable = std::mem::replace(&mut self.basic[row], variable);
    }
}

/// One column of the pivot on `entering[row]`.
#[inline(always)]
fn eliminate(column: &mut [f64], entering: &[f64], row: usize) {
    let top = column[row] / entering[row];
    for (value, factor) in column.iter_mut().zip(entering) {
        *value -= top * factor;
    }
    column[row] = top;
}
