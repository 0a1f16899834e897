use nalgebra::{SMatrix, SVector};

use super::{linear::LinearSystem, variables::Variables};
use crate::contact::{
    friction_cone::tangential_norm,
    scaled::{Operator, sweep},
};

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Start {
    /// Centred and far from every boundary, at products of `scale^2` and above.
    Centred {
        /// Least `p`.
        scale: f64,
    },
    /// At impulses, after some sweeps of Gauss-Seidel, pushed off the boundaries.
    At {
        /// Sweeps first.
        sweeps: u32,
        /// Least `p`, `g`, `lam` and about the least `h`.
        least: f64,
    },
}

/// The softest motion of all bodies that the proportions of a start follow, against the stiffest: its
/// share of `W`. Where forces hold each other in balance inside the bodies it bounds them.
const SOFTEST: f64 = 1e-3;

/// The vectors that a proportioned start needs room for, one entry per contact.
pub(super) struct Room<'a, const D: usize> {
    pub blocks: &'a mut Vec<SMatrix<f64, D, D>>,
    pub right: &'a mut [SVector<f64, D>],
    pub impulses: &'a mut [SVector<f64, D>],
    pub velocities: &'a mut [SVector<f64, D>],
}

/// Sets the variables at the start for few contacts: `p = scale`, then `g` at least that and `b` against the slip.
pub(super) fn equal<const D: usize>(
    operator: &mut impl Operator<D>,
    friction: &[f64],
    scale: f64,
    (variables, r, u): (&mut [Variables<D>], &mut [SVector<f64, D>], &mut [SVector<f64, D>]),
) {
    for r in r.iter_mut() {
        *r = SVector::zeros();
        r[0] = scale;
    }
    operator.velocities(r, u);
    for (((v, u), r), &mu) in variables.iter_mut().zip(u.iter()).zip(r.iter_mut()).zip(friction) {
        let speed = tangential_norm(u);
        let slip = 1.0 + (1.0 + speed * speed).sqrt();
        let mut b = -u / slip;
        b[0] = 0.0;
        *v = Variables::new(scale, scale, slip, b);
        *r = v.impulse(mu);
    }
    operator.velocities(r, u);
    for (v, u) in variables.iter_mut().zip(u.iter()) {
        v.g = u[0].max(scale);
    }
}

/// Sets the variables at the start for many contacts, with all products `scale^2`.
///
/// Far out on the central path `q` no longer counts: the impulses are `sqrt(tau) x` with `W_nn x = 1/x`, element by
/// element, and half-way up a tower `x` is about half its storeys. A path from equal impulses spends most of its
/// iterations on finding that out. `x = sqrt(y)` with `(W_nn + SOFTEST) y = 1` comes near it at the price of one
/// linear system.
pub(super) fn proportioned<const D: usize>(
    system: &mut impl LinearSystem<D>,
    friction: &[f64],
    scale: f64,
    room: Room<'_, D>,
    (variables, r, u): (&mut [Variables<D>], &mut [SVector<f64, D>], &mut [SVector<f64, D>]),
) {
    let Room { blocks, right, impulses, velocities } = room;
    // What links miss is in the right-hand side too, at their velocities without impulses.
    r.fill(SVector::zeros());
    system.operator_mut().velocities(r, u);
    let mut normal = SVector::zeros();
    normal[0] = 1.0 / SOFTEST;
    blocks.clear();
    blocks.resize(r.len(), SMatrix::from_diagonal(&normal));
    right.fill(normal);
    impulses.fill(SVector::zeros());
    if system.factor(blocks, SOFTEST) {
        system.solve(blocks, right, impulses, velocities);
    }
    for (((v, r), y), &mu) in variables.iter_mut().zip(r.iter_mut()).zip(impulses.iter()).zip(friction) {
        // 1 where it is not a number.
        let x = y[0].max(1.0).sqrt();
        *v = Variables::new(scale * x, scale / x, 2.0 * scale / x, SVector::zeros());
        *r = v.impulse(mu);
    }
    system.operator_mut().velocities(r, u);
}

/// Sets the variables near the impulses `r`, and `r` and `u` to what they are there.
pub(super) fn near<const D: usize>(
    operator: &mut impl Operator<D>,
    friction: &[f64],
    (sweeps, least): (u32, f64),
    variables: &mut [Variables<D>],
    r: &mut [SVector<f64, D>],
    u: &mut [SVector<f64, D>],
) {
    operator.start_sweeps(r);
    for _ in 0..sweeps {
        sweep(operator, friction, r);
    }
    operator.velocities(r, u);
    let longest = (1.0 - 2.0 * least).max(0.0).sqrt();
    for (((v, u), r), &mu) in variables.iter_mut().zip(u.iter()).zip(r.iter_mut()).zip(friction) {
        let p = r[0].max(least);
        let mut b = if mu > 0.0 { *r / (mu * p) } else { SVector::zeros() };
        b[0] = 0.0;
        let length = b.norm();
        if length > longest {
            b *= longest / length;
        }
        *v = Variables::new(p, u[0].max(least), tangential_norm(u).max(least), b);
        *r = v.impulse(mu);
    }
    operator.velocities(r, u);
}
