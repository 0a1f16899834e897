//! What a plan admits of a scenario, and of what it asks for.

use super::{Placed, Reader, Source, Table, shown};
use crate::{
    decimal::rounded,
    plan::{
        candidates::{Candidate, Geometry},
        task::{AimedModel, Cost, PlanTask},
        units::Units,
    },
    scenario::{AnyScenario, Choice as _, Scenario, Shape},
};

/// Deepest overlap at the start or at the goal, in units of the plan.
const DEEPEST: f64 = 1e-6;

impl Reader<'_> {
    /// The scenario, if plans know all that is in it.
    pub(super) fn admitted(&mut self, scenario: AnyScenario, place: &Placed<'_>) -> Option<Scenario<2>> {
        let Some(scenario) = PlanTask::planar(scenario) else {
            let message = "the scenario is in space, and plans are made in a vertical plane";
            let help = "give two-component vectors (x, z)";
            self.fault(&place.of("particle.position"), "scenario", message, help);
            return None;
        };
        let before = self.findings.len();
        let mut refuse =
            |key: &str, message: String, help: &str| self.fault(&place.of(key), key, message, help);
        let joined = [
            ("rod", scenario.rods.len()),
            ("spring", scenario.springs.len()),
            ("joint", scenario.joints.len()),
            ("contact", scenario.contacts.len()),
        ];
        for (key, count) in joined {
            if count > 0 {
                let message = format!("the scenario has [[{key}]], which plans do not know");
                refuse(key, message, "remove it: a plan moves bodies that are joined by nothing but contact");
            }
        }
        for (index, body) in scenario.bodies.iter().enumerate() {
            if body.fixed {
                let message =
                    format!("body {} is {}, which plans do not know", scenario.body_name(index), body.held());
                refuse(&format!("body[{index}].fixed"), message, "give what does not move as [[wall]]");
            }
            if let Shape::Compound { .. } = body.shape {
                let message =
                    format!("{} is of several parts, which plans do not know", scenario.body_name(index));
                refuse(&format!("body[{index}].part"), message, "take one convex shape");
            }
            if body.shape == Shape::Point && scenario.has_turning_bodies() {
                let message = format!("{} is a point beside bodies that turn", scenario.body_name(index));
                refuse(
                    &format!("body[{index}].shape"),
                    message,
                    "make it a small disc, or the others points",
                );
            }
        }
        let is_polygon =
            |shape: &Shape<2>| !matches!(shape, Shape::Point | Shape::Ball { .. } | Shape::Compound { .. });
        let polygons: Vec<usize> =
            (0..scenario.bodies.len()).filter(|body| is_polygon(&scenario.bodies[*body].shape)).collect();
        if let [first, second, ..] = polygons.as_slice() {
            let names = [first, second].map(|body| scenario.body_name(*body));
            let message = format!(
                "{} and {} are polygons that may meet, and plans know no contact of two polygons",
                names[0], names[1]
            );
            refuse(
                &format!("body[{second}].shape"),
                message,
                "make one of them a disc, or plan for one of them",
            );
        }
        let laws: Vec<_> = scenario.surfaces().laws().collect();
        if let Some(law) = laws.iter().find(|law| law.restitution > 0.0) {
            let message = format!(
                "something bounces (restitution {}), and a bounce jumps by a step's way",
                law.restitution
            );
            let help = "set every restitution 0, or take examples/inverse_problems, which has exact gradients of bounces";
            refuse("ground.restitution", message, help);
        }
        let is_dry = |law: &crate::world::Surface| {
            let friction = &law.friction;
            friction.kinetic_coefficient() == friction.static_coefficient() && !friction.depends_on_slip()
        };
        if !laws.iter().all(is_dry) {
            let message = "friction in motion is not that at rest, and plans know one coefficient".to_owned();
            refuse(
                "ground.kinetic_friction",
                message,
                "leave out kinetic_friction, stribeck_velocity and viscous_friction",
            );
        }
        if scenario.resists_turning() {
            let message = "friction resists rolling, and plans know friction along surfaces alone".to_owned();
            refuse("ground.rolling_friction", message, "leave out torsional_friction and rolling_friction");
        }
        (self.findings.len() == before).then_some(scenario)
    }

    /// What the parts of a plan have to do with each other.
    pub(super) fn hold_together(
        &mut self,
        top: &Table,
        task: &PlanTask,
        duration: Option<Source>,
        place: &Placed<'_>,
    ) {
        let at = |key: &str| top.get(key).map_or(Source::File(0..0), |node| node.source.clone());
        let is_open = |[low, high]: [f64; 2]| low < high;
        let has_push = task.controls.iter().any(|control| control.bounds().into_iter().any(is_open));
        let has_start = task.start.iter().flatten().any(|ends| is_open(*ends));
        if !has_push && !has_start {
            let help = "add [[control]] with a force that has bounds, such as force = [[-20, 20], [0, 0]], or [start] with bounds";
            let key = if top.get("control").is_some() { "control" } else { "start" };
            self.fault(
                &at(key),
                key,
                "there is nothing to choose: no push and nothing of the start has room",
                help,
            );
        }
        if task.goals.is_empty() {
            let help = "add [goal] with position, angle, velocity or spin";
            self.fault(&at("goal"), "goal", "there is no goal", help);
        }
        match task.cost {
            Cost::Time if !task.has_free_duration() => self.fault(
                &at("cost"),
                "cost",
                format!("`cost` is \"time\", and the duration is {} s", shown(task.duration)),
                "let it be chosen: duration = [0.1, 5.0]",
            ),
            Cost::Start if !has_start => self.fault(
                &at("cost"),
                "cost",
                "`cost` is \"start\", and nothing of the start is free",
                "add [start] with bounds, such as velocity = [[-10, 10], [-10, 10]]",
            ),
            Cost::Effort | Cost::Impulse if !has_push => {
                let message = "the cost is that of pushes, and there are none to choose";
                self.fault(
                    &at("cost"),
                    "cost",
                    message,
                    "write cost = \"start\" or \"time\", or add [[control]]",
                );
            }
            _ => {}
        }
        if task.aim != AimedModel::Plan && task.goals.iter().any(|goal| goal.weight.is_some()) {
            let message = format!("`aim` is \"{}\", and a goal has a weight", task.aim.as_str());
            self.fault(
                &at("aim"),
                "aim",
                message,
                "leave out `aim`: only goals without `weight` can be aimed at",
            );
        }
        if task.has_free_duration() {
            let is_steady = |push: &crate::scenario::Push<2>| {
                push.from.is_none() && push.to.is_none() && push.frequency.is_none() && push.table.is_none()
            };
            if !task.scenario.pushes.iter().all(is_steady) {
                let message = "the duration is free, and a push of the scenario depends on time";
                let help =
                    "fix the duration, or make the push constant, without from, to, frequency and table";
                self.fault(&duration.unwrap_or(Source::File(0..0)), "duration", message, help);
            }
        }
        self.hold_apart(task, place, at("goal"));
        self.hold_in(task, at("keep"));
    }

    /// No body that a `[[keep]]` does not let be where it starts, or where it has to be at the end.
    fn hold_in(&mut self, task: &PlanTask, source: Source) {
        let units = Units::of(task);
        for (index, keep) in task.keeps.iter().enumerate() {
            let start = [0, 1].map(|axis| {
                let [low, high] = task.start[keep.body][axis];
                (low == high).then_some(low)
            });
            let goals = task.goals.iter().filter(|goal| goal.body == keep.body && goal.weight.is_none());
            let ends = goals.map(|goal| ([goal.target[0], goal.target[1]], goal.within, "at the goal"));
            for (place, within, when) in std::iter::once((start, 0.0, "at the start")).chain(ends) {
                let [Some(x), Some(z)] = place else { continue };
                // To first order, as far as the goal may be missed.
                let room = (within.max(DEEPEST)) * units.length * keep.slope([x, z]);
                let value = keep.value([x, z]);
                if value < -room {
                    let name = task.scenario.body_name(keep.body);
                    let message = format!(
                        "`keep[{index}]` does not let {name} be at ({x}, {z}), where it is {when}: it is {value:.3e} there, \
                         and has to be at least 0"
                    );
                    let help = "constant + linear.x + x' quadratic x is at least 0 where a body may be; turn its sign, or move \
                                the body";
                    self.fault(&source, &format!("keep[{index}]"), message, help);
                    return;
                }
            }
        }
    }

    /// No overlap at the start or at the goal, and fingers in front of a face.
    fn hold_apart(&mut self, task: &PlanTask, place: &Placed<'_>, goal: Source) {
        let units = Units::of(task);
        let start: Vec<[Option<f64>; 3]> = task
            .start
            .iter()
            .map(|state| [0, 1, 2].map(|axis| (state[axis][0] == state[axis][1]).then_some(state[axis][0])))
            .collect();
        let mut end = vec![[None; 3]; start.len()];
        for asked in &task.goals {
            end[asked.body].copy_from_slice(&asked.target[..3]);
        }
        for candidate in Candidate::of(task) {
            let name = task.scenario.body_name(candidate.first);
            let partner = task.scenario.partner_name(candidate.second);
            for (places, when) in [(&start, "at the start"), (&end, "at the goal")] {
                let Some(depth) = depth(&candidate, places, task) else { continue };
                if depth <= DEEPEST * units.length {
                    continue;
                }
                let name = if task.scenario.layout().is_point() { "the particle".to_owned() } else { name };
                let depth = rounded(depth, 4);
                let message = format!("{name} lies {depth} m deep in {partner} {when}");
                let (source, key) = match when {
                    "at the start" => (place.of(&format!("body[{}].position", candidate.first)), "position"),
                    _ => (goal.clone(), "goal"),
                };
                self.fault(&source, key, message, "move it out by that");
                return;
            }
            let (Geometry::Face { .. }, Some(second)) = (&candidate.geometry, candidate.second_body()) else {
                continue;
            };
            let fixed = |body: usize| start[body].map(|value| value.unwrap_or(0.0));
            if candidate.inside_face(fixed(candidate.first), fixed(second)) < 0.0 {
                let message = format!(
                    "{name} is not in front of a face of {partner} at the start, but beside a corner"
                );
                let help =
                    "move it in front of the face that it is to push: a plan knows one face of each polygon";
                self.fault(
                    &place.of(&format!("body[{}].position", candidate.first)),
                    "position",
                    message,
                    help,
                );
            }
        }
    }
}

/// How deep a candidate overlaps, where all is known that it depends on.
fn depth(candidate: &Candidate, places: &[[Option<f64>; 3]], task: &PlanTask) -> Option<f64> {
    let turned = |body: usize| task.turns(body);
    let known = |body: usize, axes: [bool; 3]| -> Option<[f64; 3]> {
        let mut place = [0.0; 3];
        for axis in 0..3 {
            match places[body][axis] {
                Some(value) => place[axis] = value,
                None if axes[axis] => return None,
                None => {}
            }
        }
        Some(place)
    };
    match &candidate.geometry {
        Geometry::Plane { arm, normal, .. } => {
            let turns = turned(candidate.first) && arm.norm() > 0.0;
            let first = known(candidate.first, [normal.x != 0.0, normal.y != 0.0, turns])?;
            Some(-candidate.at(first, [0.0; 3]).gap)
        }
        Geometry::Face { .. } | Geometry::Discs { .. } => {
            let is_face = matches!(candidate.geometry, Geometry::Face { .. });
            let first = known(candidate.first, [true, true, false])?;
            let second = known(candidate.second_body()?, [true, true, is_face])?;
            // Beside a face the gap to its line says nothing.
            (candidate.inside_face(first, second) >= 0.0).then(|| -candidate.at(first, second).gap)
        }
    }
}
