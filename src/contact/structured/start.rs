use nalgebra::SVector;

use super::variables::Variables;
use crate::contact::{
    friction_cone::tangential_norm,
    scaled::{Operator, sweep},
};

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Start {
    /// Centred and far from every boundary: `p = 1`, then `g` at least 1 and `b` against the slip.
    Centred {
        /// Least `p` and `g`.
        least: f64,
    },
    /// At impulses, after some sweeps of Gauss-Seidel, pushed off the boundaries.
    At {
        /// Sweeps first.
        sweeps: u32,
        /// Least `p`, `g`, `lam` and about the least `h`.
        least: f64,
    },
}

/// Sets the variables at a centred start.
pub(super) fn centred<const D: usize>(
    operator: &mut impl Operator<D>,
    friction: &[f64],
    least: f64,
    variables: &mut [Variables<D>],
    r: &mut [SVector<f64, D>],
    u: &mut [SVector<f64, D>],
) {
    for r in r.iter_mut() {
        *r = SVector::zeros();
        r[0] = least;
    }
    operator.velocities(r, u);
    for (((v, u), r), &mu) in variables.iter_mut().zip(u.iter()).zip(r.iter_mut()).zip(friction) {
        let speed = tangential_norm(u);
        let slip = 1.0 + (1.0 + speed * speed).sqrt();
        let mut b = -u / slip;
        b[0] = 0.0;
        *v = Variables::new(least, least, slip, b);
        *r = v.impulse(mu);
    }
    operator.velocities(r, u);
    for (v, u) in variables.iter_mut().zip(u.iter()) {
        v.g = u[0].max(least);
    }
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
