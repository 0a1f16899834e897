//! The loop: a scenario and a stepper in, a trajectory out.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use crate::{
    model::{Attitude, State, Vector},
    scenario::Scenario,
    stepper::{Moved, SolveReport, StepFailure, StepInput, Stepper},
    trajectory::{Ending, Failure, Trajectory},
};

/// Speed in m/s, and rate of rotation in rad/s, beyond which a motion counts as blown up: a thousand
/// times the largest speed a scenario may start with.
const RUNAWAY_SPEED: f64 = 1e9;

/// What to do when a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// End the run; the steps before the failure are kept.
    #[default]
    Stop,
    /// Go on from the stepper's best candidate, marked as failed, where it has a finite one.
    Continue,
}

/// A step that was taken, as [`stream`] passes it on.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a, const D: usize> {
    /// What the stepper was given: the bodies at `t_k`.
    pub input: StepInput<'a, D>,
    /// What it gave back: the bodies at `t_{k+1}`.
    pub moved: &'a Moved<D>,
    /// The push on each body in N: as it was held over the step, or its mean where the stepper follows it.
    pub pushes: &'a [Vector<D>],
    /// How the step was found.
    pub report: SolveReport,
    /// Wall time of the step in ns (at most 4.29 s are told apart).
    pub nanoseconds: u32,
}

/// How a run went.
#[derive(Debug, Clone)]
pub struct Outcome<const D: usize> {
    /// How it ended.
    pub ending: Ending,
    /// The first step that failed, if any.
    pub first_failure: Option<Box<Failure<D>>>,
    /// Wall time of the whole run in s.
    pub wall_seconds: f64,
}

/// Simulates a whole scenario.
///
/// `stepper` must have been made for this scenario. A failed step ends the run; see
/// [`Trajectory::ending`] and [`Trajectory::first_failure`].
pub fn simulate<const D: usize>(scenario: &Scenario<D>, stepper: &mut dyn Stepper<D>) -> Trajectory<D> {
    simulate_observed(scenario, stepper, OnFailure::Stop, |_| ControlFlow::Continue(()))
}

/// Like [`simulate`], with a choice of what failure means and an observer.
///
/// `observe` is called after every step with the number of steps done; `ControlFlow::Break` ends
/// the run with [`Ending::Interrupted`].
pub fn simulate_observed<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn Stepper<D>,
    on_failure: OnFailure,
    mut observe: impl FnMut(usize) -> ControlFlow<()>,
) -> Trajectory<D> {
    let mut trajectory = Trajectory::start(scenario, stepper.name(), stepper.honours());
    let Outcome { ending, first_failure, wall_seconds } = stream(scenario, stepper, on_failure, |row| {
        trajectory.record(row);
        observe(row.input.index + 1)
    });
    Trajectory {
        solver: stepper.solver(),
        line_search: stepper.line_search(),
        ending,
        first_failure,
        wall_seconds,
        ..trajectory
    }
}

/// Simulates a whole scenario and keeps nothing: `consume` is called with every step that was taken, and
/// `ControlFlow::Break` ends the run.
///
/// This is the loop under [`simulate`]. A run of any length needs no more memory than one step.
pub fn stream<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn Stepper<D>,
    on_failure: OnFailure,
    mut consume: impl FnMut(&Row<'_, D>) -> ControlFlow<()>,
) -> Outcome<D> {
    let time = scenario.time();
    let mut states = scenario.initial_states();
    let mut attitudes = scenario.initial_attitudes();
    let mut forces = vec![Vector::zeros(); states.len()];
    let mut torques = vec![Default::default(); attitudes.len()];
    let mut mean_pushes = forces.clone();
    let mut moved = Moved::start(scenario);
    let mut ending = Ending::Complete;
    let mut first_failure = None;
    stepper.reset();
    let honours = stepper.honours();

    let started = Instant::now();
    for index in 0..time.steps {
        scenario.loads_at(index, &attitudes, &mut forces, &mut torques);
        moved.contacts.clear();
        let input = StepInput {
            index,
            time: time.at(index),
            dt: time.dt,
            states: &states,
            attitudes: &attitudes,
            forces: &forces,
            torques: &torques,
        };
        let step_started = Instant::now();
        let outcome = stepper.step(&input, &mut moved).and_then(|report| refuse_runaway(&moved, report));
        let nanoseconds = saturating_nanoseconds(step_started.elapsed());

        let report = match outcome {
            Ok(report) => report,
            Err(error) => {
                let candidate = candidate_of(&error, &moved).filter(|_| on_failure == OnFailure::Continue);
                first_failure.get_or_insert_with(|| Box::new(failure(&input, stepper.memory(), error)));
                match candidate {
                    Some(report) => report,
                    None => {
                        ending = Ending::Failed;
                        break;
                    }
                }
            }
        };
        let pushes = if honours.push_within_steps {
            for (body, mean) in mean_pushes.iter_mut().enumerate() {
                *mean = scenario.mean_push(body, index);
            }
            &mean_pushes
        } else {
            &forces
        };
        let flow = consume(&Row { input, moved: &moved, pushes, report, nanoseconds });
        states.copy_from_slice(&moved.states);
        attitudes.copy_from_slice(&moved.attitudes);
        if flow.is_break() && index + 1 < time.steps {
            ending = Ending::Interrupted;
            break;
        }
    }
    Outcome { ending, first_failure, wall_seconds: started.elapsed().as_secs_f64() }
}

fn failure<const D: usize>(input: &StepInput<'_, D>, memory: Vec<f64>, error: StepFailure) -> Failure<D> {
    Failure {
        index: input.index,
        time: input.time,
        dt: input.dt,
        states: input.states.to_vec(),
        attitudes: input.attitudes.to_vec(),
        forces: input.forces.to_vec(),
        torques: input.torques.to_vec(),
        memory,
        error,
    }
}

fn candidate_of<const D: usize>(error: &StepFailure, moved: &Moved<D>) -> Option<SolveReport> {
    match error {
        StepFailure::Unsolved { candidate, .. } => candidate.filter(|_| is_bounded(moved)),
        StepFailure::Unstable { .. } => None,
    }
}

fn refuse_runaway<const D: usize>(moved: &Moved<D>, report: SolveReport) -> Result<SolveReport, StepFailure> {
    let forces_finite = moved.impulses.iter().all(|impulse| impulse.iter().all(|part| part.is_finite()));
    if is_bounded(moved) && forces_finite {
        return Ok(report);
    }
    let faulty = moved.states.iter().position(|state| !is_bounded_state(state)).unwrap_or(0);
    let state = &moved.states[faulty];
    let whose = if moved.states.len() > 1 { format!(" of body {faulty}") } else { String::new() };
    let reason = format!(
        "the state{whose} after the step is {:?} m, {:?} m/s; try a smaller `step`",
        state.position.as_slice(),
        state.velocity.as_slice()
    );
    Err(StepFailure::Unstable { reason })
}

fn is_bounded<const D: usize>(moved: &Moved<D>) -> bool {
    let turning = |attitude: &Attitude| attitude.is_finite() && attitude.spin.norm() <= RUNAWAY_SPEED;
    moved.states.iter().all(is_bounded_state) && moved.attitudes.iter().all(turning)
}

fn is_bounded_state<const D: usize>(state: &State<D>) -> bool {
    state.is_finite() && state.velocity.norm() <= RUNAWAY_SPEED
}

fn saturating_nanoseconds(elapsed: Duration) -> u32 {
    u32::try_from(elapsed.as_nanos()).unwrap_or(u32::MAX)
}
