//! How the impulse of a contact by itself changes with what it follows from: by dual numbers through its course.

use nalgebra::{Const, Matrix3, SMatrix, SVector, U1, Vector3};
use num_dual::{Derivative, DualSVec64};

use super::{ImpactFriction, PlanarImpact, SpatialImpact};

/// The change of the impulse of a blow of one contact, with the numbers of [`PlanarImpact`] or [`SpatialImpact`].
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactRates<const D: usize> {
    /// With the entries of `W` on its diagonal and below, column by column, then `u`, the coefficients of friction, one where
    /// they are the same, and that of restitution.
    columns: Vec<SVector<f64, D>>,
    is_coulomb: bool,
}

/// The entries of a symmetric matrix on its diagonal and below, column by column.
fn lower<const D: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..D).flat_map(|column| (column..D).map(move |row| (row, column)))
}

impl<const D: usize> ImpactRates<D> {
    /// Those of the contact that answers by `response` in 1/kg, with the relative velocity `velocity` in m/s before.
    pub fn of(
        response: &SMatrix<f64, D, D>,
        velocity: &SVector<f64, D>,
        friction: ImpactFriction,
        restitution: f64,
    ) -> Self {
        let is_coulomb = friction == ImpactFriction::coulomb(friction.held);
        let numbers: Vec<f64> = lower::<D>()
            .map(|place| response[place])
            .chain(velocity.iter().copied())
            .chain(numbers_of(friction, is_coulomb))
            .chain([restitution])
            .collect();
        let columns = match (D, is_coulomb) {
            (2, true) => {
                let [nn, tn, tt, un, ut, friction, restitution] = lifted(&numbers);
                in_plane([nn, tn, tt], [un, ut], ImpactFriction::coulomb(friction), restitution)
            }
            (2, false) => {
                let [nn, tn, tt, un, ut, sliding, held, released, restitution] = lifted(&numbers);
                in_plane([nn, tn, tt], [un, ut], ImpactFriction { sliding, held, released }, restitution)
            }
            (_, true) => {
                let [nn, xn, yn, xx, yx, yy, un, ux, uy, friction, restitution] = lifted(&numbers);
                let response = Matrix3::new(nn, xn, yn, xn, xx, yx, yn, yx, yy);
                let friction = ImpactFriction::coulomb(friction);
                in_space(response, Vector3::new(un, ux, uy), friction, restitution)
            }
            (_, false) => {
                let [nn, xn, yn, xx, yx, yy, un, ux, uy, sliding, held, released, restitution] =
                    lifted(&numbers);
                let response = Matrix3::new(nn, xn, yn, xn, xx, yx, yn, yx, yy);
                let friction = ImpactFriction { sliding, held, released };
                in_space(response, Vector3::new(un, ux, uy), friction, restitution)
            }
        };
        let columns = columns.iter().map(|column| SVector::from_fn(|i, _| column[i])).collect();
        Self { columns, is_coulomb }
    }

    /// The change of the impulse in N s by these changes.
    pub fn along(
        &self,
        response: &SMatrix<f64, D, D>,
        velocity: &SVector<f64, D>,
        friction: ImpactFriction,
        restitution: f64,
    ) -> SVector<f64, D> {
        let changes = lower::<D>()
            .map(|(row, column)| 0.5 * (response[(row, column)] + response[(column, row)]))
            .chain(velocity.iter().copied())
            .chain(numbers_of(friction, self.is_coulomb))
            .chain([restitution]);
        self.columns.iter().zip(changes).map(|(column, change)| column * change).sum()
    }
}

/// The coefficients of friction, or the one that they are.
fn numbers_of(friction: ImpactFriction, is_coulomb: bool) -> impl Iterator<Item = f64> {
    let ImpactFriction { sliding, held, released } = friction;
    [sliding, held, released].into_iter().take(if is_coulomb { 1 } else { 3 })
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

fn in_plane<const P: usize>(
    response: [DualSVec64<P>; 3],
    velocity: [DualSVec64<P>; 2],
    friction: ImpactFriction<DualSVec64<P>>,
    restitution: DualSVec64<P>,
) -> Vec<Vec<f64>> {
    columns_of(&PlanarImpact { response, velocity, friction, restitution }.impulse())
}

fn in_space<const P: usize>(
    response: Matrix3<DualSVec64<P>>,
    velocity: Vector3<DualSVec64<P>>,
    friction: ImpactFriction<DualSVec64<P>>,
    restitution: DualSVec64<P>,
) -> Vec<Vec<f64>> {
    columns_of(SpatialImpact { response, velocity, friction, restitution }.impulse().as_slice())
}
