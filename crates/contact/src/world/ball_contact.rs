use nalgebra::SVector;

use super::{Point, joint::separation};
use crate::model::Real;

/// Two discs or spheres, centre and radius of each; the point is halfway between the surfaces, so that it
/// does not depend on which is first, or the one that has no radius, which nothing can turn.
pub(super) fn ball_ball<const D: usize, S: Real>(
    (first, first_radius): (&SVector<S, D>, f64),
    (second, second_radius): (&SVector<S, D>, f64),
) -> Point<D, S> {
    let share = if first_radius == 0.0 {
        1.0
    } else if second_radius == 0.0 {
        0.0
    } else {
        0.5
    };
    let [first_radius, second_radius] = [first_radius, second_radius].map(S::constant);
    let (distance, normal) = separation(first, second);
    let gap = distance - first_radius - second_radius;
    Point { position: second + normal * (second_radius + S::constant(share) * gap), normal, gap }
}
