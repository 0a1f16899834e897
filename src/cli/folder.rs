//! The folder that a command leaves its results in.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};
use stickslip::{
    atomic_file::{create_output_folder, write_atomically},
    plot::Figure,
};

use super::{
    error::CliError,
    figures::{ENDINGS, write_figure},
    folder_lock::FolderLock,
    memory,
    outdated::{Earlier, has_other_results, keep_results},
    session::{Session, write_json},
};

/// A folder of results that a command holds for itself, before it has any. The results in it are as they were: what a
/// command refuses, or is stopped in, is no reason to move them.
pub struct HeldFolder<'a> {
    path: PathBuf,
    session: &'a Session,
    has_other_results: bool,
    lock: FolderLock,
}

impl<'a> HeldFolder<'a> {
    fn hold(
        session: &'a Session,
        path: PathBuf,
        is_same_input: impl Fn(&Value) -> bool,
    ) -> Result<Self, CliError> {
        memory::require_room()?;
        create_output_folder(&path).map_err(|error| CliError::unwritable(&error))?;
        let lock = FolderLock::take(&path)?;
        let has_other_results = has_other_results(&path, is_same_input);
        Ok(Self { path, session, has_other_results, lock })
    }

    /// The folder for results that are there to be written; those of other arguments are kept beside it.
    pub fn open(self) -> Result<Folder<'a>, CliError> {
        let Self { path, session, has_other_results, lock } = self;
        if has_other_results {
            keep_results(session, &path)?;
        }
        let earlier = Earlier::of(&path);
        Ok(Folder { path, session, earlier, _lock: lock })
    }
}

/// A folder of results, `OUTPUT/<scenario>/<command>/` for most commands. However a command ends, it tells which files
/// beside its results are of earlier runs.
pub struct Folder<'a> {
    path: PathBuf,
    session: &'a Session,
    earlier: Earlier,
    _lock: FolderLock,
}

impl<'a> Folder<'a> {
    /// Creates it and makes sure that it can be written to, before anything runs; the results of other arguments are kept
    /// beside it once there are new ones.
    pub fn of_command(
        session: &'a Session,
        output: &Path,
        name: &str,
        command: &str,
    ) -> Result<HeldFolder<'a>, CliError> {
        HeldFolder::hold(session, output.join(name).join(command), |earlier| is_same(session, earlier, &[]))
    }

    /// The same of a command on a scenario, of which `resolved` is all that it says: results are of the same input where that
    /// and all arguments beside it are the same, but for those that the name of the folder `tells`.
    pub fn of_input(
        session: &'a Session,
        output: &Path,
        scenario: &str,
        command: &str,
        resolved: &str,
        tells: &[&str],
    ) -> Result<HeldFolder<'a>, CliError> {
        let told = [&OF_SCENARIO[..], tells].concat();
        HeldFolder::hold(session, output.join(scenario).join(command), |earlier| {
            let scenario = earlier.get("resolved").and_then(Value::as_str);
            scenario.is_none_or(|scenario| scenario == resolved) && is_same(session, earlier, &told)
        })
    }

    /// The same for any path, whose results are replaced whatever they are of.
    pub fn at(session: &'a Session, path: PathBuf) -> Result<HeldFolder<'a>, CliError> {
        HeldFolder::hold(session, path, |_| true)
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

/// Arguments that go into the scenario as it is resolved.
const OF_SCENARIO: [&str; 3] = ["scenario", "set", "solver"];

/// Whether an earlier summary is of the same arguments, but for those that are `told` otherwise; one that does not say is.
fn is_same(session: &Session, earlier: &Value, told: &[&str]) -> bool {
    let Some(earlier) = earlier.get("arguments").and_then(Value::as_object) else { return true };
    let own = session.arguments().iter().map(|(name, values)| (name.clone(), Value::from(values.clone())));
    let own: Map<String, Value> = own.collect();
    let differs = |name: &&String| earlier.get(*name) != own.get(*name);
    !earlier.keys().chain(own.keys()).filter(|name| !told.contains(&name.as_str())).any(|name| differs(&name))
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        self.earlier.note_left(self.session);
    }
}
