//! How far a body is from whatever it may touch first.

use super::RecordedState;
use crate::{
    model::{Attitude, Orientation, Vector},
    scenario::{Body, Scenario, Shape},
    world::{planar, spatial},
};

/// A body as the hull of balls of one radius about corners in its own axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Corners<const D: usize> {
    corners: Vec<Vector<D>>,
    radius: f64,
}

impl<const D: usize> Corners<D> {
    /// Those of a body.
    pub fn of(body: &Body<D>) -> Self {
        let vector =
            |corner: &[f64]| Vector::<D>::from_fn(|axis, _| corner.get(axis).copied().unwrap_or(0.0));
        let of_outline = body.shape.outline().and_then(Result::ok);
        if let Some(planar::Shape::Polygon(polygon)) = of_outline {
            let corners = polygon.corners().iter().map(|corner| vector(corner.as_slice()));
            return Self { corners: corners.collect(), radius: 0.0 };
        }
        if let Some(Ok(spatial::Shape::Hull(hull))) = body.solid() {
            let corners = hull.corners().iter().map(|corner| vector(corner.as_slice()));
            return Self { corners: corners.collect(), radius: 0.0 };
        }
        let radius = if let Shape::Ball { radius } = &body.shape { *radius } else { 0.0 };
        Self { corners: vec![Vector::zeros()], radius }
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

/// Distance in m of the body number `moving` of `scenario`, in a recorded state, from the ground, the walls
/// and the other bodies; from the latter no more than it is, as their corners count all around.
pub(super) fn clearance<const D: usize>(
    scenario: &Scenario<D>,
    moving: usize,
    corners: &Corners<D>,
    recorded: &RecordedState<D>,
) -> f64 {
    let mut ground = Vector::zeros();
    ground[D - 1] = 1.0;
    let walls = scenario.walls.iter().map(|wall| (wall.normal, wall.offset));
    let planes = std::iter::once((ground, 0.0)).chain(walls);
    let position = recorded.state.position;
    let to_planes = planes.map(|(normal, offset)| {
        let lowest = corners.placed(position, recorded.attitude.as_ref()).map(|corner| normal.dot(&corner));
        lowest.fold(f64::INFINITY, f64::min) - offset - corners.radius
    });
    let others = scenario.bodies.iter().enumerate().filter(|(index, _)| *index != moving);
    let to_bodies = others
        .map(|(_, body)| (body.position - position).norm() - Corners::of(body).reach() - corners.reach());
    to_planes.chain(to_bodies).fold(f64::INFINITY, f64::min)
}
