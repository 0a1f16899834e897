//! One table out of all parts.

use std::path::PathBuf;

use serde::Serialize;

use super::{Damage, Identity, Row, Store, StoreError, Stored, store::csv_line};
use crate::atomic_file::write_atomically;

/// The table.
pub const TABLE: &str = "table.csv";
/// Wall times, which differ from run to run and so have a file of their own.
pub const TIMINGS: &str = "timings.csv";
/// What is done and what is missing.
pub const MANIFEST: &str = "manifest.json";

/// What a folder holds, as written to `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

/// Writes `table.csv`, `timings.csv` and `manifest.json` from the parts of a folder, sorted by the
/// number of the run.
///
/// # Errors
/// [`CollectionError`]; the files of an earlier collection then stay as they are.
pub fn collect(store: &Store) -> Result<(Manifest, Stored), CollectionError> {
    let stored = store.read()?;
    if let Some((run, file)) = stored.conflicts.first() {
        return Err(CollectionError::Conflict { run: *run, file: file.clone() });
    }
    let columns = Row::table_columns(store.keys().iter().map(String::as_str), store.metrics());
    let mut digest = Identity::digest();
    let write = |name: &str, fill: &mut dyn FnMut(&mut dyn std::io::Write) -> std::io::Result<()>| {
        write_atomically(&store.folder().join(name), |out| fill(out)).map_err(StoreError::from)
    };
    write(TABLE, &mut |out| {
        let header = csv_line(&columns);
        for line in std::iter::once(header.as_str()).chain(stored.rows.values().map(|row| &*row.line)) {
            digest.update(line.as_bytes());
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    })?;
    write(TIMINGS, &mut |out| {
        writeln!(out, "run,seconds,step_microseconds")?;
        for (number, row) in &stored.rows {
            writeln!(out, "{number},{},{}", cell(row.seconds), cell(row.step_microseconds))?;
        }
        Ok(())
    })?;
    let count =
        |status: &str| stored.rows.values().filter(|row| has_status(&row.line, status)).count() as u64;
    let manifest = Manifest {
        sweep: store.sweep().to_owned(),
        version: Identity::VERSION.to_owned(),
        runs: store.runs(),
        done: stored.rows.len() as u64,
        failed: count("failed"),
        refused: count("refused"),
        missing: missing(stored.rows.keys().copied(), store.runs()),
        table: Identity::finish(&digest),
        damaged: stored.damaged.clone(),
    };
    let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    write(MANIFEST, &mut |out| writeln!(out, "{text}"))?;
    Ok((manifest, stored))
}

/// Whether the line of a row says `status`: the second cell from its end, before the reason.
fn has_status(line: &str, status: &str) -> bool {
    let record =
        csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes()).into_records().next();
    let cell = |record: &csv::StringRecord| {
        record.len().checked_sub(2).and_then(|place| record.get(place).map(str::to_owned))
    };
    record.and_then(Result::ok).as_ref().and_then(cell).as_deref() == Some(status)
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
    use super::{has_status, missing};

    #[test]
    fn what_is_missing_is_told_in_ranges() {
        assert_eq!(missing([0, 1, 4, 7].into_iter(), 10), [[2, 3], [5, 6], [8, 9]]);
        assert_eq!(missing(0..5, 5), Vec::<[u64; 2]>::new());
        assert_eq!(missing(std::iter::empty(), 3), [[0, 2]]);
        assert_eq!(missing(std::iter::empty(), 0), Vec::<[u64; 2]>::new());
    }

    #[test]
    fn the_status_is_found_behind_quoted_cells() {
        assert!(has_status("a,\"1, 2\",failed,\"no, \"\"never\"\"\"\n", "failed"));
        assert!(!has_status("failed,b,done,\n", "failed"));
    }
}
