use nalgebra::{DMatrix, SMatrix, SVector};

use super::linear::LinearSystem;
use crate::contact::scaled::DenseOperator;

/// The r-form `(1 + D W) dr = e` by dense LU with row pivoting. Rows are divided by
/// `1 + max |D_row|` first, because those of closed contacts are large.
#[derive(Debug, Clone, Default)]
pub(in crate::contact) struct DenseSystem<const D: usize> {
    pub operator: DenseOperator<D>,
    factors: DMatrix<f64>,
    pivots: Vec<usize>,
    row_scales: Vec<f64>,
    right: Vec<f64>,
}

impl<const D: usize> LinearSystem<D> for DenseSystem<D> {
    type Operator = DenseOperator<D>;

    fn operator(&self) -> &DenseOperator<D> {
        &self.operator
    }

    fn operator_mut(&mut self) -> &mut DenseOperator<D> {
        &mut self.operator
    }

    fn factor(&mut self, blocks: &[SMatrix<f64, D, D>], _delta: f64) -> bool {
        let n = D * blocks.len();
        if self.factors.nrows() != n {
            self.factors = DMatrix::zeros(n, n);
            self.pivots.resize(n, 0);
            self.row_scales.resize(n, 1.0);
            self.right.resize(n, 0.0);
        }
        for (i, block) in blocks.iter().enumerate() {
            for row in 0..D {
                let largest = (0..D).fold(0.0_f64, |largest, k| largest.max(block[(row, k)].abs()));
                self.row_scales[D * i + row] = 1.0 / (1.0 + largest);
            }
        }
        for column in 0..n {
            let source = self.operator.w.column(column);
            let (source, target) =
                (source.as_slice(), &mut self.factors.as_mut_slice()[n * column..n * (column + 1)]);
            for (i, block) in blocks.iter().enumerate() {
                for row in 0..D {
                    let at = D * i + row;
                    let identity = f64::from(u8::from(at == column));
                    let sum = (0..D).fold(identity, |sum, k| sum + block[(row, k)] * source[D * i + k]);
                    target[at] = sum * self.row_scales[at];
                }
            }
        }
        self.eliminate()
    }

    fn solve(
        &mut self,
        _blocks: &[SMatrix<f64, D, D>],
        e: &[SVector<f64, D>],
        dr: &mut [SVector<f64, D>],
        du: &mut [SVector<f64, D>],
    ) {
        let n = self.right.len();
        for (i, e) in e.iter().enumerate() {
            for row in 0..D {
                self.right[D * i + row] = e[row] * self.row_scales[D * i + row];
            }
        }
        let (right, factors) = (&mut self.right, self.factors.as_slice());
        for (k, &pivot) in self.pivots.iter().enumerate() {
            right.swap(k, pivot);
        }
        for k in 0..n {
            let value = right[k];
            for (entry, factor) in right[k + 1..].iter_mut().zip(&factors[n * k + k + 1..n * (k + 1)]) {
                *entry -= factor * value;
            }
        }
        for k in (0..n).rev() {
            right[k] /= factors[n * k + k];
            let value = right[k];
            for (entry, factor) in right[..k].iter_mut().zip(&factors[n * k..n * k + k]) {
                *entry -= factor * value;
            }
        }
        for (i, dr) in dr.iter_mut().enumerate() {
            *dr = SVector::from_column_slice(&right[D * i..D * (i + 1)]);
        }
        self.operator.apply(dr, du);
    }

    fn is_reversed(&self) -> bool {
        // Rows were divided by what is positive.
        let steps = self.pivots.iter().enumerate();
        steps
            .fold(false, |is_reversed, (k, &pivot)| is_reversed ^ (pivot != k) ^ (self.factors[(k, k)] < 0.0))
    }

    fn load(&mut self, impulses: &[SVector<f64, D>], r: &mut Vec<SVector<f64, D>>) {
        self.operator.scale(impulses, r);
    }
}

impl<const D: usize> DenseSystem<D> {
    /// LU with row pivoting, panel after panel, so that most of the work is a product of matrices.
    fn eliminate(&mut self) -> bool {
        const PANEL: usize = 32;
        let n = self.right.len();
        for first in (0..n).step_by(PANEL) {
            let last = (first + PANEL).min(n);
            if !self.eliminate_panel(first, last) {
                return false;
            }
            if last == n {
                break;
            }
            let factors = self.factors.as_mut_slice();
            let (done, rest) = factors.split_at_mut(n * last);
            for column in rest.chunks_exact_mut(n) {
                for k in first..last {
                    column.swap(k, self.pivots[k]);
                }
                for k in first..last {
                    let top = column[k];
                    let multipliers = &done[n * k + k + 1..n * k + last];
                    for (entry, factor) in column[k + 1..last].iter_mut().zip(multipliers) {
                        *entry -= factor * top;
                    }
                }
            }
            let width = last - first;
            let below = self.factors.view((last, first), (n - last, width)).into_owned();
            let beside = self.factors.view((first, last), (width, n - last)).into_owned();
            self.factors.view_mut((last, last), (n - last, n - last)).gemm(-1.0, &below, &beside, 1.0);
        }
        true
    }

    /// Eliminates the columns of one panel; rows are exchanged in it and to the left of it.
    fn eliminate_panel(&mut self, first: usize, last: usize) -> bool {
        let n = self.right.len();
        let factors = self.factors.as_mut_slice();
        for k in first..last {
            let column = &mut factors[n * k..n * (k + 1)];
            let mut pivot = k;
            for row in k + 1..n {
                if column[row].abs() > column[pivot].abs() {
                    pivot = row;
                }
            }
            #[cfg(test)]
            (column[pivot] *= crate::fault::of_pivot());
            let largest = column[pivot];
            if !(largest.is_finite() && largest != 0.0) {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                factors[..n * last].chunks_exact_mut(n).for_each(|column| column.swap(k, pivot));
            }
            let inverse = 1.0 / largest;
            let (done, rest) = factors[..n * last].split_at_mut(n * (k + 1));
            let column = &mut done[n * k..];
            column[k + 1..].iter_mut().for_each(|entry| *entry *= inverse);
            for other in rest.chunks_exact_mut(n) {
                let top = other[k];
                if top != 0.0 {
                    for (entry, factor) in other[k + 1..].iter_mut().zip(&column[k + 1..]) {
                        *entry -= factor * top;
                    }
                }
            }
        }
        true
    }
}
