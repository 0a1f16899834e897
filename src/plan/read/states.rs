//! `[start]` and `[goal]`: components of the states of bodies at the beginning and at the end.

use super::{Goal, Interval, Node, Reader, Table, Value};
use crate::{
    plan::state::start_of,
    scenario::{Scenario, Shape},
};

const STATE: [&str; 4] = ["position", "angle", "velocity", "spin"];
const GOAL: [&str; 7] = ["position", "angle", "velocity", "spin", "within", "weight", "running_weight"];

/// The components of each key of a state.
const PARTS: [&[usize]; 4] = [&[0, 1], &[2], &[3, 4], &[5]];

/// Least weight of a squared miss.
const LEAST_WEIGHT: f64 = 1e-12;

/// How far a component of a goal may be missed, in units of the plan, where the file does not say.
const WITHIN: f64 = 1e-5;

impl Reader<'_> {
    /// The states of all bodies at the start: those of the scenario, and what of them is free.
    pub(super) fn starts(&mut self, node: Option<&Node>, scenario: &Scenario<2>) -> Vec<[Interval; 6]> {
        let given = scenario.bodies.iter().map(|body| start_of(body).map(|value| [value; 2]));
        let mut start: Vec<[Interval; 6]> = given.collect();
        let Some(node) = node else { return start };
        for (body, path, table, _) in self.by_body(node, "start", &STATE, scenario) {
            self.known_keys(table, &format!("[{path}]"), &STATE);
            for (key, first) in [("position", 0), ("velocity", 3)] {
                let example = "velocity = [[-10, 10], [-10, 10]]";
                let Some(node) = table.get(key) else { continue };
                if let Some(ends) = self.intervals(node, &format!("{path}.{key}"), example) {
                    start[body][first..first + 2].copy_from_slice(&ends);
                }
            }
            for (key, component) in [("angle", 2), ("spin", 5)] {
                let Some(node) = self.turning(table, key, &path, scenario, body) else { continue };
                if let Some(ends) = self.interval(node, &format!("{path}.{key}"), &format!("{key} = [-1, 1]"))
                {
                    start[body][component] = ends;
                }
            }
        }
        start
    }

    pub(super) fn goals(&mut self, node: &Node, scenario: &Scenario<2>) -> Vec<Goal> {
        let mut goals = Vec::new();
        for (body, path, table, node) in self.by_body(node, "goal", &GOAL, scenario) {
            self.known_keys(table, &format!("[{path}]"), &GOAL);
            let mut target = [None; 6];
            for (key, first) in [("position", 0), ("velocity", 3)] {
                let Some(node) = table.get(key) else { continue };
                let (full, example) =
                    (format!("{path}.{key}"), "position = [1.0, nan], nan where it is open");
                let list = match &node.value {
                    Value::List(list) => list.as_slice(),
                    _ => &[],
                };
                let [x, z] = list else {
                    self.wrong_type(node, &full, "a list of two numbers", example);
                    continue;
                };
                target[first] = self.target(x, &full, example);
                target[first + 1] = self.target(z, &full, example);
            }
            for (key, component) in [("angle", 2), ("spin", 5)] {
                let Some(node) = self.turning(table, key, &path, scenario, body) else { continue };
                target[component] = self.target(node, &format!("{path}.{key}"), &format!("{key} = 0.0"));
            }
            let within = table
                .get("within")
                .and_then(|node| self.at_least(node, &format!("{path}.within"), "within = 1e-5", 0.0))
                .unwrap_or(WITHIN);
            let [weight, running_weight] =
                ["weight", "running_weight"].map(|key| self.weights(table, (&path, key), &target));
            if let (Some(node), true) = (table.get("within"), table.get("weight").is_some()) {
                let key = format!("{path}.within");
                let message = format!(
                    "`{key}` says how far a constraint may be missed, and with `weight` this goal is a part of the cost"
                );
                self.fault(&node.source, &key, message, "leave out one of `within` and `weight`");
            }
            if target.iter().all(Option::is_none) {
                let message = format!("[{path}] asks for nothing");
                self.fault(&node.source, &path, message, "give position, angle, velocity or spin");
                continue;
            }
            goals.push(Goal {
                body,
                target,
                within,
                weight,
                running_weight: running_weight.unwrap_or_default(),
            });
        }
        goals
    }

    /// What squared misses of the components of a goal cost: one number for all that it asks for, or a table of one for each
    /// key of a state, in which those that are left out cost nothing.
    fn weights(
        &mut self,
        table: &Table,
        (path, name): (&str, &str),
        target: &[Option<f64>; 6],
    ) -> Option<[f64; 6]> {
        let node = table.get(name)?;
        let path = format!("{path}.{name}");
        let example = format!("{name} = 100.0, or {name} = {{ position = 100.0, velocity = 1.0 }}");
        let Value::Table(weights) = &node.value else {
            let weight = self.at_least(node, &path, &example, LEAST_WEIGHT)?;
            return Some(target.map(|target| if target.is_some() { weight } else { 0.0 }));
        };
        self.known_keys(weights, &format!("`{path}`"), &STATE);
        let mut found = [0.0; 6];
        for (name, parts) in STATE.into_iter().zip(PARTS) {
            let Some(node) = weights.get(name) else { continue };
            let path = format!("{path}.{name}");
            let asked = || parts.iter().filter(|component| target[**component].is_some());
            if asked().next().is_none() {
                let message = format!("`{path}` is given, and the goal asks for no {name}");
                self.fault(
                    &node.source,
                    &path,
                    message,
                    format!("give the goal its `{name}`, or remove this"),
                );
                continue;
            }
            let weight = self.at_least(node, &path, &format!("{name} = 100.0"), LEAST_WEIGHT)?;
            asked().for_each(|component| found[*component] = weight);
        }
        if weights.0.is_empty() {
            self.fault(&node.source, &path, format!("`{path}` weighs nothing"), format!("write {example}"));
        }
        Some(found)
    }

    /// A number, or nothing where it is left open by `nan`.
    fn target(&mut self, node: &Node, key: &str, example: &str) -> Option<f64> {
        match node.value {
            Value::Float(number) if number.is_nan() => None,
            _ => self.number(node, key, example),
        }
    }

    /// The value of a key that only bodies have that turn.
    fn turning<'n>(
        &mut self,
        table: &'n Table,
        key: &str,
        path: &str,
        scenario: &Scenario<2>,
        body: usize,
    ) -> Option<&'n Node> {
        let node = table.get(key)?;
        if scenario.bodies[body].shape != Shape::Point {
            return Some(node);
        }
        let message = format!(
            "`{path}.{key}` is given, and {} is a point, which does not turn",
            scenario.body_name(body)
        );
        self.fault(&node.source, &format!("{path}.{key}"), message, "remove it");
        None
    }

    /// The tables of a `[start]` or `[goal]`: its own, where the scenario has one body, or those of the bodies by name.
    fn by_body<'n>(
        &mut self,
        node: &'n Node,
        name: &str,
        keys: &[&str],
        scenario: &Scenario<2>,
    ) -> Vec<(usize, String, &'n Table, &'n Node)> {
        let Value::Table(table) = &node.value else {
            self.wrong_type(node, name, "a table", &format!("[{name}] on a line of its own"));
            return Vec::new();
        };
        let is_plain = |key: &str| keys.contains(&key);
        let has_tables =
            table.0.iter().any(|(key, (_, node))| !is_plain(key) && matches!(node.value, Value::Table(_)));
        if scenario.bodies.len() == 1 && !has_tables {
            return vec![(0, name.to_owned(), table, node)];
        }
        let mut found = Vec::new();
        for (key, (source, node)) in &table.0 {
            let path = format!("{name}.{key}");
            if is_plain(key) {
                let names: Vec<String> =
                    (0..scenario.bodies.len()).map(|body| scenario.body_name(body)).collect();
                let message = format!("`{path}` says not of which body");
                self.fault(
                    source,
                    &path,
                    message,
                    format!("write it under [{name}.BODY], BODY one of {}", names.join(", ")),
                );
                continue;
            }
            let Some(body) = self.body(key, source, &path, scenario) else { continue };
            match &node.value {
                Value::Table(table) => found.push((body, path, table, node)),
                _ => self.wrong_type(node, &path, "a table", &format!("[{path}] on a line of its own")),
            }
        }
        found
    }
}
