//! From a document to a scenario: which table holds what.

use super::{
    document::{Node, Value},
    schema::{GROUND, PARTICLE, PUSH, STEPPER, TOP},
    settings::settings,
    system,
    walker::{Open, Walker},
};
use crate::{
    model::Vector,
    scenario::{AnyScenario, Ground, Particle, Push, Scenario, StepperSettings},
};

/// A scenario whose vectors may have any length, harmless values in the place of faulty ones.
struct Draft {
    heading: Heading,
    particle: DraftParticle,
    ground: Ground,
    pushes: Vec<DraftPush>,
    steppers: StepperSettings,
}

/// The values at the top of a file.
pub(super) struct Heading {
    pub(super) name: String,
    pub(super) duration: f64,
    pub(super) step: f64,
    pub(super) gravity: f64,
}

/// A particle whose vectors may have any length.
pub(super) struct DraftParticle {
    mass: f64,
    pub(super) position: Option<Vec<f64>>,
    pub(super) velocity: Option<Vec<f64>>,
}

/// A push whose force may have any length; `shape` is the push without its force.
pub(super) struct DraftPush {
    force: Option<Vec<f64>>,
    shape: Push<2>,
    /// On which particle.
    pub(super) particle: Option<usize>,
}

/// Reads the whole document, noting down every problem in `walker`.
///
/// What comes back is a valid scenario only if `walker` has noted nothing.
pub(super) fn read(walker: &mut Walker<'_>, root: &Node) -> Option<AnyScenario> {
    let top = walker.open(&TOP, String::new(), root)?;
    let is_system =
        top.get("particle").is_some_and(|node| matches!(node.value, Value::Tables(_) | Value::List(_)));
    let scenario = if is_system { system::read(walker, &top) } else { single(walker, &top) };
    if let Err(violations) = scenario.check() {
        for violation in violations {
            walker.violation(violation);
        }
    }
    Some(scenario)
}

fn single(walker: &mut Walker<'_>, top: &Open<'_>) -> AnyScenario {
    let draft = draft(walker, top);
    walker.no_effect(
        top,
        &["rod", "spring", "contact"],
        "there is only one particle",
        "remove it, or give several particles, each opened with [[particle]] on a line of its own",
    );
    let over_plane = draft.particle.dimension("particle").is_some_and(|(_, dimension)| dimension == 3);
    if over_plane {
        AnyScenario::OverPlane(draft.into_scenario())
    } else {
        AnyScenario::InPlane(draft.into_scenario())
    }
}

fn draft(walker: &mut Walker<'_>, top: &Open<'_>) -> Draft {
    let heading = heading(walker, top);
    if top.get("particle").is_none() {
        walker.missing_table(top, &PARTICLE);
    }
    let particle = match walker.open_inner(top, "particle", &PARTICLE) {
        Some(table) => particle(walker, &table),
        None => DraftParticle::unknown(),
    };
    let ground = ground(walker, top);
    let pushes = pushes(walker, top, particle.dimension("particle"), false);
    let steppers = steppers(walker, top);
    Draft { heading, particle, ground, pushes, steppers }
}

pub(super) fn heading(walker: &mut Walker<'_>, top: &Open<'_>) -> Heading {
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

pub(super) fn steppers(walker: &mut Walker<'_>, top: &Open<'_>) -> StepperSettings {
    match walker.open_inner(top, "stepper", &STEPPER) {
        Some(table) => settings(walker, &table),
        None => StepperSettings::default(),
    }
}

pub(super) fn particle(walker: &mut Walker<'_>, table: &Open<'_>) -> DraftParticle {
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
    DraftParticle { mass, position, velocity }
}

pub(super) fn ground(walker: &mut Walker<'_>, top: &Open<'_>) -> Ground {
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
/// In a system a push may name its particle.
pub(super) fn pushes(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    reference: Option<(String, usize)>,
    in_system: bool,
) -> Vec<DraftPush> {
    let mut pushes = Vec::new();
    for (index, node) in tables(walker, top, "push").iter().enumerate() {
        // A faulty push keeps its place in the list, so that the others keep their numbers.
        let mut push = DraftPush { force: None, shape: Push::constant([0.0, 0.0]), particle: None };
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
            if in_system {
                push.particle = walker.count(&table, "particle");
            } else {
                walker.no_effect(&table, &["particle"], "there is only one particle", "remove it");
            }
        }
        pushes.push(push);
    }
    pushes
}

/// The tables of the list `key`, none if there is no such list.
pub(super) fn tables<'n>(walker: &mut Walker<'_>, top: &Open<'n>, key: &str) -> &'n [Node] {
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

impl Draft {
    fn into_scenario<const D: usize>(self) -> Scenario<D> {
        let Self { heading: Heading { name, duration, step, gravity }, particle, ground, pushes, steppers } =
            self;
        let particle = particle.into_particle();
        let pushes = pushes.into_iter().map(DraftPush::into_push).collect();
        Scenario { name, duration, step, gravity, particle, ground, pushes, steppers }
    }
}

impl DraftParticle {
    /// What stands in for a particle that could not be read.
    pub(super) fn unknown() -> Self {
        Self { mass: 1.0, position: None, velocity: None }
    }

    /// The vector that decides on the dimension, with its full key: the position, or the velocity
    /// where there is none.
    pub(super) fn dimension(&self, name: &str) -> Option<(String, usize)> {
        let position = self.position.as_ref().map(|position| (format!("{name}.position"), position.len()));
        position.or(self.velocity.as_ref().map(|velocity| (format!("{name}.velocity"), velocity.len())))
    }

    pub(super) fn into_particle<const D: usize>(self) -> Particle<D> {
        Particle { mass: self.mass, position: fixed(self.position), velocity: fixed(self.velocity) }
    }
}

impl DraftPush {
    pub(super) fn into_push<const D: usize>(self) -> Push<D> {
        let Push { from, to, frequency, phase, .. } = self.shape;
        Push { force: fixed(self.force), from, to, frequency, phase }
    }
}

/// The vector at its full length; zero if it has another one, which has been reported.
fn fixed<const D: usize>(vector: Option<Vec<f64>>) -> Vector<D> {
    vector
        .and_then(|components| <[f64; D]>::try_from(components).ok())
        .map_or_else(Vector::zeros, Vector::from)
}
