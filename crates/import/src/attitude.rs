//! The ways in which files say how something is turned.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use crate::{element::Element, fault::ImportError};

/// Roll about x, then pitch about y, then yaw about z, all of them axes that stay where they are.
pub(crate) fn of_roll_pitch_yaw([roll, pitch, yaw]: [f64; 3]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(roll, pitch, yaw)
}

/// A quaternion of any length but zero.
pub(crate) fn of_quaternion(
    element: &Element,
    key: &str,
    [w, x, y, z]: [f64; 4],
) -> Result<UnitQuaternion<f64>, ImportError> {
    UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-12)
        .ok_or_else(|| element.wrong(key, "a quaternion that is not zero"))
}

/// The turn whose z axis is `axis`, about a level line.
pub(crate) fn of_z_axis(axis: &Vector3<f64>) -> UnitQuaternion<f64> {
    let level = Vector3::z().cross(axis);
    let (sin, cos) = (level.norm(), axis.z);
    match nalgebra::Unit::try_new(level, 1e-10) {
        Some(line) => UnitQuaternion::from_axis_angle(&line, sin.atan2(cos)),
        None if cos > 0.0 => UnitQuaternion::identity(),
        None => UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI),
    }
}

/// The turn whose x axis is `x`, and whose y axis lies with it in a plane with `y`.
pub(crate) fn of_axes(element: &Element, numbers: [f64; 6]) -> Result<UnitQuaternion<f64>, ImportError> {
    let wrong = || element.wrong("xyaxes", "two vectors of different directions");
    let [x, y] = [0, 3].map(|first| Vector3::new(numbers[first], numbers[first + 1], numbers[first + 2]));
    let x = x.try_normalize(1e-10).ok_or_else(wrong)?;
    let y = (y - x * x.dot(&y)).try_normalize(1e-10).ok_or_else(wrong)?;
    let axes = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, x.cross(&y)]));
    Ok(UnitQuaternion::from_rotation_matrix(&axes))
}

/// Three turns about axes that letters name: small ones about axes that turn along, capitals about those that stay.
pub(crate) fn of_euler(sequence: &str, angles: [f64; 3]) -> UnitQuaternion<f64> {
    let mut turn = UnitQuaternion::identity();
    for (letter, angle) in sequence.chars().zip(angles) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vector3::x_axis(),
            'y' => Vector3::y_axis(),
            _ => Vector3::z_axis(),
        };
        let next = UnitQuaternion::from_axis_angle(&axis, angle);
        turn = if letter.is_ascii_lowercase() { turn * next } else { next * turn };
    }
    turn
}
