//! Products with the few rows of a contact, unrolled: column by column, as the general products sum them up.

use nalgebra::{SMatrix, SVector};

/// `J v`.
#[inline(always)]
pub(crate) fn times<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    v: &SVector<f64, N>,
) -> SVector<f64, D> {
    let columns = &rows.data.0;
    let mut product = SVector::zeros();
    for i in 0..D {
        product[i] = columns[0][i] * v[0];
        for j in 1..N {
            product[i] += columns[j][i] * v[j];
        }
    }
    product
}

/// Entry `i` of `J v`.
#[inline(always)]
pub(crate) fn row_times<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    i: usize,
    v: &SVector<f64, N>,
) -> f64 {
    let columns = &rows.data.0;
    (1..N).fold(columns[0][i] * v[0], |sum, j| sum + columns[j][i] * v[j])
}

/// `max_i sum_j |J_ij v_j|`: how large what the entries of `J v` are the sums of is.
#[inline(always)]
pub(crate) fn largest_terms<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    v: &SVector<f64, N>,
) -> f64 {
    let columns = &rows.data.0;
    (0..D).fold(0.0, |largest: f64, i| {
        largest.max((0..N).fold(0.0, |sum: f64, j| sum + (columns[j][i] * v[j]).abs()))
    })
}

/// `G J`.
#[inline(always)]
pub(crate) fn mapped<const D: usize, const N: usize>(
    g: &SMatrix<f64, D, D>,
    rows: &SMatrix<f64, D, N>,
) -> SMatrix<f64, D, N> {
    let mut product = SMatrix::zeros();
    for (j, column) in rows.data.0.iter().enumerate() {
        for i in 0..D {
            let mut entry = g[(i, 0)] * column[0];
            for k in 1..D {
                entry += g[(i, k)] * column[k];
            }
            product[(i, j)] = entry;
        }
    }
    product
}

/// `J' x`.
#[inline(always)]
pub(crate) fn transposed_times<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    x: &SVector<f64, D>,
) -> SVector<f64, N> {
    let mut product = SVector::zeros();
    for (j, column) in rows.data.0.iter().enumerate() {
        product[j] = column[0] * x[0];
        for i in 1..D {
            product[j] += column[i] * x[i];
        }
    }
    product
}

/// `A J'` of a matrix that is diagonal for most bodies: in their principal axes.
#[inline(always)]
fn response<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    inverse_mass: &SMatrix<f64, N, N>,
) -> SMatrix<f64, N, D> {
    if !is_diagonal(inverse_mass) {
        return inverse_mass * rows.transpose();
    }
    let mut response = SMatrix::zeros();
    for (j, column) in rows.data.0.iter().enumerate() {
        for i in 0..D {
            response[(j, i)] = inverse_mass[(j, j)] * column[i];
        }
    }
    response
}

/// `J M^-1 J'`, symmetric.
#[inline]
pub(crate) fn delassus<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    inverse_mass: &SMatrix<f64, N, N>,
) -> SMatrix<f64, D, D> {
    let response = response(rows, inverse_mass);
    let mut product = SMatrix::<f64, D, D>::zeros();
    for j in 0..D {
        for i in j..D {
            let entry = (0..N).fold(0.0, |sum, k| sum + rows[(i, k)] * response[(k, j)]);
            product[(i, j)] = entry;
            product[(j, i)] = entry;
        }
    }
    product
}

/// `tr J M^-1 J'`.
#[inline]
pub(crate) fn delassus_trace<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    inverse_mass: &SMatrix<f64, N, N>,
) -> f64 {
    let response = response(rows, inverse_mass);
    (0..D).map(|i| (0..N).map(|j| rows[(i, j)] * response[(j, i)]).sum::<f64>()).sum()
}

/// Whether there is nothing beside the diagonal.
#[inline(always)]
pub(crate) fn is_diagonal<const N: usize>(matrix: &SMatrix<f64, N, N>) -> bool {
    // Without branches: all bits but the signs, which zeros may have.
    let mut bits = 0;
    for (j, column) in matrix.data.0.iter().enumerate() {
        for (i, entry) in column.iter().enumerate() {
            bits |= if i == j { 0 } else { entry.to_bits() };
        }
    }
    bits << 1 == 0
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Matrix6};

    use super::*;

    fn rows() -> SMatrix<f64, 3, 6> {
        SMatrix::from_fn(|i, j| ((7 * i + 3 * j) as f64).sin())
    }

    #[test]
    fn products_are_those_of_matrices() {
        let v = SVector::<f64, 6>::from_fn(|i, _| (i as f64).cos());
        let x = SVector::<f64, 3>::new(0.3, -2.0, 0.7);
        assert!((times(&rows(), &v) - rows() * v).amax() < 1e-15);
        assert!((transposed_times(&rows(), &x) - rows().transpose() * x).amax() < 1e-15);
        assert!((row_times(&rows(), 1, &v) - (rows() * v)[1]).abs() < 1e-15);
        assert!((largest_terms(&rows(), &v) - (rows().abs() * v.abs()).amax()).abs() < 1e-15);
        let g = Matrix3::from_fn(|i, j| (i as f64 - 2.0 * j as f64).exp());
        assert!((mapped(&g, &rows()) - g * rows()).amax() < 1e-14);
    }

    #[test]
    fn a_body_answers_alike_in_its_principal_axes_and_in_others() {
        let principal = Matrix6::from_diagonal(&[2.0, 2.0, 2.0, 30.0, 40.0, 50.0].into());
        let mut general = principal;
        general[(3, 4)] = 5.0;
        general[(4, 3)] = 5.0;
        assert!(is_diagonal(&principal) && !is_diagonal(&general));
        for inverse_mass in [principal, general] {
            let right: Matrix3<f64> = rows() * inverse_mass * rows().transpose();
            assert!((delassus(&rows(), &inverse_mass) - right).amax() < 1e-13);
            assert!((delassus_trace(&rows(), &inverse_mass) - right.trace()).abs() < 1e-13);
        }
    }
}
