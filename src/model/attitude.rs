use nalgebra::{UnitQuaternion, Vector3};

/// How a body is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Orientation {
    /// In a vertical plane: the angle in rad from `x` towards `z`, full turns counted.
    Angle(f64),
    /// In space: the rotation from the body to the world.
    Quaternion(UnitQuaternion<f64>),
}

impl Orientation {
    /// Not turned, in `D` dimensions.
    pub fn upright<const D: usize>() -> Self {
        if D == 2 { Self::Angle(0.0) } else { Self::Quaternion(UnitQuaternion::identity()) }
    }
}

/// A rate of rotation in rad/s, a torque in N m or an angular impulse in N m s.
///
/// In a vertical plane the first component is the rate from `x` towards `z` and the others are zero. In
/// space a rate is given in the axes of the body, a torque in those of the world.
pub type Spin = Vector3<f64>;

/// How a body is turned, and how fast it turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attitude {
    /// How it is turned.
    pub orientation: Orientation,
    /// How fast it turns.
    pub spin: Spin,
}

impl Attitude {
    /// Whether every component is a finite number.
    pub fn is_finite(&self) -> bool {
        let turned = match self.orientation {
            Orientation::Angle(angle) => angle.is_finite(),
            Orientation::Quaternion(quaternion) => quaternion.coords.iter().all(|part| part.is_finite()),
        };
        turned && self.spin.iter().all(|rate| rate.is_finite())
    }
}
