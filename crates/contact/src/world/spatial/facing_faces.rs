//! Where two faces that nearly face each other come close while their bodies are apart across edges.

use nalgebra::Vector3;

use super::{
    edge_contact::passing,
    outline::{PlacedHull, Side},
};
use crate::{model::Real, world::Point};

/// A face of a body.
pub(super) type OfBody<'a, 'b, S> = (&'a PlacedHull<'b, S>, usize);

/// Corners of each of two faces over the other, and the places where their sides pass each other: all features that may
/// meet in a step in which the bodies turn, not only the pair that is nearest now. Normals point out of the first.
pub(super) fn features<S: Real>(
    (first, face): OfBody<'_, '_, S>,
    (second, opposite): OfBody<'_, '_, S>,
    mut found: impl FnMut(Point<3, S>),
) {
    let (own, other) = (first.normals[face], second.normals[opposite]);
    let sides: Vec<Side<S>> = first.sides(face).collect();
    let opposite_sides: Vec<Side<S>> = second.sides(opposite).collect();
    for position in second.face(opposite).copied().filter(|corner| is_over(&sides, corner)) {
        found(Point { position, normal: own, gap: first.distance(face, &position) });
    }
    for position in first.face(face).copied().filter(|corner| is_over(&opposite_sides, corner)) {
        found(Point { position, normal: -other, gap: second.distance(opposite, &position) });
    }
    for side in &sides {
        let passings = opposite_sides.iter();
        passings
            .filter_map(|other| passing((&side.start, &side.end), (&other.start, &other.end), &own))
            .for_each(&mut found);
    }
}

/// Whether a point lies over a face with these sides.
fn is_over<S: Real>(sides: &[Side<S>], point: &Vector3<S>) -> bool {
    sides.iter().all(|side| side.outward.dot(&(point - side.start)).value() <= 0.0)
}
