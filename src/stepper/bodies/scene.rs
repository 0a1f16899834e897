use crate::{
    scenario::{Body, Scenario},
    stepper::{Refusal, StepperName},
    world::{Partner, Plane, Scene},
};

use super::{beads, planes};

/// The bodies of `scenario` as a world; `rigid` makes one, or says why it has no shape.
///
/// # Errors
/// [`Refusal`] if a shape is none.
pub(super) fn scene_of<B, const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    rigid: impl Fn(&Body<D>) -> Result<B, String>,
) -> Result<Scene<B, D>, Refusal> {
    let refuse = |reason: String, remedy: &str| Refusal { stepper, reason, remedy: remedy.to_owned() };
    let mut bodies = Vec::with_capacity(scenario.bodies.len());
    for (index, body) in scenario.bodies.iter().enumerate() {
        let shapeless = |error| {
            refuse(format!("body {} has no shape: {error}", scenario.body_name(index)), "correct its size")
        };
        bodies.push(rigid(body).map_err(shapeless)?);
    }
    let planes = planes(scenario);
    let of_walls = planes.iter().filter(|(partner, _)| matches!(partner, Partner::Wall(_)));
    Ok(Scene {
        walls: of_walls.map(|(_, plane)| *plane).collect(),
        ground: Some(Plane::ground()),
        gravity: scenario.gravity_vector(),
        surfaces: scenario.surfaces(),
        beads: beads(scenario),
        joints: scenario.world_joints(),
        passing: scenario.passing(),
        bodies,
    })
}
