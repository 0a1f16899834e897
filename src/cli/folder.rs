//! The folder that a command leaves its results in.

use std::path::{Path, PathBuf};

use serde::Serialize;
use stickslip::{
    atomic_file::{create_output_folder, write_atomically},
    plot::Figure,
};

use super::{
    error::CliError,
    figures::{ENDINGS, write_figure},
    session::write_json,
};

/// A folder of results, `OUTPUT/<scenario>/<command>/` for most commands.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates it and makes sure that it can be written to, before anything runs.
    pub fn create(output: &Path, scenario: &str, command: &str) -> Result<Self, CliError> {
        Self::at(output.join(scenario).join(command))
    }

    /// The same for any path.
    pub fn at(path: PathBuf) -> Result<Self, CliError> {
        create_output_folder(&path).map_err(|error| CliError::unwritable(&error))?;
        Ok(Self { path })
    }

    /// Where a file of it is.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is, for good.
    pub fn into_path(self) -> PathBuf {
        self.path
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
