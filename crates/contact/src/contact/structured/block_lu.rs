use nalgebra::{SMatrix, SVector};

use super::small::{SmallLu, subtract_product, subtract_times};
use crate::convex::{Elimination, Pattern};

/// LU factorisation of a matrix of `N x N` blocks with a symmetric pattern, in an order of minimum
/// degree, pivoting inside the diagonal blocks only. The symbolic work is done once per pattern.
///
/// Blocks above the diagonal become `A_kk^-1 A_kj`, those below stay what elimination makes of them.
#[derive(Debug, Clone)]
pub(super) struct BlockLu<const N: usize> {
    elimination: Elimination,
    /// Position of every block in the order.
    position: Vec<usize>,
    /// Diagonal blocks in the order, then their factors.
    diagonal: Vec<SMatrix<f64, N, N>>,
    factors: Vec<SmallLu<N>>,
    /// `A_kj` for every entry `(k, j)`, `k < j`.
    upper: Vec<SMatrix<f64, N, N>>,
    /// `A_jk` for every entry.
    lower: Vec<SMatrix<f64, N, N>>,
    /// For each pair of entries of a column, the entry that their product falls on.
    fill: Vec<u32>,
    solution: Vec<SVector<f64, N>>,
}

/// Where a coupling of two blocks is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    entry: usize,
    /// Whether the first block of the coupling comes first in the order.
    is_first_earlier: bool,
}

impl<const N: usize> BlockLu<N> {
    pub fn new(pattern: &Pattern) -> Self {
        let elimination = Elimination::new(pattern);
        let blocks = pattern.blocks();
        let mut position = vec![0; blocks];
        for (k, &block) in elimination.order.iter().enumerate() {
            position[block] = k;
        }
        let Elimination { start, row, .. } = &elimination;
        let mut fill = Vec::new();
        for k in 0..blocks {
            let column = &row[start[k]..start[k + 1]];
            for (a, &first) in column.iter().enumerate() {
                let target = start[first]..start[first + 1];
                for second in &column[a + 1..] {
                    let entry = target.start + row[target.clone()].partition_point(|row| row < second);
                    fill.push(entry as u32);
                }
            }
        }
        let entries = elimination.entries();
        Self {
            position,
            diagonal: vec![SMatrix::zeros(); blocks],
            factors: vec![SmallLu::identity(); blocks],
            upper: vec![SMatrix::zeros(); entries],
            lower: vec![SMatrix::zeros(); entries],
            fill,
            solution: vec![SVector::zeros(); blocks],
            elimination,
        }
    }

    /// Where the coupling of edge `edge` of the pattern, between `first` and `second`, is stored.
    pub fn place(&self, edge: usize, first: usize, second: usize) -> Place {
        let (entry, _) = self.elimination.edge_entry[edge];
        Place { entry, is_first_earlier: self.position[first] < self.position[second] }
    }

    /// The matrix becomes the identity.
    pub fn reset(&mut self) {
        self.diagonal.fill(SMatrix::identity());
        self.upper.fill(SMatrix::zeros());
        self.lower.fill(SMatrix::zeros());
    }

    /// The diagonal block of `block`, to be added to.
    #[inline(always)]
    pub fn diagonal_mut(&mut self, block: usize) -> &mut SMatrix<f64, N, N> {
        &mut self.diagonal[self.position[block]]
    }

    /// The blocks (first, second) and (second, first) of a coupling, to be added to.
    #[inline(always)]
    pub fn coupling_mut(&mut self, place: Place) -> [&mut SMatrix<f64, N, N>; 2] {
        let (upper, lower) = (&mut self.upper[place.entry], &mut self.lower[place.entry]);
        if place.is_first_earlier { [upper, lower] } else { [lower, upper] }
    }

    /// Factors what was added up; `false` where a pivot is zero or not finite.
    pub fn factor(&mut self) -> bool {
        let Self {
            elimination: Elimination { start, row, .. }, diagonal, factors, upper, lower, fill, ..
        } = self;
        let mut fill = fill.iter();
        for k in 0..diagonal.len() {
            let Some(lu) = SmallLu::new(&diagonal[k]) else { return false };
            factors[k] = lu;
            let (begin, end) = (start[k], start[k + 1]);
            for column in upper[begin..end].iter_mut().flat_map(|block| &mut block.data.0) {
                lu.solve(column);
            }
            for a in begin..end {
                let (left, right) = (lower[a], upper[a]);
                subtract_product(&mut diagonal[row[a]], &left, &right);
                for b in a + 1..end {
                    let Some(&target) = fill.next() else { return false };
                    let target = target as usize;
                    let (below, beside) = (lower[b], upper[b]);
                    subtract_product(&mut upper[target], &left, &beside);
                    subtract_product(&mut lower[target], &below, &right);
                }
            }
        }
        true
    }

    /// Whether the determinant of what was factored last is negative.
    pub fn is_reversed(&self) -> bool {
        self.factors.iter().fold(false, |is_reversed, factors| is_reversed ^ factors.is_reversed())
    }

    /// Solves with the last factors; `x` holds the right-hand side on entry, block by block.
    pub fn solve(&mut self, x: &mut [SVector<f64, N>]) {
        let Self {
            elimination: Elimination { order, start, row, .. },
            factors,
            upper,
            lower,
            solution: y,
            ..
        } = self;
        for (y, &block) in y.iter_mut().zip(order.iter()) {
            *y = x[block];
        }
        for k in 0..y.len() {
            let mut pivot = y[k];
            factors[k].solve(&mut pivot.data.0[0]);
            y[k] = pivot;
            for entry in start[k]..start[k + 1] {
                subtract_times(&mut y[row[entry]], &lower[entry], &pivot);
            }
        }
        for k in (0..y.len()).rev() {
            let mut sum = y[k];
            for entry in start[k]..start[k + 1] {
                subtract_times(&mut sum, &upper[entry], &y[row[entry]]);
            }
            y[k] = sum;
        }
        for (y, &block) in y.iter().zip(order.iter()) {
            x[block] = *y;
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Irregular numbers between -1 and 1.
    fn number(seed: usize) -> f64 {
        ((seed as f64 + 1.0) * 12.9898).sin()
    }

    #[test]
    fn a_matrix_over_a_graph_with_fill_is_solved() {
        // A ring with a chord: elimination fills in.
        let couplings = [(0, 1), (1, 2), (2, 3), (4, 3), (4, 0), (1, 3)];
        let (pattern, edges) = Pattern::new(5, couplings.iter().map(|&(a, b)| (a, Some(b))));
        let mut lu = BlockLu::<3>::new(&pattern);
        let mut dense = DMatrix::<f64>::identity(15, 15);
        lu.reset();
        let block = |seed: usize| SMatrix::<f64, 3, 3>::from_fn(|i, j| number(100 * seed + 3 * i + j));
        for body in 0..5 {
            *lu.diagonal_mut(body) += block(body) * 3.0;
            let mut view = dense.fixed_view_mut::<3, 3>(3 * body, 3 * body);
            view += block(body) * 3.0;
        }
        for (index, (&(a, b), edge)) in couplings.iter().zip(edges).enumerate() {
            let place = lu.place(edge.unwrap(), a, b);
            let (ab, ba) = (block(10 + index), block(30 + index));
            let [first, second] = lu.coupling_mut(place);
            *first += ab;
            *second += ba;
            dense.fixed_view_mut::<3, 3>(3 * a, 3 * b).copy_from(&ab);
            dense.fixed_view_mut::<3, 3>(3 * b, 3 * a).copy_from(&ba);
        }
        assert!(lu.factor());
        let right = DVector::from_fn(15, |i, _| number(i));
        let mut x: Vec<SVector<f64, 3>> = (0..5).map(|k| right.fixed_rows::<3>(3 * k).into_owned()).collect();
        lu.solve(&mut x);
        assert_eq!(lu.is_reversed(), dense.determinant() < 0.0);
        let x = DVector::from_fn(15, |i, _| x[i / 3][i % 3]);
        assert!((dense * x - right).amax() < 1e-12);
    }

    #[test]
    fn the_sign_of_the_determinant_is_known() {
        let mut reversed = 0;
        let (pattern, edges) = Pattern::new(2, std::iter::once((0, Some(1))));
        let mut lu = BlockLu::<2>::new(&pattern);
        for seed in 0..40 {
            let entry = |i: usize, j: usize| number(100 * seed + 10 * i + j);
            let dense = DMatrix::<f64>::from_fn(4, 4, |i, j| f64::from(u8::from(i == j)) + 2.0 * entry(i, j));
            let part =
                |i: usize, j: usize| SMatrix::<f64, 2, 2>::from_fn(|a, b| dense[(2 * i + a, 2 * j + b)]);
            lu.reset();
            for body in 0..2 {
                *lu.diagonal_mut(body) = part(body, body);
            }
            let place = lu.place(edges[0].unwrap(), 0, 1);
            let [first, second] = lu.coupling_mut(place);
            (*first, *second) = (part(0, 1), part(1, 0));
            assert!(lu.factor());
            assert_eq!(lu.is_reversed(), dense.determinant() < 0.0);
            reversed += usize::from(lu.is_reversed());
        }
        assert!((5..35).contains(&reversed), "{reversed}");
    }

    #[test]
    fn a_singular_diagonal_block_is_reported() {
        let (pattern, _) = Pattern::new(1, std::iter::once((0, None)));
        let mut lu = BlockLu::<2>::new(&pattern);
        *lu.diagonal_mut(0) = SMatrix::zeros();
        assert!(!lu.factor());
    }
}
