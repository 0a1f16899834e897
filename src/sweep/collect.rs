//! One table out of all parts.

use std::{io::Write, path::PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::{Columns, Damage, Identity, Row, RunStatus, Store, StoreError, store::csv_line};
use crate::{
    atomic_file::{UnfinishedFile, WriteError, write_atomically},
    provenance::Provenance,
};

/// The table.
pub const TABLE: &str = "table.csv";
/// Wall times, which differ from run to run and so have a file of their own.
pub const TIMINGS: &str = "timings.csv";
/// What is done and what is missing.
pub const MANIFEST: &str = "manifest.json";

/// What a folder holds, as written to `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Manifest {
    /// Name of the sweep.
    pub sweep: String,
    /// Version of this crate.
    pub version: String,
    /// Runs of the whole sweep.
    pub runs: u64,
    /// Runs that are in the table.
    pub done: u64,
    /// Those among them that failed.
    pub failed: u64,
    /// Those among them that were refused.
    pub refused: u64,
    /// Runs that are missing, as ranges `[first, last]`.
    pub missing: Vec<[u64; 2]>,
    /// Digest of the table.
    pub table: String,
    /// The sweep as a file, with everything that its own file left to defaults.
    pub file: String,
    /// Parts that were damaged and set aside, by their path.
    #[serde(skip)]
    pub damaged: Vec<(PathBuf, Damage)>,
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The folder cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Two parts say different things of the same run.
    #[error("two parts differ about run {run}: `{}` and an earlier one", file.display())]
    Conflict {
        /// Number of the run.
        run: u64,
        /// The second part.
        file: PathBuf,
    },
}

/// What a collection found.
#[derive(Debug)]
pub struct Collection {
    /// What was written to `manifest.json`, without the provenance.
    pub manifest: Manifest,
    /// The manifest as it was written.
    pub written: Value,
    /// The figures of the table.
    pub columns: Columns,
}

/// Writes `table.csv`, `timings.csv` and `manifest.json` from the parts of a folder, sorted by the
/// number of the run.
///
/// The provenance of this collection goes into the manifest; it is made from the scenario that is varied.
///
/// # Errors
/// [`CollectionError`]; the files of an earlier collection then stay as they are.
pub fn collect(
    store: &Store,
    provenance: impl FnOnce(&str) -> Option<Provenance>,
) -> Result<Collection, CollectionError> {
    let stored = store.read()?;
    if let Some((run, file)) = stored.conflicts.first() {
        return Err(CollectionError::Conflict { run: *run, file: file.clone() });
    }
    let header = csv_line(&Row::table_columns(store.keys().iter().map(String::as_str), store.metrics()));
    let mut digest = Identity::digest();
    let mut columns = Columns::new(store);
    let mut table = Output::begin(store, TABLE)?;
    let mut timings = Output::begin(store, TIMINGS)?;
    digest.update(header.as_bytes());
    table.write(&header)?;
    timings.write("run,seconds,step_microseconds\n")?;
    stored.rows(store, |row| {
        let line = csv_line(&row.table_cells());
        digest.update(line.as_bytes());
        columns.add(row);
        table.write(&line)?;
        timings.write(&format!("{},{},{}\n", row.number, cell(row.seconds), cell(row.step_microseconds)))
    })?;
    table.finish()?;
    timings.finish()?;
    let manifest = Manifest {
        sweep: store.sweep().to_owned(),
        version: Identity::VERSION.to_owned(),
        runs: store.runs(),
        done: stored.count() as u64,
        failed: columns.count(RunStatus::Failed),
        refused: columns.count(RunStatus::Refused),
        missing: missing(stored.numbers(), store.runs()),
        table: Identity::finish(&digest),
        file: store.file().to_owned(),
        damaged: stored.damaged,
    };
    let written = match provenance(store.scenario()) {
        Some(provenance) => provenance.attach(&manifest),
        None => serde_json::to_value(&manifest),
    };
    let written = written.unwrap_or_default();
    write_atomically(&store.folder().join(MANIFEST), |out| {
        serde_json::to_writer_pretty(&mut *out, &written)?;
        out.write_all(b"\n")
    })
    .map_err(StoreError::from)?;
    Ok(Collection { manifest, written, columns })
}

/// A file of the collection that is being written.
struct Output {
    file: UnfinishedFile,
    path: PathBuf,
}

impl Output {
    fn begin(store: &Store, name: &str) -> Result<Self, StoreError> {
        Ok(Self { file: UnfinishedFile::create(store.folder())?, path: store.folder().join(name) })
    }

    fn write(&mut self, text: &str) -> Result<(), StoreError> {
        let outcome = self.file.write_all(text.as_bytes());
        Ok(outcome.map_err(|source| WriteError { path: self.path.clone(), source })?)
    }

    fn finish(self) -> Result<(), StoreError> {
        Ok(self.file.finish(&self.path)?)
    }
}

/// The numbers below `runs` that are not among the sorted `done`, as ranges.
fn missing(done: impl Iterator<Item = u64>, runs: u64) -> Vec<[u64; 2]> {
    let mut ranges = Vec::new();
    let mut next = 0;
    for number in done.chain(std::iter::once(runs)) {
        if number > next {
            ranges.push([next, number - 1]);
        }
        next = number + 1;
    }
    ranges
}

fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn what_is_missing_is_told_in_ranges() {
        assert_eq!(missing([0, 1, 4, 7].into_iter(), 10), [[2, 3], [5, 6], [8, 9]]);
        assert_eq!(missing(0..5, 5), Vec::<[u64; 2]>::new());
        assert_eq!(missing(std::iter::empty(), 3), [[0, 2]]);
        assert_eq!(missing(std::iter::empty(), 0), Vec::<[u64; 2]>::new());
    }
}
