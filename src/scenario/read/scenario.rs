//! From a document to a scenario: which table holds what.

use super::{
    bodies::{bodies, friction_axis, pairs, particle, walls},
    couplings::{Ends, contact, rod, spring},
    dimension::{Decider, decider},
    document::{Node, Value},
    joints::joints,
    names::Names,
    pushes::{are_from_files, pushes},
    settings::settings,
    walker::{Open, Walker},
};
use crate::scenario::{
    AnyScenario, Body, Ground, Scenario, StepperSettings, Violation,
    keys::{
        CONTACT, GROUND, STEPPER, Section, body, particle as particle_table, particles, rod as rods,
        spring as springs, top as top_table,
    },
};

/// How a file gives what moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moving {
    /// As one `[particle]`.
    Particle,
    /// As a list of `[[particle]]`s.
    Particles,
    /// As a list of `[[body]]`s.
    Bodies,
}

impl Moving {
    fn of(top: &Open<'_>) -> Self {
        let is_list = |node: &Node| matches!(node.value, Value::Tables(_) | Value::List(_));
        match (top.get("body"), top.get("particle")) {
            (Some(_), _) => Self::Bodies,
            (None, Some(node)) if is_list(node) => Self::Particles,
            _ => Self::Particle,
        }
    }
}

/// Reads the whole document, noting down every problem in `walker`.
///
/// What comes back is a valid scenario only if `walker` has noted nothing.
pub(super) fn read(walker: &mut Walker<'_>, root: &Node) -> Option<AnyScenario> {
    let top = walker.open(top_table::<2>(), String::new(), root)?;
    let moving = Moving::of(&top);
    let dimension = decider(&top, moving);
    walker.learn(&dimension);
    if dimension.as_ref().is_some_and(|(_, length)| *length == 3) {
        read_in::<3>(walker, &top, moving, &dimension).map(AnyScenario::OverPlane)
    } else {
        read_in::<2>(walker, &top, moving, &dimension).map(AnyScenario::InPlane)
    }
}

/// Reads a scenario of a known dimension, harmless values in the place of faulty ones.
fn read_in<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    moving: Moving,
    dimension: &Decider,
) -> Option<Scenario<D>> {
    let bodies = match moving {
        Moving::Bodies => bodies(walker, top, dimension),
        Moving::Particles => several_particles(walker, top, dimension),
        Moving::Particle => vec![particle_alone(walker, top)],
    };
    if moving == Moving::Bodies {
        misplaced_beside_bodies(walker, top, bodies.is_empty());
    }
    let walls = walls(walker, top, dimension);
    let names = Names::new(bodies.iter().map(|body| body.name.as_deref()), walls.len());
    let named = (moving == Moving::Bodies).then_some(&names);
    let ends = Ends { names: named, components: D };
    let mut scenario = Scenario { walls, bodies, ..heading(walker, top) };
    scenario.ground = ground(walker, top);
    scenario.pairs = pairs(walker, top, &names);
    scenario.pushes = pushes(walker, top, dimension, (moving, named));
    scenario.rods = each(walker, top, rods::<D>(), |walker, table| rod(walker, table, &ends));
    scenario.springs = each(walker, top, springs::<D>(), |walker, table| spring(walker, table, &ends));
    scenario.contacts = each(walker, top, &CONTACT, |walker, table| contact(walker, table, &ends));
    scenario.joints = joints(walker, top, dimension, named);
    scenario.steppers = steppers(walker, top);
    // Where nothing moves, the rules would say so once more, of all that moves it.
    if scenario.bodies.is_empty() && moving == Moving::Bodies {
        return None;
    }
    scenario.assemble();
    hold_against_the_rules(walker, top, moving, &scenario);
    Some(scenario)
}

/// Reports what the rules forbid, by the keys of the file.
fn hold_against_the_rules<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    moving: Moving,
    scenario: &Scenario<D>,
) {
    let Err(violations) = scenario.check() else { return };
    let from_files = are_from_files(top);
    for mut violation in violations {
        // The rules call a single particle by the key it has when it is not in a list.
        if moving == Moving::Particles
            && let Some(rest) = violation.key.strip_prefix("particle.")
        {
            violation.key = format!("particle[0].{rest}");
        }
        // The rules call the rows of a file a table, which its scenario has not.
        let is_of = |index: &&usize| violation.key.starts_with(&format!("push[{index}].table"));
        if let Some(index) = from_files.iter().find(is_of) {
            let Violation { value, allowed, .. } = &violation;
            violation.allowed = format!("a file without {value}, where it is to be {allowed}");
            violation.key = format!("push[{index}].file");
        }
        walker.violation(violation);
    }
}

/// Reports what a file with `[[body]]` has no place for, or that the list `is_empty`.
fn misplaced_beside_bodies(walker: &mut Walker<'_>, top: &Open<'_>, is_empty: bool) {
    // A list that is none has been reported.
    if is_empty {
        return no_bodies(walker, top);
    }
    let help = "remove it; a [[body]] of shape = \"point\" is a particle";
    walker.no_effect(top, &["particle"], "the scenario has [[body]]", help);
}

/// Reports a list of bodies in which there is none.
fn no_bodies(walker: &mut Walker<'_>, top: &Open<'_>) {
    if let Some(node) = top.get("body").filter(|node| matches!(node.value, Value::List(_))) {
        let message = "`body` is an empty list, but a scenario moves something".to_owned();
        let help = match top.get("particle") {
            Some(_) => "remove it for the particle alone, or give at least one [[body]] in its place",
            None => "give at least one [[body]], or a [particle] in its place",
        };
        walker.report(&node.source, "body".to_owned(), message, help.to_owned());
    }
}

/// The one body of `[particle]`.
fn particle_alone<const D: usize>(walker: &mut Walker<'_>, top: &Open<'_>) -> Body<D> {
    if top.get("particle").is_none() {
        walker.missing_table(top, particle_table::<D>(), Some(body::<D>()));
    }
    walker.no_effect(
        top,
        &["rod", "spring", "contact"],
        "there is only one particle",
        "remove it, or give several particles, each opened with [[particle]] on a line of its own",
    );
    match walker.open_inner(top, "particle", particle_table::<D>()) {
        Some(table) => particle(walker, &table, &None),
        None => Body::default(),
    }
}

/// The bodies of a list of `[[particle]]`s.
fn several_particles<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    dimension: &Decider,
) -> Vec<Body<D>> {
    let nodes = walker.tables(top, "particle");
    let mut bodies = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        // A faulty particle keeps its place, so that the others keep their numbers.
        bodies.push(match walker.open(particles::<D>(), format!("particle[{index}]"), node) {
            Some(table) => particle(walker, &table, dimension),
            None => Body::default(),
        });
    }
    bodies
}

/// A scenario with the values at the top of a file, and nothing in it.
fn heading<const D: usize>(walker: &mut Walker<'_>, top: &Open<'_>) -> Scenario<D> {
    if top.get("name").is_none() {
        walker.missing(top, "name");
    }
    let mut scenario = Scenario::new(walker.text(top, "name").unwrap_or_default());
    walker.fill(top, top_table(), &mut scenario);
    scenario
}

fn steppers(walker: &mut Walker<'_>, top: &Open<'_>) -> StepperSettings {
    match walker.open_inner(top, "stepper", &STEPPER) {
        Some(table) => settings(walker, &table),
        None => StepperSettings::default(),
    }
}

fn ground(walker: &mut Walker<'_>, top: &Open<'_>) -> Ground {
    let mut ground = Ground::default();
    if top.get("ground").is_none() {
        walker.missing_table(top, &GROUND, None);
    }
    if let Some(table) = walker.open_inner(top, "ground", &GROUND) {
        walker.fill(&table, &GROUND, &mut ground);
        ground.sliding.friction_axis = friction_axis(walker, &table);
    }
    ground
}

/// Reads every table of the list that `section` describes.
fn each<T>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    section: &'static dyn Section,
    read: impl Fn(&mut Walker<'_>, &Open<'_>) -> T,
) -> Vec<T> {
    let key = section.path();
    let nodes: &[Node] = walker.tables(top, key);
    let mut all = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        // One that cannot be opened has been reported, and the scenario with it.
        if let Some(table) = walker.open(section, format!("{key}[{index}]"), node) {
            all.push(read(walker, &table));
        }
    }
    all
}
