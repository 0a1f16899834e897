use nalgebra::{SMatrix, SVector};

use crate::model::Real;

/// What a normal has along axes that are equally far from it may differ by this.
const EQUALLY_FAR: f64 = 1e-6;

/// The axes of a contact as rows: the unit `normal` first, then the tangents. In the plane the tangent is
/// `(n_z, -n_x)`, to the right of a normal that points up.
pub fn contact_frame<const D: usize, S: Real>(normal: &SVector<S, D>) -> SMatrix<S, D, D> {
    let mut frame = SMatrix::<S, D, D>::zeros();
    frame.set_row(0, &normal.transpose());
    if D == 2 {
        frame[(1, 0)] = normal[1];
        frame[(1, 1)] = -normal[0];
        return frame;
    }
    // The axis furthest from the normal gives the first tangent, the cross product the second. Of axes that are equally far it is
    // the first, whatever the rounding: what rests on level ground keeps its tangents from step to step.
    let along = normal.map(|part| part.value().abs());
    let axis = (0..D).find(|&axis| along[axis] <= along.min() + EQUALLY_FAR).unwrap_or(0);
    let mut first = SVector::<S, D>::zeros();
    first[axis] = S::one();
    // Along most planes it is one of the axes already.
    if S::SETTLING > 0 || normal[axis] != S::zero() {
        first = (first - normal * normal[axis]).normalize();
    }
    frame.set_row(1, &first.transpose());
    for i in 0..D {
        let (j, k) = ((i + 1) % D, (i + 2) % D);
        frame[(2, i)] = normal[j] * first[k] - normal[k] * first[j];
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_orthonormal_with_the_normal_first() {
        for components in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.2]] {
            let normal = SVector::<f64, 3>::from(components).normalize();
            let frame = contact_frame(&normal);
            assert!((frame * frame.transpose() - SMatrix::<f64, 3, 3>::identity()).amax() < 1e-15);
            assert!((frame.row(0).transpose() - normal).amax() < 1e-15);
            assert!((frame.determinant() - 1.0).abs() < 1e-15, "right-handed");
        }
    }

    #[test]
    fn tangents_do_not_depend_on_the_rounding_of_the_normal() {
        for (along_x, along_y) in [(1e-17, 0.0), (0.0, 1e-17), (-1e-9, 1e-10)] {
            let frame = contact_frame(&SVector::<f64, 3>::new(along_x, along_y, 1.0).normalize());
            let level = contact_frame(&SVector::<f64, 3>::z());
            assert!((frame - level).amax() < 2e-9, "{frame}");
        }
    }

    #[test]
    fn over_level_ground_the_tangent_points_along_x() {
        let frame = contact_frame(&SVector::<f64, 2>::new(0.0, 1.0));
        assert_eq!(frame, SMatrix::<f64, 2, 2>::new(0.0, 1.0, 1.0, 0.0));
    }
}
