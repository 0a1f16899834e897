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
    let directions = |hull: &PlacedHull<'_, S>| -> Vec<_> {
        hull.hull.edges().iter().map(|edge| direction(hull, edge)).collect()
    };
    let (along_first, along_second) = (directions(first), directions(second));
    // Each face has several edges: these products would otherwise be formed again and again.
    let (over_second, over_first) =
        (Slopes::new(&first.normals, &along_second), Slopes::new(&second.normals, &along_first));
    let mut best: Option<(S, Vector3<S>, Edge, Edge)> = None;
    for ((index_a, a), along_a) in first.hull.edges().iter().enumerate().zip(&along_first) {
        // An edge is normal to the plane of its arc, which the other arc passes through or not.
        let [a0_over, a1_over] = a.faces.map(|face| over_second.of(face));
        let edges_of_second = second.hull.edges().iter().zip(&along_second);
        for ((b, along_b), (&a0_over, &a1_over)) in edges_of_second.zip(a0_over.iter().zip(a1_over)) {
            let a_over = [a0_over, a1_over];
            if (a_over[0] * a_over[1]).value() >= 0.0 {
                continue;
            }
            let b_over = b.faces.map(|face| -over_first.of(face)[index_a]);
            if (b_over[0] * b_over[1]).value() >= 0.0 {
                continue;
            }
            let arc_a =
                Arc { normals: a.faces.map(|face| first.normals[face]), over: a_over, along: along_a };
            let arc_b =
                Arc { normals: b.faces.map(|face| -second.normals[face]), over: b_over, along: along_b };
            let Some(outward) = common_normal(&arc_a, &arc_b) else { continue };
            let separation = outward.dot(&(second.corners[b.ends[0]] - first.corners[a.ends[0]]));
            if best.as_ref().is_none_or(|best| separation.value() > best.0.value()) {
                best = Some((separation, outward, *a, *b));
            }
        }
    }
    let (gap, outward, a, b) = best?;
    let places = crossing_of(
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
    let places = crossing_of((p, &u), (q, &v));
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

/// The scalar products of face normals with edges.
struct Slopes<S> {
    /// Those of one face after those of another.
    products: Vec<S>,
    edges: usize,
}

impl<S: Real> Slopes<S> {
    fn new(normals: &[Vector3<S>], edges: &[Vector3<S>]) -> Self {
        let mut products = Vec::with_capacity(normals.len() * edges.len());
        for normal in normals {
            products.extend(edges.iter().map(|along| normal.dot(along)));
        }
        Self { products, edges: edges.len() }
    }

    /// Those of one face, with every edge.
    fn of(&self, face: usize) -> &[S] {
        &self.products[face * self.edges..][..self.edges]
    }
}

/// The arc between the normals of the faces at an edge, on the sphere of directions.
struct Arc<'a, S> {
    /// Its ends.
    normals: [Vector3<S>; 2],
    /// How far they are over the plane of the other arc, on opposite sides of it.
    over: [S; 2],
    /// The edge.
    along: &'a Vector3<S>,
}

impl<S: Real> Arc<'_, S> {
    /// Where it passes through the plane of the other arc.
    fn passage(&self) -> Vector3<S> {
        let Self { normals, over, .. } = self;
        normals[0] * over[1].abs() + normals[1] * over[0].abs()
    }
}

/// The unit normal of two edges that make a face of the Minkowski difference, out of the first body: the
/// point in which the arc between the normals at one edge meets that between the negative normals at the
/// other. `None` where the arcs do not meet, or the edges are parallel.
fn common_normal<S: Real>(a: &Arc<'_, S>, b: &Arc<'_, S>) -> Option<Vector3<S>> {
    // The same point, or opposite ones.
    let (of_a, of_b) = (a.passage(), b.passage());
    let across = a.along.cross(b.along);
    let parallel = S::constant(PARALLEL) * a.along.norm() * b.along.norm();
    if of_a.dot(&of_b).value() <= 0.0 || across.norm() < parallel {
        return None;
    }
    Some(across.normalize() * S::constant(across.dot(&of_a).value().signum()))
}

/// The ends of the shortest line between two lines, each a point and a direction, with their shares of the directions.
pub(super) fn crossing_of<S: Real>(
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
