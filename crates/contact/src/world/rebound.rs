//! How far a body gets that bounces within a step.

use super::step_problem::StepProblem;
use crate::contact::{Partition, Solution};

/// The share of the way of a body that goes by the velocity after its impact.
///
/// The stage that decides on places ends the step of a body where it touches, and the one that decides on velocities has
/// it leave with `e |u|`, from its speed at the start of the step. Between these lies what gravity adds on the way to the
/// ground, and what is left of the step to fly away. Without contacts the gaps at the ends of steps are on a
/// parabola, along which the velocity at `t_k` is that of the step before it and half of what the step adds, `a dt/2`. That
/// the parabola after the impact has `e^2` of the energy of the one before, from the ground up, is
///
/// ```text
/// phi+ = e (1 + e)/2 |u| dt + e^2 phi
/// ```
///
/// to first order in the step, and exactly for `e = 1`: what bounces without loss comes back to the same height. A body
/// that lands where it touches loses the half of `|u| dt` in each bounce, comes back exactly at the end of a step, and
/// rounding decides whether it then loses as much again.
///
/// Every gap stays open along both velocities, and so along each between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rebound {
    /// From 0, the velocity of the first stage, to 1, that of the second.
    pub share: f64,
    /// The contact that it is for; of several that bounce in one piece, that of the least share.
    pub contact: usize,
}

/// The rebounds of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Rebounds {
    partition: Partition,
    of_pieces: Vec<Option<Rebound>>,
    /// Of each body; `None` where it does not bounce.
    pub of_bodies: Vec<Option<Rebound>>,
}

impl Rebounds {
    /// Nothing bounces.
    pub fn clear(&mut self) {
        self.of_bodies.clear();
    }

    /// Finds what bounces in `problem`, which is in its second stage, between the stages' `solutions`.
    pub fn find<const D: usize, const N: usize>(
        &mut self,
        problem: &StepProblem<D, N>,
        solutions: [&Solution<D, N>; 2],
    ) {
        let Self { partition, of_pieces, of_bodies } = self;
        of_bodies.clear();
        if !problem.bounces() {
            return;
        }
        partition.divide(&problem.contact);
        of_pieces.clear();
        of_pieces.resize(partition.count, None);
        for (contact, &piece) in partition.contacts.iter().enumerate() {
            if solutions[1].impulses[contact][0] <= 0.0 {
                continue;
            }
            let Some(share) = problem.share_of_rebound(contact, solutions.map(|all| &all.velocity)) else {
                continue;
            };
            if of_pieces[piece].is_none_or(|least| share < least.share) {
                of_pieces[piece] = Some(Rebound { share, contact });
            }
        }
        of_bodies.resize(problem.contact.bodies(), None);
        let contacts = problem.contact.contacts.iter().map(|contact| contact.bodies).zip(&partition.contacts);
        let links = problem.contact.links.iter().map(|link| link.bodies).zip(&partition.links);
        for (bodies, &piece) in contacts.chain(links) {
            for body in bodies.into_iter().flatten() {
                of_bodies[body] = of_pieces[piece];
            }
        }
    }
}
