use crate::{
    scenario::{Ends, PairContact, Scenario},
    world::{Bead, Coupling, CouplingLaw, Particles, Partner, Plane, Surface},
};

/// The particles of `scenario` as a world.
pub(crate) fn particles<const D: usize>(scenario: &Scenario<D>) -> Particles<D> {
    Particles {
        masses: scenario.bodies.iter().map(|body| (!body.fixed).then_some(body.mass)).collect(),
        gravity: scenario.gravity_vector(),
        planes: planes(scenario),
        pairs: pairs(scenario),
        beads: beads(scenario),
        couplings: couplings(scenario),
    }
}

/// What holds between a body and its partner.
pub(crate) fn surface<const D: usize>(scenario: &Scenario<D>, first: usize, second: Partner) -> Surface {
    Surface { friction: scenario.friction(first, second), restitution: scenario.restitution(first, second) }
}

/// The ground and the walls.
pub(crate) fn planes<const D: usize>(scenario: &Scenario<D>) -> Vec<(Partner, Plane<D>)> {
    let ground = Surface { friction: scenario.ground.friction, restitution: scenario.ground.restitution };
    let walls = scenario.walls.iter().enumerate().map(|(index, wall)| {
        let surface = Surface {
            friction: wall.friction.unwrap_or(ground.friction),
            restitution: wall.restitution.unwrap_or(ground.restitution),
        };
        let velocity = wall.velocity_in_frame();
        (Partner::Wall(index), Plane { normal: wall.normal, offset: wall.offset, velocity, surface })
    });
    std::iter::once((Partner::Ground, Plane::ground(ground))).chain(walls).collect()
}

/// What holds between particular partners.
pub(super) fn pairs<const D: usize>(scenario: &Scenario<D>) -> Vec<(usize, Partner, Surface)> {
    let of_pair =
        |pair: &crate::scenario::Pair| (pair.first, pair.second, surface(scenario, pair.first, pair.second));
    scenario.pairs.iter().map(of_pair).collect()
}

/// Pairs that touch at a distance.
pub(super) fn beads<const D: usize>(scenario: &Scenario<D>) -> Vec<Bead> {
    let bead = |contact: &PairContact| {
        let [first, second] = contact.bodies;
        let between = surface(scenario, first, Partner::Body(second));
        Bead {
            particles: contact.bodies,
            distance: contact.distance,
            surface: Surface { friction: contact.friction.unwrap_or(between.friction), ..between },
        }
    };
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
