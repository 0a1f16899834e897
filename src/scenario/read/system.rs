//! From a document to a system of particles.

use super::{
    document::Node,
    draft::{DraftParticle, Heading, ground, heading, particle, pushes, steppers, tables},
    schema::{CONTACT, PARTICLES, ROD, SPRING, Section},
    walker::{Open, Walker},
};
use crate::scenario::{AnyScenario, PairContact, ParticleSystem, Rod, Spring, SystemPush};

/// Reads the whole document as a system, noting down every problem in `walker`.
pub(super) fn read(walker: &mut Walker<'_>, top: &Open<'_>) -> AnyScenario {
    let heading = heading(walker, top);
    let nodes = tables(walker, top, "particle");
    let mut dimension: Option<(String, usize)> = None;
    let mut particles = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let name = format!("particle[{index}]");
        // A faulty particle keeps its place, so that the others keep their numbers.
        let Some(table) = walker.open(&PARTICLES, name.clone(), node) else {
            particles.push(DraftParticle::unknown());
            continue;
        };
        let particle = particle(walker, &table);
        match (&dimension, &particle.position) {
            (None, _) => dimension = particle.dimension(&name),
            (Some((decider, length)), Some(position)) => {
                walker.same_length(&table, "position", position.len(), (decider, *length));
            }
            _ => {}
        }
        particles.push(particle);
    }
    let over_plane = dimension.as_ref().is_some_and(|(_, length)| *length == 3);
    if over_plane {
        AnyScenario::SystemOverPlane(system(walker, top, heading, particles, dimension))
    } else {
        AnyScenario::SystemInPlane(system(walker, top, heading, particles, dimension))
    }
}

fn system<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    heading: Heading,
    particles: Vec<DraftParticle>,
    dimension: Option<(String, usize)>,
) -> ParticleSystem<D> {
    let Heading { name, duration, step, gravity } = heading;
    let ground = ground(walker, top);
    let pushes = pushes(walker, top, dimension, true);
    ParticleSystem {
        name,
        duration,
        step,
        gravity,
        particles: particles.into_iter().map(DraftParticle::into_particle).collect(),
        ground,
        pushes: pushes
            .into_iter()
            .map(|push| SystemPush { particle: push.particle, push: push.into_push() })
            .collect(),
        rods: each(walker, top, &ROD, rod),
        springs: each(walker, top, &SPRING, spring),
        contacts: each(walker, top, &CONTACT, contact),
        steppers: steppers(walker, top),
    }
}

/// Reads every table of the list that `section` describes.
fn each<T>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    section: &'static Section,
    read: impl Fn(&mut Walker<'_>, &Open<'_>) -> T,
) -> Vec<T> {
    let key = section.path;
    let nodes: &[Node] = tables(walker, top, key);
    let mut all = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        // One that cannot be opened has been reported, and the scenario with it.
        if let Some(table) = walker.open(section, format!("{key}[{index}]"), node) {
            all.push(read(walker, &table));
        }
    }
    all
}

fn rod(walker: &mut Walker<'_>, table: &Open<'_>) -> Rod {
    Rod { particles: walker.required_pair(table, "particles"), length: walker.number(table, "length") }
}

fn spring(walker: &mut Walker<'_>, table: &Open<'_>) -> Spring {
    Spring {
        particles: walker.required_pair(table, "particles"),
        stiffness: walker.required_number(table, "stiffness"),
        damping: walker.number(table, "damping").unwrap_or(0.0),
        length: walker.number(table, "length"),
    }
}

fn contact(walker: &mut Walker<'_>, table: &Open<'_>) -> PairContact {
    PairContact {
        particles: walker.required_pair(table, "particles"),
        distance: walker.required_number(table, "distance"),
        friction: walker.number(table, "friction"),
    }
}
