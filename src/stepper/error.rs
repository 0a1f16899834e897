use super::{SolveReport, Step, StepperName};

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

/// Why a step of a point could not be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError<const D: usize> {
    /// The solver found no step that passes the independent check.
    #[error("{}", .0.reason)]
    Unsolved(Box<Unsolved<D>>),
    /// The state left the finite numbers or grew without bound.
    #[error("the motion blew up: {reason}")]
    Unstable {
        /// What was seen, and the remedy.
        reason: String,
    },
}

/// A step for which every attempt failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsolved<const D: usize> {
    /// What failed, with the solver's status and the residuals, in words.
    pub reason: String,
    /// The best candidate, marked [`StepStatus::Failed`](super::StepStatus::Failed), if a finite
    /// one exists.
    pub candidate: Option<Step<D>>,
}

/// Why a step could not be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepFailure {
    /// The solver found no step that passes the independent check.
    #[error("{reason}")]
    Unsolved {
        /// What failed, with the solver's status and the residuals, in words.
        reason: String,
        /// The report of the best candidate, if a finite one exists: the [`Moved`](super::Moved) holds it.
        candidate: Option<SolveReport>,
    },
    /// The state left the finite numbers or grew without bound.
    #[error("the motion blew up: {reason}")]
    Unstable {
        /// What was seen, and the remedy.
        reason: String,
    },
}
