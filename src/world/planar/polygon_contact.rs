//! Contact of two convex polygons: the face of largest separation, and the incident edge clipped to it.

use nalgebra::Vector2;

use super::outline::{Side, sides};
use crate::world::Point;

/// How much a later face must be further away than the best one before it, in units of the smaller
/// body's reach: faces of equal separation keep their first, whatever the rounding.
const TIE: f64 = 1e-7;

/// The face of largest separation: the reference.
struct Reference {
    face: Side,
    /// Whether it belongs to the first body.
    of_first: bool,
    separation: f64,
}

/// The points, two at most, where the polygons are within `margin` m of each other. A point is the
/// vertex of the incident body's edge, clipped to the reference face. `reach` is that of the smaller
/// body.
pub(super) fn polygon_contact(
    first: &[Vector2<f64>],
    second: &[Vector2<f64>],
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<2>),
) {
    let Some(Reference { face, of_first, separation }) = reference(first, second, TIE * reach) else {
        return;
    };
    if separation > margin {
        return;
    }
    let (incident, normal) = if of_first { (second, -face.normal) } else { (first, face.normal) };
    let Some(edge) = incident_edge(incident, &face.normal) else { return };
    for position in clip(edge, &face).into_iter().flatten() {
        let gap = face.distance(&position);
        if gap <= margin {
            found(Point { position, normal, gap });
        }
    }
}

fn reference(first: &[Vector2<f64>], second: &[Vector2<f64>], tie: f64) -> Option<Reference> {
    let mut best: Option<Reference> = None;
    for (own, other, of_first) in [(first, second, true), (second, first, false)] {
        for face in sides(own) {
            let separation = other.iter().map(|corner| face.distance(corner)).fold(f64::INFINITY, f64::min);
            if best.as_ref().is_none_or(|best| separation > best.separation + tie) {
                best = Some(Reference { face, of_first, separation });
            }
        }
    }
    best
}

/// The edge that faces the reference most squarely.
fn incident_edge(corners: &[Vector2<f64>], normal: &Vector2<f64>) -> Option<[Vector2<f64>; 2]> {
    let squareness = |edge: &Side| edge.normal.dot(normal);
    let edge = sides(corners).min_by(|a, b| squareness(a).total_cmp(&squareness(b)))?;
    Some([edge.start, edge.end])
}

/// The part of `edge` between the two ends of `face`.
fn clip([mut a, mut b]: [Vector2<f64>; 2], face: &Side) -> [Option<Vector2<f64>>; 2] {
    let along = Vector2::new(-face.normal.y, face.normal.x);
    for (end, outward) in [(face.start, -along), (face.end, along)] {
        let (outside_a, outside_b) = (outward.dot(&(a - end)), outward.dot(&(b - end)));
        if outside_a > 0.0 && outside_b > 0.0 {
            return [None, None];
        }
        let crossing = a + (b - a) * (outside_a / (outside_a - outside_b));
        if outside_a > 0.0 {
            a = crossing;
        } else if outside_b > 0.0 {
            b = crossing;
        }
    }
    [Some(b), Some(a)]
}
