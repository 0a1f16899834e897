//! The program of `nlp` solved again, by the other solver.

use std::fmt;

use super::{distance::extent, quantity::quantity};
use crate::{
    metrics::quantiles,
    stepper::{SolverInfo, StepStatus},
    trajectory::{Ending, Trajectory},
};

/// Share of the way and of the largest speed of a motion by which two solvers of its programs part: tolerances add
/// up to less.
const PARTED: f64 = 1e-4;

/// How far two solvers of the same step programs agree over a whole run, and what each costs.
///
/// Both runs start from the same state and go their own ways, so that differences add up over the
/// steps: the figures are those of motions, not of single solves.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossCheck {
    /// The two runs, that of the comparison first.
    pub runs: [SolverRun; 2],
    /// Number of states that both runs reached.
    pub states: usize,
    /// Largest distance of the two positions in m.
    pub max_position: f64,
    /// Largest difference of the two velocities in m/s.
    pub max_velocity: f64,
    /// Largest difference of the two contact forces in N.
    pub max_force: f64,
    /// Time in s of the largest distance of the positions.
    pub time: f64,
    /// Whether the two go ways of their own: by more than tolerances that add up explain.
    pub parts: bool,
}

/// What one solver took for the run.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverRun {
    /// Which one.
    pub solver: SolverInfo,
    /// How the run ended.
    pub ending: Ending,
    /// Wall time in microseconds of the middle one of the steps that the solver solved; of all, where none took an iteration.
    pub step_microseconds: f64,
    /// Iterations of the middle one of these.
    pub iterations_median: u32,
    /// Iterations of all steps together.
    pub iterations_total: u64,
    /// Steps that an attempt out of the ordinary solved.
    pub rescued: usize,
    /// Steps that are solved, and whose motion is not that of what touches.
    pub uncertified: usize,
    /// Steps not solved.
    pub failed: usize,
}

impl CrossCheck {
    /// Compares two runs of one scenario by one stepper with two solvers; `None` if one of the runs has
    /// no solver.
    pub fn of<const D: usize>(trajectory: &Trajectory<D>, other: &Trajectory<D>) -> Option<Self> {
        let runs = [SolverRun::of(trajectory)?, SolverRun::of(other)?];
        let bodies = || trajectory.bodies.iter().zip(&other.bodies);
        let states = || bodies().flat_map(|(a, b)| a.states.iter().zip(&b.states).enumerate());
        let positions = states().map(|(k, (a, b))| (k, (a.position - b.position).norm()));
        let velocities = states().map(|(_, (a, b))| (a.velocity - b.velocity).norm());
        let steps = bodies().flat_map(|(a, b)| a.steps.iter().zip(&b.steps));
        let forces = steps.map(|(a, b)| (a.force - b.force).norm());
        // `total_cmp` puts NaN above all numbers, so that it shows.
        let farthest = positions.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
        let max_velocity = velocities.max_by(f64::total_cmp).unwrap_or(0.0);
        let scenario = &trajectory.scenario;
        let speeds = trajectory.bodies.iter().flat_map(|body| &body.states);
        let speeds = speeds.map(|state| state.velocity.norm());
        let fastest = speeds.fold(scenario.gravity * scenario.step, f64::max);
        // A difference that is no number does not agree either.
        let agrees = farthest.1 <= PARTED * extent(trajectory) && max_velocity <= PARTED * fastest;
        Some(Self {
            runs,
            states: trajectory.steps.len().min(other.steps.len()) + 1,
            max_position: farthest.1,
            max_velocity,
            max_force: forces.max_by(f64::total_cmp).unwrap_or(0.0),
            time: trajectory.time(farthest.0),
            parts: !agrees,
        })
    }
}

impl CrossCheck {
    /// What a step takes by either solver, in a sentence.
    pub fn cost(&self) -> String {
        let [chosen, other] = self
            .runs
            .each_ref()
            .map(|run| format!("{} by {}", quantity(run.step_microseconds * 1e-6, "s"), run.solver.name));
        format!("A step that is solved takes {chosen}, {other}.")
    }
}

impl SolverRun {
    fn of<const D: usize>(trajectory: &Trajectory<D>) -> Option<Self> {
        let iterations = || trajectory.steps.iter().map(|step| step.report.iterations);
        // In flight there is nothing to solve, and most steps of what bounces fly.
        let least = u32::from(iterations().any(|count| count > 0));
        let solved = || trajectory.steps.iter().filter(|step| step.report.iterations >= least);
        Some(Self {
            solver: trajectory.solver.clone()?,
            ending: trajectory.ending,
            step_microseconds: quantiles(solved().map(|step| step.nanoseconds as f64 / 1e3)).median,
            iterations_median: quantiles(solved().map(|step| f64::from(step.report.iterations))).median
                as u32,
            iterations_total: iterations().map(u64::from).sum(),
            rescued: trajectory.count(StepStatus::Rescued),
            uncertified: trajectory.count(StepStatus::Uncertified),
            failed: trajectory.count(StepStatus::Failed),
        })
    }
}

impl fmt::Display for CrossCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [chosen, other] = &self.runs;
        let (a, b) = (&chosen.solver, &other.solver);
        write!(f, "nlp by {} {}, checked by {} {}: ", a.name, a.version, b.name, b.version)?;
        if let Some(run) = self.runs.iter().find(|run| run.ending != Ending::Complete) {
            let states = self.states;
            write!(f, "{} did not reach the end; over the {states} states of both ", run.solver.name)?;
        }
        write!(
            f,
            "{} at most {} and {} apart, the contact forces {}{}; iterations of a step that is solved, in the median: {} by {}, \
             {} by {}",
            if self.parts { "the motions part, and get" } else { "the motions are" },
            quantity(self.max_position, "m"),
            quantity(self.max_velocity, "m/s"),
            quantity(self.max_force, "N"),
            if self.parts { " (a step may have several solutions, and each solver finds one)" } else { "" },
            chosen.iterations_median,
            chosen.solver.name,
            other.iterations_median,
            other.solver.name,
        )?;
        for run in self.runs.iter().filter(|run| run.rescued + run.uncertified + run.failed > 0) {
            write!(
                f,
                "; of the steps by {}, {} were rescued, {} are uncertified and {} failed",
                run.solver.name, run.rescued, run.uncertified, run.failed
            )?;
        }
        Ok(())
    }
}
