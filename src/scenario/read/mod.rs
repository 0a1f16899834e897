//! Scenario files: from TOML to a checked scenario, or to everything that is wrong with the file.
//!
//! The text becomes a [document](document) whose values remember where they were written,
//! overrides replace some of them, the [walker](walker) reads typed values along the
//! [table of keys](super::keys), and [`Scenario::check`](super::Scenario::check) judges what came out. No stage
//! stops at the first problem.

mod bodies;
mod controls;
mod couplings;
mod dimension;
mod document;
mod explain;
mod file;
mod from_text;
mod joints;
mod json_schema;
mod key_path;
mod kind;
mod names;
mod need;
mod overrides;
mod problem;
mod push_file;
mod pushes;
mod reader;
mod scenario;
mod scenario_text;
mod settings;
mod suggest;
mod syntax;
mod values;
mod walker;

use std::{io::Read, path::Path};

use toml::de::DeTable;

use self::walker::Walker;
pub(crate) use self::{
    document::{Node, Source, Table, Value},
    file::{FileKind, read_text, text_of},
    key_path::{KeyPath, Segment, related},
    problem::{Finding, locate},
    reader::Reader,
};
use super::{
    AnyScenario,
    keys::{self, Section},
};
pub(crate) use crate::spelling::closest;

pub use controls::{Control, Setting, controls};
pub(crate) use explain::require_key;
pub use explain::{explain, explain_word};
pub use file::{FileError, FileFault};
pub use json_schema::json_schema;
pub use kind::unit_of_key;
pub use overrides::{Override, OverrideError};
pub use problem::{InvalidScenario, Place, Problem, ScenarioError};
pub use scenario_text::ScenarioText;

/// Reads the scenario file at `path`, with some of its keys set from outside.
///
/// A later override of a key wins over an earlier one.
///
/// # Errors
/// [`ScenarioError::File`] if there is no text to be had, [`ScenarioError::Invalid`] with all the
/// problems if the text, or an override, is not a valid scenario.
pub fn read_scenario(path: impl AsRef<Path>, overrides: &[Override]) -> Result<AnyScenario, ScenarioError> {
    let path = path.as_ref();
    let text = read_text(path, FileKind::Scenario)?;
    parse_scenario(&path.display().to_string(), &text, overrides)
}

/// Reads a scenario from what `input` gives, standard input for example; `name` stands for the path in messages.
///
/// # Errors
/// Those of [`read_scenario`].
pub fn read_scenario_from(
    input: impl Read,
    name: &str,
    overrides: &[Override],
) -> Result<AnyScenario, ScenarioError> {
    let text = text_of(input, Path::new(name), FileKind::Scenario)?;
    parse_scenario(name, &text, overrides)
}

/// Reads a scenario from `text`, with some of its keys set from outside; `name` stands for the
/// path in messages.
///
/// # Errors
/// [`ScenarioError::Invalid`] with all the problems of the text and of the overrides.
pub fn parse_scenario(name: &str, text: &str, overrides: &[Override]) -> Result<AnyScenario, ScenarioError> {
    let (root, findings) = parse_document(text);
    make(name, text, root, findings, overrides)
}

/// The scenario of a `text` of which this is the document, and what is wrong with it.
pub(crate) fn make(
    name: &str,
    text: &str,
    root: Option<Node>,
    mut findings: Vec<Finding>,
    overrides: &[Override],
) -> Result<AnyScenario, ScenarioError> {
    let invalid = |findings| {
        let problems = locate(text, findings);
        ScenarioError::from(InvalidScenario { path: name.to_owned(), text: text.to_owned(), problems })
    };
    let Some(mut root) = root else { return Err(invalid(findings)) };
    if let Value::Table(top) = &root.value
        && let Some(refusal) = FileKind::Scenario.refusal(top)
    {
        return Err(invalid(vec![refusal]));
    }
    for one in overrides {
        if let Err(obstacle) = one.apply(&mut root) {
            findings.push(Finding {
                source: one.source().clone(),
                key: Some(one.key().to_string()),
                message: obstacle.message,
                help: obstacle.help,
            });
        }
    }
    if matches!(&root.value, Value::Table(table) if table.0.is_empty()) {
        findings.push(Finding {
            source: Source::File(0..0),
            key: None,
            message: "the file is empty: it sets no key at all".to_owned(),
            help: format!("a scenario has {}", <dyn Section>::key_names(keys::top::<2>())),
        });
        return Err(invalid(findings));
    }
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let mut walker = Walker::new(text, &root, folder);
    let scenario = scenario::read(&mut walker, &root);
    findings.extend(walker.finish());
    match scenario {
        Some(scenario) if findings.is_empty() => Ok(scenario),
        _ => Err(invalid(findings)),
    }
}

/// The document of a TOML text and what is wrong with it as such; no document where more is wrong
/// than keys that are given twice.
pub(crate) fn parse_document(text: &str) -> (Option<Node>, Vec<Finding>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let root = syntax::only_duplicates(&errors).then(|| Node {
        value: Value::Table(Table::new(table.get_ref(), &Source::File)),
        source: Source::File(0..0),
    });
    (root, syntax::findings(text, &errors))
}

/// The keys that stand at the top of a scenario, tables among them; plans ask for them.
#[cfg(feature = "ipopt")]
pub(crate) fn top_keys() -> Vec<&'static str> {
    keys::sections()[0].rows().map(|row| row.name).collect()
}

/// The text of a value as it was written in a file, or set from outside.
pub(crate) fn as_written<'a>(text: &'a str, node: &'a Node) -> &'a str {
    match &node.source {
        Source::File(span) => text.get(span.clone()).unwrap_or_default(),
        Source::Override(set, span) => set.get(span.clone()).unwrap_or_default(),
        Source::Assembled(_) => "",
    }
}
