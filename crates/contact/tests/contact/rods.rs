//! Rods between the bodies of a problem in the plane.

use nalgebra::SVector;
use stickslip_contact::contact::{ContactProblem, Link};

/// Adds rods, soft by a `compliance` in 1/kg, whose rate along `row` is held at `-bias` in m/s: of two bodies, or of one in the
/// world.
pub fn add_rods(
    problem: &mut ContactProblem<2, 3>,
    row: SVector<f64, 3>,
    ends: [(usize, Option<usize>); 2],
    (bias, compliance): (f64, f64),
) {
    problem.links.extend(ends.map(|(first, second)| Link {
        bodies: [Some(first), second],
        jacobian: [row, -row],
        bias,
        terms: 0.0,
        compliance,
        bounds: Link::<3>::UNBOUNDED,
    }));
}
