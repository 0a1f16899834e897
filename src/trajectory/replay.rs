use std::{io, path::Path};

use serde::{Deserialize, Serialize};

use super::Trajectory;
use crate::{
    model::{State, Vector},
    stepper::PointInput,
};

/// One failed step, with all that is needed to take it again: what a replay file holds.
///
/// The scenario is kept as the text of a scenario file, with every override applied, so the file
/// stands on its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Version of the crate that wrote the file.
    pub version: String,
    /// The scenario as TOML.
    pub scenario: String,
    /// Name of the stepper.
    pub stepper: String,
    /// Index `k` of the step.
    pub index: usize,
    /// Time `t_k` in s.
    pub time: f64,
    /// Position at `t_k` in m.
    pub position: Vec<f64>,
    /// Velocity at `t_k` in m/s.
    pub velocity: Vec<f64>,
    /// Push over the step in N.
    pub push: Vec<f64>,
    /// Length of the step in s.
    pub dt: f64,
    /// What the stepper remembered of earlier steps; see [`PointStepper::memory`](crate::stepper::PointStepper::memory).
    pub memory: Vec<f64>,
    /// Why the step failed.
    pub reason: String,
}

/// A replay file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("cannot read the replay file: {0}")]
    Unreadable(#[from] io::Error),
    /// The file is not a replay file.
    #[error("not a replay file: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A vector has the wrong number of components or is not finite.
    #[error("`{key}` has to be {expected} finite numbers, found {found:?}")]
    Vector {
        /// Which one.
        key: &'static str,
        /// The dimension of the scenario.
        expected: usize,
        /// What the file holds.
        found: Vec<f64>,
    },
    /// The step length is not a positive number.
    #[error("`dt` has to be a positive number of seconds, found {0}")]
    StepLength(f64),
}

impl Replay {
    /// The first failed step of `trajectory`, if one failed.
    pub fn of<const D: usize>(trajectory: &Trajectory<D>) -> Option<Self> {
        let failure = trajectory.first_failure.as_deref()?;
        let input = &failure.input;
        Some(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: trajectory.scenario.to_toml(),
            stepper: trajectory.stepper.to_string(),
            index: input.index,
            time: input.time,
            position: input.state.position.as_slice().to_vec(),
            velocity: input.state.velocity.as_slice().to_vec(),
            push: input.push.as_slice().to_vec(),
            dt: input.dt,
            memory: failure.memory.clone(),
            reason: failure.error.to_string(),
        })
    }

    /// Reads a replay file.
    ///
    /// # Errors
    /// [`ReplayError`] if the file cannot be read or is not one.
    pub fn read(path: &Path) -> Result<Self, ReplayError> {
        Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
    }

    /// What the stepper was given.
    ///
    /// # Errors
    /// [`ReplayError`] if a vector does not have `D` finite components or `dt` is not positive.
    pub fn input<const D: usize>(&self) -> Result<PointInput<D>, ReplayError> {
        if !(self.dt > 0.0 && self.dt.is_finite()) {
            return Err(ReplayError::StepLength(self.dt));
        }
        let state = State {
            position: vector("position", &self.position)?,
            velocity: vector("velocity", &self.velocity)?,
        };
        let push = vector("push", &self.push)?;
        Ok(PointInput { index: self.index, time: self.time, state, push, dt: self.dt })
    }
}

fn vector<const D: usize>(key: &'static str, numbers: &[f64]) -> Result<Vector<D>, ReplayError> {
    if numbers.len() == D && numbers.iter().all(|number| number.is_finite()) {
        Ok(Vector::from_fn(|i, _| numbers[i]))
    } else {
        Err(ReplayError::Vector { key, expected: D, found: numbers.to_vec() })
    }
}
