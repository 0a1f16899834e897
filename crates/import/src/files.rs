//! Files beside the one that is imported.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use crate::{fault::ImportError, note::Place};

/// Largest file of XML in bytes.
pub(crate) const MAX_XML_BYTES: u64 = 64 << 20;

/// The bytes of a file that is named at `place`.
pub(crate) fn read(path: &Path, max_bytes: u64, place: &Place) -> Result<Vec<u8>, ImportError> {
    let refuse = |message: String, remedy: &str| {
        Err(ImportError::new(place, format!("{}: {message}", path.display()), remedy))
    };
    let mut bytes = Vec::new();
    let outcome = File::open(path).and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes));
    match outcome {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => refuse(
            "there is no such file".to_owned(),
            "check the path, which counts from the file that is imported",
        ),
        Err(error) => {
            refuse(format!("the file cannot be read: {error}"), "check the path and the permissions")
        }
        Ok(_) if bytes.len() as u64 > max_bytes => {
            refuse(format!("this is larger than {max_bytes} bytes"), "give a smaller file")
        }
        Ok(_) => Ok(bytes),
    }
}

/// A file of XML that is named at `place`, as text.
pub(crate) fn read_text(path: &Path, place: &Place) -> Result<String, ImportError> {
    let bytes = read(path, MAX_XML_BYTES, place)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        let message = format!("{}: the file is no UTF-8 text", path.display());
        ImportError::new(place, message, "save it as UTF-8, or check that it is XML at all")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The first of `candidates` that is there, or the first of all, for a message.
pub(crate) fn first_that_is_there(candidates: Vec<PathBuf>) -> PathBuf {
    let there = candidates.iter().find(|path| path.is_file()).cloned();
    there.or_else(|| candidates.into_iter().next()).unwrap_or_default()
}
