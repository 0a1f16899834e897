//! Contacts of discs: the nearest points.

use nalgebra::Vector2;

use super::{outline::sides, polygon_contact::Point};

/// Two discs; the point is halfway between the surfaces, so that it does not depend on which is
/// first.
pub(super) fn disc_disc(
    (first, first_radius): (&Vector2<f64>, f64),
    (second, second_radius): (&Vector2<f64>, f64),
) -> Point {
    let line = first - second;
    let distance = line.norm();
    let normal = direction(line);
    let gap = distance - first_radius - second_radius;
    Point { position: second + normal * (second_radius + 0.5 * gap), normal, gap }
}

/// A disc and a polygon: the face whose side the centre is on, else the nearest corner. The point is
/// that of the disc; the normal is from the polygon into the disc.
pub(super) fn disc_polygon(centre: &Vector2<f64>, radius: f64, corners: &[Vector2<f64>]) -> Option<Point> {
    let face = sides(corners).max_by(|a, b| a.distance(centre).total_cmp(&b.distance(centre)))?;
    let distance = face.distance(centre);
    let along = (face.end - face.start).dot(&(centre - face.start));
    let beside = along < 0.0 || along > (face.end - face.start).norm_squared();
    let (normal, distance) = if distance > 0.0 && beside {
        let line = if along < 0.0 { centre - face.start } else { centre - face.end };
        (direction(line), line.norm())
    } else {
        (face.normal, distance)
    };
    Some(Point { position: centre - normal * radius, normal, gap: distance - radius })
}

/// The unit vector along `line`; upwards where it has no length.
fn direction(line: Vector2<f64>) -> Vector2<f64> {
    line.try_normalize(0.0).unwrap_or_else(Vector2::y)
}
