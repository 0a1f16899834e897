//! The linear system of one Newton step on the optimality conditions of the barrier problem
//! (Waechter and Biegler, eq. 9 to 13). Slacks and elastic variables enter it with diagonal blocks
//! alone; they and the multipliers of all bounds are eliminated, which leaves
//!
//! ```text
//! [ W + Sigma_x + delta_w I      J^T  ] [ dx ]     [ grad phi + J^T y             ]
//! [ J             -(D + delta_c I)    ] [ dy ] = - [ c + g_s/a_s + g_p/a_p - g_n/a_n ]
//! ```
//!
//! with `a = Sigma + delta_w` for each eliminated variable, `g` the gradient of the barrier
//! Lagrangian in it, `D = 1/a_s + 1/a_p + 1/a_n`, and `ds = (dy - g_s)/a_s`, `dp` alike,
//! `dn = (-dy - g_n)/a_n`.

use nalgebra::SVector;

use super::inertia::Verdict;
use super::search::{Direction, Obstacle, Search};

/// Residual of the linear system, relative to solution and right-hand side, above which it counts
/// as singular, and at which refinement stops.
const RESIDUAL_SINGULAR: f64 = 1e-5;
const RESIDUAL_GOOD: f64 = 1e-10;
const MAX_REFINEMENTS: u32 = 5;

/// Smallest diagonal block of a slack that is divided by.
const SMALLEST_CURVATURE: f64 = 1e-20;

/// Reciprocals `1/a` of the diagonal blocks of the eliminated variables, zero where a variable does
/// not exist.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eliminated<const M: usize> {
    s: SVector<f64, M>,
    p: SVector<f64, M>,
    n: SVector<f64, M>,
}

/// Gradients of the barrier Lagrangian.
struct Gradients<const N: usize, const M: usize> {
    x: SVector<f64, N>,
    s: SVector<f64, M>,
    p: SVector<f64, M>,
    n: SVector<f64, M>,
}

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// The Newton direction at the current iterate.
    #[inline(never)]
    pub fn direction(&mut self) -> Result<Direction<N, M>, Obstacle> {
        let sigma = self.phase.objective_weight();
        let (x, y) = (self.iterate.x.value, self.iterate.y);
        self.program.hessian(&x, sigma, &y, &mut self.workspace.hessian);
        if !self.workspace.hessian.iter().all(|entry| entry.is_finite()) {
            return Err(Obstacle::Evaluation);
        }
        let diagonal = SVector::from_fn(|j, _| {
            self.iterate.x.sigma(&self.bounds.x, j) + self.phase.hessian_diagonal(j, self.mu)
        });
        let residuals = self.residuals(&self.iterate, &self.values.g);
        self.correction.restart();
        loop {
            let verdict = self.factor(&diagonal);
            if verdict == Verdict::Correct
                && let Some(direction) = self.solve(&diagonal, &residuals)
            {
                self.correction.accept();
                return Ok(direction);
            }
            let verdict = if verdict == Verdict::Correct { Verdict::Singular } else { verdict };
            if !self.correction.increase(verdict, self.mu) {
                return Err(Obstacle::LinearSystem);
            }
        }
    }

    /// The same with other constraint residuals and the factors of the last direction; for
    /// second-order corrections.
    pub fn corrected_direction(&mut self, residuals: &SVector<f64, M>) -> Option<Direction<N, M>> {
        let diagonal = SVector::from_fn(|j, _| {
            self.iterate.x.sigma(&self.bounds.x, j) + self.phase.hessian_diagonal(j, self.mu)
        });
        self.solve(&diagonal, residuals)
    }

    /// Reciprocal diagonal blocks of the eliminated variables.
    #[inline(never)]
    fn eliminated(&self) -> Eliminated<M> {
        let Self { iterate, bounds, correction, .. } = self;
        let delta_w = correction.delta_w;
        let s = SVector::from_fn(|i, _| {
            // a constraint without bounds has no curvature at all
            let curvature = (iterate.s.sigma(&bounds.s, i) + delta_w).max(SMALLEST_CURVATURE);
            if self.is_equality[i] { 0.0 } else { 1.0 / curvature }
        });
        if self.phase.is_restoration() {
            let p = SVector::from_fn(|i, _| 1.0 / (iterate.p.sigma(&bounds.elastic, i) + delta_w));
            let n = SVector::from_fn(|i, _| 1.0 / (iterate.n.sigma(&bounds.elastic, i) + delta_w));
            Eliminated { s, p, n }
        } else {
            Eliminated { s, p: SVector::zeros(), n: SVector::zeros() }
        }
    }

    /// Factors the matrix with the current perturbations.
    #[inline(never)]
    fn factor(&mut self, diagonal: &SVector<f64, N>) -> Verdict {
        let order = N + M;
        let Eliminated { s, p, n } = self.eliminated();
        let delta_w = self.correction.delta_w;
        let delta_c = self.correction.delta_c;
        let workspace = &mut *self.workspace;
        let matrix = workspace.factors.matrix_mut();
        matrix.fill(0.0);
        for (&(row, column), value) in workspace.hessian_entries.iter().zip(&workspace.hessian) {
            matrix[column * order + row] = *value;
        }
        for j in 0..N {
            matrix[j * order + j] += diagonal[j] + delta_w;
        }
        for (&(row, column), value) in self.program.entries.iter().zip(&workspace.jacobian) {
            matrix[column * order + N + row] = *value;
        }
        for i in 0..M {
            matrix[(N + i) * order + N + i] = -(s[i] + p[i] + n[i] + delta_c);
        }
        match workspace.factors.factor() {
            Err(_) => Verdict::Singular,
            Ok(inertia) if inertia.negative < M => Verdict::Singular,
            Ok(inertia) if inertia.negative > M => Verdict::Indefinite,
            Ok(_) => Verdict::Correct,
        }
    }

    fn gradients(&self) -> Gradients<N, M> {
        let Self { iterate, bounds, mu, .. } = self;
        let mut x = self.lagrangian_gradient();
        for j in 0..N {
            x[j] += iterate.x.barrier_gradient(&bounds.x, *mu, j);
        }
        let s = SVector::from_fn(|i, _| {
            if self.is_equality[i] {
                0.0
            } else {
                iterate.s.barrier_gradient(&bounds.s, *mu, i) - iterate.y[i]
            }
        });
        let (mut p, mut n) = (SVector::zeros(), SVector::zeros());
        if self.phase.is_restoration() {
            let rho = self.phase.penalty();
            for i in 0..M {
                p[i] = rho - iterate.y[i] + iterate.p.barrier_gradient(&bounds.elastic, *mu, i);
                n[i] = rho + iterate.y[i] + iterate.n.barrier_gradient(&bounds.elastic, *mu, i);
            }
        }
        Gradients { x, s, p, n }
    }

    /// Solves with the factors at hand, refines, and recovers what was eliminated. `None` if the
    /// system is too ill-conditioned to be solved.
    #[inline(never)]
    fn solve(&mut self, diagonal: &SVector<f64, N>, residuals: &SVector<f64, M>) -> Option<Direction<N, M>> {
        let eliminated = self.eliminated();
        let gradients = self.gradients();
        let right_x = -gradients.x;
        let right_y = -(residuals
            + gradients.s.component_mul(&eliminated.s)
            + gradients.p.component_mul(&eliminated.p)
            - gradients.n.component_mul(&eliminated.n));
        let (dx, dy) = self.solve_reduced(diagonal, &eliminated, &right_x, &right_y)?;

        let ds = (dy - gradients.s).component_mul(&eliminated.s);
        let dp = (dy - gradients.p).component_mul(&eliminated.p);
        let dn = (-dy - gradients.n).component_mul(&eliminated.n);
        let Self { iterate, bounds, mu, .. } = self;
        Some(Direction {
            x: dx,
            s: ds,
            p: dp,
            n: dn,
            y: dy,
            z_x: iterate.x.multiplier_step(&bounds.x, *mu, &dx),
            z_s: iterate.s.multiplier_step(&bounds.s, *mu, &ds),
            z_p: iterate.p.multiplier_step(&bounds.elastic, *mu, &dp),
            z_n: iterate.n.multiplier_step(&bounds.elastic, *mu, &dn),
        })
    }

    /// Solves the reduced system with iterative refinement.
    #[inline(never)]
    fn solve_reduced(
        &mut self,
        diagonal: &SVector<f64, N>,
        eliminated: &Eliminated<M>,
        right_x: &SVector<f64, N>,
        right_y: &SVector<f64, M>,
    ) -> Option<(SVector<f64, N>, SVector<f64, M>)> {
        let right_size = right_x.amax().max(right_y.amax());
        let (mut x, mut y) = (SVector::zeros(), SVector::zeros());
        let (mut rest_x, mut rest_y) = (*right_x, *right_y);
        let mut last_ratio = f64::INFINITY;
        for _ in 0..=MAX_REFINEMENTS {
            let rhs = &mut self.workspace.right_hand_side;
            rhs[..N].copy_from_slice(rest_x.as_slice());
            rhs[N..].copy_from_slice(rest_y.as_slice());
            self.workspace.factors.solve(rhs);
            let (new_x, new_y) =
                (x + SVector::from_fn(|j, _| rhs[j]), y + SVector::from_fn(|i, _| rhs[N + i]));
            let (left_x, left_y) = self.product(diagonal, eliminated, &new_x, &new_y);
            let (next_x, next_y) = (right_x - left_x, right_y - left_y);
            let size = new_x.amax().max(new_y.amax()).min(1e6 * right_size) + right_size;
            let ratio = next_x.amax().max(next_y.amax()) / size.max(f64::MIN_POSITIVE);
            if ratio.is_nan() {
                return None;
            }
            if ratio >= last_ratio {
                break; // no further progress: keep what there was
            }
            (x, y, rest_x, rest_y, last_ratio) = (new_x, new_y, next_x, next_y, ratio);
            if ratio <= RESIDUAL_GOOD {
                break;
            }
        }
        (last_ratio <= RESIDUAL_SINGULAR).then_some((x, y))
    }

    /// Product of the reduced matrix and a vector.
    fn product(
        &self,
        diagonal: &SVector<f64, N>,
        eliminated: &Eliminated<M>,
        x: &SVector<f64, N>,
        y: &SVector<f64, M>,
    ) -> (SVector<f64, N>, SVector<f64, M>) {
        let workspace = &*self.workspace;
        let mut left_x = diagonal.component_mul(x) + x * self.correction.delta_w;
        let weights = eliminated.s + eliminated.p + eliminated.n;
        let mut left_y = -(weights.component_mul(y) + y * self.correction.delta_c);
        for (&(row, column), value) in workspace.hessian_entries.iter().zip(&workspace.hessian) {
            left_x[row] += value * x[column];
            if row != column {
                left_x[column] += value * x[row];
            }
        }
        for (&(row, column), value) in self.program.entries.iter().zip(&workspace.jacobian) {
            left_x[column] += value * y[row];
            left_y[row] += value * x[column];
        }
        (left_x, left_y)
    }
}
