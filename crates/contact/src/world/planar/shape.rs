use std::borrow::Cow;

use nalgebra::{Point2, Vector2};

use super::{Compound, Member, Part, Pose};
use crate::world::solid::{HalfSpace, Solid, least_width};

/// The outline of a planar body, in its own axes about its centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A convex polygon; a rod is one of two corners.
    Polygon(Polygon),
    /// A disc.
    Disc {
        /// Radius in m.
        radius: f64,
    },
    /// Convex parts that are fixed to each other.
    Compound(Compound),
}

/// Corners of a convex polygon, counter-clockwise, about the centre of mass of its body, in m.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    corners: Vec<Vector2<f64>>,
    /// The half-planes between which it lies, one per side.
    sides: Vec<HalfSpace<2>>,
    /// Its least width in m.
    width: f64,
    /// `I/m` of the uniform polygon about its own centre, in m^2.
    radius_of_gyration_squared: f64,
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
    /// A polygon of fewer than three corners.
    #[error("a polygon needs at least 3 corners, not {corners}")]
    TooFewCorners {
        /// How many were given.
        corners: usize,
    },
    /// A corner is not finite.
    #[error("corner {corner} is not finite")]
    NotFinite {
        /// Its index.
        corner: usize,
    },
    /// The outline turns right, or stands still.
    #[error(
        "the outline turns right or stands still at corner {corner}; give the corners of a convex polygon \
         counter-clockwise, each once"
    )]
    NotConvex {
        /// Its index.
        corner: usize,
    },
    /// The outline goes round more than once.
    #[error("the outline goes round more than once; give the corners of a convex polygon, each once")]
    Winding,
    /// A body of no parts.
    #[error("a body of parts needs at least one")]
    NoParts,
}

impl Shape {
    /// A rectangle of full `width` (along the body's x) and `height` in m.
    ///
    /// # Errors
    /// [`ShapeError::Length`] unless both are positive.
    pub fn rectangle(width: f64, height: f64) -> Result<Self, ShapeError> {
        let (x, z) = (0.5 * positive("width", width)?, 0.5 * positive("height", height)?);
        let corners = [(-x, -z), (x, -z), (x, z), (-x, z)];
        let corners = corners.into_iter().map(|(x, z)| Vector2::new(x, z)).collect();
        Ok(Self::Polygon(Polygon::new(corners, (x * x + z * z) / 3.0)))
    }

    /// A thin rod of `length` m along the body's x.
    ///
    /// # Errors
    /// [`ShapeError::Length`] unless it is positive.
    pub fn rod(length: f64) -> Result<Self, ShapeError> {
        let half = 0.5 * positive("length", length)?;
        let corners = vec![Vector2::new(-half, 0.0), Vector2::new(half, 0.0)];
        Ok(Self::Polygon(Polygon::new(corners, half * half / 3.0)))
    }

    /// A disc of `radius` m.
    ///
    /// # Errors
    /// [`ShapeError::Length`] unless it is positive.
    pub fn disc(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self::Disc { radius: positive("radius", radius)? })
    }

    /// A convex polygon of the given corners in m, counter-clockwise; they are moved so that the
    /// centre of mass is at the origin.
    ///
    /// Corners in the middle of a straight side are allowed: they are points of contact.
    ///
    /// # Errors
    /// [`ShapeError`] unless the corners are those of a convex polygon, counter-clockwise.
    pub fn polygon(corners: &[Point2<f64>]) -> Result<Self, ShapeError> {
        Ok(Self::centred_polygon(corners)?.0)
    }

    /// A convex polygon as [`Shape::polygon`] makes it, and where its centre of mass is among the corners, in m.
    ///
    /// # Errors
    /// [`ShapeError`] unless the corners are those of a convex polygon, counter-clockwise.
    pub fn centred_polygon(corners: &[Point2<f64>]) -> Result<(Self, Vector2<f64>), ShapeError> {
        if let Some(corner) = corners.iter().position(|corner| !corner.iter().all(|x| x.is_finite())) {
            return Err(ShapeError::NotFinite { corner });
        }
        if corners.len() < 3 {
            return Err(ShapeError::TooFewCorners { corners: corners.len() });
        }
        check_outline(corners)?;
        // Sums over the triangles that each side makes with the first corner: nothing cancels.
        let (mut area, mut first, mut second) = (0.0, Vector2::zeros(), 0.0);
        for pair in corners[1..].windows(2) {
            let (a, b) = (pair[0] - corners[0], pair[1] - corners[0]);
            let triangle = 0.5 * a.perp(&b);
            area += triangle;
            first += (a + b) * (triangle / 3.0);
            second += triangle * (a.dot(&a) + a.dot(&b) + b.dot(&b)) / 6.0;
        }
        let centroid = first / area;
        let radius_of_gyration_squared = second / area - centroid.norm_squared();
        let centre = corners[0].coords + centroid;
        let corners = corners.iter().map(|corner| corner - corners[0] - centroid).collect();
        Ok((Self::Polygon(Polygon::new(corners, radius_of_gyration_squared)), centre))
    }

    /// The body that these make, and where its centre of mass is in their axes, in m.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub fn compound(members: &[Member]) -> Result<(Self, Vector2<f64>), ShapeError> {
        let (compound, centre) = Compound::of(members)?;
        Ok((Self::Compound(compound), centre))
    }

    /// The body of these whose centre of mass is at `centre` in their axes, in m, whatever they weigh.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`] if there are none.
    pub fn compound_about(members: &[Member], centre: &Vector2<f64>) -> Result<Self, ShapeError> {
        Ok(Self::Compound(Compound::about(members, centre)?))
    }

    /// How many convex parts it has.
    pub fn parts(&self) -> usize {
        if let Self::Compound(compound) = self { compound.parts().len() } else { 1 }
    }

    /// Its convex parts, about its centre of mass.
    pub fn convex_parts(&self) -> Cow<'_, [Part]> {
        match self {
            Self::Polygon(polygon) => Cow::Owned(vec![Part::Polygon(polygon.clone())]),
            Self::Disc { radius } => {
                Cow::Owned(vec![Part::Disc { centre: Vector2::zeros(), radius: *radius }])
            }
            Self::Compound(compound) => Cow::Borrowed(compound.parts()),
        }
    }

    /// Area in m^2, that of a rod 0; where parts overlap it counts twice.
    pub fn area(&self) -> f64 {
        match self {
            Self::Polygon(polygon) => polygon.area(),
            Self::Disc { radius } => std::f64::consts::PI * radius * radius,
            Self::Compound(compound) => compound.area(),
        }
    }

    /// Moment of inertia about the centre of mass in kg m^2 of a body of `mass` kg: uniform, or of parts that weigh as
    /// they were said to.
    pub fn inertia(&self, mass: f64) -> f64 {
        mass * match self {
            Self::Compound(compound) => *compound.inertia_per_mass(),
            Self::Polygon(polygon) => polygon.radius_of_gyration_squared,
            Self::Disc { radius } => 0.5 * radius * radius,
        }
    }

    /// Largest distance `rho` of a point of the body from its centre of mass, in m.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Polygon(polygon) => polygon.corners.iter().map(Vector2::norm).fold(0.0, f64::max),
            Self::Disc { radius } => *radius,
            Self::Compound(compound) => compound.reach(),
        }
    }

    /// Whether a part has no thickness: a rod or a point.
    pub(super) fn is_thin(&self, part: usize) -> bool {
        let is_rod = |polygon: &Polygon| polygon.corners.len() == 2;
        match self {
            Self::Polygon(polygon) => is_rod(polygon),
            Self::Disc { radius } => *radius == 0.0,
            Self::Compound(compound) => match &compound.parts()[part] {
                Part::Polygon(polygon) => is_rod(polygon),
                Part::Disc { radius, .. } => *radius == 0.0,
            },
        }
    }

    /// A part as what axes separate from others.
    pub(crate) fn solid(&self, part: usize) -> Solid<'_, 2> {
        const CENTRE: &Vector2<f64> = &Vector2::new(0.0, 0.0);
        match self {
            Self::Polygon(polygon) => polygon.solid(),
            Self::Disc { radius } => Solid::ball(CENTRE, *radius),
            Self::Compound(compound) => compound.parts()[part].solid(),
        }
    }
}

impl Polygon {
    /// Of corners about the centre of mass of its body, counter-clockwise.
    fn new(corners: Vec<Vector2<f64>>, radius_of_gyration_squared: f64) -> Self {
        let side = |i: usize| {
            let along = (corners[(i + 1) % corners.len()] - corners[i]).normalize();
            let normal = Vector2::new(along.y, -along.x);
            HalfSpace { normal, offset: normal.dot(&corners[i]) }
        };
        let sides: Vec<_> = (0..corners.len()).map(side).collect();
        let width = least_width(&corners, &sides);
        Self { corners, sides, width, radius_of_gyration_squared }
    }

    /// The same polygon of a body that is at `pose` in another one's axes.
    pub(super) fn placed(&self, pose: &Pose) -> Self {
        let corners = self.corners.iter().map(|corner| pose.transform(corner)).collect();
        Self::new(corners, self.radius_of_gyration_squared)
    }

    /// It as what axes separate from others.
    pub(super) fn solid(&self) -> Solid<'_, 2> {
        let Self { corners, sides, width, .. } = self;
        Solid { corners, faces: sides, edges: &[], disc: None, radius: 0.0, width: *width }
    }

    /// Area in m^2.
    pub(super) fn area(&self) -> f64 {
        let arm = |corner: &Vector2<f64>| corner - self.corners[0];
        self.corners.windows(2).map(|side| 0.5 * arm(&side[0]).perp(&arm(&side[1]))).sum()
    }

    /// The corners, counter-clockwise, about the centre of mass of its body, in m.
    pub fn corners(&self) -> &[Vector2<f64>] {
        &self.corners
    }
}

/// Every turn to the left and one turn in all.
fn check_outline(corners: &[Point2<f64>]) -> Result<(), ShapeError> {
    let n = corners.len();
    let side = |i: usize| corners[(i + 1) % n] - corners[i % n];
    let mut turned = 0.0;
    for corner in 0..n {
        let (before, after) = (side(corner + n - 1), side(corner));
        let (sin, cos) = (before.perp(&after), before.dot(&after));
        // Corners on a straight side turn by rounding.
        if before.norm() == 0.0 || after.norm() == 0.0 || sin < -1e-12 * cos.abs() || sin <= 0.0 && cos <= 0.0
        {
            return Err(ShapeError::NotConvex { corner });
        }
        turned += sin.atan2(cos);
    }
    if turned > 1.5 * std::f64::consts::TAU { Err(ShapeError::Winding) } else { Ok(()) }
}

fn positive(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ShapeError::Length { what, value }) }
}
