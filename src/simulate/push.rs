//! Pushes that no scenario file can hold.

use std::ops::ControlFlow;

use super::{OnFailure, Outcome, Simulation};
use crate::{
    model::{Attitude, Spin, State, Vector},
    scenario::Scenario,
    stepper::{Refusal, Stepper},
    trajectory::Trajectory,
};

/// What a push may depend on: the bodies at the beginning of a step.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a, const D: usize> {
    /// Number of the step.
    pub index: usize,
    /// Time in s.
    pub time: f64,
    /// Where the bodies are.
    pub states: &'a [State<D>],
    /// How they are turned; empty where all are points.
    pub attitudes: &'a [Attitude],
}

/// No push beyond those of the scenario.
pub(super) fn no_push<const D: usize>(
    _: &Beginning<'_, D>,
    _: &mut [Vector<D>],
    _: &mut [Spin],
) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Whether `stepper` takes a push beyond those of the scenario: `exact` does not, whose whole motion follows from
/// the scenario.
///
/// # Errors
/// [`Refusal`], with what to do instead.
pub fn takes_pushes<const D: usize>(stepper: &dyn Stepper<D>) -> Result<(), Refusal> {
    if !stepper.name().is_exact() {
        return Ok(());
    }
    Err(Refusal {
        stepper: stepper.name(),
        reason: "its motion is that under the scenario's own pushes, and this one is not among them"
            .to_owned(),
        remedy: "give the push in the scenario, or take a stepper that holds it over the step".to_owned(),
    })
}

/// Like [`simulate_observed`](super::simulate_observed), with pushes that no scenario file can hold.
///
/// `push` is called before every step, and adds to the force in N and the torque in N m on each body, which are
/// those of the scenario's own pushes when it is called; they are held over the step. `ControlFlow::Break` ends
/// the run before the step. Not every stepper can take such a push: see [`takes_pushes`].
pub fn simulate_pushed<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn Stepper<D>,
    on_failure: OnFailure,
    mut push: impl FnMut(&Beginning<'_, D>, &mut [Vector<D>], &mut [Spin]) -> ControlFlow<()>,
    mut observe: impl FnMut(usize) -> ControlFlow<()>,
) -> Trajectory<D> {
    let mut trajectory = Trajectory::start(scenario, stepper.name(), stepper.honours());
    let mut simulation = Simulation::new(scenario, stepper, on_failure);
    while let Some(passage) = simulation.advance_pushed(&mut push) {
        trajectory.record(&passage);
        if observe(passage.index + 1).is_break() {
            simulation.interrupt();
        }
    }
    let Outcome { ending, first_failure, wall_seconds } = simulation.outcome();
    Trajectory {
        solver: stepper.solver(),
        settings: stepper.settings(),
        ending,
        first_failure,
        wall_seconds,
        ..trajectory
    }
}
