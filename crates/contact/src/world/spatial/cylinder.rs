use std::f64::consts::{PI, TAU};

use nalgebra::{Matrix3, Vector3};

use super::Pose;
use crate::world::solid::{Disc, HalfSpace, Solid};

/// A cylinder: all points within a radius of a segment that lie between its ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Cylinder {
    /// The centres of its caps, in the axes of its body about the centre of mass of that, in m.
    pub(super) ends: [Vector3<f64>; 2],
    /// The unit vector from the first to the second.
    pub(super) axis: Vector3<f64>,
    /// A unit vector across the axis that is fixed to it.
    pub(super) across: Vector3<f64>,
    pub(super) radius: f64,
    caps: [HalfSpace<3>; 2],
}

impl Cylinder {
    /// One about the origin, its axis along z.
    pub(super) fn along_z(radius: f64, length: f64) -> Self {
        let ends = [-0.5, 0.5].map(|part| Vector3::z() * (part * length));
        Self::of(ends, Vector3::z(), Vector3::x(), radius)
    }

    fn of(ends: [Vector3<f64>; 2], axis: Vector3<f64>, across: Vector3<f64>, radius: f64) -> Self {
        let cap = |end: usize, normal: Vector3<f64>| HalfSpace { normal, offset: normal.dot(&ends[end]) };
        Self { ends, axis, across, radius, caps: [cap(0, -axis), cap(1, axis)] }
    }

    /// The centres of its caps, in the axes of its body about the centre of mass, in m.
    pub fn ends(&self) -> &[Vector3<f64>; 2] {
        &self.ends
    }

    /// The unit vector along its axis.
    pub fn axis(&self) -> &Vector3<f64> {
        &self.axis
    }

    /// Its radius in m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// So many points on each of its rims, evenly around: the corners of a prism that is drawn for it.
    pub fn rims(&self, count: u32) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let (first, second) = (self.across, self.axis.cross(&self.across));
        let places = (0..count).map(move |place| f64::from(place) * (TAU / f64::from(count)));
        places.flat_map(move |angle| {
            let arm = (first * angle.cos() + second * angle.sin()) * self.radius;
            self.ends.map(|end| end + arm)
        })
    }

    /// The same of a body that is at `pose` in another one's axes.
    pub(super) fn placed(&self, pose: &Pose) -> Self {
        let ends = self.ends.map(|end| pose.transform(&end));
        Self::of(ends, pose.orientation * self.axis, pose.orientation * self.across, self.radius)
    }

    /// It as what axes separate from others.
    pub(super) fn solid(&self) -> Solid<'_, 3> {
        let disc = Disc { axis: self.axis, radius: self.radius };
        let width = self.length().min(2.0 * self.radius);
        Solid { corners: &self.ends, faces: &self.caps, edges: &[], disc: Some(disc), radius: 0.0, width }
    }

    fn length(&self) -> f64 {
        (self.ends[1] - self.ends[0]).norm()
    }

    /// Volume in m^3.
    pub(super) fn volume(&self) -> f64 {
        PI * self.radius.powi(2) * self.length()
    }

    /// Inertia tensor over the mass in m^2 of the uniform one about its centre, whose axis is along z.
    pub(super) fn inertia_per_mass(&self) -> Matrix3<f64> {
        let (radius, length) = (self.radius, self.length());
        let across = (3.0 * radius * radius + length * length) / 12.0;
        Matrix3::from_diagonal(&Vector3::new(across, across, 0.5 * radius * radius))
    }
}
