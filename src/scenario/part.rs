//! Bodies of several parts: what each is, and what they come to.

use nalgebra::{Point2, UnitQuaternion, Vector3};

use super::{Inertia, Shape};
use crate::{
    model::{Orientation, Vector},
    world::{planar, spatial},
};

/// A convex part of a body, in axes that all parts of the body share.
#[derive(Debug, Clone, PartialEq)]
pub struct Part<const D: usize> {
    /// Its shape: neither a point nor one of parts. The corners of a polygon or polyhedron count from the `position`.
    pub shape: Shape<D>,
    /// Where its own origin is, in m: the centre of a box, rod, disc, sphere, capsule or cylinder.
    pub position: Vector<D>,
    /// How it is turned.
    pub orientation: Orientation,
    /// Mass in kg; where neither this nor the density is given of any part, they weigh by their areas or volumes.
    pub mass: Option<f64>,
    /// Density in kg/m^2 in the plane, in kg/m^3 in space, in the place of the mass.
    pub density: Option<f64>,
}

impl<const D: usize> Default for Part<D> {
    fn default() -> Self {
        Self {
            shape: Shape::Ball { radius: 1.0 },
            position: Vector::zeros(),
            orientation: Orientation::upright::<D>(),
            mass: None,
            density: None,
        }
    }
}

impl<const D: usize> Part<D> {
    /// The mass in kg that is given, or that of the density; `None` where neither is.
    pub fn own_mass(&self) -> Option<f64> {
        self.mass.or_else(|| Some(self.density? * self.shape.extent()))
    }

    /// What it weighs beside others of its body.
    fn weight(&self) -> f64 {
        self.own_mass().unwrap_or_else(|| self.shape.extent())
    }

    /// The same part with its own centre of mass for the origin of its corners.
    pub(super) fn about_own_centre(&self) -> Self {
        let Shape::Hull { vertices } = &self.shape else { return self.clone() };
        let centre: Option<Vector<D>> = if D == 2 {
            let corners: Vec<_> = vertices.iter().map(|own| Point2::new(own[0], own[1])).collect();
            let found = planar::Shape::centred_polygon(&corners).ok();
            found.map(|(_, centre)| Vector::from_fn(|axis, _| centre[axis.min(1)]))
        } else {
            let points: Vec<_> =
                vertices.iter().map(|own| Vector3::from_fn(|i, _| own[i.min(D - 1)])).collect();
            let found = spatial::Shape::centred_polyhedron(&points).ok();
            found.map(|(_, centre)| Vector::from_fn(|axis, _| centre[axis.min(2)]))
        };
        let Some(centre) = centre else { return self.clone() };
        let vertices = vertices.iter().map(|vertex| vertex - centre).collect();
        let position = self.position + self.orientation.turn(&centre);
        Self { shape: Shape::Hull { vertices }, position, ..self.clone() }
    }

    /// It about its own centre of mass.
    ///
    /// # Errors
    /// [`planar::ShapeError`] if the numbers make no shape.
    fn in_plane(&self) -> Result<planar::Member, planar::ShapeError> {
        let (shape, centre) = match &self.shape {
            Shape::Hull { vertices } => {
                let corners: Vec<_> = vertices.iter().map(|own| Point2::new(own[0], own[1])).collect();
                let (shape, centre) = planar::Shape::centred_polygon(&corners)?;
                (shape, Vector::from_fn(|axis, _| centre[axis.min(1)]))
            }
            shape => match shape.outline(false) {
                Some(outline) => (outline?, Vector::zeros()),
                None => return Err(planar::ShapeError::NoParts),
            },
        };
        let place = self.position + self.orientation.turn(&centre);
        let angle = if let Orientation::Angle(angle) = self.orientation { angle } else { 0.0 };
        let pose = planar::Pose::new(place[0], place[1], angle);
        Ok(planar::Member::uniform(shape, self.weight(), pose))
    }

    /// It about its own centre of mass.
    ///
    /// # Errors
    /// [`spatial::ShapeError`] if the numbers make no shape.
    fn in_space(&self) -> Result<spatial::Member, spatial::ShapeError> {
        let in_space = |vector: &Vector<D>| Vector3::from_fn(|axis, _| vector[axis.min(D - 1)]);
        let (shape, centre) = match &self.shape {
            Shape::Hull { vertices } => {
                spatial::Shape::centred_polyhedron(&vertices.iter().map(in_space).collect::<Vec<_>>())?
            }
            shape => match shape.solid(false) {
                Some(solid) => (solid?, Vector3::zeros()),
                None => return Err(spatial::ShapeError::NoParts),
            },
        };
        let orientation = match self.orientation {
            Orientation::Quaternion(turn) => turn,
            Orientation::Angle(_) => UnitQuaternion::identity(),
        };
        let pose = spatial::Pose { position: in_space(&self.position) + orientation * centre, orientation };
        let mass = self.weight();
        // Of a box to the last digit, of a cylinder that of itself.
        let inertia = match self.shape.uniform_inertia(mass) {
            Some(Inertia::Space(tensor)) => tensor,
            _ => shape.inertia(mass),
        };
        Ok(spatial::Member { shape, mass, inertia, pose })
    }
}

/// What parts weigh together in kg; `None` where none of them says.
pub(super) fn mass_of<const D: usize>(parts: &[Part<D>]) -> Option<f64> {
    let masses: Vec<f64> = parts.iter().filter_map(Part::own_mass).collect();
    (!masses.is_empty()).then(|| masses.iter().sum())
}

/// The body in the plane of these parts: about their common centre of mass, or about the origin of their axes.
///
/// # Errors
/// [`planar::ShapeError`] if the numbers make no shape.
pub(super) fn outline_of<const D: usize>(
    parts: &[Part<D>],
    about_origin: bool,
) -> Result<planar::Shape, planar::ShapeError> {
    let members = parts.iter().map(Part::in_plane).collect::<Result<Vec<_>, _>>()?;
    match about_origin {
        true => planar::Shape::compound_about(&members, &nalgebra::Vector2::zeros()),
        false => Ok(planar::Shape::compound(&members)?.0),
    }
}

/// The body in space of these parts: about their common centre of mass, or about the origin of their axes.
///
/// # Errors
/// [`spatial::ShapeError`] if the numbers make no shape.
pub(super) fn solid_of<const D: usize>(
    parts: &[Part<D>],
    about_origin: bool,
) -> Result<spatial::Shape, spatial::ShapeError> {
    let members = parts.iter().map(Part::in_space).collect::<Result<Vec<_>, _>>()?;
    match about_origin {
        true => spatial::Shape::compound_about(&members, &Vector3::zeros()),
        false => Ok(spatial::Shape::compound(&members)?.0),
    }
}

/// Where the centre of mass of these parts is in their axes, in m; `None` where the numbers make no shape.
pub(super) fn centre_of<const D: usize>(parts: &[Part<D>]) -> Option<Vector<D>> {
    if D == 2 {
        let members = parts.iter().map(Part::in_plane).collect::<Result<Vec<_>, _>>().ok()?;
        let centre = planar::Shape::compound(&members).ok()?.1;
        return Some(Vector::from_fn(|axis, _| centre[axis.min(1)]));
    }
    let members = parts.iter().map(Part::in_space).collect::<Result<Vec<_>, _>>().ok()?;
    let centre = spatial::Shape::compound(&members).ok()?.1;
    Some(Vector::from_fn(|axis, _| centre[axis.min(2)]))
}
