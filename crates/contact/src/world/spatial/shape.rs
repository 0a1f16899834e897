use std::borrow::Cow;

use nalgebra::{Matrix3, Vector3};

use super::{Capsule, Compound, Cylinder, Member, Part, Polyhedron};
use crate::world::solid::Solid;

/// The shape of a body in space, in its own axes about its centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A convex polyhedron; a box is one.
    Hull(Polyhedron),
    /// A sphere.
    Sphere {
        /// Radius in m.
        radius: f64,
    },
    /// All points within a radius of a segment.
    Capsule(Capsule),
    /// A cylinder.
    Cylinder(Cylinder),
    /// Convex parts that are fixed to each other.
    Compound(Compound),
}

/// Why numbers make no shape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is zero, negative or not finite.
    #[error("{what} is {value}; it must be a positive number of metres")]
    Length {
        /// Which length.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A corner is not finite.
    #[error("corner {corner} is not finite")]
    NotFinite {
        /// Its index.
        corner: usize,
    },
    /// The corners span no body.
    #[error("the {corners} corners lie in one plane; give at least four that do not")]
    Flat {
        /// How many there are.
        corners: usize,
    },
    /// The corners are so close to a plane, or to each other, that faces cannot be told apart.
    #[error("corners nearly in one plane or in one place leave the faces undecided; move or remove them")]
    NearlyFlat,
    /// The centre of mass is outside.
    #[error(
        "the centre of mass, the origin of the corners where an inertia is given, is outside of the body; move \
         the corners, or leave the inertia out for a uniform body"
    )]
    CentreOutside,
    /// A body of no parts.
    #[error("a body of parts needs at least one")]
    NoParts,
}

impl Shape {
    /// A box of these full widths in m along its axes.
    ///
    /// # Errors
    /// [`ShapeError`] unless all are positive.
    pub fn cuboid(widths: [f64; 3]) -> Result<Self, ShapeError> {
        let [x, y, z] =
            [positive("width", widths[0])?, positive("depth", widths[1])?, positive("height", widths[2])?];
        let signs = [-0.5, 0.5];
        let corner = |i: usize| Vector3::new(signs[i & 1] * x, signs[i >> 1 & 1] * y, signs[i >> 2] * z);
        // A hull in units of the widths: the thinnest plate has faces, too.
        let unit = |i: usize| corner(i).component_div(&Vector3::new(x, y, z));
        let cube = Polyhedron::hull(&(0..8).map(unit).collect::<Vec<_>>())?;
        Ok(Self::Hull(cube.stretched(&Vector3::new(x, y, z))))
    }

    /// A sphere of `radius` m.
    ///
    /// # Errors
    /// [`ShapeError::Length`] unless it is positive.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self::Sphere { radius: positive("radius", radius)? })
    }

    /// A capsule along z: all points within `radius` m of a segment of `length` m.
    ///
    /// # Errors
    /// [`ShapeError::Length`] unless both are positive.
    pub fn capsule(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Ok(Self::Capsule(Capsule::along_z(positive("radius", radius)?, positive("length", length)?)))
    }

    /// A cylinder along z of a radius and a length in m.
    ///
    /// # Errors
    /// [`ShapeError::Length`] unless both are positive.
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Ok(Self::Cylinder(Cylinder::along_z(positive("radius", radius)?, positive("length", length)?)))
    }

    /// The convex hull of points in m, moved so that the centre of mass of the uniform body is at the
    /// origin.
    ///
    /// # Errors
    /// [`ShapeError`] unless they span a body.
    pub fn polyhedron(points: &[Vector3<f64>]) -> Result<Self, ShapeError> {
        Ok(Self::centred_polyhedron(points)?.0)
    }

    /// A convex hull as [`Shape::polyhedron`] makes it, and where its centre of mass is among the points, in m.
    ///
    /// # Errors
    /// [`ShapeError`] unless they span a body.
    pub fn centred_polyhedron(points: &[Vector3<f64>]) -> Result<(Self, Vector3<f64>), ShapeError> {
        let hull = Polyhedron::hull(points)?;
        let (centroid, _) = hull.uniform();
        Ok((Self::Hull(hull.about(&centroid)), centroid))
    }

    /// The convex hull of points in m whose origin is the centre of mass, wherever that of the uniform
    /// body would be.
    ///
    /// # Errors
    /// [`ShapeError`] unless they span a body that holds the origin.
    pub fn polyhedron_about_origin(points: &[Vector3<f64>]) -> Result<Self, ShapeError> {
        let hull = Polyhedron::hull(points)?;
        if hull.contains_centre() { Ok(Self::Hull(hull)) } else { Err(ShapeError::CentreOutside) }
    }

    /// The body that these make, and where its centre of mass is in their axes, in m.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub fn compound(members: &[Member]) -> Result<(Self, Vector3<f64>), ShapeError> {
        let (compound, centre) = Compound::of(members)?;
        Ok((Self::Compound(compound), centre))
    }

    /// The body of these whose centre of mass is at `centre` in their axes, in m, whatever they weigh.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub fn compound_about(members: &[Member], centre: &Vector3<f64>) -> Result<Self, ShapeError> {
        Ok(Self::Compound(Compound::about(members, centre)?))
    }

    /// How many convex parts it has.
    pub fn parts(&self) -> usize {
        if let Self::Compound(compound) = self { compound.parts().len() } else { 1 }
    }

    /// Its convex parts, about its centre of mass.
    pub fn convex_parts(&self) -> Cow<'_, [Part]> {
        match self {
            Self::Hull(hull) => Cow::Owned(vec![Part::Hull(hull.clone())]),
            Self::Sphere { radius } => {
                Cow::Owned(vec![Part::Sphere { centre: Vector3::zeros(), radius: *radius }])
            }
            Self::Capsule(capsule) => Cow::Owned(vec![Part::Capsule(capsule.clone())]),
            Self::Cylinder(cylinder) => Cow::Owned(vec![Part::Cylinder(cylinder.clone())]),
            Self::Compound(compound) => Cow::Borrowed(compound.parts()),
        }
    }

    /// Volume in m^3; where parts overlap it counts twice.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Hull(hull) => hull.volume(),
            Self::Sphere { radius } => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
            Self::Capsule(capsule) => capsule.volume(),
            Self::Cylinder(cylinder) => cylinder.volume(),
            Self::Compound(compound) => compound.volume(),
        }
    }

    /// A part as what axes separate from others.
    pub(crate) fn solid(&self, part: usize) -> Solid<'_, 3> {
        const CENTRE: &Vector3<f64> = &Vector3::new(0.0, 0.0, 0.0);
        match self {
            Self::Hull(hull) => hull.solid(),
            Self::Sphere { radius } => Solid::ball(CENTRE, *radius),
            Self::Capsule(capsule) => capsule.solid(),
            Self::Cylinder(cylinder) => cylinder.solid(),
            Self::Compound(compound) => compound.parts()[part].solid(),
        }
    }

    /// Inertia tensor in kg m^2 of a body of `mass` kg: about the centroid of a uniform one, or about the centre of mass of
    /// parts that weigh as they were said to.
    pub fn inertia(&self, mass: f64) -> Matrix3<f64> {
        match self {
            Self::Hull(hull) => hull.uniform().1 * mass,
            Self::Sphere { radius } => Matrix3::from_diagonal_element(0.4 * mass * radius * radius),
            Self::Capsule(capsule) => capsule.inertia_per_mass() * mass,
            Self::Cylinder(cylinder) => cylinder.inertia_per_mass() * mass,
            Self::Compound(compound) => compound.inertia_per_mass() * mass,
        }
    }

    /// Largest distance `rho` of a point of the body from its centre of mass, in m.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Hull(hull) => hull.reach(),
            Self::Sphere { radius } => *radius,
            Self::Capsule(capsule) => capsule.solid().reach(),
            Self::Cylinder(cylinder) => cylinder.solid().reach(),
            Self::Compound(compound) => compound.reach(),
        }
    }
}

fn positive(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ShapeError::Length { what, value }) }
}
