//! What earlier runs left in a folder of results.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use stickslip::{stepper::StepperName, trajectory::Replay};

use super::{error::CliError, figures::ENDINGS, session::Session};

/// What the names of replay files have in common, before the number of the step.
const REPLAY: &str = "replay-step-";

/// Largest replay file in bytes that is looked into.
const MAX_REPLAY: u64 = 100_000_000;

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

/// Says that the pictures in `folder`, and the page that has them in it, are not of this run, which draws none.
pub fn note_pictures(session: &Session, folder: &Path) {
    note_files_of_figures(session, folder, &[".gif", ".html"]);
}

/// Says the same of the pictures alone, where the page is written anew.
pub fn note_pictures_but_page(session: &Session, folder: &Path) {
    note_files_of_figures(session, folder, &[".gif"]);
}

/// Says that what `folder` has of a finished run is not of this one, which left only `kept`.
pub fn note_results(session: &Session, folder: &Path, kept: &Path) {
    note(session, folder, "results", |path| {
        path != kept && has_ending(path, &[".csv", ".json", ".gif", ".html"])
    });
}

/// Says it of the pictures: the files of figures and those with `others` of endings.
fn note_files_of_figures(session: &Session, folder: &Path, others: &[&str]) {
    note(session, folder, "pictures", |path| has_ending(path, others));
}

/// Whether it is a file of a figure, or one with `others` of endings.
fn has_ending(path: &Path, others: &[&str]) -> bool {
    let name = path.to_string_lossy();
    ENDINGS.iter().chain(others).any(|ending| name.ends_with(ending))
}

/// Says that the files for which `is_one` holds are not of this run; `what` they are.
fn note(session: &Session, folder: &Path, what: &str, is_one: impl Fn(&Path) -> bool) {
    /// More names than this nobody reads.
    const MOST: usize = 6;
    let found: Vec<String> = files(folder)
        .into_iter()
        .filter(|path| is_one(path))
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    if found.is_empty() {
        return;
    }
    let more = if found.len() > MOST { format!(" and {} more", found.len() - MOST) } else { String::new() };
    let names = found.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    session.note(&format!("the {what} in `{}` are not of this run: {names}{more}", folder.display()));
}

/// The files of a folder in the order of their names; none if it cannot be listed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}
