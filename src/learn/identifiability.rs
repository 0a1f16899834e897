use nalgebra::DMatrix;

/// Singular values below this share of the largest one count as zero.
const RELATIVE_ZERO: f64 = 1e-9;
/// Components of a unit vector of the null space above this one make a parameter free.
const FREE: f64 = 1e-6;

/// Which unknowns of a linear(ised) system are determined.
#[derive(Debug, Clone, PartialEq)]
pub struct Identifiability {
    /// Number of directions that are determined.
    pub rank: usize,
    /// For each unknown, whether no direction that changes it goes unnoticed.
    pub determined: Vec<bool>,
    /// Largest over smallest singular value, of columns scaled to unit length; infinite if some
    /// direction is undetermined.
    pub condition: f64,
}

impl Identifiability {
    /// The unknowns of a system with this Jacobian: rows are equations, columns are unknowns.
    ///
    /// The right singular vectors of the singular values that vanish span the changes that no
    /// equation notices. Columns are scaled to unit length first, so that units do not matter.
    pub fn of(jacobian: &DMatrix<f64>) -> Self {
        let unknowns = jacobian.ncols();
        // The triangular factor has the singular values and the right singular vectors of the whole.
        let mut reduced =
            if jacobian.nrows() > unknowns { jacobian.clone().qr().unpack_r() } else { jacobian.clone() };
        let rows = unknowns.max(reduced.nrows());
        reduced = reduced.resize(rows, unknowns, 0.0);
        for mut column in reduced.column_iter_mut() {
            let norm = column.norm();
            if norm > 0.0 {
                column /= norm;
            }
        }
        let decomposition = reduced.svd(false, true);
        let Some(right) = decomposition.v_t else {
            return Self { rank: 0, determined: vec![false; unknowns], condition: f64::INFINITY };
        };
        let values = decomposition.singular_values;
        let largest = values.max();
        let is_zero = |value: f64| value <= RELATIVE_ZERO * largest || largest == 0.0;
        let determined = (0..unknowns).map(|unknown| {
            (0..values.len()).all(|row| !is_zero(values[row]) || right[(row, unknown)].abs() <= FREE)
        });
        let determined = determined.collect();
        let rank = values.iter().filter(|value| !is_zero(**value)).count();
        let condition = if rank == unknowns { largest / values.min() } else { f64::INFINITY };
        Self { rank, determined, condition }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn of_two_unknowns_that_enter_as_a_sum_neither_is_determined() {
        let jacobian = DMatrix::from_row_slice(2, 3, &[1.0, 1.0, 0.0, 0.0, 0.0, 1e-3]);
        let identifiability = Identifiability::of(&jacobian);
        assert_eq!(identifiability.rank, 2);
        assert_eq!(identifiability.determined, [false, false, true]);
        assert_eq!(identifiability.condition, f64::INFINITY);
    }

    /// Data that were rounded make no singular value zero of what depends on each other.
    #[test]
    fn what_differs_in_the_eleventh_digit_determines_nothing() {
        let mut random = Random::seeded(1);
        let mut jacobian = DMatrix::from_fn(12, 3, |_, _| random.normal(1.0));
        for mut row in jacobian.row_iter_mut() {
            row[2] = 0.3 * row[0] + 0.7 * row[1] + 1e-11 * row[2];
        }
        let identifiability = Identifiability::of(&jacobian);
        assert_eq!(identifiability.rank, 2);
        assert_eq!(identifiability.determined, [false; 3]);
        assert_eq!(identifiability.condition, f64::INFINITY);
        let independent = Identifiability::of(&jacobian.columns(0, 2).into_owned());
        assert_eq!((independent.rank, independent.determined), (2, vec![true; 2]));
        assert!(independent.condition < 10.0);
    }
}
