//! From a document to a scenario: which table holds what.

use super::{
    document::{Node, Value},
    schema::{GROUND, PARTICLE, PUSH, STEPPER, TOP},
    settings::settings,
    walker::{Open, Walker},
};
use crate::{
    model::Vector,
    scenario::{AnyScenario, Ground, Particle, Push, Scenario, StepperSettings},
};

/// A scenario whose vectors may have any length, harmless values in the place of faulty ones.
struct Draft {
    name: String,
    duration: f64,
    step: f64,
    gravity: f64,
    mass: f64,
    position: Option<Vec<f64>>,
    velocity: Option<Vec<f64>>,
    ground: Ground,
    pushes: Vec<DraftPush>,
    steppers: StepperSettings,
}

/// A push of a [`Draft`]; `shape` is the push without its force.
struct DraftPush {
    force: Option<Vec<f64>>,
    shape: Push<2>,
}

/// Reads the whole document, noting down every problem in `walker`.
///
/// What comes back is a valid scenario only if `walker` has noted nothing.
pub(super) fn read(walker: &mut Walker<'_>, root: &Node) -> Option<AnyScenario> {
    let top = walker.open(&TOP, String::new(), root)?;
    let draft = draft(walker, &top);
    let vectors = [&draft.position, &draft.velocity];
    let over_plane = vectors.into_iter().flatten().next().is_some_and(|vector| vector.len() == 3);
    let scenario = if over_plane {
        AnyScenario::OverPlane(draft.into_scenario())
    } else {
        AnyScenario::InPlane(draft.into_scenario())
    };
    if let Err(violations) = scenario.check() {
        for violation in violations {
            walker.violation(violation);
        }
    }
    Some(scenario)
}

fn draft(walker: &mut Walker<'_>, top: &Open<'_>) -> Draft {
    let blank = Scenario::<2>::new("");
    if top.get("name").is_none() {
        walker.missing(top, "name");
    }
    let name = walker.text(top, "name").unwrap_or_default().to_owned();
    let duration = walker.required_number(top, "duration");
    let step = walker.required_number(top, "step");
    let gravity = walker.number(top, "gravity").unwrap_or(blank.gravity);
    let (mass, position, velocity) = particle(walker, top);
    let ground = ground(walker, top);
    let reference = position.as_ref().map(|position| ("particle.position", position.len()));
    let reference = reference.or(velocity.as_ref().map(|velocity| ("particle.velocity", velocity.len())));
    let pushes = pushes(walker, top, reference);
    let steppers = match walker.open_inner(top, "stepper", &STEPPER) {
        Some(table) => settings(walker, &table),
        None => StepperSettings::default(),
    };
    Draft { name, duration, step, gravity, mass, position, velocity, ground, pushes, steppers }
}

fn particle(walker: &mut Walker<'_>, top: &Open<'_>) -> (f64, Option<Vec<f64>>, Option<Vec<f64>>) {
    if top.get("particle").is_none() {
        walker.missing_table(top, &PARTICLE);
    }
    let Some(table) = walker.open_inner(top, "particle", &PARTICLE) else { return (1.0, None, None) };
    let mass = walker.required_number(&table, "mass");
    for key in ["position", "velocity"] {
        if table.get(key).is_none() {
            walker.missing(&table, key);
        }
    }
    let position = walker.vector(&table, "position");
    let velocity = walker.vector(&table, "velocity");
    if let (Some(position), Some(velocity)) = (&position, &velocity) {
        walker.same_length(&table, "velocity", velocity.len(), ("particle.position", position.len()));
    }
    (mass, position, velocity)
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

fn pushes(walker: &mut Walker<'_>, top: &Open<'_>, reference: Option<(&str, usize)>) -> Vec<DraftPush> {
    let Some(node) = top.get("push") else { return Vec::new() };
    let (Value::List(list) | Value::Tables(list)) = &node.value else {
        let message = match node.value {
            Value::Table(_) => "`push` must be a list of tables, found one table".to_owned(),
            ref other => format!("`push` must be a list of tables, found {}", other.kind()),
        };
        let help = "open every push with double brackets, [[push]], on a line of its own";
        walker.report(&node.source, "push".to_owned(), message, help.to_owned());
        return Vec::new();
    };
    let mut pushes = Vec::with_capacity(list.len());
    for (index, node) in list.iter().enumerate() {
        // A faulty push keeps its place in the list, so that the others keep their numbers.
        let mut push = DraftPush { force: None, shape: Push::constant([0.0, 0.0]) };
        if let Some(table) = walker.open(&PUSH, format!("push[{index}]"), node) {
            if table.get("force").is_none() {
                walker.missing(&table, "force");
            }
            push.force = walker.vector(&table, "force");
            if let (Some(force), Some(reference)) = (&push.force, reference) {
                walker.same_length(&table, "force", force.len(), reference);
            }
            push.shape.from = walker.number(&table, "from");
            push.shape.to = walker.number(&table, "to");
            push.shape.frequency = walker.number(&table, "frequency");
            walker.set_number(&table, "phase", &mut push.shape.phase);
        }
        pushes.push(push);
    }
    pushes
}

impl Draft {
    fn into_scenario<const D: usize>(self) -> Scenario<D> {
        let Self { name, duration, step, gravity, mass, position, velocity, ground, pushes, steppers } = self;
        let particle = Particle { mass, position: fixed(position), velocity: fixed(velocity) };
        let pushes = pushes.into_iter().map(DraftPush::into_push).collect();
        Scenario { name, duration, step, gravity, particle, ground, pushes, steppers }
    }
}

impl DraftPush {
    fn into_push<const D: usize>(self) -> Push<D> {
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
