use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Metrics, Quantiles, quantiles};
use crate::{
    model::axis_names,
    stepper::{Ignored, SolverInfo, StepStatus},
    trajectory::Trajectory,
};

/// The summary of one run, as written to `summary.json`.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the stepper.
    pub stepper: String,
    /// Version of this crate.
    pub version: &'static str,
    /// Number of steps taken.
    pub steps: usize,
    /// Wall time of the simulation in s, without files and pictures.
    pub wall_seconds: f64,
    /// Wall time per step in microseconds.
    pub step_microseconds: Quantiles,
    /// The solver, if the stepper needs one.
    pub solver: Option<SolverInfo>,
    /// Iterations per step.
    pub iterations: IterationCounts,
    /// Steps by status.
    pub status: StatusCounts,
    /// Values of the scenario of which the stepper makes nothing.
    pub ignored: Vec<Ignored>,
    /// What of the scenario is not done as written, in words.
    pub warnings: Vec<String>,
    /// Figures of merit, by name.
    pub metrics: Map<String, Value>,
}

/// Iterations over the steps of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IterationCounts {
    /// Of the middle step.
    pub median: u64,
    /// Of the worst step.
    pub max: u64,
    /// Of all steps together.
    pub total: u64,
}

/// Steps by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StatusCounts {
    /// Solved at the first attempt.
    pub solved: usize,
    /// Solved by a later attempt.
    pub rescued: usize,
    /// Not solved.
    pub failed: usize,
}

impl Summary {
    /// Summarises `trajectory` and its `metrics`.
    pub fn of<const D: usize>(trajectory: &Trajectory<D>, metrics: &Metrics<D>) -> Self {
        let iterations = || trajectory.steps.iter().map(|step| step.report.iterations);
        let spread = quantiles(iterations().map(f64::from));
        Self {
            scenario: trajectory.scenario.name.clone(),
            stepper: trajectory.stepper.to_string(),
            version: env!("CARGO_PKG_VERSION"),
            steps: trajectory.steps.len(),
            wall_seconds: trajectory.wall_seconds,
            step_microseconds: quantiles(
                trajectory.steps.iter().map(|step| f64::from(step.nanoseconds) / 1e3),
            ),
            solver: trajectory.solver.clone(),
            iterations: IterationCounts {
                median: spread.median as u64,
                max: spread.max as u64,
                total: iterations().map(u64::from).sum(),
            },
            status: StatusCounts {
                solved: trajectory.count(StepStatus::Solved),
                rescued: trajectory.count(StepStatus::Rescued),
                failed: trajectory.count(StepStatus::Failed),
            },
            ignored: trajectory.ignored(),
            warnings: trajectory.warnings(),
            metrics: named(metrics),
        }
    }
}

/// Metrics under the names of `summary.json`; absent values are null.
fn named<const D: usize>(metrics: &Metrics<D>) -> Map<String, Value> {
    let mut map = Map::new();
    for (i, axis) in axis_names::<D>().iter().enumerate() {
        map.insert(format!("final_{axis}"), json!(metrics.final_position[i]));
    }
    map.insert("stop_time".into(), json!(metrics.stop_time));
    map.insert("max_penetration".into(), json!(metrics.max_penetration));
    map.insert("max_energy_gain".into(), json!(metrics.max_energy_gain));
    map.insert("max_complementarity".into(), json!(metrics.max_complementarity));
    map.insert("force_noise".into(), json!(metrics.force_noise));
    for (i, axis) in axis_names::<D>().iter().enumerate() {
        map.insert(format!("max_error_{axis}"), json!(metrics.max_error.map(|error| error[i])));
    }
    map
}
