use std::{
    fs, io,
    path::{Path, PathBuf},
};

use stickslip::{
    atomic_file::{create_output_folder, write_atomically},
    metrics::Summary,
    plot,
    stepper::StepperName,
    trajectory::{Replay, Trajectory, write_csv},
};

use super::error::CliError;

pub(super) const TRAJECTORY: &str = "trajectory.csv";
pub(super) const PARTIAL_TRAJECTORY: &str = "trajectory.partial.csv";
pub(super) const SUMMARY: &str = "summary.json";

/// The folder `OUTPUT/<scenario>/<stepper>/` of one run.
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Creates the folder and makes sure that it can be written to, before anything runs.
    pub fn create(output: &Path, scenario: &str, stepper: StepperName) -> Result<Self, CliError> {
        let path = output.join(scenario).join(stepper.as_str().replace(':', "-"));
        create_output_folder(&path).map_err(|error| CliError::unwritable(&error))?;
        Ok(Self { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the trajectory and the summary of a complete run, and removes what an earlier, partial
    /// run left. Gives the names of the files.
    pub fn write_results<const D: usize>(
        &self,
        trajectory: &Trajectory<D>,
        summary: &Summary,
    ) -> Result<Vec<String>, CliError> {
        write_atomically(&self.path.join(TRAJECTORY), |out| write_csv(trajectory, out))?;
        write_atomically(&self.path.join(SUMMARY), |out| {
            serde_json::to_writer_pretty(&mut *out, summary)?;
            out.write_all(b"\n")
        })?;
        let mut written = vec![TRAJECTORY.to_owned(), SUMMARY.to_owned()];
        if let Some(replay) = Replay::of(trajectory) {
            written.push(file_name(&self.write_replay(&replay)?));
        }
        remove_if_there(&self.path.join(PARTIAL_TRAJECTORY))?;
        Ok(written)
    }

    /// Writes the history and the animation. Gives the names of the files.
    pub fn write_pictures<const D: usize>(
        &self,
        trajectory: &Trajectory<D>,
    ) -> Result<Vec<String>, CliError> {
        let history = plot::history(trajectory);
        let path = plot::path(trajectory);
        let files = ["history.svg", "history.png", "path.svg", "path.png", "animation.gif"];
        let [history_svg, history_png, path_svg, path_png, animation] =
            files.map(|name| self.path.join(name));
        history.write_svg(&history_svg)?;
        history.write_png(&history_png)?;
        path.write_svg(&path_svg)?;
        path.write_png(&path_png)?;
        plot::animation(&plot::Series::of_steppers(&[trajectory]), &animation)?;
        Ok(files.map(str::to_owned).to_vec())
    }

    /// Writes the finished steps of a run that did not finish.
    pub fn write_partial<const D: usize>(&self, trajectory: &Trajectory<D>) -> Result<PathBuf, CliError> {
        let file = self.path.join(PARTIAL_TRAJECTORY);
        write_atomically(&file, |out| write_csv(trajectory, out))?;
        Ok(file)
    }

    /// Writes the replay file of a failed step.
    pub fn write_replay(&self, replay: &Replay) -> Result<PathBuf, CliError> {
        let file = self.path.join(format!("replay-step-{}.json", replay.index));
        write_atomically(&file, |out| {
            serde_json::to_writer_pretty(&mut *out, replay)?;
            out.write_all(b"\n")
        })?;
        Ok(file)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(super) fn remove_if_there(file: &Path) -> Result<(), CliError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(CliError::failed(
            format!("cannot remove the outdated `{}`: {error}", file.display()),
            "remove it by hand",
        )),
        _ => Ok(()),
    }
}
