use crate::{
    contact::Relaxation,
    model::{State, Vector},
    scenario::Scenario,
};

/// What a stepper of a point is given: one state, one push, one step length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointInput<const D: usize> {
    /// Index `k` of the step.
    pub index: usize,
    /// Time `t_k = k dt` in s at its start.
    pub time: f64,
    /// State at `t_k`.
    pub state: State<D>,
    /// Push `U_k` in N, sampled at `t_k` and held over the step.
    pub push: Vector<D>,
    /// Length of the step in s.
    pub dt: f64,
}

impl<const D: usize> PointInput<D> {
    /// The first step of `scenario`.
    pub fn first(scenario: &Scenario<D>) -> Self {
        Self {
            index: 0,
            time: 0.0,
            state: scenario.initial_state(0),
            push: scenario.push(0, 0),
            dt: scenario.step,
        }
    }
}

/// What a stepper of a point gives back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step<const D: usize> {
    /// State at `t_{k+1}`.
    pub state: State<D>,
    /// Impulse of the contact over the step in N s, the normal component last; divided by `dt` it
    /// is the mean contact force.
    pub contact_impulse: Vector<D>,
    /// How the step was found.
    pub report: SolveReport,
}

impl<const D: usize> Step<D> {
    /// The step to `state` of a point of this mass in kg, which would move by the velocity `free` without contact: the
    /// contact gave it the rest.
    pub(super) fn from_free(free: &Vector<D>, state: State<D>, mass: f64, report: SolveReport) -> Self {
        Self { state, contact_impulse: (state.velocity - free) * mass, report }
    }
}

/// How a step was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    /// Whether the step can be trusted, and how it came about.
    pub status: StepStatus,
    /// Iterations or pivots over all attempts; 0 for closed forms.
    pub iterations: u32,
    /// Largest residual of the contact conditions, recomputed independently of the solver, in
    /// scaled units (impulses by `m g dt`, velocities by `g dt`); 0 for closed forms.
    pub residual: f64,
    /// Whether the residual misses the tolerance, by less than
    /// [`APPROXIMATE`](crate::contact::APPROXIMATE): the best of all attempts was kept.
    pub is_approximate: bool,
    /// Slacks and multiplier of the nonlinear program; `None` for other steppers.
    pub nlp: Option<Relaxation>,
}

impl SolveReport {
    /// The report of a step that needed no solver.
    pub const CLOSED_FORM: Self =
        Self { status: StepStatus::Solved, iterations: 0, residual: 0.0, is_approximate: false, nlp: None };
}

/// Whether a step can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepStatus {
    /// Solved at the first attempt (a warm start with its cold fallback counts as one).
    Solved,
    /// The first attempt failed; a later one gave a solution that passes every check, or the best of all is
    /// approximate ([`SolveReport::is_approximate`]).
    Rescued,
    /// The equations are solved, but the motion is not that of what touches: see
    /// [`Certificate`](crate::world::Certificate).
    Uncertified,
    /// No attempt passed the checks; the state is the best candidate, and not to be trusted.
    Failed,
}

impl StepStatus {
    /// The word used in files: `solved`, `rescued`, `uncertified` or `failed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Rescued => "rescued",
            Self::Uncertified => "uncertified",
            Self::Failed => "failed",
        }
    }
}

/// A solver and its version, for the summary of a run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SolverInfo {
    /// Name, for example `interior-point` or `IPOPT`.
    pub name: String,
    /// Version; that of this crate for a solver of its own.
    pub version: String,
}
