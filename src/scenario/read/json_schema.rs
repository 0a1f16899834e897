//! The schema as JSON Schema, for programs.

use std::ops::Bound;

use serde_json::{Map, Value, json};

use super::{
    kind::{example, parse},
    need::{Need, Reference},
};
use crate::scenario::keys::{Row, sections};

/// The JSON Schema (draft 2020-12) of a scenario file. It knows keys, kinds, choices and the ranges of single numbers;
/// what two values have to do with each other only [`Scenario::check`](crate::scenario::Scenario::check) knows.
pub fn json_schema() -> Value {
    let mut schema = object("", &Reference::new());
    let mut all = Map::new();
    all.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    all.insert("title".into(), json!("stickslip scenario"));
    if let Value::Object(object) = &mut schema {
        all.append(object);
    }
    Value::Object(all)
}

/// The schema of the table at `path`.
fn object(path: &str, reference: &Reference) -> Value {
    let Some(section) = sections().into_iter().find(|section| section.path() == path) else {
        return json!({ "type": "object" });
    };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for row in section.rows() {
        let full = if path.is_empty() { row.name.to_owned() } else { format!("{path}.{}", row.name) };
        let mut property = of_value(&full, row, reference);
        property.insert("description".into(), json!(row.meaning));
        match reference.need(section, row) {
            Need::Required => required.push(row.name),
            Need::Default(default) => {
                property.insert("default".into(), default);
            }
            Need::Optional => {}
        }
        properties.insert(row.name.into(), Value::Object(property));
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn of_value(full: &str, row: &Row, reference: &Reference) -> Map<String, Value> {
    let others = row.other_kinds.iter().map(|value| of_kind(full, row, parse(value), reference));
    let kinds: Vec<Value> =
        std::iter::once(of_kind(full, row, example(row), reference)).chain(others).collect();
    let schema = match &kinds[..] {
        [kind] => kind.clone(),
        kinds => json!({ "anyOf": kinds }),
    };
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The schema of values that are of the kind of `example`.
fn of_kind(full: &str, row: &Row, example: Option<toml::Value>, reference: &Reference) -> Value {
    match example {
        Some(toml::Value::String(_)) => match row.words {
            Some(words) => json!({ "enum": words() }),
            None => json!({ "type": "string" }),
        },
        Some(toml::Value::Integer(_)) => number("integer", row),
        Some(toml::Value::Boolean(_)) => json!({ "type": "boolean" }),
        Some(toml::Value::Array(list)) => match list.first() {
            Some(toml::Value::Table(_)) => json!({ "type": "array", "items": object(full, reference) }),
            Some(toml::Value::Integer(_)) => json!({ "type": "array", "items": { "type": "integer" } }),
            Some(toml::Value::Float(_)) => json!({ "type": "array", "items": number("number", row) }),
            Some(toml::Value::Array(_)) => {
                json!({ "type": "array", "items": { "type": "array", "items": number("number", row) } })
            }
            Some(toml::Value::String(_)) => json!({ "type": "array", "items": { "type": "string" } }),
            _ => json!({ "type": "array" }),
        },
        // One particle is a table, several are a list of them.
        Some(toml::Value::Table(_)) if full == "particle" => {
            let one = object(full, reference);
            json!({ "oneOf": [one, { "type": "array", "items": one }] })
        }
        Some(toml::Value::Table(_)) => object(full, reference),
        _ => number("number", row),
    }
}

/// The schema of a number in the range of a key.
fn number(kind: &str, row: &Row) -> Value {
    let mut schema = Map::new();
    schema.insert("type".into(), json!(kind));
    if let Some((least, most)) = row.range {
        for (bound, included, excluded) in
            [(least, "minimum", "exclusiveMinimum"), (most, "maximum", "exclusiveMaximum")]
        {
            match bound {
                Bound::Included(bound) => schema.insert(included.into(), json!(bound)),
                Bound::Excluded(bound) => schema.insert(excluded.into(), json!(bound)),
                Bound::Unbounded => None,
            };
        }
    }
    Value::Object(schema)
}
