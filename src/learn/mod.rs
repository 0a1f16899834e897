//! Learning contact parameters from data: the experiments of sections 3 and 4 of the LCP notes,
//! made reproducible.
//!
//! A block slides on a plane, or a point is thrown on it; what moves it is measured, and the
//! parameters of its contact are to be found. Every experiment states its problem with the
//! equations in its module, solves it with the solver that fits, and says which parameters the
//! data determine.

pub mod affine;
pub mod bilevel;
mod block_friction;
pub mod data;
pub mod direct;
mod experiment;
mod face;
mod findings;
mod identifiability;
mod input;
mod lack_of_fit;
pub mod least_squares;
pub mod linear_program;
mod momentum;
#[cfg(feature = "ipopt")]
pub mod mpcc;
pub mod noise;
mod options;
pub mod particle;
pub mod picture;
pub mod slack;
pub mod structured;
pub mod system;
mod tall_program;
pub mod traditional;

use std::time::Instant;

pub use experiment::{Experiment, UnknownExperiment};
pub use findings::{DataSet, Findings, LearnResult, Parameter};
pub use identifiability::Identifiability;
pub use input::{
    BlockData, DataFile, Figures, InputError, LearnError, MOST_SAMPLES, PointData, Progress, Run,
};
pub use options::{OptionFault, Options, Range};
use serde_json::{Map, Value};

use input::Input;

/// What is to be learned, and from what.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The experiment.
    pub experiment: Experiment,
    /// Measurements to learn from; generated data if absent.
    pub data: Option<DataFile>,
    /// Number of samples to generate; the experiment's own default if absent.
    pub samples: Option<usize>,
    /// Seed of everything random.
    pub seed: u64,
    /// Settings of the experiment, each `KEY=VALUE`.
    pub settings: Vec<String>,
}

impl Request {
    /// A request for `experiment` with its defaults.
    pub fn new(experiment: Experiment, seed: u64) -> Self {
        Self { experiment, data: None, samples: None, seed, settings: Vec::new() }
    }

    /// Checks everything, so that [`Prepared::run`] fails only where a solver does.
    ///
    /// # Errors
    /// [`InputError`] that says what is wrong and what is allowed.
    pub fn prepare(self) -> Result<Prepared, InputError> {
        let build = self.experiment.builder();
        let mut input = Input::new(self.data, self.samples, self.seed, &self.settings);
        // An experiment that cannot be built has not asked for all its settings, so that what is
        // left of them cannot be judged.
        let run = build(&mut input)?;
        let settings = input.finish()?;
        Ok(Prepared { experiment: self.experiment, seed: self.seed, settings, run })
    }
}

/// An experiment that is ready to run.
pub struct Prepared {
    experiment: Experiment,
    seed: u64,
    settings: Map<String, Value>,
    run: Box<dyn Run>,
}

impl Prepared {
    /// Learns; `progress` is told the share that is done and may stop the work.
    ///
    /// # Errors
    /// [`LearnError`] where a solver failed, or `progress` said to stop.
    pub fn run(&self, progress: &mut Progress<'_>) -> Result<(LearnResult, Findings), LearnError> {
        let start = Instant::now();
        let findings = self.run.run(progress)?;
        let seconds = start.elapsed().as_secs_f64();
        let parameters = findings
            .parameters
            .iter()
            .map(|(name, parameter)| (name.clone(), serde_json::to_value(parameter).unwrap_or(Value::Null)));
        let result = LearnResult {
            experiment: self.experiment.as_str(),
            samples: match &findings.data {
                DataSet::Block(samples) => samples.len(),
                DataSet::Point(recording) => recording.tosses.len(),
                DataSet::Table { samples, .. } => *samples,
            },
            seed: self.seed,
            parameters: parameters.collect(),
            intervals: findings.intervals(),
            error: findings.error,
            error_measure: findings.error_measure,
            seconds,
            settings: self.settings.clone(),
            notes: findings.notes.clone(),
            measures: findings.measures.clone(),
        };
        Ok((result, findings))
    }

    /// Pictures of `findings`, which [`run`](Self::run) gave. Some of them learn again, from fewer
    /// data or elsewhere in the space of parameters.
    ///
    /// # Errors
    /// [`LearnError::Interrupted`] if `progress` said to stop; [`LearnError::QuadraticProgram`] where a
    /// picture needs one that is not solved.
    pub fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        self.run.figures(findings, progress)
    }
}
