//! Joints whose rows say the same twice, so that motion leaves their forces open.

use nalgebra::{DMatrix, SMatrix, SVector};

use super::{JointMemory, Motion, World};
use crate::contact::{ContactProblem, Link, Partition, Piece};

/// What a rigid row of a redundant loop gives way, in units of its response: `R = 1e-4 w`. It sags by `1e-4 w dt^2 F`, a
/// nanometre for most bodies, and forces stay those of the loop rather than those of rounding: without it the largest force
/// in a Bennett linkage grows to 1e7 N.
pub const COMPLIANCE: f64 = 1e-4;

/// Singular values of the scaled rows below this part of the largest one are zero.
const RANK: f64 = 1e-8;

/// Rows of a loop from which on its rank is not asked for, which takes the cube of their number: it counts as redundant.
const MOST_ROWS: usize = 2000;

/// Which links of a world, as it is at the start of a step of `dt` s, are rigid rows of loops that are short of rank, see
/// [`redundant_links`].
pub fn redundant_rows<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    world: &W,
    motion: &Motion<W::Pose, N>,
    dt: f64,
) -> Vec<bool> {
    let (mut inverse_mass, mut links) = (Vec::new(), Vec::new());
    world.inverse_inertia(motion, &mut inverse_mass);
    world.links(motion, dt, &mut JointMemory::default(), &mut links);
    redundant_links(&inverse_mass, &links)
}

/// Which links, of bodies of these inverse masses, are rigid rows of loops that are short of rank: where joints close a
/// loop, and its rows `L M^-1/2`, each scaled to length 1, depend on each other. What is joined like a tree never is, nor
/// what hangs on a loop like one. A link with compliance or bounds is no rigid row.
pub fn redundant_links<const N: usize>(inverse_mass: &[SMatrix<f64, N, N>], links: &[Link<N>]) -> Vec<bool> {
    let moves = |body: &Option<usize>| body.is_some_and(|body| inverse_mass[body].amax() > 0.0);
    let is_rigid_row =
        |link: &Link<N>| link.compliance == 0.0 && !link.is_bounded() && link.bodies.iter().any(moves);
    let mut rigid: Vec<usize> = (0..links.len()).filter(|index| is_rigid_row(&links[*index])).collect();
    remove_ends(inverse_mass, links, &mut rigid);
    let whole = ContactProblem::<1, N> {
        free_velocity: vec![SVector::zeros(); inverse_mass.len()],
        inverse_mass: inverse_mass.to_vec(),
        links: rigid.iter().map(|index| links[*index]).collect(),
        ..ContactProblem::empty(1.0)
    };
    let mut partition = Partition::default();
    partition.divide(&whole);
    let mut redundant = vec![false; links.len()];
    for number in 0..partition.count {
        let own = (0..rigid.len()).filter(|row| partition.links[*row] == number).collect();
        let piece = Piece::of(&whole, Vec::new(), own);
        let rows = || {
            let mut rows = DMatrix::zeros(piece.links.len(), N * piece.problem.bodies());
            for (row, link) in piece.problem.links.iter().enumerate() {
                for (body, part) in link.bodies.iter().zip(scaled_row(&piece.problem.inverse_mass, link)) {
                    let Some(body) = *body else { continue };
                    let mut own = rows.fixed_view_mut::<1, N>(row, N * body);
                    own += part.transpose();
                }
            }
            rows
        };
        if piece.links.len() > MOST_ROWS || is_short_of_rank(&rows()) {
            piece.links.iter().for_each(|row| redundant[rigid[*row]] = true);
        }
    }
    redundant
}

/// Removes from `rows` those that no other can depend on: all rows of a body are independent of the rest where they are so in
/// the velocity of that body alone, as those of the last link of a chain are, and then those of the one before.
fn remove_ends<const N: usize>(
    inverse_mass: &[SMatrix<f64, N, N>],
    links: &[Link<N>],
    rows: &mut Vec<usize>,
) {
    let mut of_bodies = vec![Vec::new(); inverse_mass.len()];
    for row in rows.iter() {
        links[*row].bodies.iter().flatten().for_each(|body| of_bodies[*body].push(*row));
    }
    let mut is_removed = vec![false; links.len()];
    let mut ends: Vec<usize> = (0..inverse_mass.len()).collect();
    while let Some(body) = ends.pop() {
        let own = &mut of_bodies[body];
        own.retain(|row| !is_removed[*row]);
        if own.is_empty() || own.len() > N {
            continue;
        }
        let mut alone = DMatrix::zeros(own.len(), N);
        for (index, row) in own.iter().enumerate() {
            let [first, second] = scaled_row(inverse_mass, &links[*row]);
            let part = if links[*row].bodies[0] == Some(body) { first } else { second };
            alone.row_mut(index).tr_copy_from(&part);
        }
        if is_short_of_rank(&alone) {
            continue;
        }
        for row in std::mem::take(own) {
            is_removed[row] = true;
            ends.extend(links[row].bodies.iter().flatten().filter(|other| **other != body));
        }
    }
    rows.retain(|row| !is_removed[*row]);
}

/// The parts of a row `L M^-1/2`, scaled to length 1, in the velocities of its two bodies.
fn scaled_row<const N: usize>(inverse_mass: &[SMatrix<f64, N, N>], link: &Link<N>) -> [SVector<f64, N>; 2] {
    let mut parts = [0, 1].map(|side| match link.bodies[side] {
        Some(body) => crate::rows::root(&inverse_mass[body]).tr_mul(&link.jacobian[side]),
        None => SVector::zeros(),
    });
    let length = parts[0].norm().hypot(parts[1].norm());
    if length > 0.0 {
        parts.iter_mut().for_each(|part| part.unscale_mut(length));
    }
    parts
}

/// Whether rows depend on each other.
fn is_short_of_rank(rows: &DMatrix<f64>) -> bool {
    let values = rows.singular_values();
    let largest = values.amax();
    values.iter().filter(|value| **value > RANK * largest).count() < rows.nrows()
}

/// Gives the redundant of these links their compliance.
pub fn soften_links<const N: usize>(
    inverse_mass: &[SMatrix<f64, N, N>],
    redundant: &[bool],
    links: &mut [Link<N>],
) {
    for (link, _) in links.iter_mut().zip(redundant).filter(|(_, redundant)| **redundant) {
        link.compliance = COMPLIANCE * link.mobility(inverse_mass);
    }
}
