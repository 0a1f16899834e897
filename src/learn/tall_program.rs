//! Linear programs of a few unknowns and very many inequalities.
//!
//! ```text
//! min c . t     subject to     a_i . t >= b_i,   i = 1 ... m,        m >> n.
//! ```
//!
//! Only about `n` inequalities hold with equality in the end, so a simplex method (microlp) sees
//! only those that were violated so far, and the rest is checked after every solve. Convex
//! constraints that are not polyhedral enter as cuts, made where they are violated.

use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, constraint, microlp,
    variable, variables,
};
use nalgebra::{DMatrix, DVector};

use super::input::LearnError;

/// Bound on every unknown, so that a program that is unbounded so far has a solution.
const BOX: f64 = 1e4;
/// Violation of an inequality, scaled to a largest coefficient of one, that counts as rounding.
const VIOLATION: f64 = 1e-10;
/// Rounds after which the search is given up; each adds at least one inequality or cut.
const MOST_ROUNDS: usize = 400;
/// Slack of an inequality, over the size of the point, below which it may hold with equality.
const ACTIVE: f64 = 1e-7;

/// An inequality `left . t >= right`.
#[derive(Debug, Clone, PartialEq)]
pub struct Inequality {
    /// Coefficients `a`.
    pub left: DVector<f64>,
    /// Right side `b`.
    pub right: f64,
}

/// Finds inequalities that a convex constraint implies and that a point violates.
pub type Separate<'a> = dyn Fn(&DVector<f64>) -> Vec<Inequality> + 'a;

/// The constraints of a program; one object solves it for many objectives.
pub struct TallProgram<'a> {
    /// Rows `a_i`, scaled to a largest entry of one.
    rows: DMatrix<f64>,
    right: DVector<f64>,
    separate: &'a Separate<'a>,
    working: Vec<Inequality>,
    /// Which rows are among the working inequalities.
    is_working: Vec<bool>,
}

impl<'a> TallProgram<'a> {
    /// Constraints `rows t >= right`, and those of which `separate` finds the violated ones.
    pub fn new(mut rows: DMatrix<f64>, mut right: DVector<f64>, separate: &'a Separate<'a>) -> Self {
        for (index, mut row) in rows.row_iter_mut().enumerate() {
            let size = row.amax();
            if size > 0.0 {
                row /= size;
                right[index] /= size;
            }
        }
        let is_working = vec![false; rows.nrows()];
        let mut this = Self { rows, right, separate, working: Vec::new(), is_working };
        // A few rows from all over, so that the first rounds are not wasted.
        let first = 4 * this.rows.ncols();
        let stride = (this.rows.nrows() / first.max(1)).max(1);
        (0..this.rows.nrows()).step_by(stride).for_each(|index| this.work_with(index));
        this
    }

    fn work_with(&mut self, index: usize) {
        self.is_working[index] = true;
        self.working.push(Inequality { left: self.rows.row(index).transpose(), right: self.right[index] });
    }

    /// The best point for the objective `cost`. `what` names the aim in errors.
    ///
    /// # Errors
    /// [`LearnError::LinearProgram`] if the constraints contradict each other, the simplex method
    /// gives up or comes to a point that is not finite, or the rounds of cuts are not enough.
    pub fn minimise(&mut self, cost: &DVector<f64>, what: &str) -> Result<DVector<f64>, LearnError> {
        let fail = |reason| LearnError::LinearProgram { what: what.to_owned(), reason };
        let mut previous: Option<DVector<f64>> = None;
        for _ in 0..MOST_ROUNDS {
            let point = self.solve_working(cost).map_err(|error| fail(error.to_string()))?;
            let point = self.polished(point);
            // Such a point violates nothing, since no comparison with it is true.
            if point.iter().any(|entry| !entry.is_finite()) {
                return Err(fail("the simplex method came to a point that is not finite".to_owned()));
            }
            let violated = self.violated(&point);
            let cuts = (self.separate)(&point);
            let tolerance = VIOLATION * (1.0 + point.amax());
            let has_stalled = previous.is_some_and(|previous| (&point - previous).amax() <= tolerance);
            if violated.is_empty() && (cuts.is_empty() || has_stalled) {
                return Ok(point);
            }
            previous = Some(point);
            violated.into_iter().for_each(|index| self.work_with(index));
            self.working.extend(cuts);
        }
        Err(fail(format!("{MOST_ROUNDS} rounds of cuts were not enough")))
    }

    /// The rows that a point violates most, of those that the simplex method has not seen.
    fn violated(&self, point: &DVector<f64>) -> Vec<usize> {
        let values = &self.rows * point;
        let tolerance = VIOLATION * (1.0 + point.amax());
        let mut violated: Vec<(f64, usize)> = (0..values.len())
            .filter(|&index| !self.is_working[index])
            .map(|index| (self.right[index] - values[index], index))
            .filter(|(violation, _)| *violation > tolerance)
            .collect();
        let most = 2 * self.rows.ncols().max(1);
        if violated.len() > most {
            violated.select_nth_unstable_by(most, |a, b| b.0.total_cmp(&a.0));
            violated.truncate(most);
        }
        violated.into_iter().map(|(_, index)| index).collect()
    }

    /// The vertex that the simplex method meant: it stops at an accuracy of 1e-10, while the
    /// equations of the active inequalities determine the vertex to rounding.
    fn polished(&self, point: DVector<f64>) -> DVector<f64> {
        let tolerance = ACTIVE * (1.0 + point.amax());
        let slack = |inequality: &Inequality, at: &DVector<f64>| inequality.left.dot(at) - inequality.right;
        let active: Vec<&Inequality> =
            self.working.iter().filter(|inequality| slack(inequality, &point).abs() <= tolerance).collect();
        let unknowns = point.len();
        if active.len() < unknowns {
            return point;
        }
        let matrix = DMatrix::from_fn(active.len(), unknowns, |row, column| active[row].left[column]);
        let mut right = DVector::from_fn(active.len(), |row, _| -slack(active[row], &point));
        let decomposition = matrix.qr();
        decomposition.q_tr_mul(&mut right);
        let triangle = decomposition.unpack_r();
        let diagonal = triangle.diagonal();
        if diagonal.iter().any(|entry| entry.abs() <= ACTIVE * diagonal.amax()) {
            return point;
        }
        let Some(correction) = triangle.solve_upper_triangular(&right.rows(0, unknowns).into_owned()) else {
            return point;
        };
        let vertex = &point + correction;
        let worst = |at: &DVector<f64>| active.iter().map(|one| slack(one, at).abs()).fold(0.0, f64::max);
        if worst(&vertex) <= worst(&point) { vertex } else { point }
    }

    fn solve_working(&self, cost: &DVector<f64>) -> Result<DVector<f64>, ResolutionError> {
        let mut variables: ProblemVariables = variables!();
        let unknowns: Vec<Variable> =
            (0..cost.len()).map(|_| variables.add(variable().min(-BOX).max(BOX))).collect();
        let dot = |left: &DVector<f64>| -> Expression {
            unknowns.iter().zip(left.iter()).map(|(unknown, factor)| *factor * *unknown).sum()
        };
        let size = cost.amax();
        let objective = if size > 0.0 { cost / size } else { cost.clone() };
        let mut model = variables.minimise(dot(&objective)).using(microlp);
        for inequality in &self.working {
            model.add_constraint(constraint!(dot(&inequality.left) >= inequality.right));
        }
        let solution = model.solve()?;
        Ok(DVector::from_iterator(unknowns.len(), unknowns.iter().map(|unknown| solution.value(*unknown))))
    }
}
