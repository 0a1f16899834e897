//! Models of robots as scenarios: MJCF, the files of MuJoCo, and URDF, the files of ROS.
//!
//! [`import`] reads a file and gives the text of a scenario, and a list of what it took, what it changed and what it left
//! out, each with its line and the reason. `docs/import.md` has the tables.
//!
//! A crate for stickslip's own use; the crate `stickslip` shows it as `stickslip::import`.

#![warn(missing_docs)]

mod assemble;
mod attitude;
mod element;
mod fault;
mod files;
mod mass;
mod mechanism;
mod mesh;
mod mjcf;
mod note;
mod solid;
mod spelling;
mod toml;
mod urdf;

use std::path::Path;

use self::{element::Element, note::Notes};
pub use self::{
    fault::ImportError,
    note::{Fate, Note, Place},
};

/// What a file leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether the base of a URDF, or a body of MJCF that is free, stays where it is.
    pub fixed_base: bool,
}

/// A file as a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The text of a scenario file.
    pub scenario: String,
    /// What was taken, then what was changed, then what was left out.
    pub notes: Vec<Note>,
}

/// Reads the MJCF or URDF file at `path`, and the files that it names.
///
/// # Errors
/// [`ImportError`] with the file and the line, for broken XML, files that are missing, values that make no sense, and
/// joints for which scenarios have no words.
pub fn import(path: &Path, options: Options) -> Result<Imported, ImportError> {
    let text = files::read_text(path, &Place::whole(&path.display().to_string()))?;
    import_text(&text, path, options)
}

/// The same of a text that stands, or would stand, at `path`: files that it names count from there.
///
/// # Errors
/// As [`import`].
pub fn import_text(text: &str, path: &Path, options: Options) -> Result<Imported, ImportError> {
    let file = path.display().to_string();
    let root = Element::parse(text, &file)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut notes = Notes::default();
    let mechanism = match root.tag.as_str() {
        "mujoco" => mjcf::read(root, folder, &stem, options, &mut notes)?,
        "robot" => urdf::read(&root, folder, &stem, options, &mut notes)?,
        other => {
            return Err(ImportError::new(
                &root.place,
                format!("the root is <{other}>, which is neither <mujoco> of MJCF nor <robot> of URDF"),
                "give one of these; SDF is not read",
            ));
        }
    };
    let scenario = assemble::scenario(mechanism, &mut notes)?;
    Ok(Imported { scenario, notes: notes.sorted() })
}
