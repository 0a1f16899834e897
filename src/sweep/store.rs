//! The folder of a sweep: its plan, its parts, and what is done.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Border, Damage, Identity, Part, Row, Stored, Sweep, plan::Shard};
use crate::atomic_file::{UnfinishedFile, WriteError, create_output_folder};

/// The file that says whose folder it is.
const PLAN: &str = "plan.json";
const PARTS: &str = "parts";
const DAMAGED: &str = "damaged";

/// The folder of one sweep.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    plan: Plan,
}

/// What a folder has to know of its sweep to read its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Plan {
    sweep: String,
    identity: String,
    version: String,
    runs: u64,
    steppers: Vec<String>,
    keys: Vec<String>,
    metrics: Vec<String>,
    borders: Vec<Border>,
    /// The sweep as a file, with everything that its own file left to defaults.
    file: String,
    /// The scenario that it varies, likewise.
    scenario: String,
    /// Of all of the above.
    #[serde(default)]
    checksum: String,
}

impl Plan {
    /// With the checksum of what it says.
    fn sealed(mut self) -> Self {
        self.checksum = String::new();
        self.checksum = Identity::of_text(&self.text()).as_str().to_owned();
        self
    }

    fn is_whole(&self) -> bool {
        self.clone().sealed().checksum == self.checksum
    }

    fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Cells as a line of CSV with its line break.
pub(super) fn csv_line(cells: &[String]) -> String {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    // Writing to memory does not fail.
    let outcome = writer.write_record(cells);
    debug_assert!(outcome.is_ok());
    writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Why a folder cannot be worked with.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It belongs to another sweep.
    #[error("`{}` holds another sweep, or the sweep file, its scenario or a file that this names was changed since", folder.display())]
    OtherSweep {
        /// The folder.
        folder: PathBuf,
    },
    /// It was begun by another version.
    #[error("`{}` was begun by version {theirs} of stickslip, and this is {}", folder.display(), Identity::VERSION)]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// That version.
        theirs: String,
    },
    /// A part in it belongs to another sweep or version.
    #[error("the part `{}` is of another sweep or version", file.display())]
    ForeignPart {
        /// The part.
        file: PathBuf,
    },
    /// There is no sweep in it.
    #[error("`{}` is not the folder of a sweep: {reason}", folder.display())]
    NoSweep {
        /// The folder.
        folder: PathBuf,
        /// What is missing or wrong.
        reason: String,
    },
    /// Its plan is not what was written.
    #[error("the plan `{}` of the sweep is damaged: {reason}", file.display())]
    DamagedPlan {
        /// The plan.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A part was changed while it was being read.
    #[error("the part `{}` was changed while it was being read: {damage}", file.display())]
    Changed {
        /// The part.
        file: PathBuf,
        /// What is wrong with it now.
        damage: Damage,
    },
    /// Something in it cannot be read or moved.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// What.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something cannot be written.
    #[error(transparent)]
    Unwritable(#[from] WriteError),
}

impl Store {
    /// Opens the folder of `sweep`, which is made if it is not there.
    ///
    /// # Errors
    /// [`StoreError`] if it holds another sweep or one of another version, or cannot be used.
    pub fn create(folder: &Path, sweep: &Sweep) -> Result<Self, StoreError> {
        let plan = Plan {
            sweep: sweep.name.clone(),
            identity: Identity::of_sweep(sweep).as_str().to_owned(),
            version: Identity::VERSION.to_owned(),
            runs: sweep.runs(),
            steppers: sweep.steppers.iter().map(ToString::to_string).collect(),
            keys: sweep.keys().map(str::to_owned).collect(),
            metrics: sweep.metrics.clone(),
            borders: sweep.borders.clone(),
            file: sweep.to_toml(),
            scenario: sweep.base.with(&[]).map(|scenario| scenario.to_toml()).unwrap_or_default(),
            checksum: String::new(),
        }
        .sealed();
        create_output_folder(folder)?;
        create_output_folder(&folder.join(PARTS))?;
        if folder.join(PLAN).exists() {
            let store = Self::open(folder)?;
            if store.plan.identity != plan.identity {
                return Err(StoreError::OtherSweep { folder: folder.to_owned() });
            }
            if store.plan == plan {
                return Ok(store);
            }
            // What does not touch the runs may change: how the sweep is drawn, where its files lie.
        }
        write_durably(folder, PLAN, &plan.text())?;
        Ok(Self { folder: folder.to_owned(), plan })
    }

    /// Opens a folder in which a sweep was begun.
    ///
    /// # Errors
    /// [`StoreError`] if there is none in it, or one of another version.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let file = folder.join(PLAN);
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let reason = format!("it has no {PLAN}");
                return Err(StoreError::NoSweep { folder: folder.to_owned(), reason });
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(StoreError::DamagedPlan { file, reason: error.to_string() });
            }
            Err(source) => return Err(StoreError::Unreadable { path: file, source }),
            Ok(text) => text,
        };
        let plan: Plan = match serde_json::from_str(&text) {
            Err(error) => return Err(StoreError::DamagedPlan { file, reason: error.to_string() }),
            Ok(plan) => plan,
        };
        if plan.version != Identity::VERSION {
            return Err(StoreError::OtherVersion { folder: folder.to_owned(), theirs: plan.version });
        }
        if !plan.is_whole() {
            let reason = "its checksum does not match: bytes were changed".to_owned();
            return Err(StoreError::DamagedPlan { file, reason });
        }
        Ok(Self { folder: folder.to_owned(), plan })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Name of the sweep.
    pub fn sweep(&self) -> &str {
        &self.plan.sweep
    }

    /// Number of runs of the whole sweep.
    pub fn runs(&self) -> u64 {
        self.plan.runs
    }

    /// The swept keys.
    pub fn keys(&self) -> &[String] {
        &self.plan.keys
    }

    /// Curves to be drawn over the maps.
    pub fn borders(&self) -> &[Border] {
        &self.plan.borders
    }

    /// The sweep as a file, with everything that its own file left to defaults.
    pub fn file(&self) -> &str {
        &self.plan.file
    }

    /// The scenario that is varied, as a file, likewise.
    pub fn scenario(&self) -> &str {
        &self.plan.scenario
    }

    /// The metrics that are kept.
    pub fn metrics(&self) -> &[String] {
        &self.plan.metrics
    }

    /// The steppers.
    pub fn steppers(&self) -> &[String] {
        &self.plan.steppers
    }

    /// Stores finished rows as a part of their own: whole, flushed to the disk, under its final
    /// name only then. Gives the file.
    ///
    /// # Errors
    /// [`WriteError`]; what was stored before stays as it is.
    pub fn add(&self, shard: Shard, rows: &mut [Row]) -> Result<Option<PathBuf>, WriteError> {
        rows.sort_by_key(|row| row.number);
        let Some(first) = rows.first().map(|row| row.number) else { return Ok(None) };
        let columns = Row::columns(self.plan.keys.iter().map(String::as_str), &self.plan.metrics);
        let text = Part::text(&Identity::of_plan(&self.plan.identity), shard, &columns, rows);
        let digest = Identity::of_text(&text);
        let name = format!("{}-{first}-{}.csv", shard.label(), &digest.as_str()[..12]);
        let file = self.folder.join(PARTS).join(&name);
        write_durably(&self.folder.join(PARTS), &name, &text)?;
        Ok(Some(file))
    }

    /// Reads every part. Damaged ones are moved to the folder `damaged`, where they are in nobody's
    /// way, and named.
    ///
    /// # Errors
    /// [`StoreError`] if a part is of another sweep or version, or the folder cannot be read.
    pub fn read(&self) -> Result<Stored, StoreError> {
        let mut stored = Stored::default();
        let mut files = self.files()?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "csv"));
        files.sort();
        for file in files {
            let part = match self.read_part(&file)? {
                Ok(part) => part,
                Err(damage) => {
                    stored.damaged.push((self.set_aside(&file)?, damage));
                    continue;
                }
            };
            let is_ours = part.sweep == self.plan.identity && part.version == self.plan.version;
            if !is_ours || part.rows.iter().any(|row| row.number >= self.plan.runs) {
                return Err(StoreError::ForeignPart { file });
            }
            stored.take_up(&file, &part.rows);
        }
        Ok(stored)
    }

    /// Reads a part; the inner error tells that it is damaged.
    pub(super) fn read_part(&self, file: &Path) -> Result<Result<Part, Damage>, StoreError> {
        let unreadable = |source| StoreError::Unreadable { path: file.to_owned(), source };
        let text = String::from_utf8(fs::read(file).map_err(unreadable)?).map_err(|_| Damage::Changed);
        Ok(text.and_then(|text| Part::parse(&text, self.plan.keys.len())))
    }

    fn files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let path = self.folder.join(PARTS);
        let unreadable = |source| StoreError::Unreadable { path: path.clone(), source };
        fs::read_dir(&path)
            .map_err(unreadable)?
            .map(|entry| entry.map(|entry| entry.path()).map_err(unreadable))
            .collect()
    }

    fn set_aside(&self, file: &Path) -> Result<PathBuf, StoreError> {
        let folder = self.folder.join(DAMAGED);
        let place = folder.join(file.file_name().unwrap_or_default());
        fs::create_dir_all(&folder)
            .and_then(|()| fs::rename(file, &place))
            .map_err(|source| StoreError::Unreadable { path: file.to_owned(), source })?;
        Ok(place)
    }
}

/// Writes a file that is on the disk when this returns.
fn write_durably(folder: &Path, name: &str, text: &str) -> Result<(), WriteError> {
    let path = folder.join(name);
    let mut file = UnfinishedFile::create(folder)?;
    file.write_all(text.as_bytes()).map_err(|source| WriteError { path: path.clone(), source })?;
    file.finish_durably(&path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        fault::{self, FileFault},
        sweep::{Base, RunStatus, parse_sweep_of},
    };

    const SCENARIO: &str = "name = 'a'\nduration = 0.1\nstep = 1e-2\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
        velocity = [1.0, 0.0]\n[ground]\nfriction = 0.1\n";
    const SWEEP: &str = "name = 'b'\nscenario = 'a.toml'\nsteppers = ['exact']\nmetrics = ['final_x']\n[grid]\n\
        ground.friction = [0.1, 0.2]\n";

    fn sweep() -> Sweep {
        parse_sweep_of(&Base::new("a.toml", SCENARIO), SWEEP).expect("a sweep")
    }

    fn row(number: u64) -> Row {
        Row {
            number,
            id: "ab".into(),
            stepper: "exact".into(),
            values: vec!["0.1".into()],
            metrics: vec!["0.5".into()],
            status: RunStatus::Done,
            reason: String::new(),
            seconds: 0.5,
            step_microseconds: 1.0,
        }
    }

    /// A folder in which the first of two runs is stored.
    fn begun() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::create(folder.path(), &sweep()).expect("a store");
        store.add(Shard { index: 0, count: 1 }, &mut [row(0)]).expect("a part");
        (folder, store)
    }

    fn add(store: &Store, fault: FileFault) -> Result<Option<PathBuf>, WriteError> {
        fault::in_file(fault, || store.add(Shard { index: 0, count: 1 }, &mut [row(1)]))
    }

    #[test]
    fn a_part_that_cannot_be_written_is_an_error_and_no_part() {
        for fault in [FileFault::ShortWrite, FileFault::Sync, FileFault::Rename] {
            let (folder, store) = begun();
            let error = add(&store, fault).expect_err("it cannot be written");
            assert!(error.path.starts_with(folder.path().join(PARTS)), "{error}");
            let stored = store.read().expect("the others can be read");
            assert!(stored.numbers().eq([0]) && stored.damaged.is_empty(), "{fault:?}: {stored:?}");
        }
    }

    #[test]
    fn a_part_of_which_the_disk_lost_something_in_silence_is_set_aside() {
        for (fault, damage) in [(FileFault::LostEnd, Damage::Cut), (FileFault::FlippedBit, Damage::Changed)] {
            let (folder, store) = begun();
            let part = add(&store, fault).expect("the disk says nothing").expect("a part");
            let stored = store.read().expect("the others can be read");
            let aside = folder.path().join(DAMAGED).join(part.file_name().expect("a name"));
            assert_eq!(stored.damaged, [(aside, damage)], "{fault:?}");
            assert!(stored.numbers().eq([0]), "the run is computed again");
        }
    }

    #[test]
    fn a_plan_of_which_the_disk_changed_something_in_silence_is_told() {
        for fault in [FileFault::LostEnd, FileFault::FlippedBit] {
            let folder = tempfile::tempdir().expect("a folder");
            let begun = fault::in_file(fault, || Store::create(folder.path(), &sweep()));
            assert!(begun.is_ok(), "the disk says nothing");
            for outcome in [Store::open(folder.path()), Store::create(folder.path(), &sweep())] {
                assert!(matches!(outcome, Err(StoreError::DamagedPlan { .. })), "{fault:?}: {outcome:?}");
            }
        }
    }

    /// The plan is written anew where it changes without touching a run.
    #[test]
    fn a_plan_that_cannot_be_written_leaves_the_earlier_one() {
        for fault in [FileFault::ShortWrite, FileFault::Sync, FileFault::Rename] {
            let (folder, _) = begun();
            let before = fs::read(folder.path().join(PLAN)).expect("a plan");
            let mut renamed = sweep();
            renamed.name = "another".into();
            let outcome = fault::in_file(fault, || Store::create(folder.path(), &renamed));
            assert!(matches!(outcome, Err(StoreError::Unwritable(error)) if error.path.ends_with(PLAN)));
            assert_eq!(fs::read(folder.path().join(PLAN)).expect("a plan"), before, "{fault:?}");
        }
    }
}
