//! What the derivative of a step needs of it.

use nalgebra::SMatrix;

use super::blows::TakenBlow;
use crate::{
    contact::{ContactProblem, GroupedLaw, Hold, LinearLaw, LinkLaw, Solution, groups::grouped_laws},
    world::{
        ContactHold, DifferentiableWorld, HeldImpact, JointMemory, Motion, Rebound, SlipOf, StepProblem,
    },
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
    /// Those of contacts with friction in groups, of which the first have the normal row alone.
    pub grouped: Vec<GroupedLaw>,
    /// Its solution.
    pub solution: &'a Solution<D, N>,
    /// Whether its problem has since become that of the second stage.
    pub is_first_of_two: bool,
    /// The blows before it, where the impact was followed over its impulse: those of its solution are the sum of both, and its
    /// laws are those of what the blows left to it.
    pub blows: Vec<TakenBlow<D, N>>,
    /// Its impacts with rebounds, as they were held to the work that they may do.
    pub held: &'a [HeldImpact],
    /// How contacts were held whose friction depends on how they slip, in the order of the contacts.
    pub holds: Vec<ContactHold>,
    /// The solves before the one of this solution, after each of which a contact was held otherwise; they have none.
    pub earlier: Vec<Self>,
}

/// The laws of the contacts of a problem at its solution.
type LawsOf<'f, const D: usize, const N: usize, E> =
    &'f dyn Fn(&ContactProblem<D, N>, &Solution<D, N>) -> Result<Vec<LinearLaw<D>>, E>;

/// Those of its links.
type LinksOf<'f, const D: usize, const N: usize> =
    &'f dyn Fn(&ContactProblem<D, N>, &Solution<D, N>) -> Vec<LinkLaw>;

impl<'a, const D: usize, const N: usize> TakenStage<'a, D, N> {
    /// That of a problem and its solution, without blows, with the laws of contacts and of links.
    ///
    /// # Errors
    /// Where some contact has no law to first order.
    pub fn of<E>(
        (problem, solution): (&'a StepProblem<D, N>, &'a Solution<D, N>),
        is_first_of_two: bool,
        (laws, links): (LawsOf<'_, D, N, E>, LinksOf<'_, D, N>),
    ) -> Result<Self, E> {
        let of_solve = |holds: &[ContactHold], solution: &'a Solution<D, N>, earlier: Vec<Self>| {
            let posed = problem.of_solve(is_first_of_two, holds);
            let mut laws = laws(&posed, solution)?;
            let grouped = grouped_laws(&posed, solution, &mut laws);
            Ok(Self {
                problem,
                laws,
                links: links(&problem.contact, solution),
                grouped,
                solution,
                is_first_of_two,
                blows: Vec::new(),
                held: &[],
                holds: holds.to_vec(),
                earlier,
            })
        };
        let solves = problem.friction_solves(is_first_of_two);
        let earlier = solves.earlier.iter().map(|solve| of_solve(&solve.holds, &solve.solution, Vec::new()));
        of_solve(&solves.holds, solution, earlier.collect::<Result<_, E>>()?)
    }

    /// Whether the slip is not kept that some coefficient changes with.
    pub fn is_lost(&self) -> bool {
        self.holds.iter().any(|held| {
            let law = &self.problem.touches[held.contact].surface.friction;
            held.slip_of == SlipOf::Lost && law.slope(held.hold) != 0.0
        })
    }

    /// Whether a blow struck this contact.
    pub fn is_struck(&self, index: usize) -> bool {
        self.blows.iter().any(|blow| blow.struck.contacts.contains(&index))
    }

    /// How a contact was held, if its friction depends on that.
    pub fn hold(&self, index: usize) -> Option<Hold> {
        let place = self.holds.binary_search_by_key(&index, |held| held.contact).ok()?;
        Some(self.holds[place].hold)
    }

    /// The number that friction was at a contact.
    pub fn friction(&self, index: usize) -> f64 {
        match self.hold(index) {
            Some(hold) => self.problem.touches[index].surface.friction.coefficient(hold),
            None => self.problem.contact.contacts[index].friction,
        }
    }

    /// The derivatives of the bias of a contact with respect to its gap, its normal velocity at the start of the step and its
    /// restitution, but for what blows leave it with.
    pub fn bias_slopes(&self, index: usize) -> [f64; 3] {
        if self.is_struck(index) {
            return [0.0; 3];
        }
        let [by_gap, by_approach, by_restitution] = self.problem.bias_slopes(index, self.is_first_of_two);
        [by_gap, by_approach, by_restitution * self.share(index)]
    }

    /// The share that was kept of the rebound of a contact.
    pub fn share(&self, index: usize) -> f64 {
        let held = self.held.iter().find(|held| held.contacts.contains(&index));
        held.map_or(1.0, |held| held.kept.share)
    }
}
