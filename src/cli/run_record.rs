//! What a run leaves while it goes on: rows on the disk, measures, and what pictures need. None of it takes more
//! memory the longer the run is.

use std::{
    io,
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use stickslip::{
    atomic_file::{UnfinishedFile, WriteError},
    metrics::{Companion, Gauge, Metrics, Tally},
    scenario::Scenario,
    stepper::Stepper,
    trajectory::{ContactWriter, JointWriter, Passage, RowWriter, Trajectory},
};

use super::output::PARTIAL_TRAJECTORY;

/// The rows of a run.
pub const TRAJECTORY: &str = "trajectory.csv";
/// Its contacts.
pub const CONTACTS: &str = "contacts.csv";
/// What its joints did.
pub const JOINTS: &str = "joints.csv";

/// How long in ns steps may take before their rows are brought to the disk.
const MOST_UNWRITTEN: u64 = 200_000_000;

/// Most states of all bodies together that are kept for pictures, and for the comparison with the exact motion:
/// some hundred megabytes. A picture shows fewer than a hundredth of them.
const MOST_KEPT: usize = 1 << 19;

/// The record of a run that goes on.
pub struct Recording<'a, const D: usize> {
    /// The names that the files are to have.
    names: [PathBuf; 3],
    every: NonZeroUsize,
    rows: RowWriter<'a, D, UnfinishedFile>,
    contacts: Option<ContactWriter<'a, D, UnfinishedFile>>,
    joints: Option<JointWriter<'a, D, UnfinishedFile>>,
    gauge: Gauge<'a, D>,
    tally: Tally,
    sketch: Trajectory<D>,
    companion: Option<Companion<'a, D>>,
    /// How long in ns the steps took since the rows were last brought to the disk.
    unwritten: u64,
    fault: Option<WriteError>,
}

/// The record of a run that has ended.
pub struct Recorded<const D: usize> {
    /// The files, not under their names yet.
    pub files: Files,
    /// What was measured.
    pub metrics: Metrics<D>,
    /// How the steps were found.
    pub tally: Tally,
    /// The motion for pictures.
    pub sketch: Trajectory<D>,
}

/// The files of a run.
#[derive(Debug)]
pub struct Files {
    /// The rows of the trajectory.
    pub rows: UnfinishedFile,
    /// The contacts, where there is more than a single point.
    pub contacts: Option<UnfinishedFile>,
    /// What the joints did, where there are any.
    pub joints: Option<UnfinishedFile>,
}

impl<'a, const D: usize> Recording<'a, D> {
    /// Begins the record of a run of `scenario` by `stepper` in `folder`, with every `every`-th row; the errors
    /// are those against the motion of `exact`, where there is one.
    pub fn begin(
        scenario: &'a Scenario<D>,
        stepper: &dyn Stepper<D>,
        exact: Option<&'a mut (dyn Stepper<D> + 'static)>,
        folder: &Path,
        every: NonZeroUsize,
    ) -> Result<Self, WriteError> {
        let names = [TRAJECTORY, CONTACTS, JOINTS].map(|name| folder.join(name));
        let unwritable = |name: usize| {
            let path = names[name].clone();
            move |source| WriteError { path, source }
        };
        // Where a step takes so long that an interruption does not wait for it, what is on the disk stays.
        let file = UnfinishedFile::create(folder)?.kept_in_part_as(folder.join(PARTIAL_TRAJECTORY));
        let rows = RowWriter::new(scenario, stepper.name(), file).map_err(unwritable(0))?;
        let contacts = match scenario.has_many_contacts() {
            true => {
                let file = UnfinishedFile::create(folder)?;
                Some(ContactWriter::new(scenario, file).map_err(unwritable(1))?)
            }
            false => None,
        };
        let joints = match scenario.joints.is_empty() {
            true => None,
            false => {
                let file = UnfinishedFile::create(folder)?;
                Some(JointWriter::new(scenario, file).map_err(unwritable(2))?)
            }
        };
        let (name, honours) = (stepper.name(), stepper.honours());
        Ok(Self {
            names,
            every,
            rows,
            contacts,
            joints,
            gauge: Gauge::new(scenario, honours),
            tally: Tally::default(),
            sketch: Trajectory::sketch(scenario, name, honours, MOST_KEPT),
            companion: exact.map(|exact| Companion::new(scenario, exact, MOST_KEPT)),
            unwritten: 0,
            fault: None,
        })
    }

    /// Takes the next step; breaks off where a file cannot be written, or where `watch` says so while the exact
    /// motion catches up.
    pub fn take(
        &mut self,
        passage: &Passage<'_, D>,
        watch: impl FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Err(fault) = self.write(passage) {
            self.fault = Some(fault);
            return ControlFlow::Break(());
        }
        self.gauge.add(passage);
        self.tally.add(passage.step);
        self.sketch.record(passage);
        let Some(companion) = &mut self.companion else { return ControlFlow::Continue(()) };
        if companion.add(passage) { companion.catch_up(watch) } else { ControlFlow::Continue(()) }
    }

    /// Lets the exact motion catch up with the run.
    pub fn catch_up(&mut self, watch: impl FnMut() -> ControlFlow<()>) {
        if let Some(companion) = &mut self.companion {
            // Where it is stopped the errors are unknown, which is all there is to know.
            let _ = companion.catch_up(watch);
        }
    }

    /// The record, with the last row.
    ///
    /// # Errors
    /// [`WriteError`], of any row of the run.
    pub fn end(mut self) -> Result<Recorded<D>, WriteError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let errors = self.companion.as_ref().and_then(Companion::errors);
        let metrics = self.gauge.metrics(errors);
        self.write_last(&metrics)?;
        let [rows, contacts, joints] = self.names;
        let files = Files {
            rows: self.rows.into_file().map_err(|source| WriteError { path: rows, source })?,
            contacts: (self.contacts.map(ContactWriter::into_file).transpose())
                .map_err(|source| WriteError { path: contacts, source })?,
            joints: (self.joints.map(JointWriter::into_file).transpose())
                .map_err(|source| WriteError { path: joints, source })?,
        };
        Ok(Recorded { files, metrics, tally: self.tally, sketch: self.sketch })
    }

    fn write(&mut self, passage: &Passage<'_, D>) -> Result<(), WriteError> {
        if passage.index.is_multiple_of(self.every.get()) {
            let outcome = self.rows.rows(passage);
            self.explain_rows(outcome)?;
        }
        self.unwritten = self.unwritten.saturating_add(passage.step.nanoseconds);
        if self.unwritten > MOST_UNWRITTEN {
            self.unwritten = 0;
            let outcome = self.rows.flush();
            self.explain_rows(outcome)?;
        }
        if let Some(contacts) = &mut self.contacts {
            let outcome = contacts.rows(passage.index, passage.contacts);
            self.explain_contacts(outcome)?;
        }
        let Some(joints) = &mut self.joints else { return Ok(()) };
        let outcome = joints.rows(passage);
        self.explain_joints(outcome)
    }

    fn write_last(&mut self, metrics: &Metrics<D>) -> Result<(), WriteError> {
        let last = self.gauge.steps();
        let mut bodies = metrics.bodies.iter().enumerate();
        let outcome = bodies
            .try_for_each(|(index, body)| {
                self.rows.row(index, last, &body.final_state, body.final_attitude.as_ref(), None)
            })
            .and_then(|()| self.rows.flush());
        self.explain_rows(outcome)?;
        let outcome = self.contacts.as_mut().map_or(Ok(()), ContactWriter::flush);
        self.explain_contacts(outcome)?;
        let outcome = self.joints.as_mut().map_or(Ok(()), JointWriter::flush);
        self.explain_joints(outcome)
    }

    fn explain_joints(&self, outcome: io::Result<()>) -> Result<(), WriteError> {
        let Some(joints) = &self.joints else { return Ok(()) };
        outcome.map_err(|error| joints.file().failed(error, &self.names[2]))
    }

    fn explain_rows(&self, outcome: io::Result<()>) -> Result<(), WriteError> {
        outcome.map_err(|error| self.rows.file().failed(error, &self.names[0]))
    }

    fn explain_contacts(&self, outcome: io::Result<()>) -> Result<(), WriteError> {
        let Some(contacts) = &self.contacts else { return Ok(()) };
        outcome.map_err(|error| contacts.file().failed(error, &self.names[1]))
    }
}
