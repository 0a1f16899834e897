//! What the derivative of a step needs of it.

use nalgebra::SMatrix;

use super::blows::{AtRestInJoints, TakenBlow};
use crate::{
    contact::{LinearLaw, LinkLaw, Solution},
    world::{DifferentiableWorld, JointMemory, Motion, Rebound, StepProblem},
};

/// A step that was taken, as far as its derivative needs it.
pub struct Taken<'a, W: DifferentiableWorld<D, N>, const D: usize, const N: usize> {
    /// The world.
    pub world: &'a W,
    /// The bodies at its start.
    pub motion: &'a Motion<W::Pose, N>,
    /// Its stages: what moved the bodies, and where that is another one, what gave them their velocities.
    pub stages: Vec<TakenStage<'a, D, N>>,
    /// The solves by whose ways contacts of the stages were found, in their order; empty where none were.
    pub ways: Vec<TakenStage<'a, D, N>>,
    /// Which bodies went a share of their way by those of the last stage; empty where none did.
    pub rebounds: &'a [Option<Rebound>],
    /// Whether contacts act by their depth, rather than by whether they would close.
    pub compliant: bool,
    /// Whether there are contacts only where bodies touch at the start of the step.
    pub at_touch: bool,
    /// Whether compliant contacts are none above the ground.
    pub ends_at_the_ground: bool,
    /// How the wrench of the pushes on each body changes with its displacement.
    pub wrenches: Vec<SMatrix<f64, N, N>>,
    /// What the joints remembered before it.
    pub joints: &'a JointMemory,
}

/// A stage of a step that was taken.
pub struct TakenStage<'a, const D: usize, const N: usize> {
    /// Its problem.
    pub problem: &'a StepProblem<D, N>,
    /// The law at its solution.
    pub laws: Vec<LinearLaw<D>>,
    /// Those of its rods and springs.
    pub links: Vec<LinkLaw>,
    /// Its solution.
    pub solution: &'a Solution<D, N>,
    /// Whether its problem has since become that of the second stage.
    pub is_first_of_two: bool,
    /// The blows before it, where the impact was followed over its impulse: those of its solution are the sum of both, and its
    /// laws are those of what the blows left to it.
    pub blows: Vec<TakenBlow<D, N>>,
    /// How the bodies came to rest in rigid joints before them.
    pub at_rest_in_joints: Option<AtRestInJoints<N>>,
}

impl<const D: usize, const N: usize> TakenStage<'_, D, N> {
    /// Whether a blow struck this contact.
    pub fn is_struck(&self, index: usize) -> bool {
        self.blows.iter().any(|blow| blow.struck.contacts.contains(&index))
    }

    /// The derivatives of the bias of a contact with respect to its gap, its normal velocity at the start of the step and its
    /// restitution, but for what blows leave it with.
    pub fn bias_slopes(&self, index: usize) -> [f64; 3] {
        if self.is_struck(index) { [0.0; 3] } else { self.problem.bias_slopes(index, self.is_first_of_two) }
    }
}
