use std::f64::consts::TAU;

use nalgebra::{UnitQuaternion, Vector3};

use super::Vector;

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

    /// Whether it is one at all: a finite angle, or a quaternion of length 1 up to rounding.
    pub fn is_turn(&self) -> bool {
        match self {
            Self::Angle(angle) => angle.is_finite(),
            Self::Quaternion(quaternion) => (quaternion.as_ref().norm() - 1.0).abs() <= 1e-9,
        }
    }

    /// A vector of the axes of a body in those of the world.
    pub fn turn<const D: usize>(&self, vector: &Vector<D>) -> Vector<D> {
        match self {
            Self::Angle(angle) => {
                let (sin, cos) = angle.sin_cos();
                let (x, z) = (vector[0], vector[D - 1]);
                let mut turned = *vector;
                (turned[0], turned[D - 1]) = (cos * x - sin * z, sin * x + cos * z);
                turned
            }
            Self::Quaternion(quaternion) => {
                let padded = Vector3::from_fn(|row, _| vector.get(row).copied().unwrap_or(0.0));
                let turned = quaternion * padded;
                Vector::from_fn(|row, _| turned.get(row).copied().unwrap_or(0.0))
            }
        }
    }

    /// A vector of the world in the axes of a body.
    pub fn turn_back<const D: usize>(&self, vector: &Vector<D>) -> Vector<D> {
        match self {
            Self::Angle(angle) => Self::Angle(-angle).turn(vector),
            Self::Quaternion(quaternion) => Self::Quaternion(quaternion.inverse()).turn(vector),
        }
    }

    /// By what angle in rad one has to turn to get from here to `other`; full turns count in the plane.
    /// Infinite between the plane and space.
    pub fn angle_to(&self, other: &Self) -> f64 {
        match (self, other) {
            (Self::Angle(a), Self::Angle(b)) => (a - b).abs(),
            (Self::Quaternion(a), Self::Quaternion(b)) => a.angle_to(b),
            _ => f64::INFINITY,
        }
    }
}

/// The angle in rad that is full turns from `angle` and nearest to `near`: how far something has turned that was at `near`
/// less than half a turn before.
pub fn unwrapped(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
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
    /// The velocity in m/s, beside that of the centre of mass, of the point of the body at the `arm` in m from it, both in the
    /// axes of the world.
    pub fn sweep<const D: usize>(&self, arm: &Vector<D>) -> Vector<D> {
        let mut swept = Vector::zeros();
        match self.orientation {
            Orientation::Angle(_) => {
                (swept[0], swept[D - 1]) = (-self.spin[0] * arm[D - 1], self.spin[0] * arm[0])
            }
            Orientation::Quaternion(turn) => {
                let arm = Vector3::from_fn(|row, _| arm.get(row).copied().unwrap_or(0.0));
                let velocity = (turn * self.spin).cross(&arm);
                swept = Vector::from_fn(|row, _| velocity.get(row).copied().unwrap_or(0.0));
            }
        }
        swept
    }

    /// Whether every component is a finite number.
    pub fn is_finite(&self) -> bool {
        let turned = match self.orientation {
            Orientation::Angle(angle) => angle.is_finite(),
            Orientation::Quaternion(quaternion) => quaternion.coords.iter().all(|part| part.is_finite()),
        };
        turned && self.spin.iter().all(|rate| rate.is_finite())
    }
}
