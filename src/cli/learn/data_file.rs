use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use stickslip::learn::DataFile;

use super::super::error::CliError;

/// Largest data file in bytes, so that no device can fill the memory.
const MAX_BYTES: u64 = 500_000_000;

/// Reads a data file; `-` is standard input.
pub fn read(path: &Path) -> Result<DataFile, CliError> {
    let name = if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
    let refuse = |message: &str, help: String| CliError::input(format!("{name}: {message}"), help);
    if path.is_dir() {
        return Err(refuse("this is a directory, not a data file", near(path, path)));
    }
    let bytes = read_bytes(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            refuse("there is no such data file", near(path, folder.unwrap_or(Path::new("."))))
        }
        _ => refuse(
            &format!("the file cannot be read: {error}"),
            "check the path and the permissions".to_owned(),
        ),
    })?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refuse(
            &format!("the file is larger than {MAX_BYTES} bytes"),
            "give the path of a data file (*.csv), or fewer rows".to_owned(),
        ));
    }
    let text = String::from_utf8(bytes).map_err(|not_utf8| {
        let good = not_utf8.utf8_error().valid_up_to();
        let (before, rest) = not_utf8.as_bytes().split_at(good);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let byte = rest.first().copied().unwrap_or_default();
        refuse(
            &format!("the file is not UTF-8 text (line {line} has a byte 0x{byte:02x} that does not belong)"),
            "save it as UTF-8, or check that it is a data file at all".to_owned(),
        )
    })?;
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(DataFile { name, text })
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Advice from the data files of a folder.
fn near(path: &Path, folder: &Path) -> String {
    let files = data_files(folder);
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let given = stem(path);
    let similar = files.iter().map(|file| (strsim::jaro_winkler(&stem(file), &given), file));
    let closest = similar.filter(|(similarity, _)| *similarity >= 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
    let names: Vec<String> = files.iter().take(12).map(|file| file.display().to_string()).collect();
    match closest {
        Some((_, file)) => format!("did you mean `{}`?", file.display()),
        None if !folder.is_dir() => {
            format!("there is no folder `{}` either; check the path", folder.display())
        }
        None if names.is_empty() => "give the path of a data file (*.csv)".to_owned(),
        None => format!("check the path; there are {}", names.join(", ")),
    }
}

/// The `*.csv` files of a folder in the order of their names; none if it cannot be listed.
fn data_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .map(|path| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path))
        .collect();
    files.sort();
    files
}
