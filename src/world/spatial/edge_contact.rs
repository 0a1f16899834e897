//! Contact of two polyhedra across two edges.

use nalgebra::Vector3;

use super::{Edge, outline::PlacedHull};
use crate::{model::Real, world::Point};

/// Sine of the angle between two edges below which they count as parallel, and leave it to the faces.
const PARALLEL: f64 = 1e-3;

/// The pair of edges whose common normal separates the polyhedra furthest, of those that do support both:
/// the arcs of their neighbouring normals cross on the sphere of directions (Gregorius 2013). The point is
/// halfway between the edges.
pub(super) fn crossing<S: Real>(
    first: &PlacedHull<'_, S>,
    second: &PlacedHull<'_, S>,
) -> Option<Point<3, S>> {
    let mut best: Option<(S, Vector3<S>, Edge, Edge)> = None;
    for a in first.hull.edges() {
        let along_a = direction(first, a);
        for b in second.hull.edges() {
            let along_b = direction(second, b);
            let Some(outward) = common_normal((first, a, &along_a), (second, b, &along_b)) else { continue };
            let separation = outward.dot(&(second.corners[b.ends[0]] - first.corners[a.ends[0]]));
            if best.as_ref().is_none_or(|best| separation.value() > best.0.value()) {
                best = Some((separation, outward, *a, *b));
            }
        }
    }
    let (gap, outward, a, b) = best?;
    let places = nearest(
        (&first.corners[a.ends[0]], &direction(first, &a)),
        (&second.corners[b.ends[0]], &direction(second, &b)),
    );
    Some(Point { position: middle(&places), normal: -outward, gap })
}

/// Where two edges, each a start and an end, pass each other: the point halfway between them, with the unit normal of
/// both that points the way of `outward` and their distance along it. `None` where they pass beyond an end, or are
/// parallel.
pub(super) fn passing<S: Real>(
    (p, p_end): (&Vector3<S>, &Vector3<S>),
    (q, q_end): (&Vector3<S>, &Vector3<S>),
    outward: &Vector3<S>,
) -> Option<Point<3, S>> {
    let (u, v) = (p_end - p, q_end - q);
    let across = u.cross(&v);
    if across.norm().value() < PARALLEL * (u.norm() * v.norm()).value() {
        return None;
    }
    let places = nearest((p, &u), (q, &v));
    let is_within = |share: &S| (0.0..=1.0).contains(&share.value());
    if !places.iter().all(|(share, _)| is_within(share)) {
        return None;
    }
    let normal = across.normalize() * S::constant(across.dot(outward).value().signum());
    Some(Point { position: middle(&places), normal, gap: normal.dot(&(q - p)) })
}

fn direction<S: Real>(hull: &PlacedHull<'_, S>, edge: &Edge) -> Vector3<S> {
    hull.corners[edge.ends[1]] - hull.corners[edge.ends[0]]
}

/// The unit normal of two edges that make a face of the Minkowski difference, out of the first body: the
/// point in which the arc between the normals at one edge meets that between the negative normals at the
/// other. `None` where the arcs do not meet, or the edges are parallel.
fn common_normal<S: Real>(
    (first, a, along_a): (&PlacedHull<'_, S>, &Edge, &Vector3<S>),
    (second, b, along_b): (&PlacedHull<'_, S>, &Edge, &Vector3<S>),
) -> Option<Vector3<S>> {
    let [a0, a1] = a.faces.map(|face| first.normals[face]);
    let [b0, b1] = b.faces.map(|face| -second.normals[face]);
    // An edge is normal to the plane of its arc.
    let (a0_over, a1_over) = (a0.dot(along_b), a1.dot(along_b));
    let (b0_over, b1_over) = (b0.dot(along_a), b1.dot(along_a));
    if (a0_over * a1_over).value() >= 0.0 || (b0_over * b1_over).value() >= 0.0 {
        return None;
    }
    // Where each arc passes through the plane of the other; the same point, or opposite ones.
    let of_a = a0 * a1_over.abs() + a1 * a0_over.abs();
    let of_b = b0 * b1_over.abs() + b1 * b0_over.abs();
    let across = along_a.cross(along_b);
    let parallel = S::constant(PARALLEL) * along_a.norm() * along_b.norm();
    if of_a.dot(&of_b).value() <= 0.0 || across.norm() < parallel {
        return None;
    }
    Some(across.normalize() * S::constant(across.dot(&of_a).value().signum()))
}

/// The ends of the shortest line between two lines, each a point and a direction, with their shares of the directions.
fn nearest<S: Real>(
    (p, u): (&Vector3<S>, &Vector3<S>),
    (q, v): (&Vector3<S>, &Vector3<S>),
) -> [(S, Vector3<S>); 2] {
    let apart = p - q;
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let determinant = uu * vv - uv * uv;
    let s = (uv * v.dot(&apart) - vv * u.dot(&apart)) / determinant;
    let t = (uu * v.dot(&apart) - uv * u.dot(&apart)) / determinant;
    [(s, p + u * s), (t, q + v * t)]
}

fn middle<S: Real>([(_, a), (_, b)]: &[(S, Vector3<S>); 2]) -> Vector3<S> {
    (a + b) * S::constant(0.5)
}
