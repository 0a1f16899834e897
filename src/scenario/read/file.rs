//! The file of a scenario: its text, or why there is none.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{Finding, closest, document::Table};

/// Largest scenario file in bytes: room for the most particles that a scenario may have, every number with all of
/// its digits, and as much again. The ones people write have a few hundred.
const MAX_SCENARIO_BYTES: u64 = 48_000_000;

/// Most signs that a scenario file may have, characters that are neither letters nor digits: each may become a value
/// in memory, which takes a hundred times as much. A particle has about forty.
const MAX_SIGNS: usize = 10_000_000;

/// A scenario file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}\n  help: {help}", .path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: FileFault,
    /// What to do about it.
    pub help: String,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// It does not exist.
    #[error("there is no such file")]
    Missing,
    /// It is a directory.
    #[error("this is a directory, not a file")]
    Directory,
    /// It is larger than any scenario.
    #[error("the file is larger than {MAX_SCENARIO_BYTES} bytes, the most that a scenario file may have")]
    TooLarge,
    /// It has more in it than any scenario.
    #[error("the file has more than {MAX_SIGNS} signs between its words and numbers, which no scenario has")]
    TooMuch,
    /// It is not text.
    #[error("the file is not UTF-8 text (line {line} has a byte 0x{byte:02x} that does not belong)")]
    NotUtf8 {
        /// Line of the first wrong byte, counted from 1.
        line: usize,
        /// That byte.
        byte: u8,
    },
    /// The system refuses to give it out.
    #[error("the file cannot be read: {reason}")]
    Unreadable {
        /// The system's own words.
        reason: String,
    },
}

/// What a file is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Scenario,
    Plan,
    Sweep,
}

impl FileKind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Plan => "plan",
            Self::Sweep => "sweep",
        }
    }

    /// What a file with these keys at its top is meant to be, and the key that tells; `None` where none does.
    fn told_by(top: &Table) -> Option<(Self, &'static str)> {
        let first = |keys: &[&'static str]| keys.iter().copied().find(|key| top.get(key).is_some());
        if let Some(key) = first(&["grid", "sample"]) {
            return Some((Self::Sweep, key));
        }
        if let Some(key) = first(&["control", "goal"]) {
            return Some((Self::Plan, key));
        }
        // A plan may hold the tables of its scenario.
        if first(&["scenario", "steps", "steppers", "cost", "aim", "keep"]).is_some() {
            return None;
        }
        first(&["particle", "body", "ground"]).map(|key| (Self::Scenario, key))
    }

    /// That a file is of another kind than this, with the keys at its top; `None` where it may be of this one.
    pub(crate) fn refusal(self, top: &Table) -> Option<Finding> {
        let (other, key) = Self::told_by(top).filter(|(other, _)| *other != self)?;
        let (source, _) = top.0.get(key)?;
        let command = match other {
            Self::Scenario => "run",
            Self::Plan => "plan",
            Self::Sweep => "sweep",
        };
        let wanted = match self {
            Self::Scenario => {
                "a scenario has a [particle] or [[body]], and plans and sweeps name the file of one"
            }
            Self::Plan => {
                "a plan names a scenario, as in scenario = \"slide.toml\", and has [[control]] and [goal]"
            }
            Self::Sweep => {
                "a sweep names a scenario, as in scenario = \"slide.toml\", and has [grid] or [sample]"
            }
        };
        Some(Finding {
            source: source.clone(),
            key: Some(key.to_owned()),
            message: format!("this is a {} file, not a {}: it has `{key}`", other.as_str(), self.as_str()),
            help: format!("give it to `stickslip {command}`; {wanted}"),
        })
    }

    /// Where examples of it are, from the folder of the repository.
    fn examples(self) -> PathBuf {
        Path::new("examples").join(format!("{}s", self.as_str()))
    }

    fn remedy(self) -> String {
        format!("give the path of a {} file (*.toml)", self.as_str())
    }
}

/// Whether the two are names of one file.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The text of the file at `path`, without a byte order mark.
pub(crate) fn read_text(path: &Path, kind: FileKind) -> Result<String, FileError> {
    let error = |fault, help: String| FileError { path: path.to_owned(), fault, help };
    if path.is_dir() {
        return Err(error(FileFault::Directory, in_directory(path, kind)));
    }
    match File::open(path) {
        Ok(file) => text_of(file, path, kind),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            Err(error(FileFault::Missing, near(path, kind)))
        }
        Err(fault) => Err(unreadable(&fault, path)),
    }
}

/// The text of an open file called `name`, without a byte order mark.
pub(crate) fn text_of(input: impl Read, name: &Path, kind: FileKind) -> Result<String, FileError> {
    let error = |fault, help: String| FileError { path: name.to_owned(), fault, help };
    // At most one byte more than a scenario may have, so that no device can fill the memory.
    let mut bytes = Vec::new();
    input.take(MAX_SCENARIO_BYTES + 1).read_to_end(&mut bytes).map_err(|fault| unreadable(&fault, name))?;
    if bytes.len() as u64 > MAX_SCENARIO_BYTES {
        return Err(error(FileFault::TooLarge, kind.remedy()));
    }
    let is_sign = |byte: &&u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'.'));
    if bytes.iter().filter(is_sign).count() > MAX_SIGNS {
        return Err(error(FileFault::TooMuch, kind.remedy()));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }),
        Err(not_utf8) => {
            let good = not_utf8.utf8_error().valid_up_to();
            let (before, rest) = not_utf8.as_bytes().split_at(good);
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            let byte = rest.first().copied().unwrap_or_default();
            Err(error(
                FileFault::NotUtf8 { line, byte },
                format!("save it as UTF-8, or check that it is a {} file at all", kind.as_str()),
            ))
        }
    }
}

fn unreadable(fault: &io::Error, path: &Path) -> FileError {
    FileError {
        path: path.to_owned(),
        fault: FileFault::Unreadable { reason: fault.to_string() },
        help: "check the path and the permissions".to_owned(),
    }
}

fn in_directory(directory: &Path, kind: FileKind) -> String {
    match toml_files(directory).first() {
        Some(first) => format!("name a file in it, for example `{}`", first.display()),
        None => kind.remedy(),
    }
}

/// Advice from the names of files next to the missing one and among the examples of its kind.
fn near(path: &Path, kind: FileKind) -> String {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut candidates = toml_files(folder);
    candidates.extend(toml_files(&kind.examples()));
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = candidates.iter().map(|candidate| stem(candidate)).collect();
    let found = closest(&stem(path), stems.iter().map(String::as_str))
        .and_then(|name| stems.iter().position(|stem| stem == name))
        .and_then(|place| candidates.get(place));
    match (found, candidates.as_slice()) {
        (Some(candidate), _) => {
            format!("did you mean `{}`?", candidate.display())
        }
        (None, []) if !folder.is_dir() => {
            format!("there is no folder `{}` either; check the path", folder.display())
        }
        (None, []) => format!("check the path; a {} file ends in .toml", kind.as_str()),
        (None, candidates) => {
            let names: Vec<String> = candidates.iter().take(12).map(|c| c.display().to_string()).collect();
            format!("check the path; there are {}", names.join(", "))
        }
    }
}

/// The `*.toml` files of a folder in the order of their names; none if it cannot be listed.
fn toml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter(|path| path.file_name().is_some_and(|name| name != "Cargo.toml"))
        .map(|path| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path))
        .collect();
    files.sort();
    files
}
