use serde::Serialize;

use super::{
    ApproximateSteps, CertificateCounts, Detections, ImpactCounts, Metrics, Quantiles, Tally,
    energy::made,
    penetration::{deep_contact, passed_into},
    rods::stretched,
};
use crate::{
    stepper::{Ignored, SolverInfo, UsedSettings},
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
    /// The figures behind the settings that the scenario may leave to the stepper.
    #[serde(skip_serializing_if = "UsedSettings::is_empty")]
    pub settings: UsedSettings,
    /// Iterations per step.
    pub iterations: IterationCounts,
    /// Steps by status.
    pub status: StatusCounts,
    /// Those of its steps whose residual misses the tolerance, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approximate: Option<ApproximateSteps>,
    /// What the motions of its steps say of their contacts, of bodies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificates: Option<CertificateCounts>,
    /// Its impacts, where the stepper tells of any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impacts: Option<ImpactCounts>,
    /// Values of the scenario of which the stepper makes nothing.
    pub ignored: Vec<Ignored>,
    /// What of the scenario is not done as written, in words.
    pub warnings: Vec<String>,
    /// Whether contacts are springs, which sink in by what they carry.
    #[serde(skip)]
    pub is_compliant: bool,
    /// Which body got deep into what it touches, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<String>,
    /// How far a rod is off its length, or a joint comes apart, in words, where that is far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretched: Option<String>,
    /// How much of its energy comes from nowhere, in words, where that is much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<String>,
    /// The solutions that its steps have, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detection: Option<Detections>,
    /// How fast everything moves at the end, in the columns of `trajectory.csv`: of a single point `vx` and so on, of
    /// bodies a table each by their names.
    pub final_velocity: serde_json::Value,
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

/// Steps by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StatusCounts {
    /// Solved at the first attempt.
    pub solved: usize,
    /// Solved by a later attempt, or approximate ([`ApproximateSteps`]).
    pub rescued: usize,
    /// Solved, by a model that vouches for the motion, and the motion is not that of what touches.
    pub uncertified: usize,
    /// Not solved.
    pub failed: usize,
}

impl<const D: usize> Summary<D> {
    /// Summarises `trajectory` and its `metrics`.
    pub fn of(trajectory: &Trajectory<D>, metrics: Metrics<D>) -> Self {
        let mut tally = Tally::default();
        trajectory.steps.iter().for_each(|step| tally.add(step));
        Self::new(trajectory, &tally, metrics)
    }

    /// Summarises a run whose steps were counted by `tally`; of `trajectory`, which may be a sketch, only what
    /// concerns the run as a whole.
    pub fn new(trajectory: &Trajectory<D>, tally: &Tally, metrics: Metrics<D>) -> Self {
        let depths = metrics.bodies.iter().map(|body| body.max_penetration);
        let is_compliant = trajectory.stepper.is_compliant();
        let overlap = deep_contact(&trajectory.scenario, depths, is_compliant)
            .or_else(|| passed_into(&trajectory.scenario, metrics.get("max_overlap_on_way")));
        Self {
            scenario: trajectory.scenario.name.clone(),
            stepper: trajectory.stepper.to_string(),
            version: env!("CARGO_PKG_VERSION"),
            bodies: (!trajectory.scenario.layout().is_point()).then_some(trajectory.bodies.len()),
            steps: tally.steps(),
            wall_seconds: trajectory.wall_seconds,
            step_microseconds: tally.step_microseconds(),
            solver: trajectory.solver.clone(),
            settings: trajectory.settings.clone(),
            iterations: tally.iterations(),
            status: tally.status(),
            approximate: tally.approximate(),
            certificates: tally.certificates().filter(|_| !trajectory.scenario.layout().is_point()),
            impacts: tally.impacts(),
            ignored: trajectory.ignored(),
            warnings: trajectory.warnings(),
            is_compliant,
            overlap,
            stretched: stretched(&trajectory.scenario, metrics.get("max_rod_strain")),
            energy: made(metrics.get("energy_made")),
            detection: None,
            final_velocity: metrics.final_velocity(),
            metrics,
        }
    }
}
