//! A TOML document whose every value remembers where it was written.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use toml::{
    Spanned,
    de::{DeInteger, DeTable, DeValue},
};

use super::key_path::{KeyPath, Segment};

/// Where something was written.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// These bytes of the file.
    File(Range<usize>),
    /// These bytes of an override `KEY=VALUE`.
    Override(Arc<str>, Range<usize>),
    /// Nowhere as a whole: a list of which this override set an element.
    Assembled(Arc<str>),
}

/// A value and where it was written.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) source: Source,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Text(String),
    /// An integer; `None` if it does not fit 64 bits.
    Integer(Option<i64>, f64),
    /// A float; digits beyond the range of a double make it infinite.
    Float(f64),
    Truth(bool),
    Date,
    List(Vec<Node>),
    /// A list of tables opened by `[[header]]`.
    Tables(Vec<Node>),
    Table(Table),
}

/// The entries of a table, each with the place of its key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table(pub(crate) BTreeMap<String, (Source, Node)>);

impl Value {
    /// What a message calls it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "the string",
            Self::Integer(..) => "the integer",
            Self::Float(_) => "the number",
            Self::Truth(_) => "the truth value",
            Self::Date => "the date",
            Self::List(_) => "the list",
            Self::Tables(_) => "a list of tables",
            Self::Table(_) => "a table",
        }
    }
}

impl Node {
    /// Whether it is a table with that `name`.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        let Value::Table(table) = &self.value else { return false };
        table.0.get("name").is_some_and(|(_, node)| matches!(&node.value, Value::Text(text) if text == name))
    }

    /// Whether it is a table with that `key`, or has one inside.
    pub(crate) fn has_key(&self, key: &str) -> bool {
        match &self.value {
            Value::List(list) | Value::Tables(list) => list.iter().any(|node| node.has_key(key)),
            Value::Table(table) => {
                table.get(key).is_some() || table.0.values().any(|(_, node)| node.has_key(key))
            }
            Value::Text(_) | Value::Integer(..) | Value::Float(_) | Value::Truth(_) | Value::Date => false,
        }
    }

    /// Takes over a value of the TOML parser; `place` tells where its bytes stand.
    pub(crate) fn new(value: &Spanned<DeValue<'_>>, place: &dyn Fn(Range<usize>) -> Source) -> Self {
        let source = place(value.span());
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(integer) => Value::Integer(
                i64::from_str_radix(integer.as_str(), integer.radix()).ok(),
                integer_as_float(integer),
            ),
            DeValue::Float(float) => Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(truth) => Value::Truth(*truth),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(list) => {
                // A list of tables that `[[header]]`s opened begins with the first header.
                let opened_by_headers = list.first().is_some_and(|first| {
                    first.get_ref().is_table() && first.span().start <= value.span().start
                });
                let nodes = list.iter().map(|element| Self::new(element, place)).collect();
                if opened_by_headers { Value::Tables(nodes) } else { Value::List(nodes) }
            }
            DeValue::Table(table) => Value::Table(Table::new(table, place)),
        };
        Self { value, source }
    }

    /// The value at `path`, and if there is none, the closest one around it.
    pub(crate) fn nearest(&self, path: &KeyPath) -> &Self {
        let mut node = self;
        for segment in &path.0 {
            let inner = match (segment, &node.value) {
                (Segment::Key(key), Value::Table(table)) => table.0.get(key).map(|(_, node)| node),
                (Segment::Index(index), Value::List(list) | Value::Tables(list)) => list.get(*index),
                _ => None,
            };
            match inner {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }
}

impl Table {
    pub(crate) fn new(table: &DeTable<'_>, place: &dyn Fn(Range<usize>) -> Source) -> Self {
        let entries = table
            .iter()
            .map(|(key, value)| (key.get_ref().to_string(), (place(key.span()), Node::new(value, place))));
        Self(entries.collect())
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.0.get(key).map(|(_, node)| node)
    }
}

/// The double nearest to an integer of any size.
fn integer_as_float(integer: &DeInteger<'_>) -> f64 {
    match integer.radix() {
        10 => integer.as_str().parse().unwrap_or(f64::NAN),
        radix => i128::from_str_radix(integer.as_str(), radix).map_or(f64::INFINITY, |whole| whole as f64),
    }
}
