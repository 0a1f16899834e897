//! Contacts of discs with polygons: the nearest points.

use nalgebra::Vector2;

use super::{outline::sides, polygon_contact::THROUGH};
use crate::{
    model::Real,
    world::{Point, joint::separation},
};

/// A disc and a polygon: the face whose side the centre is on, else the nearest corner. The point is
/// that of the disc; the normal is from the polygon into the disc. A point on a rod keeps to the side that the normal
/// `facing` of the last step says.
pub(super) fn disc_polygon<S: Real>(
    centre: &Vector2<S>,
    radius: f64,
    corners: &[Vector2<S>],
    facing: Option<Vector2<f64>>,
) -> Option<Point<2, S>> {
    let radius = S::constant(radius);
    let faces = || sides(corners);
    let same_side = facing.and_then(|facing| {
        let normal = facing.map(S::constant);
        faces().find(|face| {
            let line = face.end - face.start;
            let (along, through) =
                (line.dot(&(centre - face.start)).value(), THROUGH * 0.5 * line.norm().value());
            face.normal.dot(&normal).value() > 0.0
                && face.distance(centre).value() > -through
                && (0.0..=line.norm_squared().value()).contains(&along)
        })
    });
    let outermost =
        || faces().max_by(|a, b| a.distance(centre).value().total_cmp(&b.distance(centre).value()));
    let face = same_side.or_else(outermost)?;
    let distance = face.distance(centre);
    let along = (face.end - face.start).dot(&(centre - face.start));
    let beside = along.value() < 0.0 || along > (face.end - face.start).norm_squared();
    let (normal, distance) = if distance.value() > 0.0 && beside {
        let corner = if along.value() < 0.0 { face.start } else { face.end };
        let (distance, normal) = separation(centre, &corner);
        (normal, distance)
    } else {
        (face.normal, distance)
    };
    Some(Point { position: centre - normal * radius, normal, gap: distance - radius })
}
