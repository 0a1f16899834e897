//! Bodies of several convex parts in the plane.

use nalgebra::Vector2;

use super::{Polygon, Pose, Shape, ShapeError};
use crate::world::{
    compound::{self, centre_of_mass},
    solid::{Solid, overlaps},
};

/// A convex part of a body, in the axes of the body about its centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A convex polygon; a rod is one of two corners.
    Polygon(Polygon),
    /// A disc.
    Disc {
        /// In m.
        centre: Vector2<f64>,
        /// In m.
        radius: f64,
    },
}

/// Convex parts that are fixed to each other, and `I/m` in m^2 about their centre of mass.
pub type Compound = compound::Compound<Part, f64, 2>;

/// What a body is made of: a shape, what it weighs, and where it is in axes that are not yet about the centre of mass of
/// the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its shape.
    pub shape: Shape,
    /// Mass in kg.
    pub mass: f64,
    /// Moment of inertia about its own centre of mass in kg m^2.
    pub inertia: f64,
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
            Self::Polygon(polygon) => Self::Polygon(polygon.placed(pose)),
            Self::Disc { centre, radius } => Self::Disc { centre: pose.transform(centre), radius: *radius },
        }
    }

    /// It as what axes separate from others.
    pub(super) fn solid(&self) -> Solid<'_, 2> {
        match self {
            Self::Polygon(polygon) => polygon.solid(),
            Self::Disc { centre, radius } => Solid::ball(centre, *radius),
        }
    }

    /// Area in m^2.
    fn area(&self) -> f64 {
        match self {
            Self::Polygon(polygon) => polygon.area(),
            Self::Disc { radius, .. } => std::f64::consts::PI * radius * radius,
        }
    }
}

impl Compound {
    /// The body of these, and where its centre of mass is in their axes: by the parallel-axis theorem. Where they overlap,
    /// each weighs what it weighs.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub(super) fn of(members: &[Member]) -> Result<(Self, Vector2<f64>), ShapeError> {
        let masses = members.iter().map(|member| (member.mass, member.pose.position));
        let centre = centre_of_mass(masses).ok_or(ShapeError::NoParts)?;
        Ok((Self::about(members, &centre)?, centre))
    }

    /// The body of these whose centre of mass is at `centre` in their axes, whatever they weigh.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub(super) fn about(members: &[Member], centre: &Vector2<f64>) -> Result<Self, ShapeError> {
        if members.is_empty() {
            return Err(ShapeError::NoParts);
        }
        let mass: f64 = members.iter().map(|member| member.mass).sum();
        let mut parts = Vec::new();
        let mut radius_of_gyration_squared = 0.0;
        for Member { shape, mass: own, inertia, pose } in members {
            let offset = pose.position - centre;
            radius_of_gyration_squared += inertia / mass + own / mass * offset.norm_squared();
            let pose = Pose { position: offset, angle: pose.angle };
            parts.extend(shape.convex_parts().iter().map(|part| part.placed(&pose)));
        }
        Ok(Self::new(parts, radius_of_gyration_squared, Part::solid))
    }

    /// The pairs of parts that overlap by more than rounding.
    pub fn overlaps(&self) -> Vec<[usize; 2]> {
        overlaps(&self.parts().iter().map(Part::solid).collect::<Vec<_>>())
    }

    /// The sum of the areas of the parts in m^2.
    pub(super) fn area(&self) -> f64 {
        self.parts().iter().map(Part::area).sum()
    }
}
