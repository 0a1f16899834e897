use nalgebra::{UnitQuaternion, Vector3};

use super::RecordedState;
use crate::model::{Attitude, Orientation, State, unwrapped};

/// How far a predicted pose is from the measured one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoseError {
    /// Distance of the centres of mass in m.
    pub distance: f64,
    /// Angle of the rotation from one to the other, in degrees; 0 for a point.
    pub rotation: f64,
}

/// The errors of one toss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TossError {
    /// Mean distance of the centres over the rows, as a fraction of the size of the body.
    pub position: f64,
    /// Mean angle over the rows, in degrees.
    pub rotation: f64,
    /// The distance in the last row, as a fraction of the size.
    pub final_position: f64,
    /// The angle in the last row, in degrees.
    pub final_rotation: f64,
}

impl PoseError {
    /// Between a measured state and a predicted one.
    pub fn between<const D: usize>(
        measured: &RecordedState<D>,
        state: &State<D>,
        attitude: Option<&Attitude>,
    ) -> Self {
        let distance = (state.position - measured.state.position).norm();
        let rotation = match (measured.attitude, attitude) {
            (Some(measured), Some(predicted)) => angle(&measured.orientation, &predicted.orientation),
            _ => 0.0,
        };
        Self { distance, rotation: rotation.to_degrees() }
    }
}

impl TossError {
    /// Of the errors in all rows, for a body of that `size` in m.
    pub fn of(rows: &[PoseError], size: f64) -> Self {
        let mean = |of: &dyn Fn(&PoseError) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
        let last = rows.last().copied().unwrap_or(PoseError { distance: f64::NAN, rotation: f64::NAN });
        Self {
            position: mean(&|row| row.distance) / size,
            rotation: mean(&|row| row.rotation),
            final_position: last.distance / size,
            final_rotation: last.rotation,
        }
    }
}

/// The angle in rad, 0 to pi, between two orientations.
pub(super) fn angle(first: &Orientation, second: &Orientation) -> f64 {
    match (first, second) {
        (Orientation::Angle(first), Orientation::Angle(second)) => wrapped(second - first).abs(),
        (Orientation::Quaternion(first), Orientation::Quaternion(second)) => turn(first, second).angle(),
        _ => 0.0,
    }
}

/// The rotation from one orientation to another as a vector in rad: along its axis, as long as its angle is large, in the
/// axes of the first. In the plane its first component is the angle, -pi to pi.
pub(crate) fn rotation_between(first: &Orientation, second: &Orientation) -> Vector3<f64> {
    match (first, second) {
        (Orientation::Angle(first), Orientation::Angle(second)) => {
            Vector3::new(wrapped(second - first), 0.0, 0.0)
        }
        (Orientation::Quaternion(first), Orientation::Quaternion(second)) => {
            turn(first, second).scaled_axis()
        }
        _ => Vector3::zeros(),
    }
}

/// The rotation from one to the other, in the axes of the first.
pub(super) fn turn(first: &UnitQuaternion<f64>, second: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    first.inverse() * second
}

/// An angle less whole turns, between -pi and pi.
pub(super) fn wrapped(angle: f64) -> f64 {
    unwrapped(angle, 0.0)
}
