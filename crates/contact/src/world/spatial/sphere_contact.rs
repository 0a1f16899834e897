//! Contacts of spheres with polyhedra: the nearest points.

use nalgebra::Vector3;

use super::outline::{PlacedHull, Side};
use crate::{
    model::Real,
    world::{Point, joint::separation},
};

/// A sphere and a polyhedron. The point is that of the sphere; the normal is from the polyhedron into
/// the sphere: along the line of nearest points outside, and that of the nearest face inside.
pub(super) fn sphere_hull<S: Real>(
    centre: &Vector3<S>,
    radius: f64,
    hull: &PlacedHull<'_, S>,
) -> Option<Point<3, S>> {
    let radius = S::constant(radius);
    let distances = (0..hull.normals.len()).map(|face| (face, hull.distance(face, centre)));
    let (nearest, depth) = distances.clone().max_by(|a, b| a.1.value().total_cmp(&b.1.value()))?;
    let (distance, normal) = if depth.value() <= 0.0 {
        (depth, hull.normals[nearest])
    } else {
        // The nearest point is on a face whose outside the centre is on.
        let before = distances.filter(|(_, distance)| distance.value() > 0.0);
        let points = before.map(|(face, distance)| nearest_on_face(centre, hull, face, distance));
        let squared = |point: &Vector3<S>| (centre - point).norm_squared().value();
        let point = points.min_by(|a, b| squared(a).total_cmp(&squared(b)))?;
        separation(centre, &point)
    };
    Some(Point { position: centre - normal * radius, normal, gap: distance - radius })
}

/// The point of a face nearest to `centre`, which is `distance` m over its plane.
fn nearest_on_face<S: Real>(
    centre: &Vector3<S>,
    hull: &PlacedHull<'_, S>,
    face: usize,
    distance: S,
) -> Vector3<S> {
    let foot = centre - hull.normals[face] * distance;
    let beyond = hull.sides(face).filter(|side| side.outward.dot(&(foot - side.start)).value() > 0.0);
    let points = beyond.map(|side| nearest_on_side(centre, &side));
    let squared = |point: &Vector3<S>| (centre - point).norm_squared().value();
    points.min_by(|a, b| squared(a).total_cmp(&squared(b))).unwrap_or(foot)
}

fn nearest_on_side<S: Real>(centre: &Vector3<S>, side: &Side<S>) -> Vector3<S> {
    let along = side.end - side.start;
    let share = (centre - side.start).dot(&along) / along.norm_squared();
    side.start + along * share.clamp(S::zero(), S::one())
}
