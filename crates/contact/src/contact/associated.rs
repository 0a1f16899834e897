use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SupportedConeT,
};
use nalgebra::{DMatrix, SVector};

use super::{
    Accuracy, DenseProblem, DenseSolution, DenseSolver, FailureKind, Report, Residuals, SolveFailure,
    friction_cone,
    scaled::{DenseOperator, Operator, sweep_by},
};
use crate::convex::Triplets;

/// Miss of the natural map at which the polishing sweeps end, and how many there are at most.
const POLISHED: f64 = 1e-10;
const MOST_SWEEPS: u32 = 500;

/// The proximal term in units of the mean diagonal of `W`, which makes up for what rounding takes from its
/// definiteness, and how many steps are taken with it, each about the best point so far, where none was enough without.
const DELTA: f64 = 1e-8;
const MOST_PROXIMAL: u32 = 4;

/// The associated, convex law on a [`DenseProblem`]: the model `convex` without bodies.
///
/// ```text
/// min 1/2 r' W r + q' r,   r_i in K_i
/// ```
///
/// Friction does the most work that it can, but a sliding contact lifts by `mu |u_t|` (the cone's
/// normal instead of Coulomb's rule), so that the residuals of Coulomb's law say how far off it is.
/// The program is solved as a cone program, and judged by the natural map of its own law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Associated {
    /// Bound on the natural map of the associated law, in scaled units.
    pub tolerance: f64,
}

impl Default for Associated {
    fn default() -> Self {
        Self { tolerance: 1e-6 }
    }
}

impl<const D: usize> DenseSolver<D> for Associated {
    fn name(&self) -> &str {
        "convex"
    }

    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure> {
        let mut operator = DenseOperator::default();
        operator.set(problem);
        let zero = vec![SVector::zeros(); problem.contacts()];
        let mut free = zero.clone();
        operator.velocities(&zero, &mut free);
        let (mut best, mut own, mut iterations) = (zero, f64::INFINITY, 0);
        for step in 0..=MOST_PROXIMAL {
            let delta = if step == 0 { 0.0 } else { DELTA };
            // About the best point so far, unless it ran away.
            let pull = if own < 1.0 { delta } else { 0.0 };
            let centred: Vec<_> = free.iter().zip(&best).map(|(q, r)| q - r * pull).collect();
            let (x, taken) = minimise(&operator.w, &centred, &problem.friction, delta)?;
            iterations += taken;
            let impulses = x.chunks_exact(D).map(SVector::from_column_slice).zip(&problem.friction);
            let r = impulses.map(|(r, &mu)| friction_cone::project(mu, &r)).collect();
            polish(&mut operator, &problem.friction, r, (&mut best, &mut own));
            if own <= self.tolerance {
                break;
            }
        }
        operator.unscale(&best, &mut solution.impulses);
        let residuals: Residuals = solution.measure(problem, &operator.yardstick);
        if own > self.tolerance {
            let reason = format!("the convex program was solved to {own:.1e} only");
            let kind = FailureKind::Inaccurate;
            return Err(SolveFailure::Unsolved { kind, reason, iterations, residuals });
        }
        Ok(Report { residuals, ..Report::unmeasured(Accuracy::OwnLaw, iterations) })
    }
}

/// Sweeps of projected Gauss-Seidel from `r`; `best` is the best of all that was found, which misses the law by `own`.
///
/// Where a contact is about to slide or to lift, what is left of the duality gap is the square of what is left of the
/// impulse. Sweeps may lead away as well, where rounding makes `W` indefinite.
fn polish<const D: usize>(
    operator: &mut DenseOperator<D>,
    friction: &[f64],
    mut r: Vec<SVector<f64, D>>,
    (best, own): (&mut Vec<SVector<f64, D>>, &mut f64),
) {
    let mut u = r.clone();
    operator.start_sweeps(&r);
    for sweeps in 0..=MOST_SWEEPS {
        if sweeps > 0 {
            sweep_by(|_, u| *u, operator, friction, &mut r);
        }
        operator.velocities(&r, &mut u);
        let missed = miss(&r, &u, friction);
        if missed < *own {
            *own = missed;
            best.clone_from(&r);
        }
        if *own <= POLISHED || !missed.is_finite() {
            return;
        }
    }
}

/// The natural map of the law, `max_i |r_i - P_K(r_i - u_i)|`.
fn miss<const D: usize>(r: &[SVector<f64, D>], u: &[SVector<f64, D>], friction: &[f64]) -> f64 {
    r.iter().zip(u).zip(friction).fold(0.0, |largest: f64, ((r, u), &mu)| {
        let miss = (r - friction_cone::project(mu, &(r - u))).norm();
        if miss.is_nan() { f64::INFINITY } else { largest.max(miss) }
    })
}

/// Minimises `1/2 r'(W + delta) r + q'r` over the cones.
///
/// In the unknowns `x` with `r_n = x_n`, `r_t = mu x_t`, or `r_n = x_n/mu`, `r_t = x_t` where `mu > 1`, every cone is
/// `|x_t| <= x_n`: one that is thin, or without friction a ray, has no room for an interior point.
fn minimise<const D: usize>(
    w: &DMatrix<f64>,
    q: &[SVector<f64, D>],
    friction: &[f64],
    delta: f64,
) -> Result<(Vec<f64>, u32), SolveFailure> {
    let n = w.nrows();
    let unit = |row: usize| {
        let mu = friction[row / D];
        if row.is_multiple_of(D) { 1.0 / mu.max(1.0) } else { mu.min(1.0) }
    };
    let mut quadratic = Triplets::default();
    for column in 0..n {
        for row in 0..=column {
            let proximal = if row == column { delta } else { 0.0 };
            let symmetric = 0.5 * (w[(row, column)] + w[(column, row)]) + proximal;
            quadratic.push(row, column, symmetric * unit(row) * unit(column));
        }
    }
    let mut constraints = Triplets::default();
    let mut cones: Vec<SupportedConeT<f64>> = Vec::new();
    for first in (0..n).step_by(D) {
        let mut push = |row: usize, column: usize, value: f64| constraints.push(row, column, -value);
        if D == 2 {
            for (row, sign) in [(first, 1.0), (first + 1, -1.0)] {
                push(row, first, 1.0);
                push(row, first + 1, sign);
            }
            cones.push(NonnegativeConeT(2));
        } else {
            (first..first + D).for_each(|row| push(row, row, 1.0));
            cones.push(SecondOrderConeT(D));
        }
    }
    let (quadratic, constraints) = (quadratic.build(n, n), constraints.build(n, n));
    let linear: Vec<f64> = q.iter().flatten().enumerate().map(|(row, q)| q * unit(row)).collect();
    let refused = |reason: String| SolveFailure::Refused {
        reason: format!("the cone program could not be set up: {reason}"),
        remedy: "try another solver".to_owned(),
    };
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-11)
        .tol_gap_rel(1e-11)
        .tol_feas(1e-11)
        .build()
        .map_err(|error| refused(error.to_string()))?;
    let mut solver = DefaultSolver::new(&quadratic, &linear, &constraints, &vec![0.0; n], &cones, settings)
        .map_err(|error| refused(error.to_string()))?;
    solver.solve();
    let impulses = solver.solution.x.iter().enumerate().map(|(row, x)| x * unit(row));
    Ok((impulses.collect(), solver.solution.iterations))
}
