//! Models of MJCF and URDF as scenarios: masses, centres and inertias against closed forms, what is taken of every kind of
//! element, and what is said of broken ones.

mod broken;
mod dae;
mod files;
mod flags;
mod mjcf;
mod mutated;
mod scenario_text;
mod unknown;
mod urdf;

use std::path::Path;

use stickslip_import::{Fate, Imported, Options, import_text};

/// A text that is taken.
fn imported(text: &str) -> Imported {
    imported_with(text, Options::default())
}

fn imported_with(text: &str, options: Options) -> Imported {
    match import_text(text, Path::new("model.xml"), options) {
        Ok(imported) => imported,
        Err(error) => panic!("{error}\n{}", error.remedy),
    }
}

/// MJCF with this in its `<worldbody>`.
fn world(inside: &str) -> String {
    format!("<mujoco model=\"scene\"><worldbody>\n{inside}\n</worldbody></mujoco>")
}

/// Asserts that there is a note of that fate, with these words, and that it names the line.
fn assert_note(imported: &Imported, fate: Fate, words: &[&str], line: usize) {
    let fits = |note: &&stickslip_import::Note| {
        let text = note.to_string();
        note.fate == fate
            && words.iter().all(|word| text.contains(word))
            && note.places.iter().any(|place| place.line == Some(line))
    };
    let all: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert!(
        imported.notes.iter().find(fits).is_some(),
        "no note with {words:?} in line {line}:\n{}",
        all.join("\n")
    );
}
