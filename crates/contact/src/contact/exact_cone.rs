use nalgebra::SVector;

use super::{
    Accuracy, AlternatingDirections, AlternatingDirectionsSettings, ContactModel, ContactProblem,
    DenseProblem, DenseSolution, DenseSolver, GaussSeidel, GaussSeidelSettings, LinearLaw, Report, Solution,
    SolveFailure, Structured, StructuredSettings, TOLERANCE, active_bounds::answer_with_bounds, groups::ROWS,
    linear_law::coulomb,
};

/// Contacts up to which sweeps come first: they leave misses near rounding, and a few contacts take few of them.
const FEW: usize = 8;
/// Links from which on sweeps are left out: along chains of them they converge too slowly.
const MANY_LINKS: usize = 4;
/// Sweeps after which a few contacts are taken to need another method: masses that differ much, or long rods.
const MOST_SWEEPS: u32 = 500;

/// Exact Coulomb friction over the friction cones: the model `cone`.
///
/// [`GaussSeidel`] where contacts are few, and [`AlternatingDirections`] where they are many or sweeps do not converge. Where
/// something resists turning it is sweeps, and [`Structured`] where these do not converge.
#[derive(Debug, Clone)]
pub struct ExactCone<const D: usize, const N: usize> {
    sweeps: GaussSeidel<D, N>,
    directions: AlternatingDirections<D, N>,
    /// Where something resists turning and sweeps do not converge.
    otherwise: Structured<D, N>,
}

impl<const D: usize, const N: usize> Default for ExactCone<D, N> {
    fn default() -> Self {
        Self::new(TOLERANCE)
    }
}

impl<const D: usize, const N: usize> ExactCone<D, N> {
    /// A model with this bound on both residuals.
    pub fn new(tolerance: f64) -> Self {
        Self {
            sweeps: GaussSeidel::new(GaussSeidelSettings { tolerance, max_sweeps: MOST_SWEEPS }),
            directions: AlternatingDirections::new(AlternatingDirectionsSettings {
                tolerance,
                ..Default::default()
            }),
            otherwise: Structured::new(StructuredSettings { tolerance, ..Default::default() }),
        }
    }

    /// Solves a problem without bodies whose contacts have groups of friction, in scaled rows.
    pub(super) fn solve_dense_groups(
        &mut self,
        problem: &DenseProblem<ROWS>,
        solution: &mut DenseSolution<ROWS>,
    ) -> Result<Report, SolveFailure> {
        let Self { sweeps, otherwise, .. } = self;
        first_of(
            true,
            solution,
            |own| sweeps.solve_dense_groups(problem, own),
            |own| otherwise.solve_dense_groups(problem, own),
        )
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for ExactCone<D, N> {
    fn name(&self) -> &str {
        "cone"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        // Both methods project on bounds one link at a time, which along chains comes to nothing.
        if let Some(answer) = answer_with_bounds(self, problem, solution) {
            return answer;
        }
        let Self { sweeps, directions, otherwise } = self;
        if !problem.groups.is_empty() {
            return first_of(
                true,
                solution,
                |own| sweeps.solve(problem, own),
                |own| otherwise.solve(problem, own),
            );
        }
        first_of(
            problem.contacts.len() <= FEW && problem.links.len() < MANY_LINKS,
            solution,
            |solution| sweeps.solve(problem, solution),
            |solution| {
                // Sweeps that came to nothing are no guess.
                solution.is_guess = false;
                directions.project_bounds(problem, solution)
            },
        )
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        coulomb(problem, solution, laws)
    }
}

impl<const D: usize, const N: usize> DenseSolver<D> for ExactCone<D, N> {
    fn name(&self) -> &str {
        "cone"
    }

    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure> {
        let Self { sweeps, directions, .. } = self;
        first_of(
            problem.contacts() <= FEW,
            solution,
            |solution| sweeps.solve_dense(problem, solution),
            |solution| directions.solve_dense(problem, solution),
        )
    }
}

/// The answer of `sweeps` if they come first and it has one, else that of `otherwise`, with the iterations of both.
fn first_of<S>(
    sweeps_first: bool,
    solution: &mut S,
    sweeps: impl FnOnce(&mut S) -> Result<Report, SolveFailure>,
    otherwise: impl FnOnce(&mut S) -> Result<Report, SolveFailure>,
) -> Result<Report, SolveFailure> {
    if !sweeps_first {
        return otherwise(solution);
    }
    let taken = match sweeps(solution) {
        Err(SolveFailure::Unsolved { iterations, .. }) => iterations,
        Ok(report) if report.accuracy == Accuracy::Approximate => report.iterations,
        answer => return answer,
    };
    let report = otherwise(solution)?;
    Ok(Report { iterations: report.iterations + taken, ..report })
}
