//! Motions that other programs recorded, judged by the same measures.
//!
//! [`write_scenes`] writes the scenario of every case, `FOLDER/scenes/PHENOMENON/STEP/CASE.toml`. Another program
//! simulates it and writes the motion beside it under its own name, `FOLDER/NAME/PHENOMENON/STEP/CASE.csv`: a row
//! per body and state, columns `body,step,x,z,angle,vx,vz,spin` in the plane, `body,step,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz`
//! in space, with the quaternion from body to world and the spin in the axes of the body; and, for measures of forces,
//! `fx,fz` or `fx,fy,fz` of the step that begins there. What cannot be run is left out, or said in a file `refused.txt`
//! beside.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use nalgebra::{Quaternion, UnitQuaternion};

use super::{Experiment, Observed, Outcome, Phenomenon, Score, Scorecard, Trial};
use crate::{
    atomic_file::{WriteError, create_output_folder, write_atomically},
    model::{Attitude, Orientation, Spin, State, Vector},
    scenario::{AnyScenario, Scenario},
    stepper::BuildStepper,
    trajectory::{Contacts, Motion, Record},
};

/// The folder of the scenarios.
const SCENES: &str = "scenes";

/// Why a recorded motion is none.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// A file or folder cannot be read.
    #[error("{path}: {source}", path = .path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing was recorded.
    #[error("no program has recorded anything in {path}: it has no folder with the name of one", path = .path.display())]
    Nothing {
        /// The folder.
        path: PathBuf,
    },
    /// The file does not hold the motion of the scenario.
    #[error("{path}, row {row}: {reason}", path = .path.display())]
    Row {
        /// Which file.
        path: PathBuf,
        /// The row, the header being the first.
        row: usize,
        /// What is wrong.
        reason: String,
    },
}

impl<const D: usize> Experiment<D>
where
    Scenario<D>: BuildStepper<D>,
    AnyScenario: From<Scenario<D>>,
{
    /// The scenarios of all cases as files.
    fn texts(&self, step: f64) -> Vec<String> {
        self.scenarios(step).into_iter().map(|scenario| AnyScenario::from(scenario).to_toml()).collect()
    }

    fn judge(&self, folder: &Path, step: f64) -> Result<Outcome, RecordingError> {
        let refused = folder.join("refused.txt");
        if refused.exists() {
            let reason = fs::read_to_string(&refused)
                .map_err(|source| RecordingError::Unreadable { path: refused, source })?;
            return Ok(Outcome::Refused { reason: reason.trim().to_owned() });
        }
        let mut observed = Vec::new();
        for (case, scenario) in self.scenarios(step).into_iter().enumerate() {
            let file = folder.join(format!("{case}.csv"));
            if !file.exists() {
                return Ok(Outcome::Refused { reason: "it was not recorded".to_owned() });
            }
            observed.push(read_motion(&file, scenario)?);
        }
        Ok(Outcome::Measured((self.measure)(&observed)))
    }
}

/// Folder of the cases of a phenomenon at a step.
fn place(of: &Path, phenomenon: &Phenomenon, step: f64) -> PathBuf {
    of.join(phenomenon.name).join(format!("{step:e}"))
}

/// Writes the scenarios of all phenomena at all steps, and gives their number.
///
/// # Errors
/// [`WriteError`] if the folder cannot be written to.
pub fn write_scenes(folder: &Path, phenomena: &[Phenomenon], steps: &[f64]) -> Result<usize, WriteError> {
    let mut written = 0;
    for phenomenon in phenomena {
        for &step in steps {
            let folder = place(&folder.join(SCENES), phenomenon, step);
            let texts = match phenomenon.trial {
                Trial::Plane(experiment) => experiment.texts(step),
                Trial::Space(experiment) => experiment.texts(step),
            };
            create_output_folder(&folder)?;
            for (case, text) in texts.iter().enumerate() {
                write_atomically(&folder.join(format!("{case}.toml")), |out| out.write_all(text.as_bytes()))?;
                written += 1;
            }
        }
    }
    Ok(written)
}

/// The programs that recorded motions in `folder`, in the order of their names.
///
/// # Errors
/// [`RecordingError`] if it cannot be read, or there is none.
pub fn recorded_programs(folder: &Path) -> Result<Vec<String>, RecordingError> {
    let unreadable = |source| RecordingError::Unreadable { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && name != SCENES {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Err(RecordingError::Nothing { path: folder.to_owned() });
    }
    names.sort();
    Ok(names)
}

impl Scorecard {
    /// Adds a column for every program that recorded motions in `folder`, in the order of their names; one that is called
    /// like a model of the card becomes `NAME (recorded)`.
    ///
    /// # Errors
    /// [`RecordingError`] for the first file that holds no motion, or where there is none.
    pub fn add_recorded(&mut self, folder: &Path) -> Result<(), RecordingError> {
        for name in recorded_programs(folder)? {
            let mut column = Vec::new();
            for phenomenon in &self.phenomena {
                for &step in &self.steps {
                    let place = place(&folder.join(&name), phenomenon, step);
                    let outcome = match &phenomenon.trial {
                        Trial::Plane(experiment) => experiment.judge(&place, step)?,
                        Trial::Space(experiment) => experiment.judge(&place, step)?,
                    };
                    column.push(Score::of(phenomenon, outcome));
                }
            }
            let mut model = name;
            // Verdicts are kept by the names of models, and a folder may be called like a stepper.
            while self.models.contains(&model) {
                model.push_str(" (recorded)");
            }
            self.add_column(model, column);
        }
        Ok(())
    }

    /// A further model with its scores, by phenomenon and step.
    fn add_column(&mut self, name: String, column: Vec<Score>) {
        let per_phenomenon = self.models.len() * self.steps.len();
        let mut before = std::mem::take(&mut self.scores).into_iter();
        let mut added = column.into_iter();
        for _ in 0..self.phenomena.len() {
            self.scores.extend(before.by_ref().take(per_phenomenon));
            self.scores.extend(added.by_ref().take(self.steps.len()));
        }
        self.models.push(name);
    }
}

/// Reads the motion of all bodies of `scenario`.
fn read_motion<const D: usize>(path: &Path, scenario: Scenario<D>) -> Result<Observed<D>, RecordingError> {
    let row_error = |row: usize, reason: String| RecordingError::Row { path: path.to_owned(), row, reason };
    let mut reader = csv::Reader::from_path(path).map_err(|error| RecordingError::Unreadable {
        path: path.to_owned(),
        source: io::Error::other(error),
    })?;
    let header = reader.headers().map_err(|error| row_error(1, error.to_string()))?.clone();
    let columns: HashMap<&str, usize> =
        header.iter().enumerate().map(|(place, name)| (name, place)).collect();
    let names: Vec<String> = (0..scenario.bodies.len()).map(|body| scenario.body_name(body)).collect();
    let turns = scenario.has_turning_bodies();
    let mut bodies: Vec<Motion<D>> = names
        .iter()
        .map(|_| Motion {
            states: Vec::new(),
            attitudes: Vec::new(),
            steps: Vec::new(),
            torques: Vec::new(),
            push_torques: Vec::new(),
        })
        .collect();
    let states = scenario.time().steps + 1;
    for (index, record) in reader.records().enumerate() {
        let row = index + 2;
        let record = record.map_err(|error| row_error(row, error.to_string()))?;
        let text = |name: &str| columns.get(name).and_then(|&place| record.get(place)).unwrap_or_default();
        let number = |name: &str| {
            let text = text(name);
            text.parse::<f64>().map_err(|_| row_error(row, format!("`{text}` in column {name} is no number")))
        };
        let optional = |name: &str| if text(name).is_empty() { Ok(0.0) } else { number(name) };
        let name = text("body");
        let Some(body) = names.iter().position(|known| known == name) else {
            return Err(row_error(row, format!("there is no body `{name}`; there are {}", names.join(", "))));
        };
        let motion = &mut bodies[body];
        let vector = |prefix: &str, read: &dyn Fn(&str) -> Result<f64, RecordingError>| {
            let axes = if D == 2 { &["x", "z"][..] } else { &["x", "y", "z"][..] };
            let parts: Result<Vec<f64>, _> =
                axes.iter().map(|axis| read(&format!("{prefix}{axis}"))).collect();
            Ok::<_, RecordingError>(Vector::<D>::from_iterator(parts?))
        };
        motion.states.push(State { position: vector("", &number)?, velocity: vector("v", &number)? });
        if turns {
            motion.attitudes.push(if D == 2 {
                Attitude {
                    orientation: Orientation::Angle(number("angle")?),
                    spin: Spin::new(number("spin")?, 0.0, 0.0),
                }
            } else {
                let quaternion = Quaternion::new(number("qw")?, number("qx")?, number("qy")?, number("qz")?);
                if !(0.9..1.1).contains(&quaternion.norm()) {
                    return Err(row_error(
                        row,
                        format!("the quaternion has length {}, not 1", quaternion.norm()),
                    ));
                }
                Attitude {
                    orientation: Orientation::Quaternion(UnitQuaternion::from_quaternion(quaternion)),
                    spin: Spin::new(number("wx")?, number("wy")?, number("wz")?),
                }
            });
        }
        let force = vector("f", &optional)?;
        motion.steps.push(Record { push: Vector::<D>::zeros(), force, driven_work: 0.0 });
    }
    for (motion, name) in bodies.iter_mut().zip(&names) {
        if motion.states.len() != states {
            let reason = format!("there are {} states of body `{name}`, not {states}", motion.states.len());
            return Err(row_error(1, reason));
        }
        motion.steps.pop();
    }
    Ok(Observed { scenario, bodies, contacts: Contacts::default() })
}
