//! Contacts of discs with polygons: the nearest points.

use nalgebra::Vector2;

use super::outline::sides;
use crate::world::{Point, coupling::separation};

/// A disc and a polygon: the face whose side the centre is on, else the nearest corner. The point is
/// that of the disc; the normal is from the polygon into the disc.
pub(super) fn disc_polygon(centre: &Vector2<f64>, radius: f64, corners: &[Vector2<f64>]) -> Option<Point<2>> {
    let face = sides(corners).max_by(|a, b| a.distance(centre).total_cmp(&b.distance(centre)))?;
    let distance = face.distance(centre);
    let along = (face.end - face.start).dot(&(centre - face.start));
    let beside = along < 0.0 || along > (face.end - face.start).norm_squared();
    let (normal, distance) = if distance > 0.0 && beside {
        let corner = if along < 0.0 { face.start } else { face.end };
        let (distance, normal) = separation(centre, &corner);
        (normal, distance)
    } else {
        (face.normal, distance)
    };
    Some(Point { position: centre - normal * radius, normal, gap: distance - radius })
}
