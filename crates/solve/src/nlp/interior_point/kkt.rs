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
//! Two things make the dense matrix smaller than this. A variable with a single entry in the
//! Jacobian and none beside the diagonal in the Hessian is a slack in all but name, and is
//! eliminated like one. Then a row whose `D` passes the test of Bunch and Kaufman for a pivot, as
//! those of inactive constraints do, is eliminated too.

use nalgebra::SVector;

use super::inertia::Verdict;
use super::iterate::{Direction, Iterate, Primal};
use super::optimality::largest;
use super::search::{Obstacle, Search};
use crate::nlp::bunch_kaufman::ALPHA;

/// Residual of the linear system, relative to solution and right-hand side, above which it counts
/// as singular, and at which refinement stops.
const RESIDUAL_SINGULAR: f64 = 1e-5;
const RESIDUAL_GOOD: f64 = 1e-10;
const MAX_REFINEMENTS: u32 = 5;

/// Smallest diagonal block of a slack that is divided by.
const SMALLEST_CURVATURE: f64 = 1e-20;

/// Smallest diagonal of a variable that is eliminated like a slack, relative to the square of its
/// entry in the Jacobian.
const SLACK_CURVATURE: f64 = 1e-8;

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
}

/// Places of variables and rows in the dense matrix; `None` if they were eliminated before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places<const N: usize, const M: usize> {
    x: [Option<usize>; N],
    y: [Option<usize>; M],
    /// Reciprocal diagonal of the variables that are eliminated, zero for the others.
    slack: SVector<f64, N>,
    /// `D` with what the elimination of variables adds to it.
    pivot: SVector<f64, M>,
    /// Numbers of variables and of rows that are left.
    variables: usize,
    order: usize,
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
            let blocks = self.blocks();
            let places = self.places(&blocks);
            let mut verdict = self.factor(&blocks, &places);
            if verdict == Verdict::Correct {
                let residuals = self.values.residuals;
                if let Some(direction) = self.solve(&blocks, &places, &residuals) {
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
        let blocks = self.blocks();
        let places = self.places(&blocks);
        self.solve(&blocks, &places, residuals)
    }

    #[inline(never)]
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
        Blocks { x, s, p, n, y }
    }

    /// Decides what is eliminated before the factorisation.
    #[inline(never)]
    fn places(&self, blocks: &Blocks<N, M>) -> Places<N, M> {
        let (workspace, entries) = (&*self.workspace, self.program.entries);
        let mut places = Places {
            x: [None; N],
            y: [None; M],
            slack: SVector::zeros(),
            pivot: blocks.y,
            variables: 0,
            order: 0,
        };
        for &(column, position, diagonal) in &workspace.slack_variables {
            let (row, value) = (entries[position].0, workspace.jacobian[position]);
            let curvature = blocks.x[column] + diagonal.map_or(0.0, |entry| workspace.hessian[entry]);
            if curvature >= SLACK_CURVATURE * value * value && curvature > 0.0 {
                places.slack[column] = 1.0 / curvature;
                places.pivot[row] += value * value / curvature;
            }
        }
        for j in 0..N {
            if places.slack[j] == 0.0 {
                places.x[j] = Some(places.order);
                places.order += 1;
            }
        }
        places.variables = places.order;
        let mut largest = SVector::<f64, M>::zeros();
        for (&(row, column), value) in entries.iter().zip(&workspace.jacobian) {
            if places.x[column].is_some() {
                largest[row] = largest[row].max(value.abs());
            }
        }
        for i in 0..M {
            // A diagonal entry of at least this times the largest entry of its column is a stable pivot.
            if places.pivot[i] <= ALPHA * largest[i] || places.pivot[i] == 0.0 {
                places.y[i] = Some(places.order);
                places.order += 1;
            }
        }
        places
    }

    /// Factors the matrix with the current perturbations.
    #[inline(never)]
    fn factor(&mut self, blocks: &Blocks<N, M>, places: &Places<N, M>) -> Verdict {
        let order = places.order;
        let entries = self.program.entries;
        let workspace = &mut *self.workspace;
        workspace.factors.reset(order);
        let matrix = workspace.factors.matrix_mut();
        for (&(row, column), value) in workspace.hessian_entries.iter().zip(&workspace.hessian) {
            if let (Some(row), Some(column)) = (places.x[row], places.x[column]) {
                matrix[column * order + row] = *value;
            }
        }
        for j in 0..N {
            if let Some(place) = places.x[j] {
                matrix[place * order + place] += blocks.x[j];
            }
        }
        for i in 0..M {
            let range = workspace.row_starts[i]..workspace.row_starts[i + 1];
            let row = entries[range.clone()].iter().zip(&workspace.jacobian[range]);
            let row = row.filter_map(|(&(_, column), value)| Some((places.x[column]?, *value)));
            if let Some(place) = places.y[i] {
                for (column, value) in row {
                    matrix[column * order + place] = value;
                }
                matrix[place * order + place] = -places.pivot[i];
            } else {
                // adds J_i^T J_i / D; columns ascend within a row
                let inverse = 1.0 / places.pivot[i];
                for (column, value) in row.clone() {
                    let factor = value * inverse;
                    for (lower, value) in row.clone().filter(|(lower, _)| *lower >= column) {
                        matrix[column * order + lower] += factor * value;
                    }
                }
            }
        }
        match workspace.factors.factor() {
            Err(_) => Verdict::Singular,
            Ok(inertia) if inertia.positive > places.variables => Verdict::Singular,
            Ok(inertia) if inertia.positive < places.variables => Verdict::Indefinite,
            Ok(_) => Verdict::Correct,
        }
    }

    #[inline(never)]
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
    fn solve(
        &mut self,
        blocks: &Blocks<N, M>,
        places: &Places<N, M>,
        residuals: &SVector<f64, M>,
    ) -> Option<Direction<N, M>> {
        let gradients = self.gradients();
        let right_x = -gradients.x;
        let mut right_y = -residuals - gradients.s.component_mul(&blocks.s);
        if self.phase.is_restoration() {
            right_y += gradients.n.component_mul(&blocks.n) - gradients.p.component_mul(&blocks.p);
        }
        let (x, y) = self.solve_reduced(blocks, places, &right_x, &right_y)?;
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
        places: &Places<N, M>,
        right_x: &SVector<f64, N>,
        right_y: &SVector<f64, M>,
    ) -> Option<(SVector<f64, N>, SVector<f64, M>)> {
        let right_size = largest(right_x).max(largest(right_y));
        let (mut x, mut y) = (SVector::zeros(), SVector::zeros());
        let (mut rest_x, mut rest_y) = (*right_x, *right_y);
        let mut last_ratio = f64::INFINITY;
        for _ in 0..=MAX_REFINEMENTS {
            let (dx, dy) = self.solve_factored(places, &rest_x, &rest_y);
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
        places: &Places<N, M>,
        right_x: &SVector<f64, N>,
        right_y: &SVector<f64, M>,
    ) -> (SVector<f64, N>, SVector<f64, M>) {
        let entries = self.program.entries;
        let workspace = &mut *self.workspace;
        let jacobian = &workspace.jacobian;
        let rhs = &mut workspace.right_hand_side[..places.order];

        // variables without a place: x_j = (right_j - J_ij y_i)/h_j, where y_i is not known yet
        let mut x = right_x.component_mul(&places.slack);
        let mut right_y = *right_y;
        for &(column, position, _) in &workspace.slack_variables {
            right_y[entries[position].0] -= jacobian[position] * x[column];
        }
        // rows without a place: y_i = (J_i x - right_i)/D
        let mut y = SVector::<f64, M>::zeros();
        for i in 0..M {
            match places.y[i] {
                Some(place) => rhs[place] = right_y[i],
                None => y[i] = right_y[i] / places.pivot[i],
            }
        }
        let mut dense_x = *right_x;
        for (&(row, column), value) in entries.iter().zip(jacobian) {
            dense_x[column] += value * y[row]; // zero for the rows that are kept
        }
        for j in 0..N {
            if let Some(place) = places.x[j] {
                rhs[place] = dense_x[j];
            }
        }
        workspace.factors.solve(rhs);
        for j in 0..N {
            dense_x[j] = places.x[j].map_or(0.0, |place| rhs[place]);
        }
        let mut product = SVector::<f64, M>::zeros();
        for (&(row, column), value) in entries.iter().zip(jacobian) {
            product[row] += value * dense_x[column];
        }
        for i in 0..M {
            y[i] = match places.y[i] {
                Some(place) => rhs[place],
                None => product[i] / places.pivot[i] - y[i],
            };
        }
        for &(column, position, _) in &workspace.slack_variables {
            x[column] -= places.slack[column] * jacobian[position] * y[entries[position].0];
        }
        (x + dense_x, y)
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
