use crate::{
    scenario::{PairContact, Rod, Scenario, Spring},
    world::{Bead, Coupling, CouplingLaw, Particles, Partner, Plane, Surface},
};

/// The particles of `scenario` as a world.
pub(crate) fn particles<const D: usize>(scenario: &Scenario<D>) -> Particles<D> {
    let surface = Surface { friction: scenario.ground.friction, restitution: scenario.ground.restitution };
    let bead = |contact: &PairContact| Bead {
        particles: contact.bodies,
        distance: contact.distance,
        surface: Surface { friction: contact.friction.unwrap_or(surface.friction), ..surface },
    };
    let length = |given: Option<f64>, bodies| given.unwrap_or_else(|| scenario.initial_distance(bodies));
    let rods = scenario.rods.iter().map(|rod: &Rod| Coupling {
        particles: rod.bodies,
        length: length(rod.length, rod.bodies),
        law: CouplingLaw::Rigid,
    });
    let springs = scenario.springs.iter().map(|spring: &Spring| Coupling {
        particles: spring.bodies,
        length: length(spring.length, spring.bodies),
        law: CouplingLaw::Elastic { stiffness: spring.stiffness, damping: spring.damping },
    });
    Particles {
        masses: scenario.bodies.iter().map(|body| body.mass).collect(),
        gravity: scenario.gravity_vector(),
        planes: vec![(Partner::Ground, Plane::ground(surface))],
        pairs: Vec::new(),
        beads: scenario.contacts.iter().map(bead).collect(),
        couplings: rods.chain(springs).collect(),
    }
}
