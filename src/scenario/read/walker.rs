//! The way through a document: opens its tables, notes down what is wrong and goes on.

use std::path::Path;

use super::{
    dimension::Decider,
    document::{Node, Source, Table, Value},
    key_path::{KeyPath, related},
    problem::{Finding, MAX_FINDINGS},
    suggest,
};
use crate::scenario::{Violation, keys::Section};

/// Longest piece of a file that a message repeats, in characters.
const MAX_QUOTE: usize = 60;

/// Goes through a document and collects what is wrong with it.
pub(super) struct Walker<'a> {
    text: &'a str,
    root: &'a Node,
    /// The folder of the file.
    folder: &'a Path,
    findings: Vec<Finding>,
    /// Whether the bodies are known to be in space, which decides on the values that messages show.
    is_in_space: bool,
    /// Full keys that have a problem; no second one is reported about them.
    faulty: Vec<String>,
}

/// What a key must be, in words, and a value like that; that of the schema if absent.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) what: &'a str,
    pub(super) example: Option<&'a str>,
}

impl<'a> From<&'a str> for Wanted<'a> {
    fn from(what: &'a str) -> Self {
        Self { what, example: None }
    }
}

/// A table of the document that is being read.
pub(super) struct Open<'a> {
    section: &'static dyn Section,
    path: String,
    table: &'a Table,
    source: &'a Source,
}

impl<'a> Open<'a> {
    pub(super) fn full_key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// What is known of its keys.
    pub(super) fn section(&self) -> &'static dyn Section {
        self.section
    }

    /// The entry of that name.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.table.0.get(key).map(|(_, node)| node)
    }
}

impl<'a> Walker<'a> {
    pub(super) fn new(text: &'a str, root: &'a Node, folder: &'a Path) -> Self {
        Self { text, root, folder, is_in_space: false, findings: Vec::new(), faulty: Vec::new() }
    }

    /// The folder of the file, from which it names others.
    pub(super) fn folder(&self) -> &'a Path {
        self.folder
    }

    /// Takes note of the vector that decides on the dimension, once it is known.
    pub(super) fn learn(&mut self, dimension: &Decider) {
        self.is_in_space = dimension.as_ref().is_some_and(|(_, length)| *length == 3);
    }

    /// Notes down a problem with a key.
    pub(super) fn report(&mut self, source: &Source, key: String, message: String, help: String) {
        if self.findings.len() < MAX_FINDINGS {
            self.faulty.push(key.clone());
            self.findings.push(Finding { source: source.clone(), key: Some(key), message, help });
        }
    }

    /// All that was found.
    pub(super) fn finish(self) -> Vec<Finding> {
        self.findings
    }

    /// The tables of the list `key`, none if there is no such list.
    pub(super) fn tables<'n>(&mut self, top: &Open<'n>, key: &str) -> &'n [Node] {
        let Some(node) = top.get(key) else { return &[] };
        match &node.value {
            Value::List(list) | Value::Tables(list) => list,
            other => {
                let found = if matches!(other, Value::Table(_)) { "one table" } else { other.kind() };
                let message = format!("`{key}` must be a list of tables, found {found}");
                let help = format!("open every {key} with double brackets, [[{key}]], on a line of its own");
                self.report(&node.source, key.to_owned(), message, help);
                &[]
            }
        }
    }

    /// Whether the table `node` names by its key `kind` none of the words there are. That is all that is reported of it: which
    /// other keys it needs, and which it has in vain, depends on the kind.
    pub(super) fn is_of_unknown_kind(
        &mut self,
        section: &'static dyn Section,
        path: String,
        node: &Node,
    ) -> bool {
        let (Value::Table(table), Some(words)) = (&node.value, section.key("kind").and_then(|row| row.words))
        else {
            return false;
        };
        let open = Open { section, path, table, source: &node.source };
        let is_named = open.get("kind").is_none() || self.word(&open, "kind", &words()).is_some();
        if !is_named {
            self.faulty.push(open.path);
        }
        !is_named
    }

    /// Opens the table `node` and reports the keys in it that `section` does not have.
    pub(super) fn open<'n>(
        &mut self,
        section: &'static dyn Section,
        path: String,
        node: &'n Node,
    ) -> Option<Open<'n>> {
        let Value::Table(table) = &node.value else {
            let message = match &node.value {
                Value::Tables(_) => {
                    format!("`{path}` must be one table, found a list of tables [[{}]]", section.path())
                }
                other => {
                    format!("`{path}` must be a table, found {}{}", other.kind(), self.quote_value(node))
                }
            };
            let help = format!("open it with {} on a line of its own", section.header());
            self.report(&node.source, path, message, help);
            return None;
        };
        let open = Open { section, path, table, source: &node.source };
        for (key, (source, _)) in &table.0 {
            if section.key(key).is_none() {
                let full = open.full_key(key);
                let message = format!("unknown key `{}`", clip(&full));
                self.report(source, full, message, suggest::unknown_key(key, section));
            }
        }
        Some(open)
    }

    /// Opens the table `key` of `parent`, if it is there.
    pub(super) fn open_inner<'n>(
        &mut self,
        parent: &Open<'n>,
        key: &str,
        section: &'static dyn Section,
    ) -> Option<Open<'n>> {
        let node = parent.get(key)?;
        self.open(section, parent.full_key(key), node)
    }

    /// Reports `key` as missing from `table`.
    pub(super) fn missing(&mut self, table: &Open<'_>, key: &str) {
        self.missing_like(table, key, None);
    }

    /// Reports `key` as missing from `table`, where something like `example` would do.
    pub(super) fn missing_like(&mut self, table: &Open<'_>, key: &str, example: Option<&str>) {
        let full = table.full_key(key);
        let help = match table.section.key(key) {
            Some(known) => {
                let title = table.section.title();
                let example = example.unwrap_or(known.example_in(self.is_in_space));
                format!("add `{key} = {example}` to {title} ({})", known.meaning)
            }
            None => format!("add `{key}` to {}", table.section.title()),
        };
        self.report(table.source, full.clone(), format!("the key `{full}` is missing"), help);
    }

    /// Reports the table of `section` as missing from the top of the file, in which that of `other` would do as well.
    pub(super) fn missing_table(
        &mut self,
        top: &Open<'_>,
        section: &'static dyn Section,
        other: Option<&'static dyn Section>,
    ) {
        let mut message = format!("the table {} is missing", section.header());
        let mut help = format!(
            "open it with {0} on a line of its own; the keys of {0} are {1}",
            section.header(),
            section.key_names()
        );
        if let Some(other) = other {
            message += &format!(", and there is no {}", other.header());
            help += &format!(
                ". Or open {0} in its place; the keys of {0} are {1}",
                other.header(),
                other.key_names()
            );
        }
        self.report(top.source, section.path().to_owned(), message, help);
    }

    /// Reports that `key` must be `wanted` and is something else.
    pub(super) fn wrong_type<'w>(
        &mut self,
        table: &Open<'_>,
        key: &str,
        full: String,
        node: &Node,
        wanted: impl Into<Wanted<'w>>,
    ) {
        let Wanted { what: wanted, example } = wanted.into();
        let found = format!("{}{}", node.value.kind(), self.quote_value(node));
        let mut help = match table.section.key(key) {
            Some(known) => {
                let example = example.unwrap_or(known.example_in(self.is_in_space));
                format!("write it like `{key} = {example}` ({})", known.meaning)
            }
            None => format!("write {wanted}"),
        };
        if let (Value::Text(text), "a number") = (&node.value, wanted)
            && text.trim().parse::<f64>().is_ok()
        {
            let number = text.trim();
            help = if number.starts_with('.') || number.ends_with('.') {
                "a decimal point has digits on both sides: 0.5, 5.0".to_owned()
            } else if full.ends_with(']') {
                format!("remove the quotes: `{number}`")
            } else {
                format!("remove the quotes: `{key} = {number}`")
            };
        }
        let message = format!("`{full}` must be {wanted}, found {found}");
        self.report(&node.source, full, message, help);
    }

    /// Reports keys that have no effect in this context, and `why`.
    pub(super) fn no_effect(&mut self, table: &Open<'_>, keys: &[&str], why: &str, help: &str) {
        for key in keys {
            if let Some((source, _)) = table.table.0.get(*key) {
                let full = table.full_key(key);
                self.report(source, full.clone(), format!("`{full}` has no effect: {why}"), help.to_owned());
            }
        }
    }

    /// Reports a forbidden value, unless it stands in for one that has a problem already.
    pub(super) fn violation(&mut self, violation: Violation) {
        let mut keys = std::iter::once(&violation.key).chain(&violation.others);
        let known = |key: &String| self.faulty.iter().any(|faulty| related(faulty, key));
        if keys.any(known) {
            return;
        }
        let Violation { key, others, value, allowed, remedy } = violation;
        let node_of = |key: &String| KeyPath::parse(key).map_or(self.root, |path| self.root.nearest(&path));
        let node = node_of(&key);
        // What the file says was allowed until an override changed what it has to go with.
        let is_set = |node: &&Node| !matches!(node.source, Source::File(_));
        let origin = Some(node).filter(is_set).or_else(|| others.iter().map(node_of).find(is_set));
        let source = &origin.unwrap_or(node).source;
        let value = match node.value {
            Value::Table(_) | Value::Tables(_) => value,
            _ => self.quote(node),
        };
        let message = format!("`{key}` is {value}, but must be {allowed}");
        self.report(source, key, message, remedy);
    }

    /// The value as it was written, with a space before it; nothing for tables.
    fn quote_value(&self, node: &Node) -> String {
        match node.value {
            Value::Table(_) | Value::Tables(_) => String::new(),
            _ => format!(" {}", self.quote(node)),
        }
    }

    pub(super) fn quote(&self, node: &Node) -> String {
        clip(&self.written(node))
    }

    /// The value as it was written, a list with what overrides made of its elements.
    fn written(&self, node: &Node) -> String {
        match (&node.source, &node.value) {
            (Source::File(span), _) => self.text.get(span.clone()).unwrap_or_default().to_owned(),
            (Source::Override(argument, span), _) => {
                argument.get(span.clone()).unwrap_or_default().to_owned()
            }
            (Source::Assembled(_), Value::List(list)) => {
                let elements: Vec<String> = list.iter().map(|element| self.written(element)).collect();
                format!("[{}]", elements.join(", "))
            }
            (Source::Assembled(_), _) => String::new(),
        }
    }
}

/// A piece of a file on one line, without control characters, not too long.
pub(super) fn clip(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let printable: String = line.chars().filter(|c| !c.is_control()).collect();
    match printable.char_indices().nth(MAX_QUOTE) {
        Some((end, _)) => format!("{}...", &printable[..end]),
        None => printable,
    }
}
