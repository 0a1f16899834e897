//! What lies in the parts of a folder, run by run, without holding it in memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{Damage, Identity, Row, Store, StoreError, store::csv_line};

/// Rows that are held at once when all are passed on in order.
const CHUNK: usize = 1 << 15;

/// Which runs are finished, and where their rows are.
#[derive(Debug, Default)]
pub struct Stored {
    /// Finished runs by their number: the part, and a digest of the row of the table.
    runs: BTreeMap<u64, (u32, u64)>,
    parts: Vec<PathBuf>,
    /// Parts that were damaged and set aside: where they are now, and what was wrong.
    pub damaged: Vec<(PathBuf, Damage)>,
    /// Runs of which two parts say different things: the number and the second file.
    pub conflicts: Vec<(u64, PathBuf)>,
}

impl Stored {
    /// Whether a run is finished.
    pub fn has(&self, number: u64) -> bool {
        self.runs.contains_key(&number)
    }

    /// How many runs are finished.
    pub fn count(&self) -> usize {
        self.runs.len()
    }

    /// The numbers of the finished runs, rising.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.runs.keys().copied()
    }

    /// Takes up the rows of a part. Of a run that two parts hold, the first counts.
    pub(super) fn take_up(&mut self, file: &Path, rows: &[Row]) {
        let part = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        self.parts.push(file.to_owned());
        for row in rows {
            let digest = digest(&csv_line(&row.table_cells()));
            let (_, known) = *self.runs.entry(row.number).or_insert((part, digest));
            if known != digest {
                self.conflicts.push((row.number, file.to_owned()));
            }
        }
    }

    /// Passes every finished run to `each`, in the order of their numbers.
    ///
    /// The parts are read once more, some at a time: a sweep of millions of runs needs no more memory for
    /// its rows than one of thousands.
    ///
    /// # Errors
    /// [`StoreError`] if a part cannot be read any more, or what `each` answers.
    pub fn rows<E: From<StoreError>>(
        &self,
        store: &Store,
        mut each: impl FnMut(&Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut runs = self.runs.iter().map(|(number, (part, _))| (*number, *part));
        loop {
            let chunk: BTreeMap<u64, u32> = runs.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Ok(());
            }
            let mut rows: Vec<Row> = Vec::with_capacity(chunk.len());
            for part in chunk.values().copied().collect::<BTreeSet<u32>>() {
                let file = &self.parts[part as usize];
                let found = store
                    .read_part(file)?
                    .map_err(|damage| StoreError::Changed { file: file.clone(), damage })?;
                rows.extend(found.rows.into_iter().filter(|row| chunk.get(&row.number) == Some(&part)));
            }
            rows.sort_by_key(|row| row.number);
            rows.iter().try_for_each(&mut each)?;
        }
    }
}

/// The first bits of the digest of a text.
fn digest(text: &str) -> u64 {
    let mut hasher = Identity::digest();
    hasher.update(text.as_bytes());
    let mut digest = [0; 8];
    hasher.finalize_xof().fill(&mut digest);
    u64::from_le_bytes(digest)
}
