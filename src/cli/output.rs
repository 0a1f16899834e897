use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;
use stickslip::{
    atomic_file::write_atomically,
    metrics::{Summary, write_detections_csv},
    plot::{self, Figure, Series},
    provenance::Provenance,
    stepper::StepperName,
    trajectory::{Replay, Trajectory},
};

use super::{
    error::CliError,
    figures::{FigureArguments, files_of, grouped, write_figure},
    folder::Folder,
    interrupt,
    outdated::{file_stem, remove_if_there, remove_replays},
    report_page::REPORT,
    run_record::{CONTACTS, Files, JOINTS, TRAJECTORY},
    session::{Session, TIMINGS, write_json},
};

/// What was found of the solutions of steps.
pub(super) const DETECTIONS: &str = "detections.csv";
pub(super) const PARTIAL_TRAJECTORY: &str = "trajectory.partial.csv";
pub(super) const SUMMARY: &str = "summary.json";
/// What a fit or an experiment with learning found.
pub(super) const RESULT: &str = "result.json";
/// The figures of a run, in the order in which they are drawn.
const FIGURES: [&str; 6] = ["history", "path", "modes", "energy", "friction-cone", "phase"];
/// The figure of one impact, where it is asked for.
const IMPULSE_PLANE: &str = "impulse-plane";
const ANIMATION: &str = "animation.gif";

/// The folder `OUTPUT/<scenario>/<stepper>/` of one run.
pub struct RunFolder<'a>(Folder<'a>);

impl<'a> RunFolder<'a> {
    /// Creates the folder and makes sure that it can be written to, before anything runs; the results of an input that is
    /// not `resolved` are kept beside it.
    pub fn create(
        session: &'a Session,
        output: &Path,
        scenario: &str,
        stepper: StepperName,
        resolved: &str,
    ) -> Result<Self, CliError> {
        let stem = file_stem(stepper);
        let folder = Folder::of_input(session, output, scenario, &stem, resolved, &["stepper"])?;
        Ok(Self(folder.open()?))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Gives the files of a complete run their names, writes its summary, and removes what an earlier, partial
    /// run left. Gives the summary with its provenance, and the names of the files.
    pub fn write_results<const D: usize>(
        &self,
        recorded: Files,
        replay: Option<&Replay>,
        summary: &Summary<D>,
        provenance: &Provenance,
        session: &Session,
    ) -> Result<(Value, Vec<String>), CliError> {
        recorded.rows.finish(&self.0.file(TRAJECTORY))?;
        let recorded_summary = session.record(self.path(), SUMMARY, summary, provenance)?;
        let mut written = [TRAJECTORY, SUMMARY, TIMINGS].map(str::to_owned).to_vec();
        for (name, file) in [(CONTACTS, recorded.contacts), (JOINTS, recorded.joints)] {
            let path = self.0.file(name);
            match file {
                Some(file) => {
                    file.finish(&path)?;
                    written.push(name.to_owned());
                }
                None => remove_if_there(&path)?,
            }
        }
        match &summary.detection {
            Some(found) => {
                let rows = [(summary.stepper.as_str(), found)];
                write_atomically(&self.0.file(DETECTIONS), |out| write_detections_csv(rows, out))?;
                written.push(DETECTIONS.to_owned());
            }
            None => remove_if_there(&self.0.file(DETECTIONS))?,
        }
        let replay = replay.map(|replay| self.write_replay(replay)).transpose()?;
        written.extend(replay.as_deref().map(file_name));
        remove_replays(self.path(), replay.as_slice())?;
        remove_if_there(&self.0.file(PARTIAL_TRAJECTORY))?;
        Ok((recorded_summary, written))
    }

    /// Draws the figures of a run and animates it, until the user interrupts. Gives the names of the files.
    pub fn write_pictures<const D: usize>(
        &self,
        trajectory: &Trajectory<D>,
        arguments: &FigureArguments,
    ) -> Result<Vec<String>, CliError> {
        let draw: [fn(&Trajectory<D>) -> Figure; FIGURES.len()] = [
            plot::history,
            plot::path,
            plot::contact_modes,
            plot::energy,
            plot::friction_cone,
            plot::phase_portrait,
        ];
        let write = |(name, draw): (&str, fn(&Trajectory<D>) -> Figure)| {
            if interrupt::requested() {
                return Ok(Vec::new());
            }
            write_figure(self.path(), name, &arguments.apply(name, draw(trajectory)))
        };
        let figures = || FIGURES.into_par_iter().zip(draw).map(write).collect::<Result<Vec<_>, CliError>>();
        let animate = || {
            if interrupt::requested() {
                return Ok(false);
            }
            plot::animation(&Series::of_bodies(trajectory), &self.0.file(ANIMATION)).map(|()| true)
        };
        let (figures, animated) = rayon::join(figures, animate);
        let mut written = figures?.concat();
        if animated? {
            written.push(ANIMATION.to_owned());
        }
        Ok(written)
    }

    /// Draws one impact. Gives the names of the files.
    pub fn write_impulse_plane(
        &self,
        figure: Figure,
        arguments: &FigureArguments,
    ) -> Result<Vec<String>, CliError> {
        write_figure(self.path(), IMPULSE_PLANE, &arguments.apply(IMPULSE_PLANE, figure))
    }

    /// Removes the pictures and the page of an earlier run, which would not show the results beside them.
    pub fn remove_pictures(&self) -> Result<(), CliError> {
        let now_and_then = files_of(IMPULSE_PLANE).into_iter().chain([REPORT.to_owned()]);
        pictures().chain(now_and_then).try_for_each(|name| remove_if_there(&self.0.file(&name)))
    }

    /// Keeps the finished steps of a run that did not finish, and removes the replay files of earlier ones.
    pub fn write_partial(&self, recorded: Files) -> Result<PathBuf, CliError> {
        let file = self.0.file(PARTIAL_TRAJECTORY);
        recorded.rows.finish(&file)?;
        remove_replays(self.path(), &[])?;
        Ok(file)
    }

    /// Writes the replay file of a failed step.
    pub fn write_replay(&self, replay: &Replay) -> Result<PathBuf, CliError> {
        let file = self.0.file(&format!("replay-step-{}.json", replay.index));
        write_json(&file, replay)?;
        Ok(file)
    }
}

/// The names of all pictures of a run.
fn pictures() -> impl Iterator<Item = String> {
    FIGURES.into_iter().flat_map(files_of).chain([ANIMATION.to_owned()])
}

/// Says which pictures are missing because the user interrupted their drawing, and with them the page; no error if
/// none is.
pub(super) fn report_missing_pictures(written: &[String]) -> Result<(), CliError> {
    let (there, mut missing): (Vec<String>, Vec<String>) =
        pictures().partition(|name| written.contains(name));
    if missing.is_empty() {
        return Ok(());
    }
    missing.push(REPORT.to_owned());
    Err(CliError::Interrupted(if there.is_empty() {
        format!("the results are written, the pictures and {REPORT} are not")
    } else {
        format!("the results and {} are written, {} not", grouped(&there), grouped(&missing))
    }))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
