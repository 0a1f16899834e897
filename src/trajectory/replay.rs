use std::{io, path::Path};

use nalgebra::{Quaternion, UnitQuaternion};
use serde::{Deserialize, Serialize};

use super::{Failure, Trajectory};
use crate::{
    contact::FailureKind,
    decimal::shortest,
    json_fault::plain_words,
    model::{Attitude, Orientation, State, Vector},
    scenario::{STEP, Scenario},
    stepper::{Moved, SolveReport, StepFailure, StepInput, Stepper, StepperName},
};

/// By how much the length of a recorded quaternion may differ from 1: far more than rounding makes of it.
const MOST_LENGTH_ERROR: f64 = 1e-6;

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
    /// The bodies at `t_k` and what pushed them, in the order of the scenario.
    pub bodies: Vec<ReplayedBody>,
    /// Length of the step in s.
    pub dt: f64,
    /// What the stepper remembered of earlier steps; see [`PointStepper::memory`](crate::stepper::PointStepper::memory).
    pub memory: Vec<f64>,
    /// What kind of failure it was; absent in files of earlier versions, as the next two are.
    #[serde(default)]
    pub kind: Option<FailureKind>,
    /// Iterations, sweeps or pivots over all attempts.
    #[serde(default)]
    pub iterations: u32,
    /// The residual of the best candidate, if there was any.
    #[serde(default)]
    pub residual: Option<f64>,
    /// Why the step failed, in words.
    pub reason: String,
}

/// One body of a replay file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayedBody {
    /// Position at `t_k` in m.
    pub position: Vec<f64>,
    /// Velocity at `t_k` in m/s.
    pub velocity: Vec<f64>,
    /// Push over the step in N.
    pub push: Vec<f64>,
    /// Of a body that turns: the angle at `t_k` in rad, or the quaternion `[w, x, y, z]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orientation: Vec<f64>,
    /// Of a body that turns: the rate of rotation at `t_k` in rad/s.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spin: Vec<f64>,
    /// Of a body that turns: the torque of the pushes in N m.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub torque: Vec<f64>,
}

/// A replay file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("cannot read the replay file: {0}")]
    Unreadable(#[from] io::Error),
    /// The file is not a replay file.
    #[error("not a replay file: {}", plain_words(&.0.to_string()))]
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
    /// A quaternion that is no rotation.
    #[error(
        "`orientation` has to be a quaternion [w, x, y, z] of length 1, found {found:?} of length {length}"
    )]
    Orientation {
        /// What the file holds.
        found: Vec<f64>,
        /// How long that is.
        length: f64,
    },
    /// The number of bodies is not that of the scenario.
    #[error("`bodies` has {found}, but the scenario has {expected}")]
    Bodies {
        /// How many the scenario has.
        expected: usize,
        /// How many the file has.
        found: usize,
    },
    /// The step length is none that a scenario may have.
    #[error("`dt` has to be a length of a step, {:e} to {:e} s, found {}", STEP[0], STEP[1], shortest(*.0))]
    StepLength(f64),
}

impl Replay {
    /// The first failed step of `trajectory`, if one failed.
    pub fn of<const D: usize>(trajectory: &Trajectory<D>) -> Option<Self> {
        let failure = trajectory.first_failure.as_deref()?;
        Some(Self::of_failure(&trajectory.scenario, trajectory.stepper, failure))
    }

    /// The step of a run of `scenario` under `stepper` that failed.
    pub fn of_failure<const D: usize>(
        scenario: &Scenario<D>,
        stepper: StepperName,
        failure: &Failure<D>,
    ) -> Self {
        let turning = |index: usize| failure.attitudes.get(index).zip(failure.torques.get(index));
        let body = |(index, (state, push)): (usize, (&State<D>, &Vector<D>))| ReplayedBody {
            position: state.position.as_slice().to_vec(),
            velocity: state.velocity.as_slice().to_vec(),
            push: push.as_slice().to_vec(),
            orientation: turning(index).map_or(Vec::new(), |(attitude, _)| numbers(&attitude.orientation)),
            spin: turning(index).map_or(Vec::new(), |(attitude, _)| attitude.spin.as_slice().to_vec()),
            torque: turning(index).map_or(Vec::new(), |(_, torque)| torque.as_slice().to_vec()),
        };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: scenario.to_toml(),
            stepper: stepper.to_string(),
            index: failure.index,
            time: failure.time,
            bodies: failure.states.iter().zip(&failure.forces).enumerate().map(body).collect(),
            dt: failure.dt,
            memory: failure.memory.clone(),
            kind: Some(failure.error.kind),
            iterations: failure.error.iterations,
            residual: failure.error.residual,
            reason: failure.error.to_string(),
        }
    }

    /// Reads a replay file.
    ///
    /// # Errors
    /// [`ReplayError`] if the file cannot be read or is not one.
    pub fn read(path: &Path) -> Result<Self, ReplayError> {
        Self::parse(&std::fs::read_to_string(path)?)
    }

    /// Reads the text of a replay file.
    ///
    /// # Errors
    /// [`ReplayError`] if it is not one.
    pub fn parse(text: &str) -> Result<Self, ReplayError> {
        Ok(serde_json::from_str(text)?)
    }

    /// Takes the step again; `stepper` must have been made for the scenario of the file.
    ///
    /// # Errors
    /// [`ReplayError`] if the file does not fit the scenario; the inner one is the stepper's, or that of
    /// [`Moved::check`].
    pub fn take_again<const D: usize>(
        &self,
        scenario: &Scenario<D>,
        stepper: &mut dyn Stepper<D>,
    ) -> Result<Result<(Moved<D>, SolveReport), StepFailure>, ReplayError> {
        if !(STEP[0]..=STEP[1]).contains(&self.dt) {
            return Err(ReplayError::StepLength(self.dt));
        }
        let (expected, found) = (scenario.bodies.len(), self.bodies.len());
        if expected != found {
            return Err(ReplayError::Bodies { expected, found });
        }
        let mut moved = Moved::start(scenario);
        let (mut states, mut attitudes, mut forces, mut torques) =
            (moved.states.clone(), moved.attitudes.clone(), Vec::new(), Vec::new());
        for (index, body) in self.bodies.iter().enumerate() {
            states[index] = State {
                position: vector("position", &body.position)?,
                velocity: vector("velocity", &body.velocity)?,
            };
            forces.push(vector("push", &body.push)?);
            if let Some(attitude) = attitudes.get_mut(index) {
                *attitude = Attitude {
                    orientation: orientation::<D>(&body.orientation)?,
                    spin: vector("spin", &body.spin)?,
                };
                torques.push(vector("torque", &body.torque)?);
            }
        }
        stepper.restore(&self.memory);
        let input = StepInput {
            index: self.index,
            time: self.time,
            dt: self.dt,
            states: &states,
            attitudes: &attitudes,
            forces: &forces,
            torques: &torques,
        };
        let outcome = stepper.step(&input, &mut moved);
        Ok(outcome.and_then(|report| moved.check().map(|()| (moved, report))))
    }
}

fn numbers(orientation: &Orientation) -> Vec<f64> {
    match orientation {
        Orientation::Angle(angle) => vec![*angle],
        Orientation::Quaternion(turn) => vec![turn.w, turn.i, turn.j, turn.k],
    }
}

fn orientation<const D: usize>(numbers: &[f64]) -> Result<Orientation, ReplayError> {
    if D == 2 {
        return Ok(Orientation::Angle(vector::<1>("orientation", numbers)?[0]));
    }
    let turn = vector::<4>("orientation", numbers)?;
    let turn = Quaternion::new(turn[0], turn[1], turn[2], turn[3]);
    let length = turn.norm();
    // A length that overflows is none either.
    if (length - 1.0).abs() > MOST_LENGTH_ERROR {
        return Err(ReplayError::Orientation { found: numbers.to_vec(), length });
    }
    // As it was recorded: normalised already, and not to be changed by rounding.
    Ok(Orientation::Quaternion(UnitQuaternion::new_unchecked(turn)))
}

fn vector<const D: usize>(key: &'static str, numbers: &[f64]) -> Result<Vector<D>, ReplayError> {
    if numbers.len() == D && numbers.iter().all(|number| number.is_finite()) {
        Ok(Vector::from_fn(|i, _| numbers[i]))
    } else {
        Err(ReplayError::Vector { key, expected: D, found: numbers.to_vec() })
    }
}
