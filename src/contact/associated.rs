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
        let (mut u, mut r) = (zero.clone(), zero);
        operator.velocities(&r, &mut u);
        let (x, iterations) = minimise(&operator.w, &u, &problem.friction)?;
        for (r, (x, &mu)) in r.iter_mut().zip(x.chunks_exact(D).zip(&problem.friction)) {
            *r = friction_cone::project(mu, &SVector::from_column_slice(x));
        }
        operator.velocities(&r, &mut u);
        let mut own = miss(&r, &u, &problem.friction);
        // Where a contact is about to slide or to lift, what is left of the duality gap is the square of what is left
        // of the impulse.
        let mut sweeps = 0;
        operator.start_sweeps(&r);
        while own > POLISHED && sweeps < MOST_SWEEPS {
            sweep_by(|_, u| *u, &mut operator, &problem.friction, &mut r);
            operator.velocities(&r, &mut u);
            own = miss(&r, &u, &problem.friction);
            sweeps += 1;
        }
        operator.unscale(&r, &mut solution.impulses);
        let residuals: Residuals = solution.measure(problem, &operator.yardstick);
        if own > self.tolerance {
            let reason = format!("the convex program was solved to {own:.1e} only");
            let kind = FailureKind::Inaccurate;
            return Err(SolveFailure::Unsolved { kind, reason, iterations, residuals });
        }
        Ok(Report { iterations, rung: 0, residuals, accuracy: Accuracy::OwnLaw })
    }
}

/// The natural map of the law, `max_i |r_i - P_K(r_i - u_i)|`.
fn miss<const D: usize>(r: &[SVector<f64, D>], u: &[SVector<f64, D>], friction: &[f64]) -> f64 {
    r.iter().zip(u).zip(friction).fold(0.0, |largest: f64, ((r, u), &mu)| {
        let miss = (r - friction_cone::project(mu, &(r - u))).norm();
        if miss.is_nan() { f64::INFINITY } else { largest.max(miss) }
    })
}

/// Minimises `1/2 r'W r + q'r` over the cones.
fn minimise<const D: usize>(
    w: &DMatrix<f64>,
    q: &[SVector<f64, D>],
    friction: &[f64],
) -> Result<(Vec<f64>, u32), SolveFailure> {
    let n = w.nrows();
    let mut quadratic = Triplets::default();
    for column in 0..n {
        for row in 0..=column {
            quadratic.push(row, column, 0.5 * (w[(row, column)] + w[(column, row)]));
        }
    }
    let mut constraints = Triplets::default();
    let mut cones: Vec<SupportedConeT<f64>> = Vec::new();
    let mut row = 0;
    for (i, &mu) in friction.iter().enumerate() {
        let first = D * i;
        let mut push = |row: usize, column: usize, value: f64| constraints.push(row, column, -value);
        if D == 2 {
            // r_n >= 0 counts where mu = 0.
            push(row, first, mu);
            push(row, first + 1, 1.0);
            push(row + 1, first, mu);
            push(row + 1, first + 1, -1.0);
            push(row + 2, first, 1.0);
            cones.push(NonnegativeConeT(3));
            row += 3;
        } else {
            push(row, first, 1.0);
            push(row + 1, first, mu);
            for k in 1..D {
                push(row + 1 + k, first + k, 1.0);
            }
            cones.push(NonnegativeConeT(1));
            cones.push(SecondOrderConeT(D));
            row += 1 + D;
        }
    }
    let (quadratic, constraints) = (quadratic.build(n, n), constraints.build(row, n));
    let linear: Vec<f64> = q.iter().flat_map(|q| q.iter().copied()).collect();
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
    let mut solver = DefaultSolver::new(&quadratic, &linear, &constraints, &vec![0.0; row], &cones, settings)
        .map_err(|error| refused(error.to_string()))?;
    solver.solve();
    Ok((solver.solution.x.clone(), solver.solution.iterations))
}
