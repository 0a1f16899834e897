//! From a document to a scenario: which table holds what.

use super::{
    document::{Node, Value},
    schema::{CONTACT, GROUND, PARTICLE, PARTICLES, PUSH, ROD, SPRING, STEPPER, Section, TOP},
    settings::settings,
    walker::{Open, Walker},
};
use crate::{
    model::Vector,
    scenario::{AnyScenario, Body, Ground, PairContact, Push, Rod, Scenario, Spring, StepperSettings},
};

/// A scenario whose vectors may have any length, harmless values in the place of faulty ones.
struct Draft {
    heading: Heading,
    bodies: Vec<DraftBody>,
    ground: Ground,
    pushes: Vec<DraftPush>,
    rods: Vec<Rod>,
    springs: Vec<Spring>,
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

/// A body whose vectors may have any length.
struct DraftBody {
    mass: f64,
    position: Option<Vec<f64>>,
    velocity: Option<Vec<f64>>,
}

/// A push whose force may have any length; `shape` is the push without its force.
struct DraftPush {
    force: Option<Vec<f64>>,
    shape: Push<2>,
}

/// Reads the whole document, noting down every problem in `walker`.
///
/// What comes back is a valid scenario only if `walker` has noted nothing.
pub(super) fn read(walker: &mut Walker<'_>, root: &Node) -> Option<AnyScenario> {
    let top = walker.open(&TOP, String::new(), root)?;
    let in_list =
        top.get("particle").is_some_and(|node| matches!(node.value, Value::Tables(_) | Value::List(_)));
    let (bodies, dimension) = if in_list { particles(walker, &top) } else { particle_alone(walker, &top) };
    let over_plane = dimension.as_ref().is_some_and(|(_, length)| *length == 3);
    let draft = Draft {
        heading: heading(walker, &top),
        bodies,
        ground: ground(walker, &top),
        pushes: pushes(walker, &top, dimension, in_list),
        rods: each(walker, &top, &ROD, rod),
        springs: each(walker, &top, &SPRING, spring),
        contacts: each(walker, &top, &CONTACT, contact),
        steppers: steppers(walker, &top),
    };
    let scenario = if over_plane {
        AnyScenario::OverPlane(draft.into_scenario())
    } else {
        AnyScenario::InPlane(draft.into_scenario())
    };
    if let Err(violations) = scenario.check() {
        for mut violation in violations {
            // The rules call a single particle by the key it has when it is not in a list.
            if in_list && let Some(rest) = violation.key.strip_prefix("particle.") {
                violation.key = format!("particle[0].{rest}");
            }
            walker.violation(violation);
        }
    }
    Some(scenario)
}

/// The vector that decides on the dimension: its full key, and its length.
type Decider = Option<(String, usize)>;

/// The one body of `[particle]`.
fn particle_alone(walker: &mut Walker<'_>, top: &Open<'_>) -> (Vec<DraftBody>, Decider) {
    if top.get("particle").is_none() {
        walker.missing_table(top, &PARTICLE);
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
    for (index, node) in tables(walker, top, "particle").iter().enumerate() {
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
    DraftBody { mass, position, velocity }
}

fn ground(walker: &mut Walker<'_>, top: &Open<'_>) -> Ground {
    let mut ground = Ground::default();
    if top.get("ground").is_none() {
        walker.missing_table(top, &GROUND);
    }
    if let Some(table) = walker.open_inner(top, "ground", &GROUND) {
        ground.friction = walker.required_number(&table, "friction");
        walker.set_number(&table, "restitution", &mut ground.restitution);
        walker.set_number(&table, "slope", &mut ground.slope);
    }
    ground
}

/// The pushes; their vectors have to be as long as the one of `reference`, given by name and length.
/// Of several particles a push may name its own.
fn pushes(walker: &mut Walker<'_>, top: &Open<'_>, reference: Decider, in_list: bool) -> Vec<DraftPush> {
    let mut pushes = Vec::new();
    for (index, node) in tables(walker, top, "push").iter().enumerate() {
        // A faulty push keeps its place in the list, so that the others keep their numbers.
        let mut push = DraftPush { force: None, shape: Push::constant([0.0, 0.0]) };
        if let Some(table) = walker.open(&PUSH, format!("push[{index}]"), node) {
            if table.get("force").is_none() {
                walker.missing(&table, "force");
            }
            push.force = walker.vector(&table, "force");
            if let (Some(force), Some((decider, length))) = (&push.force, &reference) {
                walker.same_length(&table, "force", force.len(), (decider, *length));
            }
            push.shape.from = walker.number(&table, "from");
            push.shape.to = walker.number(&table, "to");
            push.shape.frequency = walker.number(&table, "frequency");
            walker.set_number(&table, "phase", &mut push.shape.phase);
            if in_list {
                push.shape.body = walker.count(&table, "particle");
            } else {
                walker.no_effect(&table, &["particle"], "there is only one particle", "remove it");
            }
        }
        pushes.push(push);
    }
    pushes
}

/// The tables of the list `key`, none if there is no such list.
fn tables<'n>(walker: &mut Walker<'_>, top: &Open<'n>, key: &str) -> &'n [Node] {
    let Some(node) = top.get(key) else { return &[] };
    match &node.value {
        Value::List(list) | Value::Tables(list) => list,
        other => {
            let found = if matches!(other, Value::Table(_)) { "one table" } else { other.kind() };
            let message = format!("`{key}` must be a list of tables, found {found}");
            let help = format!("open every {key} with double brackets, [[{key}]], on a line of its own");
            walker.report(&node.source, key.to_owned(), message, help);
            &[]
        }
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
    Rod { bodies: walker.required_pair(table, "particles"), length: walker.number(table, "length") }
}

fn spring(walker: &mut Walker<'_>, table: &Open<'_>) -> Spring {
    Spring {
        bodies: walker.required_pair(table, "particles"),
        stiffness: walker.required_number(table, "stiffness"),
        damping: walker.number(table, "damping").unwrap_or(0.0),
        length: walker.number(table, "length"),
    }
}

fn contact(walker: &mut Walker<'_>, table: &Open<'_>) -> PairContact {
    PairContact {
        bodies: walker.required_pair(table, "particles"),
        distance: walker.required_number(table, "distance"),
        friction: walker.number(table, "friction"),
    }
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
            pushes: self.pushes.into_iter().map(DraftPush::into_push).collect(),
            rods: self.rods,
            springs: self.springs,
            contacts: self.contacts,
            steppers: self.steppers,
        }
    }
}

impl DraftBody {
    /// What stands in for a body that could not be read.
    fn unknown() -> Self {
        Self { mass: 1.0, position: None, velocity: None }
    }

    /// The vector that decides on the dimension, with its full key: the position, or the velocity
    /// where there is none.
    fn dimension(&self, name: &str) -> Decider {
        let position = self.position.as_ref().map(|position| (format!("{name}.position"), position.len()));
        position.or(self.velocity.as_ref().map(|velocity| (format!("{name}.velocity"), velocity.len())))
    }

    fn into_body<const D: usize>(self) -> Body<D> {
        Body::point(self.mass, fixed(self.position), fixed(self.velocity))
    }
}

impl DraftPush {
    fn into_push<const D: usize>(self) -> Push<D> {
        let Push { body, from, to, frequency, phase, .. } = self.shape;
        Push { body, force: fixed(self.force), from, to, frequency, phase }
    }
}

/// The vector at its full length; zero if it has another one, which has been reported.
fn fixed<const D: usize>(vector: Option<Vec<f64>>) -> Vector<D> {
    vector
        .and_then(|components| <[f64; D]>::try_from(components).ok())
        .map_or_else(Vector::zeros, Vector::from)
}
