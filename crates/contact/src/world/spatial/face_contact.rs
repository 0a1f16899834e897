//! Contact of two polyhedra: the axis of largest separation; on a face, the other's faces clipped to it.

use nalgebra::Vector3;

use super::{edge_contact::crossing, facing_faces::features, outline::PlacedHull};
use crate::{model::Real, world::Point};

/// How much a later axis must separate further than the best one before it, in units of the smaller
/// body's reach: axes of equal separation keep their first, faces before edges, whatever the rounding.
const TIE: f64 = 1e-7;

/// Distance in units of the smaller body's reach up to which two points of a contact are one.
const SAME_POINT: f64 = 1e-7;

/// Part of a face's normal along that of another, against it, below which they face each other: rounding of right angles.
const FACING: f64 = 1e-9;

/// The places of the points of a contact that are told.
pub(super) struct Places {
    kept: Vec<Vector3<f64>>,
    /// Distance in m up to which two are one.
    same: f64,
}

impl Places {
    /// None yet, of bodies the smaller of which has this `reach` in m.
    pub fn new(reach: f64) -> Self {
        Self { kept: Vec::new(), same: SAME_POINT * reach }
    }

    /// Whether a place is none of those that were asked for before.
    pub fn is_new<S: Real>(&mut self, place: &Vector3<S>) -> bool {
        let place = place.map(|part| part.value());
        let is_new = self.kept.iter().all(|other| (other - place).norm() > self.same);
        if is_new {
            self.kept.push(place);
        }
        is_new
    }
}

/// The face of largest separation: the reference.
struct Reference<S> {
    face: usize,
    /// Whether it belongs to the first body.
    of_first: bool,
    separation: S,
}

/// The points where the polyhedra are within `margin` m of each other: of the incident faces, clipped to
/// the reference face, or the nearest points of two edges that cross, and what else of the faces is as near.
/// `reach` is that of the smaller body.
pub(super) fn hull_hull<S: Real>(
    first: &PlacedHull<'_, S>,
    second: &PlacedHull<'_, S>,
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<3, S>),
) {
    let tie = TIE * reach;
    let Some(Reference { face, of_first, separation }) = reference(first, second, tie) else { return };
    if separation.value() > margin {
        return;
    }
    let (owner, other) = if of_first { (first, second) } else { (second, first) };
    let outward = owner.normals[face];
    let incident = incident_faces(other, (owner, face), margin);
    let mut places = Places::new(reach);
    let mut keep = |point: Point<3, S>| {
        if point.gap.value() <= margin && places.is_new(&point.position) {
            found(point);
        }
    };
    let across = crossing(first, second);
    if let Some(edges) = across.filter(|edges| edges.gap.value() > separation.value() + tie) {
        let least = edges.gap.value() - tie;
        if edges.gap.value() <= margin {
            keep(edges);
            // What seems deeper than the bodies are in each other is beyond a face, and not in it.
            for opposite in incident {
                features((owner, face), (other, opposite), |point| {
                    if point.gap.value() >= least {
                        keep(if of_first { point.turned() } else { point });
                    }
                });
            }
        }
        return;
    }
    let normal = if of_first { -outward } else { outward };
    for opposite in incident {
        for position in clip(other.face(opposite).copied().collect(), owner, face) {
            keep(Point { position, normal, gap: owner.distance(face, &position) });
        }
    }
}

fn reference<S: Real>(
    first: &PlacedHull<'_, S>,
    second: &PlacedHull<'_, S>,
    tie: f64,
) -> Option<Reference<S>> {
    let mut best: Option<Reference<S>> = None;
    for (own, other, of_first) in [(first, second, true), (second, first, false)] {
        for face in 0..own.normals.len() {
            let distances = other.corners.iter().map(|corner| own.distance(face, corner));
            let separation = distances.fold(S::constant(f64::INFINITY), |a, b| a.min(b));
            if best.as_ref().is_none_or(|best| separation.value() > best.separation.value() + tie) {
                best = Some(Reference { face, of_first, separation });
            }
        }
    }
    best
}

/// The face of `hull` that faces the reference most squarely, and all others that face it with a corner within `margin` m
/// that is none of the first: of a hull that bears on a steep corner or edge the face that is least steep may be far from it.
fn incident_faces<S: Real>(
    hull: &PlacedHull<'_, S>,
    (owner, face): (&PlacedHull<'_, S>, usize),
    margin: f64,
) -> Vec<usize> {
    let normal = owner.normals[face];
    let squareness = |face: &usize| hull.normals[*face].dot(&normal).value();
    let faces = hull.hull.faces();
    let Some(first) = (0..faces.len()).min_by(|a, b| squareness(a).total_cmp(&squareness(b))) else {
        return Vec::new();
    };
    let is_left_out = |corner: &usize| {
        !faces[first].corners.contains(corner)
            && owner.distance(face, &hull.corners[*corner]).value() <= margin
    };
    let others = (0..faces.len()).filter(|other| {
        *other != first && squareness(other) < -FACING && faces[*other].corners.iter().any(is_left_out)
    });
    std::iter::once(first).chain(others).collect()
}

/// The part of a polygon that lies over a face (Sutherland and Hodgman 1974).
fn clip<S: Real>(mut polygon: Vec<Vector3<S>>, owner: &PlacedHull<'_, S>, face: usize) -> Vec<Vector3<S>> {
    for side in owner.sides(face) {
        let outside = |point: &Vector3<S>| side.outward.dot(&(point - side.start));
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, end) in polygon.iter().enumerate() {
            let start = &polygon[(i + polygon.len() - 1) % polygon.len()];
            let (before, after) = (outside(start), outside(end));
            if (before.value() > 0.0) != (after.value() > 0.0) {
                kept.push(start + (end - start) * (before / (before - after)));
            }
            if after.value() <= 0.0 {
                kept.push(*end);
            }
        }
        polygon = kept;
    }
    polygon
}
