use nalgebra::{DefaultAllocator, Dim, OMatrix, OVector, U1, allocator::Allocator};

/// A usual rank tolerance, for systems in which near-singular means singular.
pub(super) const NEARLY_SINGULAR: f64 = 1e-12;

/// Room for one system of linear equations of at most n rows and n columns.
#[derive(Debug, Clone)]
pub(super) struct LinearSystem<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// Coefficients; destroyed by [`LinearSystem::solve`].
    pub a: OMatrix<f64, D, D>,
    /// Right-hand side; destroyed likewise.
    pub b: OVector<f64, D>,
    /// The solution.
    pub x: OVector<f64, D>,
    pivot_column: OVector<usize, D>,
}

impl<D: Dim> LinearSystem<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    pub fn new(dim: D) -> Self {
        Self {
            a: OMatrix::zeros_generic(dim, dim),
            b: OVector::zeros_generic(dim, U1),
            x: OVector::zeros_generic(dim, U1),
            pivot_column: OVector::from_element_generic(dim, U1, 0),
        }
    }

    /// Solves the leading `rows` by `columns` part, `rows >= columns`, by Gaussian elimination to
    /// echelon form with row pivoting. Returns the rank; an unknown without a pivot is set to 0. A
    /// pivot counts as zero up to the fraction `tolerance` of the largest entry its column began
    /// with.
    ///
    /// Equations beyond the rank are not looked at: the caller checks the residual.
    pub fn solve(&mut self, rows: usize, columns: usize, tolerance: f64) -> usize {
        let Self { a, b, x, pivot_column } = self;
        for k in 0..columns {
            x[k] = (0..rows).fold(0.0, |largest: f64, i| largest.max(a[(i, k)].abs()));
        }
        let mut rank = 0;
        for k in 0..columns {
            let mut pivot_row = rank;
            let mut pivot = 0.0_f64;
            for i in rank..rows {
                if a[(i, k)].abs() > pivot {
                    pivot = a[(i, k)].abs();
                    pivot_row = i;
                }
            }
            if pivot <= tolerance * x[k] {
                continue;
            }
            a.swap_rows(rank, pivot_row);
            b.swap_rows(rank, pivot_row);
            #[cfg(test)]
            (a[(rank, k)] *= crate::fault::of_pivot());
            let inverse = 1.0 / a[(rank, k)];
            for i in rank + 1..rows {
                a[(i, k)] *= inverse;
            }
            for j in k + 1..columns {
                let top = a[(rank, j)];
                if top != 0.0 {
                    for i in rank + 1..rows {
                        a[(i, j)] -= a[(i, k)] * top;
                    }
                }
            }
            let top = b[rank];
            for i in rank + 1..rows {
                b[i] -= a[(i, k)] * top;
            }
            pivot_column[rank] = k;
            rank += 1;
        }
        for k in 0..columns {
            x[k] = 0.0;
        }
        for r in (0..rank).rev() {
            let k = pivot_column[r];
            let mut sum = b[r];
            for j in k + 1..columns {
                sum -= a[(r, j)] * x[j];
            }
            x[k] = sum / a[(r, k)];
        }
        rank
    }
}
