//! Contact of two convex polygons: the face of largest separation, and the incident edge clipped to it.

use nalgebra::Vector2;

use super::outline::{Side, sides};
use crate::{model::Real, world::Point};

/// How much a later face must be further away than the best one before it, in units of the smaller
/// body's reach: faces of equal separation keep their first, whatever the rounding.
const TIE: f64 = 1e-7;

/// The face of largest separation: the reference.
struct Reference<S: Real> {
    face: Side<S>,
    /// Whether it belongs to the first body.
    of_first: bool,
    separation: S,
}

/// How far two rods may be in each other and stay on the sides where they were, in units of the shorter one's reach.
pub(super) const THROUGH: f64 = 0.05;

/// The points, two at most, where the polygons are within `margin` m of each other. A point is the
/// vertex of the incident body's edge, clipped to the reference face. `reach` is that of the smaller
/// body. Rods that are in each other by less than [`THROUGH`] keep to the side that the normal `facing` of the last step
/// says.
pub(super) fn polygon_contact<S: Real>(
    [first, second]: [&[Vector2<S>]; 2],
    (reach, margin): (f64, f64),
    facing: Option<&Vector2<f64>>,
    mut found: impl FnMut(Point<2, S>),
) {
    let tie = TIE * reach;
    let same_side = facing.and_then(|facing| {
        let normal = facing.map(S::constant);
        let keeps = |face: &Side<S>, of_first: bool| (face.normal.dot(&normal).value() > 0.0) != of_first;
        reference(first, second, tie, keeps).filter(|same| same.separation.value() > -THROUGH * reach)
    });
    let Some(Reference { face, of_first, separation }) =
        same_side.or_else(|| reference(first, second, tie, |_, _| true))
    else {
        return;
    };
    if separation.value() > margin {
        return;
    }
    let (incident, normal) = if of_first { (second, -face.normal) } else { (first, face.normal) };
    let Some(edge) = incident_edge(incident, &face.normal) else { return };
    for position in clip(edge, &face).into_iter().flatten() {
        let gap = face.distance(&position);
        if gap.value() <= margin {
            found(Point { position, normal, gap });
        }
    }
}

/// The reference out of the faces that are `admitted`, each with whether it is of the first body.
fn reference<S: Real>(
    first: &[Vector2<S>],
    second: &[Vector2<S>],
    tie: f64,
    admitted: impl Fn(&Side<S>, bool) -> bool,
) -> Option<Reference<S>> {
    let mut best: Option<Reference<S>> = None;
    for (own, other, of_first) in [(first, second, true), (second, first, false)] {
        for face in sides(own).filter(|face| admitted(face, of_first)) {
            let separation = other
                .iter()
                .map(|corner| face.distance(corner))
                .fold(S::constant(f64::INFINITY), |a, b| a.min(b));
            if best.as_ref().is_none_or(|best| separation.value() > best.separation.value() + tie) {
                best = Some(Reference { face, of_first, separation });
            }
        }
    }
    best
}

/// The edge that faces the reference most squarely.
fn incident_edge<S: Real>(corners: &[Vector2<S>], normal: &Vector2<S>) -> Option<[Vector2<S>; 2]> {
    let squareness = |edge: &Side<S>| edge.normal.dot(normal).value();
    let edge = sides(corners).min_by(|a, b| squareness(a).total_cmp(&squareness(b)))?;
    Some([edge.start, edge.end])
}

/// The part of `edge` between the two ends of `face`.
fn clip<S: Real>([mut a, mut b]: [Vector2<S>; 2], face: &Side<S>) -> [Option<Vector2<S>>; 2] {
    let along = Vector2::new(-face.normal.y, face.normal.x);
    for (end, outward) in [(face.start, -along), (face.end, along)] {
        let (outside_a, outside_b) = (outward.dot(&(a - end)), outward.dot(&(b - end)));
        if outside_a.value() > 0.0 && outside_b.value() > 0.0 {
            return [None, None];
        }
        let crossing = a + (b - a) * (outside_a / (outside_a - outside_b));
        if outside_a.value() > 0.0 {
            a = crossing;
        } else if outside_b.value() > 0.0 {
            b = crossing;
        }
    }
    [Some(b), Some(a)]
}
