//! The linear system of one Newton step on the optimality conditions of the barrier problem
//! (Waechter and Biegler, eq. 9 to 13). Slacks and elastic variables enter it with diagonal blocks
//! alone; they and the multipliers of all bounds are eliminated, which leaves
//!
//! ```text
//! [ W + Sigma_x + delta_w I    J^T ] [ dx ]     [ grad phi + J^T y                   ]
//! [ J                           -D ] [ dy ] = - [ c + g_s/a_s + g_p/a_p - g_n/a_n    ]
//! ```
//!
//! with `a = Sigma + delta_w` for each eliminated variable, `g` the gradient of the barrier
//! Lagrangian in it, `D = 1/a_s + 1/a_p + 1/a_n + delta_c`, and `ds = (dy - g_s)/a_s`, `dp` alike,
//! `dn = (-dy - g_n)/a_n`.
//!
//! A row whose `D` passes the test of Bunch and Kaufman for a pivot, as those of inactive
//! constraints do, is eliminated before the dense factorisation, which makes that the smaller.

use nalgebra::SVector;

use super::inertia::Verdict;
use super::optimality::largest;
use super::search::{Direction, Iterate, Obstacle, Primal, Search};

/// Residual of the linear system, relative to solution and right-hand side, above which it counts
/// as singular, and at which refinement stops.
const RESIDUAL_SINGULAR: f64 = 1e-5;
const RESIDUAL_GOOD: f64 = 1e-10;
const MAX_REFINEMENTS: u32 = 5;

/// Smallest diagonal block of a slack that is divided by.
const SMALLEST_CURVATURE: f64 = 1e-20;

/// A diagonal entry of at least this times the largest entry of its column is a stable pivot.
const ALPHA: f64 = 0.640_388_203_202_208;

/// Diagonal blocks of the system, and what elimination needs of the variables that are not in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks<const N: usize, const M: usize> {
    /// `Sigma_x + delta_w`, and the Hessian of the proximity term of the restoration.
    x: SVector<f64, N>,
    /// `1/a`, zero where a variable does not exist.
    s: SVector<f64, M>,
    p: SVector<f64, M>,
    n: SVector<f64, M>,
    /// `D`.
    y: SVector<f64, M>,
    /// Place of a row in the dense matrix; `None` if it was eliminated before.
    place: SVector<Option<usize>, M>,
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
        let Iterate { x, y, .. } = &self.iterate;
        self.program.hessian(&x.value, sigma, y, &mut self.workspace.hessian);
        if !self.workspace.hessian.iter().all(|entry| entry.is_finite()) {
            return Err(Obstacle::Evaluation);
        }
        self.correction.restart();
        loop {
            let mut blocks = self.blocks();
            let mut verdict = self.factor(&mut blocks);
            if verdict == Verdict::Correct {
                if let Some(direction) = self.solve(&blocks, &self.values.residuals.clone()) {
                    self.correction.accept();
                    return Ok(direction);
                }
                verdict = Verdict::Singular;
            }
            if !self.correction.increase(verdict, self.mu) {
                return Err(Obstacle::LinearSystem);
            }
        }
    }

    /// The same with other constraint residuals and the factors of the last direction; for
    /// second-order corrections.
    pub fn corrected_direction(&mut self, residuals: &SVector<f64, M>) -> Option<Direction<N, M>> {
        let mut blocks = self.blocks();
        self.choose_places(&mut blocks);
        self.solve(&blocks, residuals)
    }

    fn blocks(&self) -> Blocks<N, M> {
        let Self { iterate, intervals, correction, .. } = self;
        let delta_w = correction.delta_w;
        let mut x = SVector::repeat(delta_w);
        iterate.x.add_sigma(&intervals.x, &mut x);
        self.phase.add_hessian_diagonal(self.mu, &mut x);
        let mut s = SVector::repeat(delta_w);
        iterate.s.add_sigma(&intervals.s, &mut s);
        for i in 0..M {
            // a constraint without bounds has no curvature at all
            s[i] = if self.is_equality[i] { 0.0 } else { 1.0 / s[i].max(SMALLEST_CURVATURE) };
        }
        let (mut p, mut n) = (SVector::<f64, M>::zeros(), SVector::<f64, M>::zeros());
        if self.phase.is_restoration() {
            p.fill(delta_w);
            n.fill(delta_w);
            iterate.p.add_sigma(&intervals.p, &mut p);
            iterate.n.add_sigma(&intervals.n, &mut n);
            p.apply(|a| *a = 1.0 / *a);
            n.apply(|a| *a = 1.0 / *a);
        }
        let y = (s + p + n).add_scalar(correction.delta_c);
        Blocks { x, s, p, n, y, place: SVector::repeat(None) }
    }

    /// Decides which rows are eliminated before the factorisation; returns the order of what is
    /// left.
    fn choose_places(&self, blocks: &mut Blocks<N, M>) -> usize {
        let mut column = SVector::<f64, M>::zeros();
        for (&(row, _), value) in self.program.entries.iter().zip(&self.workspace.jacobian) {
            column[row] = column[row].max(value.abs());
        }
        let mut order = N;
        for i in 0..M {
            if blocks.y[i] <= ALPHA * column[i] || blocks.y[i] == 0.0 {
                blocks.place[i] = Some(order);
                order += 1;
            }
        }
        order
    }

    /// Factors the matrix with the current perturbations.
    fn factor(&mut self, blocks: &mut Blocks<N, M>) -> Verdict {
        let order = self.choose_places(blocks);
        let entries = self.program.entries;
        let workspace = &mut *self.workspace;
        workspace.factors.reset(order);
        let matrix = workspace.factors.matrix_mut();
        for (&(row, column), value) in workspace.hessian_entries.iter().zip(&workspace.hessian) {
            matrix[column * order + row] = *value;
        }
        for j in 0..N {
            matrix[j * order + j] += blocks.x[j];
        }
        for i in 0..M {
            let range = workspace.row_starts[i]..workspace.row_starts[i + 1];
            let (row, values) = (&entries[range.clone()], &workspace.jacobian[range]);
            match blocks.place[i] {
                Some(place) => {
                    for (&(_, column), value) in row.iter().zip(values) {
                        matrix[column * order + place] = *value;
                    }
                    matrix[place * order + place] = -blocks.y[i];
                }
                None => {
                    // adds J_i^T J_i / D; columns ascend within a row
                    let inverse = 1.0 / blocks.y[i];
                    for (a, &(_, column)) in row.iter().enumerate() {
                        let factor = values[a] * inverse;
                        for (&(_, lower), value) in row[a..].iter().zip(&values[a..]) {
                            matrix[column * order + lower] += factor * value;
                        }
                    }
                }
            }
        }
        match workspace.factors.factor() {
            Err(_) => Verdict::Singular,
            Ok(inertia) if inertia.positive > N => Verdict::Singular,
            Ok(inertia) if inertia.positive < N => Verdict::Indefinite,
            Ok(_) => Verdict::Correct,
        }
    }

    fn gradients(&self) -> Gradients<N, M> {
        let Self { iterate, intervals, mu, first_order, .. } = self;
        let mut x = first_order.lagrangian;
        iterate.x.add_barrier_gradient(&intervals.x, *mu, &mut x);
        let mut s = -iterate.y;
        iterate.s.add_barrier_gradient(&intervals.s, *mu, &mut s);
        let (mut p, mut n) = (SVector::zeros(), SVector::zeros());
        if self.phase.is_restoration() {
            let rho = self.phase.penalty();
            p = iterate.y.map(|y| rho - y);
            n = iterate.y.map(|y| rho + y);
            iterate.p.add_barrier_gradient(&intervals.p, *mu, &mut p);
            iterate.n.add_barrier_gradient(&intervals.n, *mu, &mut n);
        }
        Gradients { x, s, p, n }
    }

    /// Solves with the factors at hand, refines, and recovers what was eliminated. `None` if the
    /// system is too ill-conditioned to be solved.
    #[inline(never)]
    fn solve(&mut self, blocks: &Blocks<N, M>, residuals: &SVector<f64, M>) -> Option<Direction<N, M>> {
        let gradients = self.gradients();
        let right_x = -gradients.x;
        let mut right_y = -residuals - gradients.s.component_mul(&blocks.s);
        if self.phase.is_restoration() {
            right_y += gradients.n.component_mul(&blocks.n) - gradients.p.component_mul(&blocks.p);
        }
        let (x, y) = self.solve_reduced(blocks, &right_x, &right_y)?;
        let s = (y - gradients.s).component_mul(&blocks.s);
        let (mut p, mut n) = (SVector::zeros(), SVector::zeros());
        if self.phase.is_restoration() {
            p = (y - gradients.p).component_mul(&blocks.p);
            n = (-y - gradients.n).component_mul(&blocks.n);
        }
        Some(Direction { primal: Primal { x, s, p, n }, y })
    }

    /// Solves the reduced system with iterative refinement.
    fn solve_reduced(
        &mut self,
        blocks: &Blocks<N, M>,
        right_x: &SVector<f64, N>,
        right_y: &SVector<f64, M>,
    ) -> Option<(SVector<f64, N>, SVector<f64, M>)> {
        let right_size = largest(right_x).max(largest(right_y));
        let (mut x, mut y) = (SVector::zeros(), SVector::zeros());
        let (mut rest_x, mut rest_y) = (*right_x, *right_y);
        let mut last_ratio = f64::INFINITY;
        for _ in 0..=MAX_REFINEMENTS {
            let (dx, dy) = self.solve_factored(blocks, &rest_x, &rest_y);
            let (new_x, new_y) = (x + dx, y + dy);
            (rest_x, rest_y) = (*right_x, *right_y);
            self.subtract_product(blocks, &new_x, &new_y, &mut rest_x, &mut rest_y);
            let size = largest(&new_x).max(largest(&new_y)).min(1e6 * right_size) + right_size;
            let rest = largest(&rest_x).max(largest(&rest_y));
            let is_number = (rest_x.sum() + rest_y.sum()).is_finite();
            let ratio = rest / size.max(f64::MIN_POSITIVE);
            if !is_number {
                return None;
            }
            if ratio >= last_ratio {
                break; // no further progress: keep what there was
            }
            (x, y, last_ratio) = (new_x, new_y, ratio);
            if ratio <= RESIDUAL_GOOD {
                break;
            }
        }
        (last_ratio <= RESIDUAL_SINGULAR).then_some((x, y))
    }

    /// Solves with the factors, without refinement.
    fn solve_factored(
        &mut self,
        blocks: &Blocks<N, M>,
        right_x: &SVector<f64, N>,
        right_y: &SVector<f64, M>,
    ) -> (SVector<f64, N>, SVector<f64, M>) {
        let entries = self.program.entries;
        let workspace = &mut *self.workspace;
        let order = workspace.factors.order();
        let rhs = &mut workspace.right_hand_side[..order];
        rhs[..N].copy_from_slice(right_x.as_slice());
        let mut y = SVector::zeros();
        for i in 0..M {
            match blocks.place[i] {
                Some(place) => rhs[place] = right_y[i],
                None => y[i] = right_y[i] / blocks.y[i],
            }
        }
        for (&(row, column), value) in entries.iter().zip(&workspace.jacobian) {
            rhs[column] += value * y[row]; // zero for the rows that are kept
        }
        workspace.factors.solve(rhs);
        let x = SVector::from_fn(|j, _| rhs[j]);
        let mut product = SVector::<f64, M>::zeros();
        for (&(row, column), value) in entries.iter().zip(&workspace.jacobian) {
            product[row] += value * x[column];
        }
        for i in 0..M {
            y[i] = match blocks.place[i] {
                Some(place) => rhs[place],
                None => product[i] / blocks.y[i] - y[i],
            };
        }
        (x, y)
    }

    /// Subtracts the product of the reduced matrix and a vector.
    fn subtract_product(
        &self,
        blocks: &Blocks<N, M>,
        x: &SVector<f64, N>,
        y: &SVector<f64, M>,
        rest_x: &mut SVector<f64, N>,
        rest_y: &mut SVector<f64, M>,
    ) {
        let workspace = &*self.workspace;
        *rest_x -= blocks.x.component_mul(x);
        *rest_y += blocks.y.component_mul(y);
        for (&(row, column), value) in workspace.hessian_entries.iter().zip(&workspace.hessian) {
            rest_x[row] -= value * x[column];
            if row != column {
                rest_x[column] -= value * x[row];
            }
        }
        for (&(row, column), value) in self.program.entries.iter().zip(&workspace.jacobian) {
            rest_x[column] -= value * y[row];
            rest_y[row] -= value * x[column];
        }
    }
}
