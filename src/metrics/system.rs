use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{IterationCounts, Quantiles, StatusCounts, max_penetration, quantiles};
use crate::{
    model::{State, Vector, axis_names},
    scenario::ParticleSystem,
    stepper::{Ignored, SolverInfo, StepStatus},
    trajectory::SystemTrajectory,
};

/// The figures of merit of the trajectory of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemMetrics<const D: usize> {
    /// Last position of the centre of mass in m.
    pub final_center: Vector<D>,
    /// Deepest penetration of the ground by any particle in m, at least 0.
    pub max_penetration: f64,
    /// Largest energy gained in a step beyond the work of the pushes, in J; kinetic energy, weight
    /// and springs count.
    pub max_energy_gain: f64,
    /// Largest deviation of a rod from its length in m, at least 0.
    pub max_rod_error: f64,
}

impl<const D: usize> SystemMetrics<D> {
    /// Measures `trajectory`.
    pub fn of(trajectory: &SystemTrajectory<D>) -> Self {
        let system = &trajectory.system;
        let mut measured = Self {
            final_center: Vector::zeros(),
            max_penetration: trajectory.particles.iter().map(max_penetration).fold(0.0, f64::max),
            max_energy_gain: 0.0,
            max_rod_error: 0.0,
        };
        let mut states = system.initial_states();
        let mut energy = energy_of(system, &states);
        for k in 0..trajectory.steps() {
            let mut work = 0.0;
            for (state, particle) in states.iter_mut().zip(&trajectory.particles) {
                let next = particle.states[k + 1];
                work += particle.steps[k].push.dot(&(next.position - state.position));
                *state = next;
            }
            let before = std::mem::replace(&mut energy, energy_of(system, &states));
            measured.max_energy_gain = measured.max_energy_gain.max(energy - before - work);
            for rod in &system.rods {
                let length = rod.length.unwrap_or_else(|| system.initial_distance(rod.particles));
                let error = (distance(&states, rod.particles) - length).abs();
                measured.max_rod_error = measured.max_rod_error.max(error);
            }
        }
        let masses = || system.particles.iter().map(|particle| particle.mass);
        let moment: Vector<D> = masses().zip(&states).map(|(mass, state)| state.position * mass).sum();
        measured.final_center = moment / masses().sum::<f64>();
        measured
    }
}

/// Kinetic energy, weight and springs in J.
fn energy_of<const D: usize>(system: &ParticleSystem<D>, states: &[State<D>]) -> f64 {
    let gravity = system.gravity();
    let particles = system.particles.iter().zip(states).map(|(particle, state)| {
        particle.mass * (0.5 * state.velocity.norm_squared() - gravity.dot(&state.position))
    });
    let springs = system.springs.iter().map(|spring| {
        let length = spring.length.unwrap_or_else(|| system.initial_distance(spring.particles));
        0.5 * spring.stiffness * (distance(states, spring.particles) - length).powi(2)
    });
    particles.sum::<f64>() + springs.sum::<f64>()
}

fn distance<const D: usize>(states: &[State<D>], [first, second]: [usize; 2]) -> f64 {
    (states[first].position - states[second].position).norm()
}

/// The summary of the run of a system, as written to `summary.json`.
#[derive(Debug, Clone, Serialize)]
pub struct SystemSummary {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the stepper.
    pub stepper: String,
    /// Version of this crate.
    pub version: &'static str,
    /// Number of particles.
    pub particles: usize,
    /// Number of steps taken.
    pub steps: usize,
    /// Wall time of the simulation in s, without files and pictures.
    pub wall_seconds: f64,
    /// Wall time per step in microseconds.
    pub step_microseconds: Quantiles,
    /// The solver.
    pub solver: Option<SolverInfo>,
    /// Iterations per step.
    pub iterations: IterationCounts,
    /// What the line searches did.
    pub line_search: LineSearchCounts,
    /// Steps by status.
    pub status: StatusCounts,
    /// Values of the scenario of which the stepper makes nothing.
    pub ignored: Vec<Ignored>,
    /// What of the scenario is not done as written, in words.
    pub warnings: Vec<String>,
    /// Figures of merit, by name.
    pub metrics: Map<String, Value>,
}

/// Line searches over the steps of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LineSearchCounts {
    /// Searches that ended at another step length than that of Newton's method.
    pub shortened: u32,
    /// Evaluations of the derivative along the search direction.
    pub evaluations: u32,
    /// The most evaluations in one search.
    pub most_evaluations: u32,
}

impl SystemSummary {
    /// Summarises `trajectory` and its `metrics`.
    pub fn of<const D: usize>(trajectory: &SystemTrajectory<D>, metrics: &SystemMetrics<D>) -> Self {
        let line_search = trajectory.line_search;
        let steps = || trajectory.particles.first().into_iter().flat_map(|particle| &particle.steps);
        let count = |status| steps().filter(|step| step.report.status == status).count();
        let spread = quantiles(steps().map(|step| f64::from(step.report.iterations)));
        Self {
            scenario: trajectory.system.name.clone(),
            stepper: "convex".to_owned(),
            version: env!("CARGO_PKG_VERSION"),
            particles: trajectory.particles.len(),
            steps: trajectory.steps(),
            wall_seconds: trajectory.wall_seconds,
            step_microseconds: quantiles(steps().map(|step| f64::from(step.nanoseconds) / 1e3)),
            solver: trajectory.particles.first().and_then(|particle| particle.solver.clone()),
            iterations: IterationCounts {
                median: spread.median as u64,
                max: spread.max as u64,
                total: steps().map(|step| u64::from(step.report.iterations)).sum(),
            },
            line_search: LineSearchCounts {
                shortened: line_search.shortened,
                evaluations: line_search.evaluations,
                most_evaluations: line_search.most_evaluations,
            },
            status: StatusCounts {
                solved: count(StepStatus::Solved),
                rescued: count(StepStatus::Rescued),
                failed: count(StepStatus::Failed),
            },
            ignored: trajectory.ignored(),
            warnings: trajectory.warnings(),
            metrics: named(metrics),
        }
    }
}

/// Metrics under the names of `summary.json`.
fn named<const D: usize>(metrics: &SystemMetrics<D>) -> Map<String, Value> {
    let mut map = Map::new();
    for (i, axis) in axis_names::<D>().iter().enumerate() {
        map.insert(format!("final_center_{axis}"), json!(metrics.final_center[i]));
    }
    map.insert("max_penetration".into(), json!(metrics.max_penetration));
    map.insert("max_energy_gain".into(), json!(metrics.max_energy_gain));
    map.insert("max_rod_error".into(), json!(metrics.max_rod_error));
    map
}
