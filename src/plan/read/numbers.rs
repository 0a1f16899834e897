//! Numbers, intervals and names of bodies.

use super::{Interval, Node, Reader, Source, Value, closest};
use crate::scenario::{
    Scenario,
    read::{Table, as_written},
};

/// Largest number that anything in a plan may be.
const LARGEST: f64 = 1e12;

impl Reader<'_> {
    /// A finite number of no absurd size.
    pub(super) fn number(&mut self, node: &Node, key: &str, example: &str) -> Option<f64> {
        match node.value {
            Value::Float(number) | Value::Integer(_, number) if number.abs() <= LARGEST => Some(number),
            _ => {
                self.wrong_type(node, key, "a finite number, at most 1e12 in size", example);
                None
            }
        }
    }

    /// A number that is not less than another.
    pub(super) fn at_least(&mut self, node: &Node, key: &str, example: &str, least: f64) -> Option<f64> {
        let value = self.number(node, key, example)?;
        if value < least {
            let message = format!("`{key}` is {value}, but must be at least {least}");
            self.fault(&node.source, key, message, format!("write it like {example}"));
            return None;
        }
        Some(value)
    }

    /// A number, or a list of its lower and upper bound.
    pub(super) fn interval(&mut self, node: &Node, key: &str, example: &str) -> Option<Interval> {
        let Value::List(list) = &node.value else {
            return self.number(node, key, example).map(|number| [number; 2]);
        };
        let [low, high] = list.as_slice() else {
            self.wrong_type(node, key, "a number, or a list of its lower and upper bound", example);
            return None;
        };
        let [low, high] = [self.number(low, key, example)?, self.number(high, key, example)?];
        if low > high {
            let message = format!(
                "`{key}` is {}: its lower bound {low} is above its upper one {high}",
                as_written(self.text, node)
            );
            self.fault(&node.source, key, message, format!("swap them: [{high}, {low}]"));
            return None;
        }
        Some([low, high])
    }

    /// A list of two of these.
    pub(super) fn intervals(&mut self, node: &Node, key: &str, example: &str) -> Option<[Interval; 2]> {
        let Value::List(list) = &node.value else {
            self.wrong_type(node, key, "a list of two components, each a number or its two bounds", example);
            return None;
        };
        let [x, z] = list.as_slice() else {
            let message = format!("`{key}` has {} components, but must have 2 (x, z)", list.len());
            self.fault(&node.source, key, message, format!("write it like {example}"));
            return None;
        };
        Some([self.interval(x, key, example)?, self.interval(z, key, example)?])
    }

    /// A list of two numbers.
    pub(super) fn pair(&mut self, node: &Node, key: &str, example: &str) -> Option<[f64; 2]> {
        let found = match &node.value {
            Value::List(list) => match list.as_slice() {
                [x, z] => Some([x, z]),
                _ => None,
            },
            _ => None,
        };
        let Some([x, z]) = found else {
            self.wrong_type(node, key, "a list of two numbers", example);
            return None;
        };
        Some([self.number(x, key, example)?, self.number(z, key, example)?])
    }

    /// The body of that name.
    pub(super) fn body(
        &mut self,
        name: &str,
        source: &Source,
        key: &str,
        scenario: &Scenario<2>,
    ) -> Option<usize> {
        let names: Vec<String> = (0..scenario.bodies.len()).map(|body| scenario.body_name(body)).collect();
        let found = names.iter().position(|known| known == name);
        if found.is_none() {
            let list = names.join(", ");
            let help = match closest(name, names.iter().map(String::as_str)) {
                Some(close) => format!("did you mean `{close}`? (there are {list})"),
                None => format!("name one of {list}"),
            };
            self.fault(source, key, format!("`{key}`: there is no body `{}`", name.escape_default()), help);
        }
        found
    }

    /// The body that a table names by its key `body`; without, the only one there is.
    pub(super) fn named_body(
        &mut self,
        table: &Table,
        around: &Node,
        path: &str,
        scenario: &Scenario<2>,
    ) -> Option<usize> {
        let key = format!("{path}.body");
        match table.get("body") {
            Some(node) => {
                let name = self.word(node, &key, "body = \"box\"")?;
                self.body(&name, &node.source, &key, scenario)
            }
            None if scenario.bodies.len() == 1 => Some(0),
            None => {
                let names: Vec<String> =
                    (0..scenario.bodies.len()).map(|body| scenario.body_name(body)).collect();
                let message = format!("`{key}` is missing, and the scenario has {} bodies", names.len());
                self.fault(&around.source, &key, message, format!("name one of {}", names.join(", ")));
                None
            }
        }
    }

    /// The tables of a list that `[[header]]`s opened.
    pub(super) fn tables<'n>(&mut self, node: &'n Node, name: &str) -> Vec<(&'n Node, &'n Table)> {
        let (Value::Tables(list) | Value::List(list)) = &node.value else {
            self.wrong_type(node, name, "a list of tables", &format!("[[{name}]] on a line of its own"));
            return Vec::new();
        };
        let mut found = Vec::new();
        for node in list {
            match &node.value {
                Value::Table(table) => found.push((node, table)),
                _ => self.wrong_type(node, name, "a table", &format!("[[{name}]] on a line of its own")),
            }
        }
        found
    }
}
