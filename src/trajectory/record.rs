use crate::{
    model::{State, Vector},
    scenario::Scenario,
    stepper::{Honours, Ignored, PointInput, SolveReport, SolverInfo, StepError, StepStatus, StepperName},
};

/// The motion of one scenario under one stepper.
#[derive(Debug, Clone)]
pub struct Trajectory<const D: usize> {
    /// What was simulated.
    pub scenario: Scenario<D>,
    /// By which stepper.
    pub stepper: StepperName,
    /// With which solver, if it needs one.
    pub solver: Option<SolverInfo>,
    /// What of the scenario the stepper honours.
    pub honours: Honours,
    /// States at `t_k = k dt`, one more than steps taken.
    pub states: Vec<State<D>>,
    /// What happened in the step `k -> k+1`.
    pub steps: Vec<Record<D>>,
    /// How the run ended.
    pub ending: Ending,
    /// The first step that failed, if any; a run told to continue has one and goes on.
    pub first_failure: Option<Box<Failure<D>>>,
    /// Wall time of the whole run in s.
    pub wall_seconds: f64,
}

/// One step of a trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record<const D: usize> {
    /// Push in N: `U_k`, held over the step, or its mean where the stepper follows it
    /// ([`Honours::push_within_steps`]).
    pub push: Vector<D>,
    /// Mean contact force over the step in N, the normal component last.
    pub force: Vector<D>,
    /// How the step was found.
    pub report: SolveReport,
    /// Wall time of the step in ns (at most 4.29 s are told apart).
    pub nanoseconds: u32,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every step of the scenario was taken.
    Complete,
    /// The observer asked to stop.
    Interrupted,
    /// A step failed and the run could not or was told not to go on.
    Failed,
}

/// A step that failed, with all that is needed to take it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure<const D: usize> {
    /// What the stepper was given.
    pub input: PointInput<D>,
    /// What the stepper remembered of earlier steps.
    pub memory: Vec<f64>,
    /// What it answered.
    pub error: StepError<D>,
}

impl<const D: usize> Trajectory<D> {
    /// Time in s of state `k`.
    pub fn time(&self, k: usize) -> f64 {
        self.scenario.time().at(k)
    }

    /// The last state reached.
    pub fn final_state(&self) -> State<D> {
        self.states.last().copied().unwrap_or_else(|| self.scenario.initial_state())
    }

    /// The values of the scenario of which the stepper makes nothing.
    pub fn ignored(&self) -> Vec<Ignored> {
        self.scenario.ignored(&self.honours)
    }

    /// What of the scenario is not done as written; see [`Scenario::warnings`].
    pub fn warnings(&self) -> Vec<String> {
        self.scenario.warnings(&self.honours)
    }

    /// Number of steps with the given status.
    pub fn count(&self, status: StepStatus) -> usize {
        self.steps.iter().filter(|step| step.report.status == status).count()
    }
}
