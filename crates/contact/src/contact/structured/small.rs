//! Products of small matrices of sizes known at compile time, as plain loops that the compiler
//! unrolls.

use nalgebra::{SMatrix, SVector};

/// `rows D` for `rows` stored as one column per row of the contact.
#[inline(always)]
pub(in crate::contact) fn times_block<const N: usize, const D: usize>(
    rows: &SMatrix<f64, N, D>,
    block: &SMatrix<f64, D, D>,
) -> SMatrix<f64, N, D> {
    let mut out = SMatrix::<f64, N, D>::zeros();
    for j in 0..D {
        for k in 0..D {
            let factor = block.data.0[j][k];
            for (entry, row) in out.data.0[j].iter_mut().zip(&rows.data.0[k]) {
                *entry += row * factor;
            }
        }
    }
    out
}

/// `out += left right'`.
#[inline(always)]
pub(in crate::contact) fn add_outer<const N: usize, const D: usize>(
    out: &mut SMatrix<f64, N, N>,
    left: &SMatrix<f64, N, D>,
    right: &SMatrix<f64, N, D>,
) {
    for j in 0..N {
        let mut column = out.data.0[j];
        for k in 0..D {
            let factor = right.data.0[k][j];
            for (entry, left) in column.iter_mut().zip(&left.data.0[k]) {
                *entry += left * factor;
            }
        }
        out.data.0[j] = column;
    }
}

/// `out -= a b`.
#[inline(always)]
pub(in crate::contact) fn subtract_product<const N: usize>(
    out: &mut SMatrix<f64, N, N>,
    a: &SMatrix<f64, N, N>,
    b: &SMatrix<f64, N, N>,
) {
    for j in 0..N {
        let mut column = out.data.0[j];
        for k in 0..N {
            let factor = b.data.0[j][k];
            for (entry, a) in column.iter_mut().zip(&a.data.0[k]) {
                *entry -= a * factor;
            }
        }
        out.data.0[j] = column;
    }
}

/// `y -= a x`.
#[inline(always)]
pub(in crate::contact) fn subtract_times<const N: usize>(
    y: &mut SVector<f64, N>,
    a: &SMatrix<f64, N, N>,
    x: &SVector<f64, N>,
) {
    for k in 0..N {
        let factor = x[k];
        for (entry, a) in y.iter_mut().zip(&a.data.0[k]) {
            *entry -= a * factor;
        }
    }
}

/// `P M = L U` of a small matrix, with row pivoting.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact) struct SmallLu<const N: usize> {
    /// `L` below the diagonal, `U` above; the diagonal holds `1/U_kk`.
    factors: SMatrix<f64, N, N>,
    pivots: [usize; N],
}

impl<const N: usize> SmallLu<N> {
    pub fn identity() -> Self {
        Self { factors: SMatrix::identity(), pivots: std::array::from_fn(|k| k) }
    }

    /// `None` where a pivot is zero or not finite.
    #[inline(always)]
    pub fn new(matrix: &SMatrix<f64, N, N>) -> Option<Self> {
        let mut a = matrix.data.0;
        let mut pivots = [0; N];
        for k in 0..N {
            let mut pivot = k;
            for row in k + 1..N {
                if a[k][row].abs() > a[k][pivot].abs() {
                    pivot = row;
                }
            }
            #[cfg(test)]
            (a[k][pivot] *= crate::fault::of_pivot());
            let largest = a[k][pivot];
            if !(largest.is_finite() && largest != 0.0) {
                return None;
            }
            pivots[k] = pivot;
            if pivot != k {
                for column in &mut a {
                    column.swap(k, pivot);
                }
            }
            let inverse = 1.0 / largest;
            a[k][k] = inverse;
            for entry in &mut a[k][k + 1..] {
                *entry *= inverse;
            }
            let factors = a[k];
            for column in a.iter_mut().skip(k + 1) {
                let top = column[k];
                for (entry, factor) in column[k + 1..].iter_mut().zip(&factors[k + 1..]) {
                    *entry -= factor * top;
                }
            }
        }
        let mut factors = SMatrix::zeros();
        factors.data.0 = a;
        Some(Self { factors, pivots })
    }

    /// Whether the determinant is negative.
    pub fn is_reversed(&self) -> bool {
        let steps = self.pivots.iter().enumerate();
        steps
            .fold(false, |is_reversed, (k, &pivot)| is_reversed ^ (pivot != k) ^ (self.factors[(k, k)] < 0.0))
    }

    /// `x := M^-1 x`.
    #[inline(always)]
    pub fn solve(&self, x: &mut [f64; N]) {
        let a = &self.factors.data.0;
        // Rows of L were exchanged together with those of the matrix.
        for k in 0..N {
            x.swap(k, self.pivots[k]);
        }
        for k in 0..N {
            let value = x[k];
            for (entry, factor) in x[k + 1..].iter_mut().zip(&a[k][k + 1..]) {
                *entry -= factor * value;
            }
        }
        for k in (0..N).rev() {
            x[k] *= a[k][k];
            let value = x[k];
            for (entry, factor) in x[..k].iter_mut().zip(&a[k][..k]) {
                *entry -= factor * value;
            }
        }
    }
}
