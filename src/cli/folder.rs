//! The folder that a command leaves its results in.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use stickslip::{
    atomic_file::{create_output_folder, write_atomically},
    plot::Figure,
};

use super::{
    error::CliError,
    figures::{ENDINGS, write_figure},
    memory,
    outdated::{Earlier, keep_of_other},
    session::{Session, write_json},
};

/// A folder of results, `OUTPUT/<scenario>/<command>/` for most commands. However a command ends, it tells which files
/// beside its results are of earlier runs.
pub struct Folder<'a> {
    path: PathBuf,
    session: &'a Session,
    earlier: Earlier,
}

impl<'a> Folder<'a> {
    /// Creates it and makes sure that it can be written to, before anything runs, where the whole input is `resolved`; the
    /// results of another one are kept beside it.
    pub fn of_input(
        session: &'a Session,
        output: &Path,
        scenario: &str,
        command: &str,
        resolved: &str,
    ) -> Result<Self, CliError> {
        let path = output.join(scenario).join(command);
        keep_of_other(session, &path, |summary| is_of(summary, "resolved", resolved))?;
        Self::at(session, path)
    }

    /// The same where the input is the whole command line, and besides it the scenario `resolved` if that is known before
    /// the command has run.
    pub fn of_command(
        session: &'a Session,
        output: &Path,
        scenario: &str,
        command: &str,
        resolved: Option<&str>,
    ) -> Result<Self, CliError> {
        let path = output.join(scenario).join(command);
        let own = session.provenance(String::new(), &[]).command;
        keep_of_other(session, &path, |summary| {
            let of_command = summary.get("command").and_then(Value::as_str);
            of_command.is_none_or(|earlier| arguments(earlier) == arguments(&own))
                && resolved.is_none_or(|resolved| is_of(summary, "resolved", resolved))
        })?;
        Self::at(session, path)
    }

    /// The same for any path.
    pub fn at(session: &'a Session, path: PathBuf) -> Result<Self, CliError> {
        memory::require_room()?;
        create_output_folder(&path).map_err(|error| CliError::unwritable(&error))?;
        let earlier = Earlier::of(&path);
        Ok(Self { path, session, earlier })
    }

    /// Where a file of it is.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a text, or whatever `bytes` is.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        Ok(write_atomically(&self.file(name), |out| out.write_all(bytes))?)
    }

    /// Writes JSON for people.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), CliError> {
        write_json(&self.file(name), value)
    }

    /// Writes a figure in all its forms, unless the user interrupted. Gives the SVG.
    pub fn write_figure(&self, name: &str, figure: &Figure) -> Result<String, CliError> {
        if write_figure(&self.path, name, figure)?.len() < ENDINGS.len() {
            return Err(CliError::Interrupted("the results are written, not all pictures are".to_owned()));
        }
        Ok(figure.to_svg()?)
    }
}

/// Whether a summary says that of itself, or nothing.
fn is_of(summary: &Value, key: &str, own: &str) -> bool {
    summary.get(key).and_then(Value::as_str).is_none_or(|earlier| earlier == own)
}

/// A command line without the place of the program.
fn arguments(command: &str) -> &str {
    command.split_once(' ').map_or("", |(_, rest)| rest)
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        self.earlier.note_left(self.session);
    }
}
