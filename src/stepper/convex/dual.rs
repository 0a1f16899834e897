//! The dual cone program by the general-purpose solver, with its answers judged.

use crate::{
    convex::{
        Block, Contact, ContactSolution, DualSolution, IsotropicContact, Jacobian, Problem, solve_dual,
    },
    stepper::{SolverInfo, Step, StepError, StepStatus, Unsolved},
};

/// Largest scaled residual with which a solution is taken; the solver usually reaches 1e-9.
const RESIDUAL_LIMIT: f64 = 1e-6;

/// The interior-point solver.
pub(super) fn info() -> SolverInfo {
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
    let unsolved = |reason| StepError::Unsolved(Box::new(Unsolved { reason, candidate: None }));
    match solve_dual(&problem) {
        Ok(DualSolution { velocity, impulses, iterations }) => match (velocity.first(), impulses.first()) {
            (Some(&velocity), Some(&impulse)) => Ok((ContactSolution { velocity, impulse }, iterations)),
            _ => Err(unsolved("the interior-point solver gave no solution".to_owned())),
        },
        Err(error) => Err(unsolved(error.to_string())),
    }
}

/// Passes the step on if its residual is small enough.
pub(super) fn vouch<const D: usize>(mut step: Step<D>) -> Result<Step<D>, StepError<D>> {
    let residual = step.report.residual;
    if residual <= RESIDUAL_LIMIT {
        return Ok(step);
    }
    step.report.status = StepStatus::Failed;
    let reason = format!(
        "the dual solution misses the contact conditions by {residual:e} (scaled), more than \
         {RESIDUAL_LIMIT:e}; set stepper.convex.solver = \"newton\""
    );
    Err(StepError::Unsolved(Box::new(Unsolved { reason, candidate: Some(step) })))
}
