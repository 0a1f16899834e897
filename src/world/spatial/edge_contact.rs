//! Contact of two polyhedra across two edges.

use nalgebra::Vector3;

use super::{Edge, outline::PlacedHull};
use crate::{model::Real, world::Point};

/// Sine of the angle between two edges below which they count as parallel, and leave it to the faces.
const PARALLEL: f64 = 1e-3;

/// Two edges that cross at the least depth or the largest distance.
pub(super) struct Crossing<S> {
    /// Halfway between the edges.
    pub point: Point<3, S>,
    /// Its gap in m.
    pub separation: S,
}

/// The pair of edges whose common normal separates the polyhedra furthest, of those that do support both:
/// the arcs of their neighbouring normals cross on the sphere of directions (Gregorius 2013).
pub(super) fn crossing<S: Real>(
    first: &PlacedHull<'_, S>,
    second: &PlacedHull<'_, S>,
) -> Option<Crossing<S>> {
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
    let (separation, outward, a, b) = best?;
    let position = middle(
        (&first.corners[a.ends[0]], &direction(first, &a)),
        (&second.corners[b.ends[0]], &direction(second, &b)),
    );
    Some(Crossing { point: Point { position, normal: -outward, gap: separation }, separation })
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

/// The middle of the shortest line between two lines, each a point and a direction.
fn middle<S: Real>((p, u): (&Vector3<S>, &Vector3<S>), (q, v): (&Vector3<S>, &Vector3<S>)) -> Vector3<S> {
    let apart = p - q;
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let determinant = uu * vv - uv * uv;
    let s = (uv * v.dot(&apart) - vv * u.dot(&apart)) / determinant;
    let t = (uu * v.dot(&apart) - uv * u.dot(&apart)) / determinant;
    (p + u * s + q + v * t) * S::constant(0.5)
}
