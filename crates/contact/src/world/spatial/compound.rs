//! Bodies of several convex parts in space.

use nalgebra::{Matrix3, Vector3};

use super::{Capsule, Cylinder, Polyhedron, Pose, Shape, ShapeError};
use crate::world::{
    compound::{self, centre_of_mass},
    solid::{Solid, overlaps},
};

/// A convex part of a body, in the axes of the body about its centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A convex polyhedron.
    Hull(Polyhedron),
    /// A sphere.
    Sphere {
        /// In m.
        centre: Vector3<f64>,
        /// In m.
        radius: f64,
    },
    /// All points within a radius of a segment.
    Capsule(Capsule),
    /// A cylinder.
    Cylinder(Cylinder),
}

/// Convex parts that are fixed to each other, and the inertia tensor over the mass in m^2 about their centre of mass.
pub type Compound = compound::Compound<Part, Matrix3<f64>, 3>;

/// What a body is made of: a shape, what it weighs, and where it is in axes that are not yet about the centre of mass of
/// the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its shape.
    pub shape: Shape,
    /// Mass in kg.
    pub mass: f64,
    /// Inertia tensor about its own centre of mass in kg m^2, in its own axes.
    pub inertia: Matrix3<f64>,
    /// Its centre of mass and how it is turned.
    pub pose: Pose,
}

impl Member {
    /// A uniform one.
    pub fn uniform(shape: Shape, mass: f64, pose: Pose) -> Self {
        let inertia = shape.inertia(mass);
        Self { shape, mass, inertia, pose }
    }
}

impl Part {
    /// The same part of a body that is at `pose` in another one's axes.
    fn placed(&self, pose: &Pose) -> Self {
        match self {
            Self::Hull(hull) => Self::Hull(hull.placed(pose)),
            Self::Sphere { centre, radius } => {
                Self::Sphere { centre: pose.transform(centre), radius: *radius }
            }
            Self::Capsule(capsule) => Self::Capsule(capsule.placed(pose)),
            Self::Cylinder(cylinder) => Self::Cylinder(cylinder.placed(pose)),
        }
    }

    /// It as what axes separate from others.
    pub(super) fn solid(&self) -> Solid<'_, 3> {
        match self {
            Self::Hull(hull) => hull.solid(),
            Self::Sphere { centre, radius } => Solid::ball(centre, *radius),
            Self::Capsule(capsule) => capsule.solid(),
            Self::Cylinder(cylinder) => cylinder.solid(),
        }
    }

    /// Volume in m^3.
    fn volume(&self) -> f64 {
        match self {
            Self::Hull(hull) => hull.volume(),
            Self::Sphere { radius, .. } => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
            Self::Capsule(capsule) => capsule.volume(),
            Self::Cylinder(cylinder) => cylinder.volume(),
        }
    }
}

impl Compound {
    /// The body of these, and where its centre of mass is in their axes: by the parallel-axis theorem. Where they overlap,
    /// each weighs what it weighs.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub(super) fn of(members: &[Member]) -> Result<(Self, Vector3<f64>), ShapeError> {
        let masses = members.iter().map(|member| (member.mass, member.pose.position));
        let centre = centre_of_mass(masses).ok_or(ShapeError::NoParts)?;
        Ok((Self::about(members, &centre)?, centre))
    }

    /// The body of these whose centre of mass is at `centre` in their axes, whatever they weigh.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub(super) fn about(members: &[Member], centre: &Vector3<f64>) -> Result<Self, ShapeError> {
        if members.is_empty() {
            return Err(ShapeError::NoParts);
        }
        let mass: f64 = members.iter().map(|member| member.mass).sum();
        let mut parts = Vec::new();
        let mut inertia_per_mass = Matrix3::zeros();
        for Member { shape, mass: own, inertia, pose } in members {
            let offset = pose.position - centre;
            let turn = *pose.orientation.to_rotation_matrix().matrix();
            let spread = Matrix3::from_diagonal_element(offset.norm_squared()) - offset * offset.transpose();
            inertia_per_mass += turn * inertia * turn.transpose() / mass + spread * (own / mass);
            let pose = Pose { position: offset, orientation: pose.orientation };
            parts.extend(shape.convex_parts().iter().map(|part| part.placed(&pose)));
        }
        // Symmetric but for the rounding of the turns.
        inertia_per_mass = (inertia_per_mass + inertia_per_mass.transpose()) * 0.5;
        Ok(Self::new(parts, inertia_per_mass, Part::solid))
    }

    /// The pairs of parts that overlap by more than rounding.
    pub fn overlaps(&self) -> Vec<[usize; 2]> {
        overlaps(&self.parts().iter().map(Part::solid).collect::<Vec<_>>())
    }

    /// The sum of the volumes of the parts in m^3.
    pub(super) fn volume(&self) -> f64 {
        self.parts().iter().map(Part::volume).sum()
    }
}
