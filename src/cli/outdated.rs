//! What earlier runs left in a folder of results.

use std::{
    fs::{self, FileType},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde_json::Value;
use stickslip::{stepper::StepperName, trajectory::Replay};

use super::{
    error::CliError,
    figures::ENDINGS,
    output::{RESULT, SUMMARY},
    session::{Session, TIMINGS},
};

/// What the names of replay files have in common, before the number of the step.
const REPLAY: &str = "replay-step-";

/// Endings of pictures and pages beside those of figures.
const PAGES: [&str; 2] = [".gif", ".html"];

/// More names than this nobody reads.
const MOST_NAMED: usize = 6;

/// Largest replay file in bytes that is looked into.
const MAX_REPLAY: u64 = 100_000_000;

/// Largest summary in bytes that is looked into.
const MAX_SUMMARY: u64 = 100_000_000;

/// Whether `folder` has results of another input: a summary that `is_same_input` is not true of.
pub fn has_other_results(folder: &Path, is_same_input: impl Fn(&Value) -> bool) -> bool {
    let Some(summary) =
        [SUMMARY, RESULT].map(|name| folder.join(name)).into_iter().find(|path| path.exists())
    else {
        return false;
    };
    if !fs::metadata(&summary).is_ok_and(|data| data.is_file() && data.len() <= MAX_SUMMARY) {
        return false;
    }
    let earlier =
        fs::read_to_string(&summary).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    earlier.is_some_and(|summary| !is_same_input(&summary))
}

/// Moves the results of `folder` into a folder beside it, `folder.1` or the next that is free, and says so.
pub fn keep_results(session: &Session, folder: &Path) -> Result<(), CliError> {
    let refuse = |error: io::Error| {
        CliError::failed(
            format!("the results of another input in `{}` cannot be kept: {error}", folder.display()),
            "move them away by hand, or give another --output",
        )
    };
    let kept = free_folder_beside(folder).map_err(refuse)?;
    // One by one: what has a name that begins with a dot is being written, or is the lock of the folder.
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let folders = entries(folder, FileType::is_dir);
    for path in files(folder).into_iter().chain(folders).filter(|path| !is_hidden(path)) {
        fs::rename(&path, kept.join(path.file_name().unwrap_or_default())).map_err(refuse)?;
    }
    session.note(&format!(
        "the results in `{}` were of another input: kept in `{}`",
        folder.display(),
        kept.display()
    ));
    Ok(())
}

/// Makes `folder.1`, or the next that is free.
fn free_folder_beside(folder: &Path) -> io::Result<PathBuf> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut number = 1;
    loop {
        let beside = folder.with_file_name(format!("{name}.{number}"));
        match fs::create_dir(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|()| beside),
        }
    }
}

/// Removes a file of ours that would not belong to the results beside it.
pub fn remove_if_there(file: &Path) -> Result<(), CliError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(CliError::failed(
            format!("cannot remove the outdated `{}`: {error}", file.display()),
            "remove it by hand",
        )),
        _ => Ok(()),
    }
}

/// Removes the replay files of `folder` but `kept`: they belong to failures of earlier runs. A file counts as one
/// only if it has the name and the content.
pub fn remove_replays(folder: &Path, kept: &[PathBuf]) -> Result<(), CliError> {
    let is_replay = |path: &PathBuf| {
        has_name_of_replay(path)
            && fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MAX_REPLAY)
            && Replay::read(path).is_ok()
    };
    let outdated = files(folder).into_iter().filter(|path| !kept.contains(path) && is_replay(path));
    outdated.into_iter().try_for_each(|path| remove_if_there(&path))
}

fn has_name_of_replay(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number =
        name.strip_suffix(".json").and_then(|stem| stem.rsplit_once(REPLAY)).map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Removes `<stepper><ending>` for every stepper but those of `kept`.
pub fn remove_of_steppers(folder: &Path, ending: &str, kept: &[StepperName]) -> Result<(), CliError> {
    let outdated = StepperName::known().into_iter().filter(|name| !kept.contains(name));
    outdated.into_iter().try_for_each(|name| remove_if_there(&folder.join(file_stem(name) + ending)))
}

/// The name of a stepper in names of files and folders.
pub fn file_stem(stepper: StepperName) -> String {
    stepper.as_str().replace(':', "-")
}

/// What a folder of results had before this run.
pub struct Earlier {
    folder: PathBuf,
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

impl Earlier {
    /// What it has now.
    pub fn of(folder: &Path) -> Self {
        let files =
            files(folder).into_iter().map(|path| (modified(&path), path)).map(|(at, path)| (path, at));
        Self { folder: folder.to_owned(), files: files.collect() }
    }

    /// Says what of it is still there beside results that this run wrote: pictures and pages beside whole results,
    /// of which [`TIMINGS`] is written last, and tables too beside others.
    pub fn note_left(&self, session: &Session) {
        let is_of_this_run = |path: &Path| {
            let before = self.files.iter().find(|(earlier, _)| earlier == path);
            before.is_none_or(|(_, at)| modified(path) != *at)
        };
        let (written, left): (Vec<PathBuf>, Vec<PathBuf>) =
            files(&self.folder).into_iter().partition(|path| is_of_this_run(path));
        if written.is_empty() {
            return;
        }
        let is_whole = written.iter().any(|path| path.ends_with(TIMINGS));
        let (what, others): (_, &[&str]) =
            if is_whole { ("pictures", &PAGES) } else { ("results", &[".csv", ".json", ".gif", ".html"]) };
        let has_ending = |name: &String| ENDINGS.iter().chain(others).any(|ending| name.ends_with(ending));
        let left: Vec<String> = left
            .iter()
            .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
            .filter(has_ending)
            .collect();
        if left.is_empty() {
            return;
        }
        let more = left.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = left.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
        session
            .note(&format!("the {what} in `{}` are not of this run: {names}{more}", self.folder.display()));
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// The files of a folder in the order of their names; none if it cannot be listed.
fn files(folder: &Path) -> Vec<PathBuf> {
    entries(folder, FileType::is_file)
}

/// What of a kind is in a folder, in the order of the names.
fn entries(folder: &Path, is_of_kind: fn(&FileType) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| is_of_kind(&kind)))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}
