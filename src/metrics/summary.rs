use serde::Serialize;

use super::{Metrics, Quantiles, quantiles};
use crate::{
    stepper::{Ignored, SolverInfo, StepStatus},
    trajectory::Trajectory,
};

/// The summary of one run, as written to `summary.json`.
#[derive(Debug, Clone, Serialize)]
pub struct Summary<const D: usize> {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the stepper.
    pub stepper: String,
    /// Version of this crate.
    pub version: &'static str,
    /// Number of bodies, where there is more than a single point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bodies: Option<usize>,
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
    /// Line searches, where the stepper has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_search: Option<LineSearchCounts>,
    /// Steps by status.
    pub status: StatusCounts,
    /// Values of the scenario of which the stepper makes nothing.
    pub ignored: Vec<Ignored>,
    /// What of the scenario is not done as written, in words.
    pub warnings: Vec<String>,
    /// Figures of merit.
    pub metrics: Metrics<D>,
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

/// Line searches over the steps of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LineSearchCounts {
    /// Searches that ended at another step length than that of Newton's method.
    pub shortened: u32,
    /// Evaluations of the derivative along the search direction.
    pub evaluations: u32,
    /// The most evaluations in one search.
    pub most_evaluations: u32,
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

impl<const D: usize> Summary<D> {
    /// Summarises `trajectory` and its `metrics`.
    pub fn of(trajectory: &Trajectory<D>, metrics: Metrics<D>) -> Self {
        let iterations = || trajectory.steps.iter().map(|step| step.report.iterations);
        let spread = quantiles(iterations().map(f64::from));
        Self {
            scenario: trajectory.scenario.name.clone(),
            stepper: trajectory.stepper.to_string(),
            version: env!("CARGO_PKG_VERSION"),
            bodies: (!trajectory.scenario.is_single_point()).then_some(trajectory.bodies.len()),
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
            line_search: trajectory.line_search.map(|counts| LineSearchCounts {
                shortened: counts.shortened,
                evaluations: counts.evaluations,
                most_evaluations: counts.most_evaluations,
            }),
            status: StatusCounts {
                solved: trajectory.count(StepStatus::Solved),
                rescued: trajectory.count(StepStatus::Rescued),
                failed: trajectory.count(StepStatus::Failed),
            },
            ignored: trajectory.ignored(),
            warnings: trajectory.warnings(),
            metrics,
        }
    }
}
