use super::{Ending, Trajectory};
use crate::{
    convex::LineSearchStatistics,
    scenario::ParticleSystem,
    stepper::{Honours, Ignored},
};

/// The motion of a system of particles.
#[derive(Debug, Clone)]
pub struct SystemTrajectory<const D: usize> {
    /// What was simulated.
    pub system: ParticleSystem<D>,
    /// What of the system the stepper honours.
    pub honours: Honours,
    /// The motion of each particle, all over the same steps. Forces are those of contacts, with
    /// the ground and with other particles; status, iterations and residual are those of the whole
    /// system, alike for every particle.
    pub particles: Vec<Trajectory<D>>,
    /// What the line searches of all steps did.
    pub line_search: LineSearchStatistics,
    /// How the run ended.
    pub ending: Ending,
    /// The first step that failed, if any.
    pub first_failure: Option<SystemFailure>,
    /// Wall time of the whole run in s.
    pub wall_seconds: f64,
}

/// A step of a system that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemFailure {
    /// Index `k` of the step.
    pub index: usize,
    /// Time `t_k` in s.
    pub time: f64,
    /// Why it failed, in words.
    pub reason: String,
}

impl<const D: usize> SystemTrajectory<D> {
    /// The values of the system of which the stepper makes nothing.
    pub fn ignored(&self) -> Vec<Ignored> {
        self.system.ignored(&self.honours)
    }

    /// What of the system is not done as written; see [`ParticleSystem::warnings`].
    pub fn warnings(&self) -> Vec<String> {
        self.system.warnings(&self.honours)
    }

    /// Number of steps taken.
    pub fn steps(&self) -> usize {
        self.particles.first().map_or(0, |particle| particle.steps.len())
    }
}
