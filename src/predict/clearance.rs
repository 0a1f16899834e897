//! How far a body is from whatever it may touch first.

use super::RecordedState;
use crate::{
    model::Vector,
    scenario::{Corners, Scenario},
};

/// Distance in m of the body number `moving` of `scenario`, in a recorded state, from the ground and the walls; negative
/// in them.
pub(super) fn above_planes<const D: usize>(
    scenario: &Scenario<D>,
    corners: &Corners<D>,
    recorded: &RecordedState<D>,
) -> f64 {
    planes(scenario).map(|plane| above(plane, corners, recorded)).fold(f64::INFINITY, f64::min)
}

/// Distance in m of a place from the ground and the walls; negative in them.
pub(super) fn height_above_planes<const D: usize>(scenario: &Scenario<D>, place: &Vector<D>) -> f64 {
    planes(scenario).map(|(normal, offset)| normal.dot(place) - offset).fold(f64::INFINITY, f64::min)
}

/// A recorded state with the body out of the ground and the walls, as far as it is in them, along their normals.
pub(super) fn lifted_out<const D: usize>(
    scenario: &Scenario<D>,
    corners: &Corners<D>,
    recorded: &RecordedState<D>,
) -> RecordedState<D> {
    planes(scenario).fold(*recorded, |mut lifted, plane| {
        let depth = -above(plane, corners, &lifted);
        if depth > 0.0 {
            lifted.state.position += plane.0 * depth;
            // What rounding leaves of it.
            let rest = -above(plane, corners, &lifted);
            lifted.state.position += plane.0 * rest.max(0.0) * 2.0;
        }
        lifted
    })
}

/// Normals and offsets of the ground and the walls.
fn planes<const D: usize>(scenario: &Scenario<D>) -> impl Iterator<Item = (Vector<D>, f64)> {
    let mut ground = Vector::zeros();
    ground[D - 1] = 1.0;
    let walls = scenario.walls.iter().map(|wall| (wall.normal, wall.offset));
    std::iter::once((ground, 0.0)).chain(walls)
}

/// How far a body is from a plane in m; negative in it.
fn above<const D: usize>(
    (normal, offset): (Vector<D>, f64),
    corners: &Corners<D>,
    recorded: &RecordedState<D>,
) -> f64 {
    let placed = corners.placed(recorded.state.position, recorded.attitude.as_ref());
    let lowest = placed.map(|corner| normal.dot(&corner)).fold(f64::INFINITY, f64::min);
    lowest - offset - corners.radius()
}

/// Distance in m of the body number `moving` of `scenario`, in a recorded state, from the ground, the walls
/// and the other bodies; from the latter no more than it is, as their corners count all around.
pub(super) fn clearance<const D: usize>(
    scenario: &Scenario<D>,
    moving: usize,
    corners: &Corners<D>,
    recorded: &RecordedState<D>,
) -> f64 {
    let position = recorded.state.position;
    let others = scenario.bodies.iter().enumerate().filter(|(index, _)| *index != moving);
    let to_bodies = others
        .map(|(_, body)| (body.position - position).norm() - Corners::of(body).reach() - corners.reach());
    to_bodies.fold(above_planes(scenario, corners, recorded), f64::min)
}
