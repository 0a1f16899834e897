//! The loop: a scenario and a stepper in, a trajectory out.

mod system;

pub use system::simulate_system;

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use crate::{
    model::State,
    scenario::Scenario,
    stepper::{PointInput, PointStepper, Step, StepError},
    trajectory::{Ending, Failure, Record, Trajectory},
};

/// Speed in m/s beyond which a motion counts as blown up: a thousand times the largest speed a
/// scenario may start with.
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

/// Simulates a whole scenario.
///
/// `stepper` must have been made for this scenario. A failed step ends the run; see
/// [`Trajectory::ending`] and [`Trajectory::first_failure`].
pub fn simulate<const D: usize>(scenario: &Scenario<D>, stepper: &mut dyn PointStepper<D>) -> Trajectory<D> {
    simulate_observed(scenario, stepper, OnFailure::Stop, |_| ControlFlow::Continue(()))
}

/// Like [`simulate`], with a choice of what failure means and an observer.
///
/// `observe` is called after every step with the number of steps done; `ControlFlow::Break` ends
/// the run with [`Ending::Interrupted`].
pub fn simulate_observed<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn PointStepper<D>,
    on_failure: OnFailure,
    mut observe: impl FnMut(usize) -> ControlFlow<()>,
) -> Trajectory<D> {
    let time = scenario.time();
    let mut states = Vec::with_capacity(time.steps + 1);
    let mut steps = Vec::with_capacity(time.steps);
    let mut ending = Ending::Complete;
    let mut first_failure = None;
    let mut state = scenario.initial_state();
    states.push(state);
    stepper.reset();
    let honours = stepper.honours();

    let started = Instant::now();
    for index in 0..time.steps {
        let input =
            PointInput { index, time: time.at(index), state, push: scenario.push(index), dt: time.dt };
        let step_started = Instant::now();
        let outcome = stepper.step(&input).and_then(refuse_runaway);
        let elapsed = step_started.elapsed();

        let step = match outcome {
            Ok(step) => step,
            Err(error) => {
                let candidate = candidate_of(&error).filter(|_| on_failure == OnFailure::Continue);
                first_failure
                    .get_or_insert_with(|| Box::new(Failure { input, memory: stepper.memory(), error }));
                match candidate {
                    Some(step) => step,
                    None => {
                        ending = Ending::Failed;
                        break;
                    }
                }
            }
        };
        state = step.state;
        states.push(state);
        steps.push(Record {
            push: if honours.push_within_steps { scenario.mean_push(index) } else { input.push },
            force: step.contact_impulse / time.dt,
            report: step.report,
            nanoseconds: saturating_nanoseconds(elapsed),
        });
        if observe(index + 1).is_break() && index + 1 < time.steps {
            ending = Ending::Interrupted;
            break;
        }
    }
    Trajectory {
        scenario: scenario.clone(),
        stepper: stepper.name(),
        solver: stepper.solver(),
        honours,
        states,
        steps,
        ending,
        first_failure,
        wall_seconds: started.elapsed().as_secs_f64(),
    }
}

fn candidate_of<const D: usize>(error: &StepError<D>) -> Option<Step<D>> {
    match error {
        StepError::Unsolved(unsolved) => unsolved.candidate.filter(|step| is_bounded(&step.state)),
        StepError::Unstable { .. } => None,
    }
}

fn refuse_runaway<const D: usize>(step: Step<D>) -> Result<Step<D>, StepError<D>> {
    if is_bounded(&step.state) && step.contact_impulse.iter().all(|impulse| impulse.is_finite()) {
        Ok(step)
    } else {
        let reason = format!(
            "the state after the step is {:?} m, {:?} m/s; try a smaller `step`",
            step.state.position.as_slice(),
            step.state.velocity.as_slice()
        );
        Err(StepError::Unstable { reason })
    }
}

fn is_bounded<const D: usize>(state: &State<D>) -> bool {
    state.is_finite() && state.velocity.norm() <= RUNAWAY_SPEED
}

fn saturating_nanoseconds(elapsed: Duration) -> u32 {
    u32::try_from(elapsed.as_nanos()).unwrap_or(u32::MAX)
}
