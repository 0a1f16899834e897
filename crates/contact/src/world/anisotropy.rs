use nalgebra::{SMatrix, SVector, Vector3};

use crate::contact::Across;

/// Part of the length of an axis below which its part along the tangents of a contact has no direction.
const ALONG_THE_NORMAL: f64 = 1e-9;

/// How the friction between two surfaces in space differs with its direction: along an axis it has the coefficient of its law,
/// across it another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anisotropy {
    /// The coefficient across the axis over that along it, at least 0.
    pub ratio: f64,
    /// The axis, of any length; what of it lies along the surfaces counts.
    pub axis: Vector3<f64>,
    /// The body in whose axes it is given, and with which it turns; that of the world where there is none.
    pub carrier: Option<usize>,
}

impl Anisotropy {
    /// What it is at a contact of this `frame`, the normal and the tangents as rows; `carried` takes a vector of the axes of the
    /// carrier into those of the world. Along the first tangent where the axis is along the normal. `None` in the plane.
    pub fn at<const D: usize>(
        &self,
        frame: &SMatrix<f64, D, D>,
        carried: impl FnOnce(&SVector<f64, D>) -> SVector<f64, D>,
    ) -> Option<Across> {
        if D != 3 {
            return None;
        }
        let given = SVector::<f64, D>::from_fn(|row, _| self.axis[row]);
        let along = frame * carried(&given);
        let length = along[1].hypot(along[2]);
        let has_direction = length > ALONG_THE_NORMAL * self.axis.norm();
        let axis = if has_direction { [along[1] / length, along[2] / length] } else { [1.0, 0.0] };
        Some(Across { axis, ratio: self.ratio })
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Rotation3};

    use super::*;

    /// The axis at a contact of these rows, turned with its carrier by `angle` about the vertical.
    fn axis(given: [f64; 3], frame: Matrix3<f64>, angle: f64) -> [f64; 2] {
        let anisotropy = Anisotropy { ratio: 2.0, axis: given.into(), carrier: None };
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), angle).into_inner();
        anisotropy.at(&frame, |axis| turn * axis).unwrap().axis
    }

    #[test]
    fn the_axis_is_what_lies_along_the_surface_and_turns_with_its_carrier() {
        let level = Matrix3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        assert_eq!(axis([2.0, 0.0, 5.0], level, 0.0), [1.0, 0.0]);
        let [cos, sin] = axis([2.0, 0.0, 0.0], level, 0.3);
        assert!((cos - 0.3_f64.cos()).abs() < 1e-15 && (sin - 0.3_f64.sin()).abs() < 1e-15);
        assert_eq!(axis([0.0, 0.0, 1.0], level, 0.0), [1.0, 0.0], "none along the normal");
    }

    #[test]
    fn there_is_none_in_the_plane() {
        let anisotropy = Anisotropy { ratio: 2.0, axis: Vector3::x(), carrier: None };
        assert_eq!(anisotropy.at(&SMatrix::<f64, 2, 2>::identity(), |axis| *axis), None);
    }
}
