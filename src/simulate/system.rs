use std::{ops::ControlFlow, time::Instant};

use super::{OnFailure, is_bounded, saturating_nanoseconds};
use crate::{
    convex::LineSearchStatistics,
    model::Vector,
    scenario::ParticleSystem,
    stepper::{
        SolveReport, StepperName,
        convex::{ConvexSystem, SystemReport},
    },
    trajectory::{Ending, Record, SystemFailure, SystemTrajectory, Trajectory},
};

/// Simulates a system of particles.
///
/// `stepper` must have been made for this system. `observe` is called after every step with the
/// number of steps done; `ControlFlow::Break` ends the run with [`Ending::Interrupted`].
pub fn simulate_system<const D: usize>(
    system: &ParticleSystem<D>,
    stepper: &mut ConvexSystem<D>,
    on_failure: OnFailure,
    mut observe: impl FnMut(usize) -> ControlFlow<()>,
) -> SystemTrajectory<D> {
    let time = system.time();
    let mut states = system.initial_states();
    let mut pushes = vec![Vector::zeros(); states.len()];
    let mut impulses = pushes.clone();
    let mut particles: Vec<_> = (0..states.len()).map(|index| alone(system, stepper, index)).collect();
    let mut line_search = LineSearchStatistics::default();
    let mut ending = Ending::Complete;
    let mut first_failure = None;

    let started = Instant::now();
    for index in 0..time.steps {
        system.pushes_at(index, &mut pushes);
        let step_started = Instant::now();
        let outcome = stepper.step(&mut states, &pushes);
        let nanoseconds = saturating_nanoseconds(step_started.elapsed());

        let mut fail = |reason| {
            first_failure.get_or_insert(SystemFailure { index, time: time.at(index), reason });
        };
        let report = match outcome {
            Ok(report) => Some(report),
            Err(error) => {
                fail(error.reason);
                error.candidate.filter(|_| on_failure == OnFailure::Continue)
            }
        };
        let bounded = states.iter().all(is_bounded);
        if !bounded {
            fail("a particle left the finite numbers; try a smaller `step`".to_owned());
        }
        let Some(report) = report.filter(|_| bounded) else {
            ending = Ending::Failed;
            break;
        };
        line_search.add(&report.line_search);
        stepper.contact_impulses(&mut impulses);
        for (particle, trajectory) in particles.iter_mut().enumerate() {
            trajectory.states.push(states[particle]);
            trajectory.steps.push(Record {
                push: pushes[particle],
                force: impulses[particle] / time.dt,
                report: of_particle(&report),
                nanoseconds,
            });
        }
        if observe(index + 1).is_break() && index + 1 < time.steps {
            ending = Ending::Interrupted;
            break;
        }
    }
    let wall_seconds = started.elapsed().as_secs_f64();
    for particle in &mut particles {
        (particle.ending, particle.wall_seconds) = (ending, wall_seconds);
    }
    SystemTrajectory {
        system: system.clone(),
        honours: stepper.honours(),
        particles,
        line_search,
        ending,
        first_failure,
        wall_seconds,
    }
}

/// The trajectory of one particle before the first step.
fn alone<const D: usize>(
    system: &ParticleSystem<D>,
    stepper: &ConvexSystem<D>,
    index: usize,
) -> Trajectory<D> {
    let scenario = system.alone(index);
    Trajectory {
        states: vec![scenario.initial_state()],
        scenario,
        stepper: StepperName::Convex,
        solver: Some(stepper.solver()),
        honours: stepper.honours(),
        steps: Vec::new(),
        ending: Ending::Complete,
        first_failure: None,
        wall_seconds: 0.0,
    }
}

/// What one particle's trajectory says of a step: the system's status, iterations and residual.
fn of_particle(report: &SystemReport) -> SolveReport {
    let SystemReport { status, iterations, residual, .. } = *report;
    SolveReport { status, iterations, residual, nlp: None }
}
