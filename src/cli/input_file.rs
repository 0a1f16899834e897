use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::error::CliError;
use crate::spelling::closest;

/// What a file is, for messages, and how large it may be.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What it is called.
    pub name: &'static str,
    /// How its name ends.
    pub extension: &'static str,
    /// Its largest size in bytes, so that no device can fill the memory.
    pub max_bytes: u64,
}

/// The text of a file.
#[derive(Debug)]
pub struct InputFile {
    /// Its name, for messages.
    pub name: String,
    /// Its content, without a byte order mark.
    pub text: String,
}

/// Whether a path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a text file; `-` is standard input.
pub fn read(path: &Path, kind: Kind) -> Result<InputFile, CliError> {
    let Kind { name: what, extension, max_bytes } = kind;
    let name = if is_standard_input(path) { "standard input".into() } else { path.display().to_string() };
    let refuse = |message: &str, help: String| CliError::input(format!("{name}: {message}"), help);
    if path.is_dir() {
        return Err(refuse(&format!("this is a directory, not a {what}"), near(path, path, kind)));
    }
    let bytes = read_bytes(path, max_bytes).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            refuse(&format!("there is no such {what}"), near(path, folder.unwrap_or(Path::new(".")), kind))
        }
        _ => refuse(
            &format!("the file cannot be read: {error}"),
            "check the path and the permissions".to_owned(),
        ),
    })?;
    if bytes.len() as u64 > max_bytes {
        return Err(refuse(
            &format!("this is larger than {max_bytes} bytes, the most that a {what} may have"),
            format!("give a {what} (*.{extension}), or a smaller one"),
        ));
    }
    let text = String::from_utf8(bytes).map_err(|not_utf8| {
        let good = not_utf8.utf8_error().valid_up_to();
        let (before, rest) = not_utf8.as_bytes().split_at(good);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let byte = rest.first().copied().unwrap_or_default();
        refuse(
            &format!("the file is not UTF-8 text (line {line} has a byte 0x{byte:02x} that does not belong)"),
            format!("save it as UTF-8, or check that it is a {what} at all"),
        )
    })?;
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(InputFile { name, text })
}

fn read_bytes(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_standard_input(path) {
        io::stdin().take(max_bytes + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Advice from the files of that kind in a folder.
fn near(path: &Path, folder: &Path, Kind { name: what, extension, .. }: Kind) -> String {
    let files = similar_files(folder, extension);
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let given = stem(path);
    let stems: Vec<String> = files.iter().map(|file| stem(file)).collect();
    let meant = closest(&given, stems.iter().map(String::as_str));
    let meant = stems.iter().zip(&files).find(|(stem, _)| Some(stem.as_str()) == meant);
    let names: Vec<String> = files.iter().take(12).map(|file| file.display().to_string()).collect();
    match meant {
        Some((_, file)) => format!("did you mean `{}`?", file.display()),
        None if !folder.is_dir() => {
            format!("there is no folder `{}` either; check the path", folder.display())
        }
        None if names.is_empty() => format!("give the path of a {what} (*.{extension})"),
        None => format!("check the path; there are {}", names.join(", ")),
    }
}

/// The files with that ending of a folder in the order of their names; none if it cannot be listed.
fn similar_files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .map(|path| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path))
        .collect();
    files.sort();
    files
}
