//! Contact problems in units of their own, in which every method iterates.
//!
//! With `S_i = (tr W_ii/d)^-1/2` and `Q = max_i S_i |q_i|_inf`
//!
//! ```text
//! r = Q S r',   u = Q u'/S,   W' = S W S,   q' = S q/Q
//! ```
//!
//! every own block `W'_ii` has the mean diagonal 1 and the largest entry of `q'` is 1; the friction
//! cones stay what they are, because a contact has one scale for all its rows.

mod bodies;
mod dense;

use nalgebra::{SMatrix, SVector};

use super::{Residuals, Yardstick, friction_cone};

pub(super) use bodies::{BodyOperator, NOBODY, ScaledLink};
pub(super) use dense::DenseOperator;

/// The scaled map `r -> u = W r + q`, with what the methods need of it.
pub(super) trait Operator<const D: usize> {
    /// Friction coefficients, one per contact.
    fn friction(&self) -> &[f64];

    /// Writes `u = W r + q`.
    fn velocities(&mut self, r: &[SVector<f64, D>], u: &mut [SVector<f64, D>]);

    /// `W_ii`.
    fn own_block(&self, contact: usize) -> &SMatrix<f64, D, D>;

    /// Takes `r` as the point that [`Self::velocity`] and [`Self::change`] refer to.
    fn start_sweeps(&mut self, r: &[SVector<f64, D>]);

    /// `u_i` at the point of the sweeps.
    fn velocity(&self, contact: usize) -> SVector<f64, D>;

    /// `r_i` becomes `r_i + change` at the point of the sweeps.
    fn change(&mut self, contact: usize, change: &SVector<f64, D>);

    /// Sets every link right, one after the other, at the point of the sweeps.
    fn sweep_links(&mut self) {}

    /// The rate of a link, its compliance included, at the point that was looked at last.
    fn rate_of_link(&self, _index: usize) -> f64 {
        0.0
    }

    /// The impulse within the bounds of a link that is nearest to this one.
    fn within_bounds(&self, _index: usize, impulse: f64) -> f64 {
        impulse
    }

    /// Whether the impulse of some link is bounded.
    fn has_bounded_links(&self) -> bool {
        false
    }

    /// `|.|_2` of what the links miss.
    fn miss_of_links(&self) -> f64 {
        0.0
    }

    /// Both residuals of `r` and `u`, in the units of the problem as it was given.
    fn residuals(&self, r: &[SVector<f64, D>], u: &[SVector<f64, D>]) -> Residuals;

    /// Whether the problem, as it was given, calls residuals within `tolerance`.
    fn accepts(&self, residuals: &Residuals, tolerance: f64) -> bool;
}

/// One sweep of projected Gauss-Seidel over all contacts:
///
/// ```text
/// r_i <- P_K(r_i - rho (u_i + mu |u_t| n)),   rho = 1/tr W_ii
/// ```
///
/// three times for each contact, `u_i` refreshed (De Saxce and Feng 1998; Jourdan, Alart and Jean
/// 1998).
pub(super) fn sweep<const D: usize>(
    operator: &mut impl Operator<D>,
    friction: &[f64],
    r: &mut [SVector<f64, D>],
) {
    sweep_by(friction_cone::augmented, operator, friction, r);
}

/// The same with what a law makes of `mu` and `u_i` in the place of `u_i + mu |u_t| n`.
pub(super) fn sweep_by<const D: usize>(
    law: impl Fn(f64, &SVector<f64, D>) -> SVector<f64, D>,
    operator: &mut impl Operator<D>,
    friction: &[f64],
    r: &mut [SVector<f64, D>],
) {
    const PASSES: usize = 3;
    let law = &law;
    sweep_contacts(operator, r, PASSES, |contact, own| {
        let (mu, rho) = (friction[contact], 1.0 / own.trace());
        move |r: &SVector<f64, D>, u: &SVector<f64, D>| friction_cone::project(mu, &(r - law(mu, u) * rho))
    });
}

/// One sweep of projected Gauss-Seidel over all contacts, links first: `r_i` becomes what the update of the contact makes of `r_i`
/// and `u_i`, `passes` times for each contact, `u_i` refreshed. `updates` makes the update of a contact from its number and `W_ii`.
pub(super) fn sweep_contacts<const D: usize, U>(
    operator: &mut impl Operator<D>,
    r: &mut [SVector<f64, D>],
    passes: usize,
    updates: impl Fn(usize, &SMatrix<f64, D, D>) -> U,
) where
    U: Fn(&SVector<f64, D>, &SVector<f64, D>) -> SVector<f64, D>,
{
    operator.sweep_links();
    for (contact, r) in r.iter_mut().enumerate() {
        let mut u = operator.velocity(contact);
        let own = operator.own_block(contact);
        let update = updates(contact, own);
        let before = *r;
        for _ in 0..passes {
            let next = update(r, &u);
            let change = next - *r;
            if change.amax() == 0.0 {
                break;
            }
            *r = next;
            u += own * change;
        }
        let change = *r - before;
        if change.amax() != 0.0 {
            operator.change(contact, &change);
        }
    }
}

/// Both residuals of scaled impulses and velocities: `scales` are the `S_i`.
fn residuals<const D: usize>(
    yardstick: &Yardstick,
    scales: &[f64],
    unit: f64,
    r: &[SVector<f64, D>],
    u: &[SVector<f64, D>],
) -> Residuals {
    let pairs = r.iter().zip(u).zip(scales);
    yardstick.residuals(pairs.map(|((r, u), scale)| (r * (unit * scale), u * (unit / scale))))
}
