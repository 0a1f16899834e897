//! What can be turned at in a scenario: its numbers, each with what the schema knows of it.

use std::ops::Bound;

use serde::Serialize;

use crate::scenario::{
    AnyScenario,
    keys::{Row, Section, sections},
};

/// A value of a scenario that may be changed from outside, as `--set` does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Control {
    /// Its full key, for example `ground.friction` or `push[0].force[1]`.
    pub key: String,
    /// The table that it belongs to, for example `ground`; empty at the top of the file.
    pub table: String,
    /// What it means.
    pub meaning: &'static str,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// What it is now.
    pub setting: Setting,
}

/// The value of a control.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    /// A number.
    Number {
        /// What it is; nothing if the scenario leaves it out, and what stands in depends on the rest.
        value: Option<f64>,
        /// A value for it where there is none.
        example: f64,
        /// The least and the largest that are admitted, where that depends on nothing else.
        least: Option<f64>,
        /// See `least`.
        most: Option<f64>,
        /// Whether `least` itself is not admitted.
        above: bool,
        /// Whether it is a whole number.
        whole: bool,
    },
    /// One of several words.
    Word {
        /// What it is; nothing if the scenario leaves it out.
        value: Option<String>,
        /// What it may be.
        words: Vec<&'static str>,
    },
    /// Yes or no.
    Truth {
        /// What it is.
        value: bool,
    },
}

/// The controls of a scenario, in the order of a scenario file: every number that it has or that a setting of the
/// steppers may have, every choice, every switch.
pub fn controls(scenario: &AnyScenario) -> Vec<Control> {
    // What the scenario resolves to has every default in it.
    let Ok(document) = toml::from_str::<toml::Table>(&scenario.to_toml()) else { return Vec::new() };
    let mut controls = Vec::new();
    for section in sections() {
        for (place, table) in tables(&document, section.path()) {
            for row in section.rows() {
                of_key(section, &place, table, row, &mut controls);
            }
        }
    }
    controls
}

/// The tables at a path in a document, each with its full name.
fn tables<'d>(document: &'d toml::Table, path: &str) -> Vec<(String, &'d toml::Table)> {
    let mut found = vec![(String::new(), document)];
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let inner = found.iter().flat_map(|(place, table)| {
            let full = if place.is_empty() { part.to_owned() } else { format!("{place}.{part}") };
            match table.get(part) {
                Some(toml::Value::Table(table)) => vec![(full, table)],
                Some(toml::Value::Array(list)) => {
                    let tables = list.iter().filter_map(toml::Value::as_table).enumerate();
                    tables.map(|(index, table)| (format!("{full}[{index}]"), table)).collect()
                }
                _ => Vec::new(),
            }
        });
        found = inner.collect();
    }
    found
}

fn of_key(
    section: &dyn Section,
    table_name: &str,
    table: &toml::Table,
    row: &Row,
    controls: &mut Vec<Control>,
) {
    let full = if table_name.is_empty() { row.name.to_owned() } else { format!("{table_name}.{}", row.name) };
    let mut add = |key_name: String, setting: Setting| {
        controls.push(Control {
            key: key_name,
            table: table_name.to_owned(),
            meaning: row.meaning,
            unit: row.unit,
            setting,
        });
    };
    let number = |value: Option<f64>, whole: bool| {
        let (least, most) = row.range.unwrap_or((Bound::Unbounded, Bound::Unbounded));
        let end = |bound: Bound<f64>| match bound {
            Bound::Included(end) | Bound::Excluded(end) => Some(end),
            Bound::Unbounded => None,
        };
        Setting::Number {
            value,
            example: value.or_else(|| row.example.parse().ok()).unwrap_or_default(),
            least: end(least),
            most: end(most),
            above: matches!(least, Bound::Excluded(_)),
            whole,
        }
    };
    match table.get(row.name) {
        Some(toml::Value::Float(value)) => add(full, number(Some(*value), false)),
        // A whole number that names something is no quantity.
        Some(toml::Value::Integer(_)) if row.range.is_none() => {}
        Some(toml::Value::Integer(value)) => add(full, number(Some(*value as f64), true)),
        Some(toml::Value::Boolean(value)) => add(full, Setting::Truth { value: *value }),
        Some(toml::Value::String(value)) => {
            if let Some(words) = row.words {
                add(full, Setting::Word { value: Some(value.clone()), words: words() });
            }
        }
        Some(toml::Value::Array(list)) => {
            for (index, value) in list.iter().enumerate() {
                if let toml::Value::Float(value) = value {
                    add(format!("{full}[{index}]"), number(Some(*value), false));
                }
            }
        }
        // What a setting of a stepper is when it is left out depends on the scenario.
        None if section.path().starts_with("stepper.") => match row.words {
            Some(words) => add(full, Setting::Word { value: None, words: words() }),
            None if row.example.parse::<f64>().is_ok() => {
                add(full, number(None, row.example.parse::<i64>().is_ok()));
            }
            None => {}
        },
        _ => {}
    }
}
