//! No step of a point leaves the stepper unchecked, whichever way its solution was found.

use crate::{
    contact::FailureKind,
    scenario::ConvexSolver,
    stepper::{Step, StepError, StepFailure},
};

/// Largest residual, in the units of a step's report, with which a solution is taken; the closed form
/// usually reaches 1e-13, the dual solver 1e-9.
const RESIDUAL_LIMIT: f64 = 1e-6;

/// Largest residual in units of the largest velocity and impulse of the step that is rounding, however
/// large it looks in the report's.
const ROUNDING: f64 = 1e-12;

/// Passes the step on if its residual is small enough, or, `relative` to the velocities at hand, rounding.
pub(super) fn vouch<const D: usize>(
    step: Step<D>,
    relative: f64,
    solver: ConvexSolver,
) -> Result<Step<D>, StepError<D>> {
    let residual = step.report.residual;
    if residual <= RESIDUAL_LIMIT || relative <= ROUNDING {
        return Ok(step);
    }
    let (solution, remedy) = match solver {
        ConvexSolver::Newton => ("closed form", "bring `step`, mass and stiffness nearer to each other"),
        ConvexSolver::Dual => ("dual solution", "set stepper.convex.solver = \"newton\""),
    };
    let reason = format!(
        "the {solution} misses the contact conditions by {residual:e} (scaled), more than {RESIDUAL_LIMIT:e}; {remedy}"
    );
    Err(StepError::with_candidate(StepFailure::new(FailureKind::Inaccurate, reason), step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{State, Vector},
        stepper::{SolveReport, StepStatus},
    };

    fn step(residual: f64) -> Step<2> {
        let state = State { position: Vector::zeros(), velocity: Vector::zeros() };
        let report = SolveReport { residual, ..SolveReport::CLOSED_FORM };
        Step { state, contact_impulse: Vector::zeros(), report }
    }

    #[test]
    fn a_step_that_misses_the_contact_conditions_fails_by_either_solver() {
        for solver in [ConvexSolver::Newton, ConvexSolver::Dual] {
            for residual in [1e-5, f64::NAN, f64::INFINITY] {
                let Err(unsolved) = vouch(step(residual), residual, solver) else {
                    panic!("a residual of {residual} is taken")
                };
                assert!(unsolved.to_string().contains("misses the contact conditions"), "{unsolved}");
                assert_eq!(unsolved.candidate.map(|step| step.report.status), Some(StepStatus::Failed));
            }
        }
    }

    #[test]
    fn rounding_at_high_speed_is_no_failure() {
        assert!(vouch(step(1e-12), 1e-14, ConvexSolver::Newton).is_ok());
        assert!(vouch(step(1e-5), 1e-15, ConvexSolver::Newton).is_ok());
    }
}
