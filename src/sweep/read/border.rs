//! `[[border]]`: curves to be drawn over the maps of two keys.

use super::{Border, Node, Reader, Value, keys::spelled};
use crate::scenario::read::Source;

const KEYS: [&str; 3] = ["label", "keys", "points"];

impl Reader<'_> {
    /// Curves to be drawn over the maps of two of the `swept` keys.
    pub(super) fn borders(&mut self, node: &Node, swept: &[&str]) -> Vec<Border> {
        let (Value::Tables(list) | Value::List(list)) = &node.value else {
            self.wrong_type(node, "border", "a list of tables", "[[border]] on a line of its own");
            return Vec::new();
        };
        list.iter().filter_map(|node| self.border(node, swept)).collect()
    }

    fn border(&mut self, node: &Node, swept: &[&str]) -> Option<Border> {
        let Value::Table(table) = &node.value else {
            self.wrong_type(node, "border", "a table", "[[border]] on a line of its own");
            return None;
        };
        self.known_keys(table, "[[border]]", &KEYS);
        let mut part = |key: &str, example: &str| {
            let found = table.get(key);
            if found.is_none() {
                let message = format!("the key `border.{key}` is missing");
                self.fault(&node.source, "border", message, format!("add `{example}`"));
            }
            found
        };
        let (label, keys, points) = (
            part("label", "label = \"exact\"")?,
            part("keys", "keys = [\"step\", \"ground.friction\"]")?,
            part("points", "points = [[0.1, 0.2], [0.2, 0.4]]")?,
        );
        let label = self.word(label, "border.label", "label = \"exact\"")?;
        let names = self.words(keys, "border.keys", "keys = [\"step\", \"ground.friction\"]");
        let names: Vec<(String, Source)> =
            names.into_iter().map(|(name, source)| (spelled(&name).unwrap_or(name), source)).collect();
        for (name, source) in &names {
            if !swept.contains(&name.as_str()) {
                let message = format!("`border.keys` names `{}`, which is not swept", name.escape_default());
                self.fault(source, "border.keys", message, format!("name two of {}", swept.join(", ")));
            }
        }
        let keys: Result<[String; 2], _> =
            names.into_iter().map(|(name, _)| name).collect::<Vec<_>>().try_into();
        if keys.is_err() {
            self.wrong_type(
                table.get("keys")?,
                "border.keys",
                "a list of two keys",
                "keys = [\"step\", \"ground.friction\"]",
            );
        }
        let points = self.points(points)?;
        Some(Border { label, keys: keys.ok()?, points })
    }

    /// A list of pairs of finite numbers.
    fn points(&mut self, node: &Node) -> Option<Vec<[f64; 2]>> {
        let number = |node: &Node| match node.value {
            Value::Float(number) | Value::Integer(_, number) if number.is_finite() => Some(number),
            _ => None,
        };
        let pair = |node: &Node| match &node.value {
            Value::List(pair) => match pair.as_slice() {
                [x, y] => Some([number(x)?, number(y)?]),
                _ => None,
            },
            _ => None,
        };
        let points: Option<Vec<[f64; 2]>> = match &node.value {
            Value::List(list) if list.len() >= 2 => list.iter().map(pair).collect(),
            _ => None,
        };
        if points.is_none() {
            self.wrong_type(
                node,
                "border.points",
                "a list of two or more pairs of finite numbers",
                "points = [[0.1, 0.2], [0.2, 0.4]]",
            );
        }
        points
    }
}
