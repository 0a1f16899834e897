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
    let mut ground = Vector::zeros();
    ground[D - 1] = 1.0;
    let walls = scenario.walls.iter().map(|wall| (wall.normal, wall.offset));
    let planes = std::iter::once((ground, 0.0)).chain(walls);
    let to_planes = planes.map(|(normal, offset)| {
        let placed = corners.placed(recorded.state.position, recorded.attitude.as_ref());
        let lowest = placed.map(|corner| normal.dot(&corner)).fold(f64::INFINITY, f64::min);
        lowest - offset - corners.radius()
    });
    to_planes.fold(f64::INFINITY, f64::min)
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
