//! One process per shard.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use super::plan::Shard;
use crate::atomic_file::{WriteError, lock_file};

/// Holds a shard of a folder for this process, as long as it lives; the system releases it when the
/// process ends in whatever way.
#[derive(Debug)]
pub struct ShardLock {
    _file: File,
}

/// Why a shard could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum Taken {
    /// Another process has it.
    #[error("shard {shard} of `{}` is being worked on by another process", folder.display())]
    ByAnother {
        /// The shard.
        shard: Shard,
        /// The folder of the sweep.
        folder: PathBuf,
    },
    /// The lock file cannot be made.
    #[error(transparent)]
    Unwritable(#[from] WriteError),
}

impl ShardLock {
    /// Takes `shard` in the folder of a sweep.
    ///
    /// # Errors
    /// [`Taken`] if another process has it, or the lock file cannot be made.
    pub fn take(folder: &Path, shard: Shard) -> Result<Self, Taken> {
        let path = folder.join(format!(".lock-{}", shard.label()));
        match lock_file(&path)? {
            Some(file) => Ok(Self { _file: file }),
            None => Err(Taken::ByAnother { shard, folder: folder.to_owned() }),
        }
    }
}
