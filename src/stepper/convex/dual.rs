//! The dual cone program by the general-purpose solver.

use crate::{
    contact::FailureKind,
    convex::{
        Block, Contact, ContactSolution, DualSolution, IsotropicContact, Jacobian, Problem, solve_dual,
    },
    stepper::{SolverInfo, StepError, StepFailure},
};

/// The interior-point solver.
pub(in crate::stepper) fn info() -> SolverInfo {
    SolverInfo { name: "Clarabel".to_owned(), version: "0.11.1".to_owned() }
}

/// Solves the dual of a single contact; gives the iterations with the solution.
pub(super) fn solve_contact<const D: usize>(
    contact: &IsotropicContact<D>,
) -> Result<(ContactSolution<D>, u32), StepError<D>> {
    let problem = Problem {
        inertia: vec![Block::identity() / contact.delassus],
        free_velocity: vec![contact.free_velocity],
        contacts: vec![Contact {
            jacobian: Jacobian::single(0, Block::identity()),
            reference: contact.reference,
            cone: contact.cone,
            active: true,
        }],
        equalities: Vec::new(),
    };
    let unsolved = |reason: String| StepError::from(StepFailure::new(FailureKind::NotConverged, reason));
    match solve_dual(&problem) {
        Ok(DualSolution { velocity, impulses, iterations }) => match (velocity.first(), impulses.first()) {
            (Some(&velocity), Some(&impulse)) => Ok((ContactSolution { velocity, impulse }, iterations)),
            _ => Err(unsolved("the interior-point solver gave no solution".to_owned())),
        },
        Err(error) => Err(unsolved(error.to_string())),
    }
}
