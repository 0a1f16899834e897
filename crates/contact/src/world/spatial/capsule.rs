use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::Pose;
use crate::world::solid::Solid;

/// All points within a radius of a segment: a cylinder between two half balls.
#[derive(Debug, Clone, PartialEq)]
pub struct Capsule {
    /// The ends of its segment, in the axes of its body about the centre of mass of that, in m.
    pub(super) ends: [Vector3<f64>; 2],
    pub(super) radius: f64,
}

impl Capsule {
    /// One about the origin, its segment of `length` m along z.
    pub(super) fn along_z(radius: f64, length: f64) -> Self {
        Self { ends: [-0.5, 0.5].map(|part| Vector3::z() * (part * length)), radius }
    }

    /// The ends of its segment, in the axes of its body about the centre of mass, in m.
    pub fn ends(&self) -> &[Vector3<f64>; 2] {
        &self.ends
    }

    /// The radius about the segment in m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The same of a body that is at `pose` in another one's axes.
    pub(super) fn placed(&self, pose: &Pose) -> Self {
        Self { ends: self.ends.map(|end| pose.transform(&end)), radius: self.radius }
    }

    /// It as what axes separate from others.
    pub(super) fn solid(&self) -> Solid<'_, 3> {
        Solid {
            corners: &self.ends,
            faces: &[],
            edges: &[],
            disc: None,
            radius: self.radius,
            width: 2.0 * self.radius,
        }
    }

    fn length(&self) -> f64 {
        (self.ends[1] - self.ends[0]).norm()
    }

    /// Volume in m^3.
    pub(super) fn volume(&self) -> f64 {
        PI * self.radius.powi(2) * (self.length() + 4.0 / 3.0 * self.radius)
    }

    /// Inertia tensor over the mass in m^2 of the uniform one, whose segment is along z.
    ///
    /// A cylinder and two half balls; the centre of mass of a half ball is 3/8 of its radius beyond the end of the cylinder.
    pub(super) fn inertia_per_mass(&self) -> Matrix3<f64> {
        let (radius, length) = (self.radius, self.length());
        let square = radius * radius;
        // Their shares of the volume.
        let ball = 4.0 / 3.0 * radius / (length + 4.0 / 3.0 * radius);
        let cylinder = 1.0 - ball;
        let along = square * (cylinder / 2.0 + 0.4 * ball);
        let across = cylinder * (square / 4.0 + length * length / 12.0)
            + ball * (0.4 * square + 0.25 * length * length + 0.375 * length * radius);
        Matrix3::from_diagonal(&Vector3::new(across, across, along))
    }
}
