use crate::{
    scenario::{PairContact, Scenario},
    world::{Bead, Particles, Partner, Plane},
};

/// The particles of `scenario` as a world.
pub(crate) fn particles<const D: usize>(scenario: &Scenario<D>) -> Particles<D> {
    Particles {
        masses: scenario.bodies.iter().map(|body| (!body.fixed).then_some(body.mass)).collect(),
        courses: scenario.courses().collect(),
        gravity: scenario.gravity_vector(),
        planes: planes(scenario),
        surfaces: scenario.surfaces(),
        beads: beads(scenario),
        joints: scenario.world_joints(),
    }
}

/// The ground and the walls.
pub(crate) fn planes<const D: usize>(scenario: &Scenario<D>) -> Vec<(Partner, Plane<D>)> {
    let walls = scenario.walls.iter().enumerate().map(|(index, wall)| {
        let velocity = wall.velocity_in_frame();
        (Partner::Wall(index), Plane { normal: wall.normal, offset: wall.offset, velocity })
    });
    std::iter::once((Partner::Ground, Plane::ground())).chain(walls).collect()
}

/// Pairs that touch at a distance.
pub(super) fn beads<const D: usize>(scenario: &Scenario<D>) -> Vec<Bead> {
    let bead = |contact: &PairContact| Bead { particles: contact.bodies, distance: contact.distance };
    scenario.contacts.iter().map(bead).collect()
}
