use super::{
    APPROXIMATE, Accuracy, ContactProblem, DenseProblem, DenseSolution, FailureKind, Report, Residuals,
    Solution, SolveFailure, Yardstick, linear_law::LinearLaw,
};
use nalgebra::SVector;

/// Residual at which a model of exact Coulomb friction is content.
pub const TOLERANCE: f64 = 1e-8;

/// Which contacts a model wants to see in its problem, and with which bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Posing {
    /// Contacts that may close within the step, with `c = gap/dt`, or restitution in an impact.
    GapLevel,
    /// Contacts that touch (`gap <= 0`), with `c` from restitution, or 0.
    VelocityLevel,
    /// Contacts that may close within the step, with their gaps and `c = 0`: the model has a
    /// compliance of its own.
    Compliant,
}

/// A contact model: what it makes of the contact problem of a step.
pub trait ContactModel<const D: usize, const N: usize>: Send {
    /// The name under which it is known in commands and tables.
    fn name(&self) -> &str;

    /// How its problems are to be posed.
    fn posing(&self) -> Posing {
        Posing::GapLevel
    }

    /// For how long in s its contacts have to be looked for ahead of a step of `dt` s: at the speeds of the start they
    /// push no earlier than this before they close.
    fn horizon(&self, dt: f64) -> f64 {
        dt
    }

    /// Solves `problem` into `solution`.
    ///
    /// # Errors
    /// [`SolveFailure`] when there is no solution to vouch for; the best candidate is then in
    /// `solution`.
    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure>;

    /// Its law at a `solution` that it gave, to first order, a contact after the other; `start` holds the
    /// velocities of the bodies at the start of the step. `None` where it has no derivative.
    fn linearised(
        &self,
        _problem: &ContactProblem<D, N>,
        _solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
    ) -> Option<Vec<LinearLaw<D>>> {
        None
    }
}

/// A solver of contact problems that come without bodies.
pub trait DenseSolver<const D: usize>: Send {
    /// The name under which it is known in commands and tables.
    fn name(&self) -> &str;

    /// Solves `problem` into `solution`.
    ///
    /// # Errors
    /// [`SolveFailure`] when there is no solution to vouch for; the best candidate is then in
    /// `solution`.
    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure>;
}

/// Recomputes the velocities that the impulses in `solution` lead to, and their residuals.
pub(super) fn measure<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    yardstick: &Yardstick,
    solution: &mut Solution<D, N>,
) -> Residuals {
    let Solution { velocity, impulses, link_impulses, .. } = solution;
    problem.velocities(impulses, link_impulses, velocity);
    yardstick.residuals_of_bodies(problem, impulses, link_impulses, velocity)
}

/// The verdict on a candidate of a model of exact Coulomb friction with these residuals.
pub(super) fn judge(
    yardstick: &Yardstick,
    residuals: Residuals,
    tolerance: f64,
    (iterations, rung): (u32, u32),
    why_not: impl FnOnce() -> String,
) -> Result<Report, SolveFailure> {
    let accuracy = if yardstick.accepts(&residuals, tolerance) {
        Accuracy::Certified
    } else if yardstick.accepts(&residuals, APPROXIMATE) {
        Accuracy::Approximate
    } else {
        let kind = FailureKind::NotConverged;
        return Err(SolveFailure::Unsolved { kind, reason: why_not(), iterations, residuals });
    };
    Ok(Report { iterations, rung, residuals, accuracy })
}
