use nalgebra::{Matrix3, Vector3};

use super::Polyhedron;

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

    /// The convex hull of points in m, moved so that the centre of mass of the uniform body is at the
    /// origin.
    ///
    /// # Errors
    /// [`ShapeError`] unless they span a body.
    pub fn polyhedron(points: &[Vector3<f64>]) -> Result<Self, ShapeError> {
        let hull = Polyhedron::hull(points)?;
        let (centroid, _) = hull.uniform();
        Ok(Self::Hull(hull.about(&centroid)))
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

    /// Inertia tensor about its centroid in kg m^2 of a uniform body of `mass` kg.
    pub fn inertia(&self, mass: f64) -> Matrix3<f64> {
        match self {
            Self::Hull(hull) => hull.uniform().1 * mass,
            Self::Sphere { radius } => Matrix3::from_diagonal_element(0.4 * mass * radius * radius),
        }
    }

    /// Largest distance `rho` of a point of the body from its centre of mass, in m.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Hull(hull) => hull.reach(),
            Self::Sphere { radius } => *radius,
        }
    }
}

fn positive(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ShapeError::Length { what, value }) }
}
