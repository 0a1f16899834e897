//! One command at a time in a folder of results.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use stickslip::atomic_file::lock_file;

use super::error::CliError;

/// The file that is locked. Its name begins with a dot, as those of files that are still being written do.
const LOCK: &str = ".lock";

/// Holds a folder of results for this process, as long as it lives; the system releases it when the process ends in
/// whatever way. Two commands that write into one folder at once would leave the tables of one beside the summary of the
/// other.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    _file: File,
}

impl FolderLock {
    /// Takes `folder`, which is there.
    ///
    /// # Errors
    /// Bad input if another process has it, or the lock file cannot be made.
    pub fn take(folder: &Path) -> Result<Self, CliError> {
        let path = folder.join(LOCK);
        loop {
            match lock_file(&path).map_err(|error| CliError::unwritable(&error))? {
                Some(file) if is_at(&file, &path) => return Ok(Self { path, _file: file }),
                // One that ended meanwhile has removed the file that was opened here.
                Some(_) => {}
                None => {
                    return Err(CliError::input(
                        format!("`{}` is being worked on by another process", folder.display()),
                        "wait for it, or give this one another folder with --output",
                    ));
                }
            }
        }
    }
}

impl Drop for FolderLock {
    /// Leaves no file behind. It is removed while it is locked, so that nobody else has it.
    fn drop(&mut self) {
        // One that cannot be removed is in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether `file` is the one that has this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let same =
        |one: &fs::Metadata, other: &fs::Metadata| one.dev() == other.dev() && one.ino() == other.ino();
    file.metadata().is_ok_and(|own| fs::metadata(path).is_ok_and(|there| same(&own, &there)))
}

/// Whether `file` is the one that has this path: elsewhere no file is removed that another process has opened.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
