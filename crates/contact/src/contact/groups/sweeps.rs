use super::{ROWS, Rows, Weights, augmented, project};
use crate::contact::{
    ContactProblem, DenseProblem, DenseSolution, GaussSeidelSettings, Report, Residuals, Solution,
    SolveFailure, Yardstick,
    gauss_seidel::sweep_until_accepted,
    model::judge,
    scaled::{BodyOperator, DenseOperator, Operator, sweep_contacts},
};

/// One sweep of projected Gauss-Seidel over all contacts, `r <- P_K(r - u~/w)` five times for each, `u` refreshed; every part
/// of the law has a weight of its own, as rolling answers to its impulses much less than sliding does.
pub(in crate::contact) fn sweep(operator: &mut impl Operator<ROWS>, r: &mut [Rows]) {
    const PASSES: usize = 5;
    sweep_contacts(operator, r, PASSES, |_, own| {
        let weights = Weights::of(own);
        let of_rows = weights.of_rows();
        move |r: &Rows, u: &Rows| project(&(r - augmented(u).component_div(&of_rows)), &weights)
    });
}

/// Projected Gauss-Seidel over contacts with groups.
#[derive(Debug, Clone)]
pub(in crate::contact) struct GroupedSweeps<const N: usize> {
    settings: GaussSeidelSettings,
    operator: BodyOperator<ROWS, N>,
    r: Vec<Rows>,
    u: Vec<Rows>,
}

impl<const N: usize> GroupedSweeps<N> {
    /// A solver with these settings.
    pub fn new(settings: GaussSeidelSettings) -> Self {
        Self { settings, operator: BodyOperator::default(), r: Vec::new(), u: Vec::new() }
    }

    /// Sweeps until both residuals are accepted.
    ///
    /// # Errors
    /// [`SolveFailure`] where they are not.
    pub fn solve(
        &mut self,
        problem: &ContactProblem<ROWS, N>,
        solution: &mut Solution<ROWS, N>,
    ) -> Result<Report, SolveFailure> {
        let Self { settings, operator, r, u } = self;
        operator.take_up(problem, solution, r);
        let sweeps = sweep_until_accepted(operator, settings, r, u, sweep);
        let residuals = operator.give_back(problem, r, solution);
        conclude(&operator.yardstick, residuals, settings, sweeps)
    }
}

/// Sweeps from no impulses over a problem without bodies until both residuals are accepted.
///
/// # Errors
/// [`SolveFailure`] where they are not.
pub(in crate::contact) fn solve_dense(
    problem: &DenseProblem<ROWS>,
    settings: &GaussSeidelSettings,
    solution: &mut DenseSolution<ROWS>,
) -> Result<Report, SolveFailure> {
    let mut operator = DenseOperator::default();
    operator.set(problem);
    let (mut r, mut u) = (vec![Rows::zeros(); problem.contacts()], Vec::new());
    let sweeps = sweep_until_accepted(&mut operator, settings, &mut r, &mut u, sweep);
    operator.unscale(&r, &mut solution.impulses);
    let residuals = solution.measure(problem, &operator.yardstick);
    conclude(&operator.yardstick, residuals, settings, sweeps)
}

fn conclude(
    yardstick: &Yardstick,
    residuals: Residuals,
    settings: &GaussSeidelSettings,
    sweeps: u32,
) -> Result<Report, SolveFailure> {
    judge(yardstick, residuals, settings.tolerance, (sweeps, 0), || {
        "projected Gauss-Seidel over sliding, drilling and rolling did not converge".to_owned()
    })
}
