use nalgebra::SVector;

use super::{Point, coupling::separation};

/// Two discs or spheres, centre and radius of each; the point is halfway between the surfaces, so that it
/// does not depend on which is first.
pub(super) fn ball_ball<const D: usize>(
    (first, first_radius): (&SVector<f64, D>, f64),
    (second, second_radius): (&SVector<f64, D>, f64),
) -> Point<D> {
    let (distance, normal) = separation(first, second);
    let gap = distance - first_radius - second_radius;
    Point { position: second + normal * (second_radius + 0.5 * gap), normal, gap }
}
