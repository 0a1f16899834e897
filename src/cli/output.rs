use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use serde::Serialize;
use serde_json::Value;
use stickslip::{
    atomic_file::{create_output_folder, write_atomically},
    metrics::Summary,
    plot::{self, Figure, PlotError, Series},
    provenance::Provenance,
    stepper::StepperName,
    trajectory::{Replay, Trajectory, write_contacts_csv, write_csv_every},
};

use super::{
    error::CliError,
    interrupt,
    outdated::{file_stem, remove_if_there, remove_replays},
    session::{Session, TIMINGS},
};

pub(super) const TRAJECTORY: &str = "trajectory.csv";
const CONTACTS: &str = "contacts.csv";
pub(super) const PARTIAL_TRAJECTORY: &str = "trajectory.partial.csv";
pub(super) const SUMMARY: &str = "summary.json";
/// The pictures of a run, in the order in which they are drawn.
const PICTURES: [&str; 5] = ["history.svg", "history.png", "path.svg", "path.png", "animation.gif"];

/// The folder `OUTPUT/<scenario>/<stepper>/` of one run.
pub struct RunFolder {
    path: PathBuf,
    every: NonZeroUsize,
}

impl RunFolder {
    /// Creates the folder and makes sure that it can be written to, before anything runs. Of the trajectory it
    /// will hold every `every`-th state.
    pub fn create(
        output: &Path,
        scenario: &str,
        stepper: StepperName,
        every: NonZeroUsize,
    ) -> Result<Self, CliError> {
        let path = output.join(scenario).join(file_stem(stepper));
        create_output_folder(&path).map_err(|error| CliError::unwritable(&error))?;
        Ok(Self { path, every })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the trajectory and the summary of a complete run, and removes what an earlier, partial
    /// run left. Gives the summary with its provenance, and the names of the files.
    pub fn write_results<const D: usize>(
        &self,
        trajectory: &Trajectory<D>,
        summary: &Summary<D>,
        provenance: &Provenance,
        session: &Session,
    ) -> Result<(Value, Vec<String>), CliError> {
        write_atomically(&self.path.join(TRAJECTORY), |out| write_csv_every(trajectory, self.every, out))?;
        let recorded = session.record(&self.path, SUMMARY, summary, provenance)?;
        let mut written = [TRAJECTORY, SUMMARY, TIMINGS].map(str::to_owned).to_vec();
        if trajectory.scenario.has_turning_bodies() {
            write_atomically(&self.path.join(CONTACTS), |out| write_contacts_csv(trajectory, out))?;
            written.push(CONTACTS.to_owned());
        } else {
            remove_if_there(&self.path.join(CONTACTS))?;
        }
        let replay = Replay::of(trajectory).map(|replay| self.write_replay(&replay)).transpose()?;
        written.extend(replay.as_deref().map(file_name));
        remove_replays(&self.path, replay.as_slice())?;
        remove_if_there(&self.path.join(PARTIAL_TRAJECTORY))?;
        Ok((recorded, written))
    }

    /// Draws the history and the path of a run, and animates its series, until the user interrupts.
    /// Gives the names of the files.
    pub fn write_pictures<const D: usize>(
        &self,
        history: &Figure,
        path: &Figure,
        series: &[Series<'_, D>],
    ) -> Result<Vec<String>, CliError> {
        let [history_svg, history_png, path_svg, path_png, animation] =
            PICTURES.map(|name| self.path.join(name));
        let drawings: [&dyn Fn() -> Result<(), PlotError>; PICTURES.len()] = [
            &|| history.write_svg(&history_svg),
            &|| history.write_png(&history_png),
            &|| path.write_svg(&path_svg),
            &|| path.write_png(&path_png),
            &|| plot::animation(series, &animation),
        ];
        let mut written = Vec::new();
        for (name, draw) in PICTURES.into_iter().zip(drawings) {
            if interrupt::requested() {
                break;
            }
            draw()?;
            written.push(name.to_owned());
        }
        Ok(written)
    }

    /// Removes the pictures of an earlier run, which would not show the results beside them.
    pub fn remove_pictures(&self) -> Result<(), CliError> {
        PICTURES.iter().try_for_each(|name| remove_if_there(&self.path.join(name)))
    }

    /// Writes the finished steps of a run that did not finish, and removes the replay files of earlier ones.
    pub fn write_partial<const D: usize>(&self, trajectory: &Trajectory<D>) -> Result<PathBuf, CliError> {
        let file = self.path.join(PARTIAL_TRAJECTORY);
        write_atomically(&file, |out| write_csv_every(trajectory, self.every, out))?;
        remove_replays(&self.path, &[])?;
        Ok(file)
    }

    /// Writes the replay file of a failed step.
    pub fn write_replay(&self, replay: &Replay) -> Result<PathBuf, CliError> {
        let file = self.path.join(format!("replay-step-{}.json", replay.index));
        write_json(&file, replay)?;
        Ok(file)
    }
}

/// Says which pictures are missing because the user interrupted their drawing; no error if none is.
pub(super) fn report_missing_pictures(written: &[String]) -> Result<(), CliError> {
    let is_written = |name: &&str| written.iter().any(|one| one == name);
    let (there, missing): (Vec<&str>, Vec<&str>) = PICTURES.into_iter().partition(is_written);
    if missing.is_empty() {
        return Ok(());
    }
    Err(CliError::Interrupted(if there.is_empty() {
        "the results are written, the pictures are not".to_owned()
    } else {
        format!("the results and {} are written, {} not", there.join(", "), missing.join(", "))
    }))
}

/// Writes `value` as JSON for people.
pub(super) fn write_json(file: &Path, value: &impl Serialize) -> Result<(), CliError> {
    Ok(write_atomically(file, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })?)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
