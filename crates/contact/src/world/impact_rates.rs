//! How the impulse of a contact by itself changes with what it follows from: by dual numbers through its course.

use nalgebra::{Const, Matrix3, SMatrix, SVector, U1, Vector3};
use num_dual::{Derivative, DualSVec64};

use super::{ImpactFriction, PlanarImpact, SpatialImpact};

/// The change of the impulse of a blow of one contact, with the numbers of [`PlanarImpact`] or [`SpatialImpact`].
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactRates<const D: usize> {
    /// With the entries of `W` on its diagonal and below, column by column, then `u`, the coefficients of friction, sliding, held and
    /// released, and that of restitution.
    columns: Vec<SVector<f64, D>>,
}

/// The numbers that an impulse follows from, in that order; the matrix is symmetric.
fn numbers<const D: usize>(
    response: &SMatrix<f64, D, D>,
    velocity: &SVector<f64, D>,
    ImpactFriction { sliding, held, released }: ImpactFriction,
    restitution: f64,
) -> Vec<f64> {
    let lower = (0..D).flat_map(|column| (column..D).map(move |row| (row, column)));
    lower
        .map(|(row, column)| 0.5 * (response[(row, column)] + response[(column, row)]))
        .chain(velocity.iter().copied())
        .chain([sliding, held, released, restitution])
        .collect()
}

impl<const D: usize> ImpactRates<D> {
    /// Those of the contact that answers by `response` in 1/kg, with the relative velocity `velocity` in m/s before.
    pub fn of(
        response: &SMatrix<f64, D, D>,
        velocity: &SVector<f64, D>,
        friction: ImpactFriction,
        restitution: f64,
    ) -> Self {
        let numbers = numbers(response, velocity, friction, restitution);
        let columns = if D == 2 { in_plane(&numbers) } else { in_space(&numbers) };
        Self { columns: columns.iter().map(|column| SVector::from_fn(|i, _| column[i])).collect() }
    }

    /// The change of the impulse in N s by these changes.
    pub fn along(
        &self,
        response: &SMatrix<f64, D, D>,
        velocity: &SVector<f64, D>,
        friction: ImpactFriction,
        restitution: f64,
    ) -> SVector<f64, D> {
        let changes = numbers(response, velocity, friction, restitution);
        self.columns.iter().zip(changes).map(|(column, change)| column * change).sum()
    }
}

/// Each of these numbers, with its own direction.
fn lifted<const P: usize>(numbers: &[f64]) -> [DualSVec64<P>; P] {
    std::array::from_fn(|k| DualSVec64::new(numbers[k], Derivative::derivative_generic(Const, U1, k)))
}

/// The derivatives of an impulse, a column per direction.
fn columns_of<const P: usize>(impulse: &[DualSVec64<P>]) -> Vec<Vec<f64>> {
    let rows: Vec<_> = impulse.iter().map(|own| own.eps.unwrap_generic(Const::<P>, U1)).collect();
    (0..P).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

fn in_plane(numbers: &[f64]) -> Vec<Vec<f64>> {
    let [nn, tn, tt, un, ut, sliding, held, released, restitution] = lifted(numbers);
    let impact = PlanarImpact {
        response: [nn, tn, tt],
        velocity: [un, ut],
        friction: ImpactFriction { sliding, held, released },
        restitution,
    };
    columns_of(&impact.impulse())
}

fn in_space(numbers: &[f64]) -> Vec<Vec<f64>> {
    let [nn, xn, yn, xx, yx, yy, un, ux, uy, sliding, held, released, restitution] = lifted(numbers);
    let impact = SpatialImpact {
        response: Matrix3::new(nn, xn, yn, xn, xx, yx, yn, yx, yy),
        velocity: Vector3::new(un, ux, uy),
        friction: ImpactFriction { sliding, held, released },
        restitution,
    };
    columns_of(impact.impulse().as_slice())
}
