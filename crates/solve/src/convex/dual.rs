use clarabel::solver::{
    DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus, SupportedConeT, ZeroConeT,
};

use super::{
    Cone, Problem, Vector,
    cone_program::{STEP_FRACTIONS, Triplets, accurate},
    kkt_residuals,
};

/// A solution of the dual.
#[derive(Debug, Clone, PartialEq)]
pub struct DualSolution<const D: usize, const N: usize = D> {
    /// The velocities, `v = v* + A^-1 J' gamma`, a block per body.
    pub velocity: Vec<Vector<N>>,
    /// The impulses, one per contact; zero where it is inactive.
    pub impulses: Vec<Vector<D>>,
    /// Interior-point iterations over all attempts.
    pub iterations: u32,
}

/// Why the dual has no solution to offer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DualError {
    /// The program could not be set up.
    #[error("the interior-point solver refused the dual problem: {0}")]
    Refused(String),
    /// The method ended without a usable point.
    #[error("the interior-point solver ended with status {0}; try the primal Newton solver")]
    Unsolved(String),
}

/// Solves the dual of `problem` as a cone program by a general-purpose interior-point method: a
/// quadratic program with one tangential direction, a second-order cone program with more. It
/// shares neither projection nor Hessian with [`Solver`](super::Solver).
///
/// ```text
/// min 1/2 gamma' (W + R) gamma + r' gamma,   gamma in C,   r = J v* - vhat,   W = J A^-1 J'
/// ```
///
/// with equalities as impulses that may have any sign. `W` would be dense; with the change of
/// velocity `u = A^-1 J' gamma` as further unknowns `gamma' W gamma = u' A u`, and everything stays
/// sparse. Unknowns are scaled to unit inertia, and the tangential ones by `mu` so that the cone is
/// `|xi| <= gamma_n` whatever the friction.
///
/// # Errors
/// [`DualError`] when the interior-point method ends without a point to look at.
pub fn solve_dual<const D: usize, const N: usize, C: Cone<D>>(
    problem: &Problem<D, N, C>,
) -> Result<DualSolution<D, N>, DualError> {
    let program = Program::new(problem);
    let mut best: Option<(f64, DualSolution<D, N>)> = None;
    let mut status = SolverStatus::Unsolved;
    let mut iterations = 0;
    for step_fraction in STEP_FRACTIONS {
        let solution = program.solve(step_fraction)?.solution;
        status = solution.status;
        iterations += solution.iterations;
        if solution.x.iter().all(|x| x.is_finite()) {
            let (velocity, impulses) = program.unscale(problem, &solution.x);
            let residual = kkt_residuals(problem, &velocity, &impulses).scaled(1.0, 1.0);
            if best.as_ref().is_none_or(|(lowest, _)| residual < *lowest) {
                best = Some((residual, DualSolution { velocity, impulses, iterations }));
            }
        }
        if status == SolverStatus::Solved {
            break;
        }
    }
    match best {
        Some((_, solution)) => Ok(DualSolution { iterations, ..solution }),
        None => Err(DualError::Unsolved(format!("{status:?}"))),
    }
}

/// `min 1/2 x' P x + q' x` subject to `b - G x` in the cones; `x` is the scaled `u`, then the
/// scaled impulses of the active contacts, then those of the equalities.
struct Program {
    quadratic: Triplets,
    linear: Vec<f64>,
    constraints: Triplets,
    limits: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
    /// Unscaled unknowns are these times the scaled ones.
    scaling: Vec<f64>,
}

impl Program {
    fn new<const D: usize, const N: usize, C: Cone<D>>(problem: &Problem<D, N, C>) -> Self {
        let mut program = Self {
            quadratic: Triplets::default(),
            linear: Vec::new(),
            constraints: Triplets::default(),
            limits: vec![0.0; N * problem.inertia.len()],
            cones: vec![ZeroConeT(N * problem.inertia.len())],
            scaling: Vec::new(),
        };
        program.add_momentum(problem);
        program.add_contacts(problem);
        program.add_equalities(problem);
        program
    }

    /// Runs the interior-point method.
    fn solve(&self, step_fraction: f64) -> Result<DefaultSolver<f64>, DualError> {
        let (rows, columns) = (self.limits.len(), self.linear.len());
        let settings = accurate(step_fraction).map_err(DualError::Refused)?;
        let quadratic = self.quadratic.clone().build(columns, columns);
        let constraints = self.constraints.clone().build(rows, columns);
        let mut solver =
            DefaultSolver::new(&quadratic, &self.linear, &constraints, &self.limits, &self.cones, settings)
                .map_err(|error| DualError::Refused(error.to_string()))?;
        solver.solve();
        Ok(solver)
    }

    /// A new unknown with its scaling, quadratic cost and linear cost in unscaled units.
    fn add_unknown(&mut self, scaling: f64, quadratic: f64, linear: f64) -> usize {
        let column = self.scaling.len();
        self.scaling.push(scaling);
        self.linear.push(linear * scaling);
        self.quadratic.push(column, column, quadratic * scaling * scaling);
        column
    }

    /// `u` and the left side of `A u - J' gamma = 0`, each row scaled as its unknown.
    fn add_momentum<const D: usize, const N: usize, C: Cone<D>>(&mut self, problem: &Problem<D, N, C>) {
        for inertia in &problem.inertia {
            let scaling = inertia.diagonal().map(|a| 1.0 / a.sqrt());
            let first = self.scaling.len();
            for i in 0..N {
                self.add_unknown(scaling[i], inertia[(i, i)], 0.0);
            }
            for i in 0..N {
                for j in 0..N {
                    let scaled = inertia[(i, j)] * scaling[i] * scaling[j];
                    self.constraints.push(first + i, first + j, scaled);
                    if i < j {
                        self.quadratic.push(first + i, first + j, scaled);
                    }
                }
            }
        }
    }

    /// The impulses of the active contacts with their cones.
    fn add_contacts<const D: usize, const N: usize, C: Cone<D>>(&mut self, problem: &Problem<D, N, C>) {
        for contact in problem.contacts.iter().filter(|contact| contact.active) {
            let gap = contact.jacobian.apply(&problem.free_velocity) - contact.reference;
            let (mu, regularization) = (contact.cone.friction(), contact.cone.scale(&Vector::repeat(1.0)));
            let terms = [Some(contact.jacobian.first), contact.jacobian.second];
            let delassus: f64 = terms
                .iter()
                .flatten()
                .map(|term| mean_delassus(&term.transposed, &problem.inertia[term.block]))
                .sum();
            let scaling = 1.0 / (delassus + regularization[D - 1]).sqrt();
            let first = self.scaling.len();
            for i in 0..D {
                let unit = if i < D - 1 { mu } else { 1.0 };
                let column = self.add_unknown(unit * scaling, regularization[i], gap[i]);
                for term in terms.iter().flatten() {
                    self.add_impulse(term.block, column, &term.transposed.column(i).into_owned());
                }
            }
            // (gamma_n, xi) of each group in the second-order cone; with one direction gamma_n +- xi >= 0.
            let normal = first + D - 1;
            for group in contact.cone.groups() {
                let row = self.limits.len();
                if group.len() == 1 {
                    for (row, sign) in [(row, 1.0), (row + 1, -1.0)] {
                        self.constraints.push(row, normal, -1.0);
                        self.constraints.push(row, first + group.start, sign);
                    }
                    self.cones.push(NonnegativeConeT(2));
                } else {
                    self.constraints.push(row, normal, -1.0);
                    for (place, i) in group.clone().enumerate() {
                        self.constraints.push(row + 1 + place, first + i, -1.0);
                    }
                    self.cones.push(SecondOrderConeT(1 + group.len()));
                }
                self.limits.resize(row + 1 + group.len(), 0.0);
            }
        }
    }

    /// The impulses of the equalities, free in sign.
    fn add_equalities<const D: usize, const N: usize, C: Cone<D>>(&mut self, problem: &Problem<D, N, C>) {
        for equality in problem.equalities.iter().filter(|equality| equality.stiffness > 0.0) {
            let gap = equality.jacobian.apply(&problem.free_velocity)[0] - equality.reference;
            let terms = [Some(equality.jacobian.first), equality.jacobian.second];
            let delassus: f64 = terms
                .iter()
                .flatten()
                .map(|term| mean_delassus(&term.transposed, &problem.inertia[term.block]))
                .sum();
            let r = 1.0 / equality.stiffness;
            let column = self.add_unknown(1.0 / (delassus + r).sqrt(), r, gap);
            for term in terms.iter().flatten() {
                self.add_impulse(term.block, column, &term.transposed);
            }
        }
    }

    /// The column `-J'` of one unknown impulse in the momentum balance of a block.
    fn add_impulse<const N: usize>(&mut self, block: usize, column: usize, direction: &Vector<N>) {
        for i in 0..N {
            let row = N * block + i;
            self.constraints.push(row, column, -direction[i] * self.scaling[row] * self.scaling[column]);
        }
    }

    /// Velocities and impulses from the scaled unknowns.
    fn unscale<const D: usize, const N: usize, C: Cone<D>>(
        &self,
        problem: &Problem<D, N, C>,
        x: &[f64],
    ) -> (Vec<Vector<N>>, Vec<Vector<D>>) {
        let mut unscaled = x.iter().zip(&self.scaling).map(|(x, scaling)| x * scaling);
        let mut next = || unscaled.next().unwrap_or_default();
        let velocity =
            problem.free_velocity.iter().map(|v_star| v_star + Vector::from_fn(|_, _| next())).collect();
        let impulses = problem
            .contacts
            .iter()
            .map(|contact| if contact.active { Vector::from_fn(|_, _| next()) } else { Vector::zeros() })
            .collect();
        (velocity, impulses)
    }
}

/// The mean diagonal entry of `J A^-1 J'`, with the diagonal of `A`: a scale, no more.
fn mean_delassus<const ROWS: usize, const N: usize>(
    transposed: &nalgebra::SMatrix<f64, N, ROWS>,
    inertia: &super::Block<N>,
) -> f64 {
    let inverse = inertia.diagonal().map(|a| 1.0 / a);
    let sum: f64 = transposed.column_iter().map(|row| row.component_mul(&row).dot(&inverse)).sum();
    sum / ROWS as f64
}
