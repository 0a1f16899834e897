//! What files that ask for more than a scenario have in common: words, whole numbers, keys, and what is said of wrong ones.

use std::path::Path;

use super::{
    FileKind, Finding, Node, Source, Table, Value, as_written, closest,
    file::{is_same_file, read_text},
};

/// Reads the parts of a file, and gathers what is wrong with them.
pub(crate) struct Reader<'a> {
    pub(crate) text: &'a str,
    /// What the file is called where its keys are listed, such as `a sweep file`.
    pub(crate) file: &'static str,
    pub(crate) findings: Vec<Finding>,
}

impl Reader<'_> {
    pub(crate) fn fault(
        &mut self,
        source: &Source,
        key: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.findings.push(Finding {
            source: source.clone(),
            key: Some(key.to_owned()),
            message: message.into(),
            help: help.into(),
        });
    }

    /// The text of the scenario in `file`, which a file of that kind names at this place; `help` says what to name instead of
    /// itself. `None` with a finding where there is none.
    pub(crate) fn named_scenario(
        &mut self,
        source: &Source,
        (file, own, kind): (&Path, &Path, FileKind),
        help: &str,
    ) -> Option<String> {
        if is_same_file(file, own) {
            let message = format!("`scenario` names the {} file itself", kind.as_str());
            self.fault(source, "scenario", message, help);
            return None;
        }
        let read = read_text(file, FileKind::Scenario);
        // A faulty scenario is told about in its own text; a missing one where it is named.
        read.map_err(|error| {
            let message = format!("`scenario` names `{}`: {}", file.display(), error.fault);
            self.fault(source, "scenario", message, &error.help);
        })
        .ok()
    }

    pub(crate) fn wrong_type(&mut self, node: &Node, key: &str, wanted: &str, example: &str) {
        let found = format!("{} {}", node.value.kind(), as_written(self.text, node));
        let message = format!("`{key}` must be {wanted}, found {}", found.trim_end());
        self.fault(&node.source, key, message, format!("write it like {example}"));
    }

    /// Reports the keys of `table` that are not `known`.
    pub(crate) fn known_keys(&mut self, table: &Table, path: &str, known: &[&str]) {
        for (key, (source, _)) in &table.0 {
            if !known.contains(&key.as_str()) {
                let top = format!("the top of {}", self.file);
                let home = if path.is_empty() { &top } else { path };
                let list = format!("the keys of {home} are {}", known.join(", "));
                let help = match closest(key, known.iter().copied()) {
                    Some(close) => format!("did you mean `{close}`? ({list})"),
                    None => format!("remove it ({list})"),
                };
                self.fault(source, key, format!("unknown key `{key}`"), help);
            }
        }
    }

    pub(crate) fn word(&mut self, node: &Node, key: &str, example: &str) -> Option<String> {
        if let Value::Text(text) = &node.value {
            return Some(text.clone());
        }
        self.wrong_type(node, key, "a string in quotes", example);
        None
    }

    /// A list of strings, each with its place.
    pub(crate) fn words(&mut self, node: &Node, key: &str, example: &str) -> Vec<(String, Source)> {
        let Value::List(list) = &node.value else {
            self.wrong_type(node, key, "a list of strings", example);
            return Vec::new();
        };
        if list.is_empty() {
            self.fault(&node.source, key, format!("`{key}` is empty"), format!("write it like {example}"));
        }
        list.iter().filter_map(|node| Some((self.word(node, key, example)?, node.source.clone()))).collect()
    }

    pub(crate) fn whole(
        &mut self,
        table: &Table,
        around: &Node,
        full: &str,
        key: &str,
        allowed: std::ops::RangeInclusive<u64>,
    ) -> Option<u64> {
        let (low, high) = (allowed.start(), allowed.end());
        let wanted = format!("a whole number from {low} to {high}");
        let Some(node) = table.get(key) else {
            let message = format!("the key `{full}` is missing");
            self.fault(&around.source, full, message, format!("add `{key}`, {wanted}"));
            return None;
        };
        let value = match node.value {
            Value::Integer(Some(whole), _) => {
                u64::try_from(whole).ok().filter(|whole| allowed.contains(whole))
            }
            _ => None,
        };
        if value.is_none() {
            self.wrong_type(node, full, &wanted, &format!("{key} = {}", (*low).max(100)));
        }
        value
    }
}
