use crate::{
    scenario::{Ends, PairContact, Scenario},
    world::{Bead, Coupling, CouplingLaw, Particles, Partner, Plane},
};

/// The particles of `scenario` as a world.
pub(crate) fn particles<const D: usize>(scenario: &Scenario<D>) -> Particles<D> {
    Particles {
        masses: scenario.bodies.iter().map(|body| (!body.fixed).then_some(body.mass)).collect(),
        gravity: scenario.gravity_vector(),
        planes: planes(scenario),
        surfaces: scenario.surfaces(),
        beads: beads(scenario),
        couplings: couplings(scenario),
    }
}

/// The ground and the walls.
pub(super) fn planes<const D: usize>(scenario: &Scenario<D>) -> Vec<(Partner, Plane<D>)> {
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

/// Rods and springs.
pub(super) fn couplings<const D: usize>(scenario: &Scenario<D>) -> Vec<Coupling<D>> {
    let coupling = |Ends { bodies, points }: Ends<D>, length, law| Coupling { bodies, points, length, law };
    let rods =
        scenario.rods.iter().map(|rod| coupling(rod.ends, rod.length_in(scenario), CouplingLaw::Rigid));
    let springs = scenario.springs.iter().map(|spring| {
        let law = CouplingLaw::Elastic { stiffness: spring.stiffness, damping: spring.damping };
        coupling(spring.ends, spring.length_in(scenario), law)
    });
    rods.chain(springs).collect()
}
