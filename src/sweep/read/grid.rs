//! `[grid]`: lists of values, and values at equal distances.

use std::collections::HashSet;

use super::Reader;
use crate::{
    decimal::rounded,
    scenario::read::{Node, Source, Table, Value, as_written},
    sweep::plan::Axis,
};

const SPACED: [&str; 4] = ["min", "max", "scale", "count"];
/// Most values of one key of a grid.
const MAX_VALUES: usize = 100_000;

impl Reader<'_> {
    pub(super) fn grid(&mut self, node: &Node) -> Vec<(Axis, Vec<Source>)> {
        let example = "\"ground.friction\" = [0.1, 0.2, 0.3]";
        let Value::Table(table) = &node.value else {
            self.wrong_type(node, "grid", "a table", "[grid] on a line of its own");
            return Vec::new();
        };
        let mut axes: Vec<(Axis, Vec<Source>)> = Vec::new();
        for (key, source, node) in leaves(table) {
            let known = axes.iter().map(|(axis, _)| axis.key.as_str());
            let Some(key) = self.key_of(&key, &source, known) else { continue };
            let axis = match &node.value {
                Value::List(list) => {
                    let values = list.iter().map(|node| as_written(self.text, node).to_owned()).collect();
                    Some((
                        Axis { key: key.clone(), values },
                        list.iter().map(|node| node.source.clone()).collect(),
                    ))
                }
                Value::Table(table) => self.spaced(&key, node, table),
                _ => {
                    self.wrong_type(node, &key, "a list of values, or { min, max, count }", example);
                    None
                }
            };
            let Some((axis, sources)): Option<(Axis, Vec<Source>)> = axis else { continue };
            if axis.values.is_empty() || axis.values.len() > MAX_VALUES {
                let message =
                    format!("`{key}` has {} values, but must have 1 to {MAX_VALUES}", axis.values.len());
                self.fault(&node.source, &key, message, format!("write it like {example}"));
                continue;
            }
            let mut known = HashSet::new();
            if let Some(place) = axis.values.iter().position(|value| !known.insert(value)) {
                let message = format!("`{key}` has the value {} twice", axis.values[place]);
                self.fault(&sources[place.min(sources.len() - 1)], &key, message, "remove one of them");
            }
            axes.push((axis, sources));
        }
        axes
    }

    /// Values at equal distances, `{ min, max, count, scale }`.
    fn spaced(&mut self, key: &str, node: &Node, table: &Table) -> Option<(Axis, Vec<Source>)> {
        self.known_keys(table, &format!("a range of [grid], `{key}`"), &SPACED);
        let range = self.range(key, node, table)?;
        let count = self.whole(table, node, &format!("{key}.count"), "count", 2..=MAX_VALUES as u64)?;
        let value = |i: u64| {
            let u = i as f64 / (count - 1) as f64;
            // 0.1 + 0.5 * 0.1 is 0.15000000000000002; the middle of 0.1 and 0.2 is written 0.15.
            let value = rounded(range.scaling.between(range.min, range.max, u), 12);
            let value = value.clamp(range.min, range.max);
            // Keys of whole numbers take no 4.0; between whole ends the others take a 4 as well.
            if range.whole && value.fract() == 0.0 { format!("{value}") } else { format!("{value:?}") }
        };
        let values = (0..count).map(value).collect();
        Some((Axis { key: key.to_owned(), values }, vec![node.source.clone()]))
    }
}

/// Whether a table is a range rather than a part of a dotted key.
fn is_range(table: &Table) -> bool {
    table.0.keys().any(|key| SPACED.contains(&key.as_str()))
}

/// The values of a table by their full keys: `"ground.friction" = ...` and `ground.friction = ...`
/// are the same; a table is a value where it is a range.
pub(super) fn leaves(table: &Table) -> Vec<(String, Source, &Node)> {
    let mut found = Vec::new();
    for (key, (source, node)) in &table.0 {
        match &node.value {
            Value::Table(inner) if !is_range(inner) => {
                let inner = leaves(inner);
                found.extend(
                    inner.into_iter().map(|(rest, source, node)| (format!("{key}.{rest}"), source, node)),
                );
            }
            _ => found.push((key.clone(), source.clone(), node)),
        }
    }
    // In the order of the file, which is the one of the digits of a run's number.
    found.sort_by_key(|(_, _, node)| match &node.source {
        Source::File(span) => span.start,
        Source::Override(..) | Source::Assembled(_) => usize::MAX,
    });
    found
}
