//! Products with the few rows of a contact, unrolled: column by column, as the general products sum them up.

use nalgebra::{SMatrix, SVector};

/// `J v`.
#[inline(always)]
pub fn times<const D: usize, const N: usize>(
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
pub fn row_times<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    i: usize,
    v: &SVector<f64, N>,
) -> f64 {
    let columns = &rows.data.0;
    (1..N).fold(columns[0][i] * v[0], |sum, j| sum + columns[j][i] * v[j])
}

/// `J v`, and `max_i sum_j |J_ij v_j|`: how large what its entries are the sums of is.
#[inline(always)]
pub fn times_with_terms<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    v: &SVector<f64, N>,
) -> (SVector<f64, D>, f64) {
    let columns = &rows.data.0;
    let (mut product, mut sizes) = (SVector::zeros(), [0.0; D]);
    for i in 0..D {
        product[i] = columns[0][i] * v[0];
        sizes[i] = product[i].abs();
        for j in 1..N {
            let term = columns[j][i] * v[j];
            product[i] += term;
            sizes[i] += term.abs();
        }
    }
    (product, sizes.into_iter().fold(0.0, larger))
}

/// 0 where every entry is finite, and else not a number, as `0 x y` is: without branches, two at a time.
#[inline(always)]
pub fn nothing_of<const D: usize, const N: usize>(matrix: &SMatrix<f64, D, N>) -> f64 {
    let (pairs, last) = matrix.data.0.as_flattened().as_chunks::<2>();
    let mut nothing = [0.0; 2];
    for pair in pairs {
        for (product, entry) in nothing.iter_mut().zip(pair) {
            *product *= entry;
        }
    }
    last.iter().fold(nothing[0] + nothing[1], |product, entry| product * entry)
}

/// Whether two lists of matrices are the same, entry by entry.
pub fn are_equal<const D: usize, const N: usize>(
    first: &[SMatrix<f64, D, N>],
    second: &[SMatrix<f64, D, N>],
) -> bool {
    let entries = |matrix: &SMatrix<f64, D, N>, other: &SMatrix<f64, D, N>| {
        let pairs = matrix.data.0.as_flattened().iter().zip(other.data.0.as_flattened());
        pairs.fold(true, |all, (a, b)| all & (a == b))
    };
    first.len() == second.len() && first.iter().zip(second).all(|(first, second)| entries(first, second))
}

/// The larger of a number and another one that may be none: that goes unseen. What [`f64::max`] looks after more is
/// that the first one is a number too, which takes five instructions for one.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The largest entry, without its sign.
#[inline(always)]
pub fn amax<const D: usize>(v: &SVector<f64, D>) -> f64 {
    v.data.0[0].iter().fold(0.0, |most, entry| larger(most, entry.abs()))
}

/// `J' x`.
#[inline(always)]
pub fn transposed_times<const D: usize, const N: usize>(
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
pub fn delassus<const D: usize, const N: usize>(
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
pub fn delassus_trace<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    inverse_mass: &SMatrix<f64, N, N>,
) -> f64 {
    let columns = &rows.data.0;
    let squares = |j: usize, k: usize| (0..D).fold(0.0, |sum, i| sum + columns[j][i] * columns[k][i]);
    if is_diagonal(inverse_mass) {
        return (0..N).fold(0.0, |sum, j| sum + inverse_mass[(j, j)] * squares(j, j));
    }
    let of_column = |j: usize| (0..N).fold(0.0, |sum, k| sum + inverse_mass[(k, j)] * squares(j, k));
    (0..N).map(of_column).sum()
}

/// `C` with `C C' = M^-1`; zero for a body that is fixed.
#[inline]
pub fn root<const N: usize>(inverse_mass: &SMatrix<f64, N, N>) -> SMatrix<f64, N, N> {
    if is_diagonal(inverse_mass) {
        return inverse_mass.map(f64::sqrt);
    }
    inverse_mass.cholesky().map_or_else(SMatrix::zeros, |cholesky| cholesky.unpack())
}

/// Whether there is nothing beside the diagonal.
#[inline(always)]
pub fn is_diagonal<const N: usize>(matrix: &SMatrix<f64, N, N>) -> bool {
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
        let (product, terms) = times_with_terms(&rows(), &v);
        assert_eq!(product, times(&rows(), &v));
        assert!((terms - (rows().abs() * v.abs()).amax()).abs() < 1e-15);
    }

    #[test]
    fn one_entry_makes_the_difference() {
        let same = [rows(), 2.0 * rows()];
        assert!(are_equal(&same, &same) && !are_equal(&same, &same[..1]));
        for entry in 0..18 {
            let mut other = same;
            other[1][entry] = f64::NAN;
            assert!(!are_equal(&same, &other));
            assert!(nothing_of(&other[1]).is_nan() && nothing_of(&other[0]) == 0.0);
            other[1][entry] = f64::NEG_INFINITY;
            assert!(nothing_of(&other[1]).is_nan());
        }
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
            let root = root(&inverse_mass);
            assert!((root * root.transpose() - inverse_mass).amax() < 1e-13);
        }
        assert_eq!(root(&Matrix6::zeros()), Matrix6::zeros(), "that of a fixed body");
    }
}
