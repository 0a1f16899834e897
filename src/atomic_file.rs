//! Files that are whole or absent: written beside their place under another name, then renamed.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", path.display())]
pub struct WriteError {
    /// The file, or the folder where it was to be.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Writes `path` through `fill`; the file appears under its name only when it is complete.
///
/// A run that is killed in the middle leaves at most a hidden temporary file behind.
///
/// # Errors
/// [`WriteError`] if the folder does not exist, is not writable, or the disk is full.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let fail = |source| WriteError { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".stickslip-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder).map_err(fail)?;
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    fill(&mut writer).map_err(fail)?;
    let file = writer.into_inner().map_err(|error| fail(error.into_error()))?;
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Creates `folder` and its parents, and proves that files can be made in it.
///
/// # Errors
/// [`WriteError`] naming the folder if it is a file, cannot be made, or is not writable.
pub fn create_output_folder(folder: &Path) -> Result<(), WriteError> {
    let fail = |source| WriteError { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(fail)?;
    tempfile::Builder::new().prefix(".stickslip-").tempfile_in(folder).map_err(fail)?;
    Ok(())
}
