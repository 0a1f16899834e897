//! Bad input: every fault is refused, with a message that names the place, the key, the value,
//! what is allowed and what to do.
//!
//! `valid.toml` is a scenario that sets every key there is and is valid; the cases break it, one
//! fault at a time.

mod command_line;
mod files;
mod joints;
mod learn;
mod lines;
mod many_faults;
#[path = "../meaningful_pieces/mod.rs"]
mod meaningful_pieces;
mod overrides;
mod parts;
mod random;
mod structure;

use stickslip::scenario::{InvalidScenario, Override, Place, Problem, ScenarioError, parse_scenario};

/// A scenario without a fault.
const VALID: &str = include_str!("valid.toml");
/// What messages call it.
const NAME: &str = "broken.toml";

#[test]
fn the_scenario_that_the_cases_break_is_valid() {
    parse_scenario(NAME, VALID, &[]).unwrap_or_else(|error| panic!("{error}"));
}

/// The refusal of `text` with the overrides `settings`.
fn refusal(text: &str, settings: &[&str]) -> InvalidScenario {
    let overrides: Vec<Override> =
        settings.iter().map(|setting| setting.parse().expect("an override")).collect();
    match parse_scenario(NAME, text, &overrides) {
        Err(ScenarioError::Invalid(invalid)) => invalid,
        Err(other) => panic!("not a fault of the text: {other}"),
        Ok(_) => panic!("accepted with {settings:?}:\n{text}"),
    }
}

/// The one problem of `text` with the overrides `settings`.
fn only_problem(text: &str, settings: &[&str]) -> Problem {
    let mut refusal = refusal(text, settings);
    assert_eq!(refusal.problems.len(), 1, "not one problem:\n{refusal}");
    refusal.problems.remove(0)
}

/// Asserts that the problem has the key `key` and that its words contain every one of `words`.
#[track_caller]
fn assert_tells(problem: &Problem, key: Option<&str>, words: &[&str]) {
    assert_eq!(problem.key.as_deref(), key, "{problem:#?}");
    let told = format!("{}\n{}", problem.message, problem.help);
    if let Some(key) = key {
        assert!(told.contains(key), "the key {key} is not named in\n{told}");
    }
    for word in words {
        assert!(told.contains(word), "{word:?} is missing in\n{told}");
    }
    assert!(!problem.help.is_empty(), "no remedy for {}", problem.message);
}

/// The line of the file that a problem is about; none for an override.
fn line(problem: &Problem) -> Option<usize> {
    match problem.place {
        Place::Text { line, .. } => Some(line),
        Place::Override(_) => None,
    }
}

/// `VALID` with its line `number` (counted from 1) replaced.
fn with_line(number: usize, replacement: &str) -> String {
    let mut lines: Vec<&str> = VALID.lines().collect();
    lines[number - 1] = replacement;
    lines.join("\n") + "\n"
}
