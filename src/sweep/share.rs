//! One process's share of the work of a sweep.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use super::{
    Damage, Ending, Progress, Row, Shard, ShardLock, Store, StoreError, Sweep, Taken, WorkError, work::work,
};
use crate::atomic_file::WriteError;

/// A shard of a sweep in the folder of its results, held for this process: what of it is missing there, and
/// the means to compute that.
#[derive(Debug)]
pub struct Share {
    sweep: Sweep,
    store: Store,
    shard: Shard,
    missing: Vec<u64>,
    damaged: Vec<(PathBuf, Damage)>,
    _lock: ShardLock,
}

/// Why a share could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// The folder cannot be worked with.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The shard cannot be had.
    #[error(transparent)]
    Taken(#[from] Taken),
}

impl Share {
    /// Takes `shard` of `sweep` in the folder of its name under `output`, which is made if it is not there, and
    /// sees what is missing. Parts that are damaged are set aside.
    ///
    /// # Errors
    /// [`ShareError`] if another process has the shard, or the folder holds something else or cannot be used.
    pub fn take(sweep: Sweep, output: &Path, shard: Shard) -> Result<Self, ShareError> {
        let folder = output.join(&sweep.name);
        let store = Store::create(&folder, &sweep)?;
        let lock = ShardLock::take(&folder, shard)?;
        let stored = store.read()?;
        let missing = shard.numbers(sweep.runs()).filter(|number| !stored.has(*number)).collect();
        Ok(Self { sweep, store, shard, missing, damaged: stored.damaged, _lock: lock })
    }

    /// The sweep.
    pub fn sweep(&self) -> &Sweep {
        &self.sweep
    }

    /// The folder of the sweep.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Numbers of the runs that were missing when the share was taken.
    pub fn missing(&self) -> &[u64] {
        &self.missing
    }

    /// Parts that were damaged: where they are now, and what was wrong.
    pub fn damaged(&self) -> &[(PathBuf, Damage)] {
        &self.damaged
    }

    /// Number of threads that work if `asked` for: one per processor by default, and none without a run.
    pub fn workers(&self, asked: Option<NonZeroUsize>) -> usize {
        asked
            .or_else(|| std::thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get)
            .min(self.missing.len())
    }

    /// Computes what is missing on that many threads ([`Share::workers`]), and stores it.
    ///
    /// `observe` is called some twenty times a second, on the calling thread; `ControlFlow::Break` drops the
    /// runs in flight, stores the finished ones and ends the work.
    ///
    /// # Errors
    /// [`WorkError`]; the folder then holds every part that was written before.
    pub fn compute(
        &self,
        workers: Option<NonZeroUsize>,
        observe: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(Ending, Progress), WorkError> {
        if self.missing.is_empty() {
            return Ok((Ending::Complete, Progress::default()));
        }
        work(&self.sweep, &self.store, self.shard, &self.missing, self.workers(workers), observe)
    }
    /// Stores runs that were computed elsewhere, as a part of their own.
    ///
    /// # Errors
    /// [`WriteError`]; what was stored before stays as it is.
    pub fn keep(&self, rows: &mut [Row]) -> Result<(), WriteError> {
        self.store.add(self.shard, rows).map(drop)
    }
}
