use std::fmt;

use super::{SolveReport, Step, StepStatus, StepperName};
use crate::contact::FailureKind;

/// A stepper's no to a scenario, before anything runs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("stepper `{stepper}` does not admit this scenario: {reason}; {remedy}")]
pub struct Refusal {
    /// Who refuses.
    pub stepper: StepperName,
    /// What in the scenario is outside its range, with the value.
    pub reason: String,
    /// What to do about it.
    pub remedy: String,
}

/// Why a step could not be taken.
#[derive(Debug, Clone, PartialEq)]
pub struct StepFailure {
    /// What kind of failure it is, for programs.
    pub kind: FailureKind,
    /// What happened, with the values and, where there is one, the remedy, for people.
    pub explanation: String,
    /// Iterations, sweeps or pivots over all attempts.
    pub iterations: u32,
    /// The residual of the best candidate in the units of [`SolveReport::residual`], if there was any.
    pub residual: Option<f64>,
    /// The report of the best candidate, marked [`StepStatus::Failed`], if a finite one exists: the
    /// [`Moved`](super::Moved) holds it.
    pub candidate: Option<SolveReport>,
}

impl StepFailure {
    /// A failure that left nothing behind.
    pub fn new(kind: FailureKind, explanation: impl Into<String>) -> Self {
        Self { kind, explanation: explanation.into(), iterations: 0, residual: None, candidate: None }
    }

    /// The same after `iterations`, with the residual of the best that they found.
    pub fn after(self, iterations: u32, residual: f64) -> Self {
        Self { iterations, residual: residual.is_finite().then_some(residual), ..self }
    }

    /// The same with the report of a candidate.
    pub fn with_candidate(self, report: SolveReport) -> Self {
        let report = SolveReport { status: StepStatus::Failed, ..report };
        Self { candidate: Some(report), ..self.after(report.iterations, report.residual) }
    }
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == FailureKind::Unstable {
            f.write_str("the motion blew up: ")?;
        }
        write!(f, "{} ({})", self.explanation, self.kind)
    }
}

impl std::error::Error for StepFailure {}

/// Why a step of a point could not be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{failure}")]
pub struct StepError<const D: usize> {
    /// What happened.
    pub failure: Box<StepFailure>,
    /// The best candidate, marked [`StepStatus::Failed`], if a finite one exists.
    pub candidate: Option<Box<Step<D>>>,
}

impl<const D: usize> StepError<D> {
    /// A failure with the candidate that it left.
    pub fn with_candidate(failure: StepFailure, mut step: Step<D>) -> Self {
        step.report.status = StepStatus::Failed;
        Self { failure: Box::new(failure.with_candidate(step.report)), candidate: Some(Box::new(step)) }
    }
}

impl<const D: usize> From<StepFailure> for StepError<D> {
    fn from(failure: StepFailure) -> Self {
        Self { failure: Box::new(failure), candidate: None }
    }
}
