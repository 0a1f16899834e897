//! The loop: a scenario and a stepper in, a trajectory out.

mod push;
mod simulation;

pub use push::{Beginning, simulate_pushed, takes_pushes};
pub use simulation::Simulation;

use std::ops::ControlFlow;

use crate::{
    scenario::Scenario,
    stepper::Stepper,
    trajectory::{Ending, Failure, Passage, Trajectory},
};

/// What to do when a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// End the run; the steps before the failure are kept.
    #[default]
    Stop,
    /// Go on from the stepper's best candidate, marked as failed, where it has a finite one.
    Continue,
}

/// How a run went.
#[derive(Debug, Clone)]
pub struct Outcome<const D: usize> {
    /// How it ended.
    pub ending: Ending,
    /// The first step that failed, if any.
    pub first_failure: Option<Box<Failure<D>>>,
    /// Wall time of all steps in s.
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
    observe: impl FnMut(usize) -> ControlFlow<()>,
) -> Trajectory<D> {
    simulate_pushed(scenario, stepper, on_failure, push::no_push, observe)
}

/// Simulates a whole scenario and keeps nothing: `consume` is called with every step that was taken, and
/// `ControlFlow::Break` ends the run.
///
/// This is the loop under [`simulate`]. A run of any length needs no more memory than one step.
pub fn stream<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn Stepper<D>,
    on_failure: OnFailure,
    mut consume: impl FnMut(&Passage<'_, D>) -> ControlFlow<()>,
) -> Outcome<D> {
    let mut simulation = Simulation::new(scenario, stepper, on_failure);
    while let Some(passage) = simulation.advance() {
        if consume(&passage).is_break() {
            simulation.interrupt();
        }
    }
    simulation.outcome()
}
