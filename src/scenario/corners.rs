//! A body as the hull of balls about its corners.

use super::{Body, Part, Shape};
use crate::{
    model::{Attitude, Orientation, Vector},
    world::{planar, spatial},
};

/// Points on each rim of a cylinder by which it is drawn.
pub const RIM: u32 = 24;

/// A body as the hull of balls of one radius about corners in its own axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Corners<const D: usize> {
    corners: Vec<Vector<D>>,
    radius: f64,
}

impl<const D: usize> Corners<D> {
    /// Those of a body; of one of several parts all corners, and the largest radius.
    pub fn of(body: &Body<D>) -> Self {
        let vector =
            |corner: &[f64]| Vector::<D>::from_fn(|axis, _| corner.get(axis).copied().unwrap_or(0.0));
        let of_outline = body.outline().and_then(Result::ok);
        if let Some(planar::Shape::Polygon(polygon)) = of_outline {
            let corners = polygon.corners().iter().map(|corner| vector(corner.as_slice()));
            return Self { corners: corners.collect(), radius: 0.0 };
        }
        if let Some(Ok(spatial::Shape::Hull(hull))) = body.solid() {
            let corners = hull.corners().iter().map(|corner| vector(corner.as_slice()));
            return Self { corners: corners.collect(), radius: 0.0 };
        }
        let of_parts = body.parts();
        if !of_parts.is_empty() {
            let own = |part: &Part<D>| {
                let alone = Self::of(&Body { shape: part.shape.clone(), ..Body::default() });
                let place = |corner: &Vector<D>| part.position + part.orientation.turn(corner);
                (alone.corners.iter().map(place).collect::<Vec<_>>(), alone.radius)
            };
            let (corners, radii): (Vec<_>, Vec<_>) = of_parts.iter().map(own).unzip();
            return Self { corners: corners.concat(), radius: radii.into_iter().fold(0.0, f64::max) };
        }
        if let Some(Ok(spatial::Shape::Capsule(capsule))) = body.solid() {
            let ends = capsule.ends().iter().map(|end| vector(end.as_slice()));
            return Self { corners: ends.collect(), radius: capsule.radius() };
        }
        if let Some(Ok(spatial::Shape::Cylinder(cylinder))) = body.solid() {
            let corners = cylinder.rims(RIM).map(|corner| vector(corner.as_slice()));
            return Self { corners: corners.collect(), radius: 0.0 };
        }
        let radius = if let Shape::Ball { radius } = &body.shape { *radius } else { 0.0 };
        Self { corners: vec![Vector::zeros()], radius }
    }

    /// The radius of the balls in m, 0 for a body with corners.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The corners in the axes of the body about its centre of mass, in m.
    pub fn as_slice(&self) -> &[Vector<D>] {
        &self.corners
    }

    /// Largest distance of a point of the body from its centre of mass.
    pub fn reach(&self) -> f64 {
        self.corners.iter().map(|corner| corner.norm()).fold(0.0, f64::max) + self.radius
    }

    /// The corners of a body at `position`, in the axes of the world.
    pub fn placed(
        &self,
        position: Vector<D>,
        attitude: Option<&Attitude>,
    ) -> impl Iterator<Item = Vector<D>> + '_ {
        let orientation = attitude.map_or_else(Orientation::upright::<D>, |attitude| attitude.orientation);
        self.corners.iter().map(move |corner| position + orientation.turn(corner))
    }
}
