//! Convex quadratic programs that depend on a parameter, and how their solution depends on it.
//!
//! ```text
//! J(mu) = min  x'Hx/2 + c(mu)'x + k(mu)     subject to     A x >= b(mu)
//! ```

use clarabel::{
    algebra::CscMatrix,
    solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT},
};
use nalgebra::{DMatrix, DVector};

/// Stopping tolerance of the interior-point method.
const TOLERANCE: f64 = 1e-11;
/// Violation of an optimality condition, over the size of the data, that a polished point may have.
const POLISHED: f64 = 1e-12;
/// Ratio of a multiplier and a slack up to which either may be the one that is zero.
const DOUBTFUL: f64 = 1e3;
/// Most constraints in doubt of which all cases are tried.
const MOST_DOUBTFUL: usize = 6;
/// Multipliers above this one, and slacks below it, make a constraint active.
const ACTIVE: f64 = 1e-7;

/// A program at one value of the parameter, with the derivatives of its data by the parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct QuadraticProgram {
    /// `H`, positive semidefinite.
    pub hessian: DMatrix<f64>,
    /// Added to the diagonal of `H`, so that directions in which the program is flat do not make
    /// the linear systems of the solver singular. It shifts the solution by its own size: 1e-9 to
    /// 1e-6 is small enough to be seen by nobody and large enough to help.
    pub regularisation: f64,
    /// `c`.
    pub linear: DVector<f64>,
    /// `dc/dmu`.
    pub linear_slope: DVector<f64>,
    /// `k`.
    pub constant: f64,
    /// `dk/dmu`.
    pub constant_slope: f64,
    /// `A`.
    pub rows: DMatrix<f64>,
    /// `b`.
    pub right: DVector<f64>,
    /// `db/dmu`.
    pub right_slope: DVector<f64>,
}

/// The solution of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// The minimiser.
    pub x: DVector<f64>,
    /// Multipliers of `A x >= b`, not negative.
    pub multipliers: DVector<f64>,
    /// `J`, without the regularisation.
    pub value: f64,
    /// `dJ/dmu` by the envelope theorem: the derivative of the Lagrangian by the parameter alone,
    /// `k' + c'^T x + b'^T nu`.
    pub slope: f64,
}

impl QuadraticProgram {
    /// Solves the program with Clarabel.
    ///
    /// Its answer is polished to rounding where that succeeds, which it has to where the solver itself
    /// is not content.
    ///
    /// # Errors
    /// The solver's word if it found no solution.
    pub fn solve(&self) -> Result<Solved, String> {
        let (constraints, unknowns) = self.rows.shape();
        let mut hessian = self.hessian.clone();
        for index in 0..unknowns {
            hessian[(index, index)] += self.regularisation;
        }
        // In units of its data, since the solver's tolerances are absolute.
        let size = self.linear.amax().max(self.right.amax());
        let size = if size > 0.0 { size } else { 1.0 };
        let linear = &self.linear / size;
        let negative_right: Vec<f64> = self.right.iter().map(|entry| -entry / size).collect();
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .max_iter(200)
            .tol_gap_abs(TOLERANCE)
            .tol_gap_rel(TOLERANCE)
            .tol_feas(TOLERANCE)
            .build()
            .map_err(|error| error.to_string())?;
        let mut solver = DefaultSolver::new(
            &sparse(&hessian.upper_triangle()),
            linear.as_slice(),
            &sparse(&-&self.rows),
            &negative_right,
            &[SupportedConeT::NonnegativeConeT(constraints)],
            settings,
        )
        .map_err(|error| error.to_string())?;
        solver.solve();
        let status = solver.solution.status;
        if !matches!(status, SolverStatus::Solved | SolverStatus::AlmostSolved) {
            return Err(format!("{status:?}"));
        }
        let mut x = DVector::from_column_slice(&solver.solution.x) * size;
        let mut multipliers = DVector::from_column_slice(&solver.solution.z) * size;
        // Far from content, the solver may be wrong about any of them.
        let doubt = if status == SolverStatus::AlmostSolved { f64::INFINITY } else { DOUBTFUL };
        if let Some((better_x, better_multipliers)) = self.polished(&x, &multipliers, doubt) {
            (x, multipliers) = (better_x, better_multipliers);
        } else if status == SolverStatus::AlmostSolved {
            return Err("the solver came near a solution only; try a larger regularisation".to_owned());
        }
        let value = 0.5 * x.dot(&(&self.hessian * &x)) + self.linear.dot(&x) + self.constant;
        let slope = self.constant_slope + self.linear_slope.dot(&x) + self.right_slope.dot(&multipliers);
        Ok(Solved { x, multipliers, value, slope })
    }

    /// The point that the interior-point method is near to: the constraints whose multiplier is
    /// larger than their slack hold with equality. Near a kink both are small and either may be
    /// right, so that all cases are tried of those whose ratio is up to `doubt`, the nearest to one first. `None` if none
    /// fulfils the optimality conditions.
    fn polished(
        &self,
        x: &DVector<f64>,
        multipliers: &DVector<f64>,
        doubt: f64,
    ) -> Option<(DVector<f64>, DVector<f64>)> {
        let slack = &self.rows * x - &self.right;
        let distance = |index: usize| (multipliers[index] / slack[index]).abs().ln().abs();
        let mut doubtful: Vec<usize> =
            (0..slack.len()).filter(|&index| distance(index) <= doubt.ln()).collect();
        doubtful.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        doubtful.truncate(MOST_DOUBTFUL);
        (0..1_usize << doubtful.len()).find_map(|case| {
            let is_other_way = |index| {
                doubtful.iter().position(|other| *other == index).is_some_and(|bit| case >> bit & 1 == 1)
            };
            let active =
                (0..slack.len()).filter(|&index| (multipliers[index] > slack[index]) != is_other_way(index));
            self.polished_with(&active.collect::<Vec<_>>(), &slack, x, multipliers)
        })
    }

    /// The same with the constraints `active` holding with equality and the multipliers of the others
    /// zero: the smallest correction that fulfils the optimality conditions of the program without
    /// regularisation, or `None` if it leads out of the constraints.
    fn polished_with(
        &self,
        active: &[usize],
        slack: &DVector<f64>,
        x: &DVector<f64>,
        multipliers: &DVector<f64>,
    ) -> Option<(DVector<f64>, DVector<f64>)> {
        let held =
            DVector::from_fn(
                slack.len(),
                |index, _| {
                    if active.contains(&index) { multipliers[index] } else { 0.0 }
                },
            );
        let gradient = &self.hessian * x + &self.linear - self.rows.tr_mul(&held);
        let active_slack = DVector::from_iterator(active.len(), active.iter().map(|&index| -slack[index]));
        let (step, change) = self.solve_conditions(active, &-gradient, &active_slack)?;
        let (x, mut multipliers) = (x + step, held);
        for (place, &index) in active.iter().enumerate() {
            multipliers[index] += change[place];
        }
        let gradient = &self.hessian * &x + &self.linear - self.rows.tr_mul(&multipliers);
        let slack = &self.rows * &x - &self.right;
        let size = x.amax() + self.linear.amax() + self.right.amax();
        let is_better = gradient.amax() <= POLISHED * size
            && slack.iter().chain(&multipliers).all(|entry| *entry >= -POLISHED * size);
        is_better.then_some((x, multipliers))
    }

    /// The solution of smallest norm of `H x - A_a' nu = first`, `A_a x = second`.
    fn solve_conditions(
        &self,
        active: &[usize],
        first: &DVector<f64>,
        second: &DVector<f64>,
    ) -> Option<(DVector<f64>, DVector<f64>)> {
        let unknowns = first.len();
        let order = unknowns + active.len();
        let mut matrix = DMatrix::zeros(order, order);
        let mut right = DVector::zeros(order);
        matrix.view_mut((0, 0), (unknowns, unknowns)).copy_from(&self.hessian);
        right.rows_mut(0, unknowns).copy_from(first);
        right.rows_mut(unknowns, active.len()).copy_from(second);
        for (place, &index) in active.iter().enumerate() {
            for unknown in 0..unknowns {
                matrix[(unknowns + place, unknown)] = self.rows[(index, unknown)];
                matrix[(unknown, unknowns + place)] = -self.rows[(index, unknown)];
            }
        }
        let solution = matrix.svd(true, true).solve(&right, 1e-10).ok()?;
        Some((solution.rows(0, unknowns).into_owned(), solution.rows(unknowns, active.len()).into_owned()))
    }

    /// `dx/dmu`, by implicit differentiation of the optimality conditions of the active constraints,
    ///
    /// ```text
    /// [ H  -A_a' ] [ dx  ]   [ -c' ]
    /// [ A_a   0  ] [ dnu ] = [ b'_a ],
    /// ```
    ///
    /// in the least-squares sense where the solution is not unique. `None` at a kink, where a
    /// constraint is active with a multiplier of zero and the two sides differ.
    pub fn sensitivity(&self, solved: &Solved) -> Option<DVector<f64>> {
        let slack = &self.rows * &solved.x - &self.right;
        let is_active = |index: usize| solved.multipliers[index] > ACTIVE;
        let is_kink = |index: usize| slack[index] < ACTIVE && self.right_slope[index] != 0.0;
        if (0..slack.len()).any(|index| is_kink(index) && !is_active(index)) {
            return None;
        }
        let active: Vec<usize> = (0..slack.len()).filter(|&index| is_active(index)).collect();
        let right = DVector::from_iterator(active.len(), active.iter().map(|&index| self.right_slope[index]));
        self.solve_conditions(&active, &-&self.linear_slope, &right).map(|(slope, _)| slope)
    }
}

/// A matrix without its zeros, by columns.
fn sparse(matrix: &DMatrix<f64>) -> CscMatrix<f64> {
    let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for column in matrix.column_iter() {
        for (row, value) in column.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            rows.push(row);
            values.push(*value);
        }
        starts.push(rows.len());
    }
    CscMatrix::new(matrix.nrows(), matrix.ncols(), starts, rows, values)
}
