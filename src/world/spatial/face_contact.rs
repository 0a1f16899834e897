//! Contact of two polyhedra: the axis of largest separation; on a face, the other's face clipped to it.

use nalgebra::Vector3;

use super::{
    edge_contact::{Crossing, crossing},
    outline::PlacedHull,
};
use crate::world::Point;

/// How much a later axis must separate further than the best one before it, in units of the smaller
/// body's reach: axes of equal separation keep their first, faces before edges, whatever the rounding.
const TIE: f64 = 1e-7;

/// Distance in units of the smaller body's reach up to which two points of a contact are one.
const SAME_POINT: f64 = 1e-7;

/// The face of largest separation: the reference.
struct Reference {
    face: usize,
    /// Whether it belongs to the first body.
    of_first: bool,
    separation: f64,
}

/// The points where the polyhedra are within `margin` m of each other: of the incident face, clipped to
/// the reference face, or the nearest points of two edges that cross. `reach` is that of the smaller
/// body.
pub(super) fn hull_hull(
    first: &PlacedHull<'_>,
    second: &PlacedHull<'_>,
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<3>),
) {
    let tie = TIE * reach;
    let Some(Reference { face, of_first, separation }) = reference(first, second, tie) else { return };
    if separation > margin {
        return;
    }
    if let Some(Crossing { point, separation: of_edges }) = crossing(first, second)
        && of_edges > separation + tie
    {
        if of_edges <= margin {
            found(point);
        }
        return;
    }
    let (owner, other) = if of_first { (first, second) } else { (second, first) };
    let outward = owner.normals[face];
    let normal = if of_first { -outward } else { outward };
    let Some(incident) = incident_face(other, &outward) else { return };
    let mut kept: Vec<Vector3<f64>> = Vec::new();
    for position in clip(other.face(incident).copied().collect(), owner, face) {
        let gap = owner.distance(face, &position);
        let is_new = kept.iter().all(|point| (point - position).norm() > SAME_POINT * reach);
        if gap <= margin && is_new {
            kept.push(position);
            found(Point { position, normal, gap });
        }
    }
}

fn reference(first: &PlacedHull<'_>, second: &PlacedHull<'_>, tie: f64) -> Option<Reference> {
    let mut best: Option<Reference> = None;
    for (own, other, of_first) in [(first, second, true), (second, first, false)] {
        for face in 0..own.normals.len() {
            let separation =
                other.corners.iter().map(|corner| own.distance(face, corner)).fold(f64::INFINITY, f64::min);
            if best.as_ref().is_none_or(|best| separation > best.separation + tie) {
                best = Some(Reference { face, of_first, separation });
            }
        }
    }
    best
}

/// The face that faces the reference most squarely.
fn incident_face(hull: &PlacedHull<'_>, normal: &Vector3<f64>) -> Option<usize> {
    let squareness = |face: &usize| hull.normals[*face].dot(normal);
    (0..hull.normals.len()).min_by(|a, b| squareness(a).total_cmp(&squareness(b)))
}

/// The part of a polygon that lies over a face (Sutherland and Hodgman 1974).
fn clip(mut polygon: Vec<Vector3<f64>>, owner: &PlacedHull<'_>, face: usize) -> Vec<Vector3<f64>> {
    for side in owner.sides(face) {
        let outside = |point: &Vector3<f64>| side.outward.dot(&(point - side.start));
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, end) in polygon.iter().enumerate() {
            let start = &polygon[(i + polygon.len() - 1) % polygon.len()];
            let (before, after) = (outside(start), outside(end));
            if (before > 0.0) != (after > 0.0) {
                kept.push(start + (end - start) * (before / (before - after)));
            }
            if after <= 0.0 {
                kept.push(*end);
            }
        }
        polygon = kept;
    }
    polygon
}
