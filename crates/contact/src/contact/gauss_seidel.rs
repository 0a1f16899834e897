use nalgebra::SVector;

use super::{
    ContactModel, ContactProblem, DenseProblem, DenseSolution, DenseSolver, LinearLaw, Report, Residuals,
    Solution, SolveFailure, TOLERANCE, Yardstick,
    groups::{self, GroupedSweeps, ROWS},
    linear_law::coulomb,
    model::{judge, solve_grouped},
    scaled::{BodyOperator, DenseOperator, Operator, sweep},
};

/// Sweeps between two looks at the residual, which costs as much as a sweep.
const SWEEPS_PER_CHECK: u32 = 10;

/// When the sweeps end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussSeidelSettings {
    /// Bound on both residuals ([`Residuals`]), pure numbers; 1e-8 by default.
    pub tolerance: f64,
    /// Sweeps after which a solve is given up.
    pub max_sweeps: u32,
}

impl Default for GaussSeidelSettings {
    fn default() -> Self {
        Self { tolerance: TOLERANCE, max_sweeps: 20_000 }
    }
}

/// Exact Coulomb friction by projected Gauss-Seidel over the contacts, known as NSGS: the model
/// `cone:gauss-seidel`.
///
/// Simple and robust for few contacts. The number of sweeps grows with the length of the paths
/// along which contacts press on each other, and with the ratio of masses.
#[derive(Debug, Clone)]
pub struct GaussSeidel<const D: usize, const N: usize> {
    settings: GaussSeidelSettings,
    operator: BodyOperator<D, N>,
    iteration: Iteration<D>,
    /// Of problems in which something resists turning.
    grouped: GroupedSweeps<N>,
}

impl<const D: usize, const N: usize> Default for GaussSeidel<D, N> {
    fn default() -> Self {
        Self::new(GaussSeidelSettings::default())
    }
}

impl<const D: usize, const N: usize> GaussSeidel<D, N> {
    /// A solver with the given settings.
    pub fn new(settings: GaussSeidelSettings) -> Self {
        let grouped = GroupedSweeps::new(settings);
        Self { settings, operator: BodyOperator::default(), iteration: Iteration::default(), grouped }
    }

    /// Solves a problem without bodies whose contacts have groups of friction, in scaled rows.
    pub(super) fn solve_dense_groups(
        &self,
        problem: &DenseProblem<ROWS>,
        solution: &mut DenseSolution<ROWS>,
    ) -> Result<Report, SolveFailure> {
        groups::solve_dense(problem, &self.settings, solution)
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for GaussSeidel<D, N> {
    fn name(&self) -> &str {
        "cone:gauss-seidel"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        if !problem.groups.is_empty() {
            return solve_grouped(problem, solution, |problem, own| self.grouped.solve(problem, own));
        }
        problem.check()?;
        let Self { settings, operator, iteration, .. } = self;
        operator.take_up(problem, solution, &mut iteration.r);
        let sweeps = iteration.run(operator, settings);
        let residuals = operator.give_back(problem, &iteration.r, solution);
        conclude(&operator.yardstick, residuals, settings, sweeps)
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

impl<const D: usize, const N: usize> DenseSolver<D> for GaussSeidel<D, N> {
    fn name(&self) -> &str {
        "cone:gauss-seidel"
    }

    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure> {
        let Self { settings, iteration, .. } = self;
        let mut operator = DenseOperator::default();
        operator.set(problem);
        iteration.r.clear();
        iteration.r.resize(problem.contacts(), SVector::zeros());
        let sweeps = iteration.run(&mut operator, settings);
        operator.unscale(&iteration.r, &mut solution.impulses);
        let residuals = solution.measure(problem, &operator.yardstick);
        conclude(&operator.yardstick, residuals, settings, sweeps)
    }
}

fn conclude(
    yardstick: &Yardstick,
    residuals: Residuals,
    settings: &GaussSeidelSettings,
    sweeps: u32,
) -> Result<Report, SolveFailure> {
    judge(yardstick, residuals, settings.tolerance, (sweeps, 0), || {
        if residuals.max().is_finite() {
            "projected Gauss-Seidel did not converge".to_owned()
        } else {
            "the impulses left the finite numbers".to_owned()
        }
    })
}

/// The sweeps, on whatever form of the problem.
#[derive(Debug, Clone, Default)]
struct Iteration<const D: usize> {
    r: Vec<SVector<f64, D>>,
    u: Vec<SVector<f64, D>>,
    friction: Vec<f64>,
}

impl<const D: usize> Iteration<D> {
    /// Sweeps until both residuals are accepted; gives the number of sweeps.
    fn run(&mut self, operator: &mut impl Operator<D>, settings: &GaussSeidelSettings) -> u32 {
        let Self { r, u, friction } = self;
        friction.clear();
        friction.extend_from_slice(operator.friction());
        sweep_until_accepted(operator, settings, r, u, |operator, r| sweep(operator, friction, r))
    }
}

/// Sweeps from `r` until both residuals are accepted, or are no numbers, as often as `settings` have it; `u` is room for the
/// velocities. Gives the number of sweeps.
pub(super) fn sweep_until_accepted<const D: usize, O: Operator<D>>(
    operator: &mut O,
    settings: &GaussSeidelSettings,
    r: &mut [SVector<f64, D>],
    u: &mut Vec<SVector<f64, D>>,
    mut sweep: impl FnMut(&mut O, &mut [SVector<f64, D>]),
) -> u32 {
    u.clear();
    u.resize(r.len(), SVector::zeros());
    let mut sweeps = 0;
    while sweeps < settings.max_sweeps {
        operator.velocities(r, u);
        let residuals = operator.residuals(r, u);
        if operator.accepts(&residuals, settings.tolerance) || !residuals.max().is_finite() {
            break;
        }
        operator.start_sweeps(r);
        for _ in 0..SWEEPS_PER_CHECK {
            sweep(operator, r);
        }
        sweeps += SWEEPS_PER_CHECK;
    }
    sweeps
}
