//! From a document to a scenario: which table holds what.

use super::{
    bodies::{DraftBody, DraftWall, bodies, pairs, walls},
    couplings::{DraftRod, DraftSpring, Ends, contact, rod, spring},
    dimension::Decider,
    document::{Node, Value},
    names::Names,
    pushes::{DraftPush, pushes},
    schema::{BODY, CONTACT, GROUND, PARTICLE, PARTICLES, ROD, SPRING, STEPPER, Section, TOP},
    settings::settings,
    walker::{Open, Walker},
};
use crate::scenario::{AnyScenario, Ground, Pair, PairContact, Scenario, StepperSettings, Violation};

/// A scenario whose vectors may have any length, harmless values in the place of faulty ones.
struct Draft {
    heading: Heading,
    bodies: Vec<DraftBody>,
    ground: Ground,
    walls: Vec<DraftWall>,
    pairs: Vec<Pair>,
    pushes: Vec<DraftPush>,
    rods: Vec<DraftRod>,
    springs: Vec<DraftSpring>,
    contacts: Vec<PairContact>,
    steppers: StepperSettings,
}

/// The values at the top of a file.
struct Heading {
    name: String,
    duration: f64,
    step: f64,
    gravity: f64,
}

/// Reads the whole document, noting down every problem in `walker`.
///
/// What comes back is a valid scenario only if `walker` has noted nothing.
pub(super) fn read(walker: &mut Walker<'_>, root: &Node) -> Option<AnyScenario> {
    let top = walker.open(&TOP, String::new(), root)?;
    let in_list =
        top.get("particle").is_some_and(|node| matches!(node.value, Value::Tables(_) | Value::List(_)));
    let has_bodies = top.get("body").is_some();
    let (bodies, dimension) = match (has_bodies, in_list) {
        (true, _) => bodies(walker, &top),
        (false, true) => particles(walker, &top),
        (false, false) => particle_alone(walker, &top),
    };
    if has_bodies && bodies.is_empty() {
        // A list that is none has been reported.
        no_bodies(walker, &top);
    } else if has_bodies {
        let why = "the scenario has [[body]]";
        walker.no_effect(
            &top,
            &["particle"],
            why,
            "remove it; a [[body]] of shape = \"point\" is a particle",
        );
    } else {
        let help = "remove it, or give the scenario bodies, each opened with [[body]] on a line of its own";
        walker.no_effect(&top, &["wall", "pair"], "the scenario has no [[body]]", help);
    }
    let has_none = has_bodies && bodies.is_empty();
    walker.learn(&dimension);
    let over_plane = dimension.as_ref().is_some_and(|(_, length)| *length == 3);
    let walls = walls(walker, &top, &dimension);
    let names = Names::new(bodies.iter().map(|body| body.name.as_deref()), walls.len());
    let ends = Ends { names: has_bodies.then_some(&names), components: if over_plane { 3 } else { 2 } };
    let draft = Draft {
        heading: heading(walker, &top),
        bodies,
        ground: ground(walker, &top),
        walls,
        pairs: pairs(walker, &top, &names),
        pushes: pushes(walker, &top, &dimension, (in_list, has_bodies.then_some(&names))),
        rods: each(walker, &top, &ROD, |walker, table| rod(walker, table, &ends)),
        springs: each(walker, &top, &SPRING, |walker, table| spring(walker, table, &ends)),
        contacts: each(walker, &top, &CONTACT, |walker, table| contact(walker, table, &ends)),
        steppers: steppers(walker, &top),
    };
    let from_files: Vec<usize> =
        (0..draft.pushes.len()).filter(|&index| draft.pushes[index].is_from_file()).collect();
    let scenario = if over_plane {
        AnyScenario::OverPlane(draft.into_scenario())
    } else {
        AnyScenario::InPlane(draft.into_scenario())
    };
    if has_none {
        // The rules would say once more that nothing moves, of all that moves it.
        return None;
    }
    if let Err(violations) = scenario.check() {
        for mut violation in violations {
            // The rules call a single particle by the key it has when it is not in a list.
            if in_list && let Some(rest) = violation.key.strip_prefix("particle.") {
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
    Some(scenario)
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
fn particle_alone(walker: &mut Walker<'_>, top: &Open<'_>) -> (Vec<DraftBody>, Decider) {
    if top.get("particle").is_none() {
        walker.missing_table(top, &PARTICLE, Some(&BODY));
    }
    walker.no_effect(
        top,
        &["rod", "spring", "contact"],
        "there is only one particle",
        "remove it, or give several particles, each opened with [[particle]] on a line of its own",
    );
    let body = match walker.open_inner(top, "particle", &PARTICLE) {
        Some(table) => particle(walker, &table),
        None => DraftBody::unknown(),
    };
    let dimension = body.dimension("particle");
    (vec![body], dimension)
}

/// The bodies of a list of `[[particle]]`s.
fn particles(walker: &mut Walker<'_>, top: &Open<'_>) -> (Vec<DraftBody>, Decider) {
    let mut dimension: Decider = None;
    let mut bodies = Vec::new();
    for (index, node) in walker.tables(top, "particle").iter().enumerate() {
        let name = format!("particle[{index}]");
        // A faulty particle keeps its place, so that the others keep their numbers.
        let Some(table) = walker.open(&PARTICLES, name.clone(), node) else {
            bodies.push(DraftBody::unknown());
            continue;
        };
        let body = particle(walker, &table);
        match (&dimension, &body.position) {
            (None, _) => dimension = body.dimension(&name),
            (Some((decider, length)), Some(position)) => {
                walker.same_length(&table, "position", position.len(), (decider, *length));
            }
            _ => {}
        }
        bodies.push(body);
    }
    (bodies, dimension)
}

fn heading(walker: &mut Walker<'_>, top: &Open<'_>) -> Heading {
    if top.get("name").is_none() {
        walker.missing(top, "name");
    }
    Heading {
        name: walker.text(top, "name").unwrap_or_default().to_owned(),
        duration: walker.required_number(top, "duration"),
        step: walker.required_number(top, "step"),
        gravity: walker.number(top, "gravity").unwrap_or(Scenario::<2>::new("").gravity),
    }
}

fn steppers(walker: &mut Walker<'_>, top: &Open<'_>) -> StepperSettings {
    match walker.open_inner(top, "stepper", &STEPPER) {
        Some(table) => settings(walker, &table),
        None => StepperSettings::default(),
    }
}

fn particle(walker: &mut Walker<'_>, table: &Open<'_>) -> DraftBody {
    let mass = walker.required_number(table, "mass");
    for key in ["position", "velocity"] {
        if table.get(key).is_none() {
            walker.missing(table, key);
        }
    }
    let position = walker.vector(table, "position");
    let velocity = walker.vector(table, "velocity");
    if let (Some(position), Some(velocity)) = (&position, &velocity) {
        let decider = table.full_key("position");
        walker.same_length(table, "velocity", velocity.len(), (&decider, position.len()));
    }
    DraftBody::point(mass, position, velocity)
}

fn ground(walker: &mut Walker<'_>, top: &Open<'_>) -> Ground {
    let mut ground = Ground::default();
    if top.get("ground").is_none() {
        walker.missing_table(top, &GROUND, None);
    }
    if let Some(table) = walker.open_inner(top, "ground", &GROUND) {
        ground.friction = walker.required_number(&table, "friction");
        walker.set_number(&table, "restitution", &mut ground.restitution);
        walker.set_number(&table, "slope", &mut ground.slope);
    }
    ground
}

/// Reads every table of the list that `section` describes.
fn each<T>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    section: &'static Section,
    read: impl Fn(&mut Walker<'_>, &Open<'_>) -> T,
) -> Vec<T> {
    let key = section.path;
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

impl Draft {
    fn into_scenario<const D: usize>(self) -> Scenario<D> {
        let Heading { name, duration, step, gravity } = self.heading;
        Scenario {
            name,
            duration,
            step,
            gravity,
            bodies: self.bodies.into_iter().map(DraftBody::into_body).collect(),
            ground: self.ground,
            walls: self.walls.into_iter().map(DraftWall::into_wall).collect(),
            pairs: self.pairs,
            pushes: self.pushes.into_iter().map(DraftPush::into_push).collect(),
            rods: self.rods.into_iter().map(DraftRod::into_rod).collect(),
            springs: self.springs.into_iter().map(DraftSpring::into_spring).collect(),
            contacts: self.contacts,
            steppers: self.steppers,
        }
    }
}
