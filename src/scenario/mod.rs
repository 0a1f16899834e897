//! What is simulated: the point, the ground, the pushes, the time grid and the steppers' settings.
//!
//! A [`Scenario`] is plain data. [`Scenario::check`] holds every rule about its values, so that a
//! scenario written in code and one read from a file are judged alike.

mod any;
mod check;
mod choice;
mod ground;
mod particle;
mod push;
pub(crate) mod read;
mod settings;
mod system;
mod time;
mod warnings;
mod write;

pub use any::AnyScenario;
pub use check::Violation;
pub use choice::{Choice, SmoothLawName};
pub use ground::Ground;
pub use particle::Particle;
pub use push::Push;
pub use read::{
    FileError, FileFault, InvalidScenario, Override, OverrideError, Place, Problem, ScenarioError,
    parse_scenario, read_scenario,
};
pub use settings::{
    ConvexSettings, ConvexSolver, DelassusNorm, FixedPointStart, LcpSettings, LcpSolverChoice, NlpSettings,
    NlpSolverChoice, RestitutionLaw, SmoothLaw, SmoothSettings, StepperSettings,
};
pub use system::{PairContact, ParticleSystem, Rod, Spring, SystemPush};
pub use time::TimeGrid;

use crate::model::{PointMass, State, Vector};

/// A point of mass that may touch the ground, and how long and how finely to follow it.
///
/// `D` is 2 for motion in a vertical plane, positions `(x, z)`, and 3 for a point over a plane,
/// positions `(x, y, z)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario<const D: usize> {
    /// Name, `[a-z0-9-]+`; names the output folder.
    pub name: String,
    /// Simulated time in s.
    pub duration: f64,
    /// Length of a step in s; the number of steps is `round(duration/step)`, at least 1.
    pub step: f64,
    /// Gravitational acceleration `g` in m/s^2, at least 0.
    pub gravity: f64,
    /// The moving point.
    pub particle: Particle<D>,
    /// The ground under it.
    pub ground: Ground,
    /// External forces; they add up.
    pub pushes: Vec<Push<D>>,
    /// Settings of the stepper families.
    pub steppers: StepperSettings,
}

impl<const D: usize> Scenario<D> {
    /// A scenario to fill in: 1 kg at rest on frictionless flat ground under 9.81 m/s^2, one second
    /// in steps of 1 ms, no push, every stepper at its defaults.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            duration: 1.0,
            step: 1e-3,
            gravity: 9.81,
            particle: Particle::default(),
            ground: Ground::default(),
            pushes: Vec::new(),
            steppers: StepperSettings::default(),
        }
    }

    /// The time grid `t_k = k dt`.
    pub fn time(&self) -> TimeGrid {
        TimeGrid::new(self.duration, self.step)
    }

    /// State at `t = 0`.
    pub fn initial_state(&self) -> State<D> {
        State { position: self.particle.position, velocity: self.particle.velocity }
    }

    /// What the steppers need to know of the point and the ground.
    pub fn point(&self) -> PointMass<D> {
        PointMass {
            mass: self.particle.mass,
            friction: self.ground.friction,
            restitution: self.ground.restitution,
            gravity: self.ground.gravity(self.gravity),
        }
    }

    /// Sum of the mean pushes in N over the step that starts at `t_k = k dt`.
    pub fn mean_push(&self, k: usize) -> Vector<D> {
        self.pushes.iter().fold(Vector::zeros(), |sum, push| sum + push.mean_over_step(k, self.step))
    }

    /// Sum of the pushes in N for the step that starts at `t_k = k dt`, sampled at its left end.
    pub fn push(&self, k: usize) -> Vector<D> {
        self.pushes.iter().fold(Vector::zeros(), |sum, push| sum + push.at_step(k, self.step))
    }
}
