use nalgebra::SVector;

use super::iterate::{Intervals, Iterate};
use super::search::Search;
use crate::nlp::SolveStatus;

/// Mean multiplier above which the error is scaled down.
const S_MAX: f64 = 100.0;

/// Tolerances on the error of the program as it was written, without scaling (IPOPT's
/// `dual_inf_tol`, `constr_viol_tol` and `compl_inf_tol`).
const UNSCALED_STATIONARITY: f64 = 1.0;
const UNSCALED_VIOLATION: f64 = 1e-4;
const UNSCALED_COMPLEMENTARITY: f64 = 1e-4;

/// Number of successive acceptable iterates that end a run.
const ACCEPTABLE_ITERATIONS: u32 = 15;

/// Size of a variable beyond which the program counts as unbounded.
const DIVERGING: f64 = 1e20;

/// Optimality error of the barrier problem (Waechter and Biegler, eq. 5), in its three parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct OptimalityError {
    /// `|grad f + J^T y - z|_inf`, and the same for slacks.
    pub stationarity: f64,
    /// `|c|_inf`.
    pub violation: f64,
    /// `|Z (v - l) - mu e|_inf`.
    pub complementarity: f64,
    /// Scales `s_d` and `s_c` (eq. 6).
    pub dual_scale: f64,
    pub complementarity_scale: f64,
}

impl OptimalityError {
    /// `E_mu`.
    pub fn max(&self) -> f64 {
        let stationarity = self.stationarity / self.dual_scale;
        let complementarity = self.complementarity / self.complementarity_scale;
        if stationarity.is_nan() || self.violation.is_nan() || complementarity.is_nan() {
            return f64::INFINITY;
        }
        stationarity.max(self.violation).max(complementarity)
    }
}

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Brings up to date what the optimality conditions need, from the derivatives at hand.
    #[inline(never)]
    pub fn refresh_first_order(&mut self) {
        let Self { iterate, intervals, workspace, first_order, .. } = self;
        let Iterate { x, s, p, n, y } = &*iterate;
        let Intervals { x: x_interval, s: s_interval, p: p_interval, n: n_interval } = &*intervals;
        let mut lagrangian = first_order.gradient;
        for (&(row, column), value) in self.program.entries.iter().zip(&workspace.jacobian) {
            lagrangian[column] += value * y[row];
        }
        first_order.lagrangian = lagrangian;

        let mut in_x = lagrangian;
        x.subtract_multipliers(x_interval, &mut in_x);
        let mut in_s = SVector::from_fn(|i, _| if self.is_equality[i] { 0.0 } else { -y[i] });
        s.subtract_multipliers(s_interval, &mut in_s);
        let mut stationarity = largest(&in_x).max(largest(&in_s));
        let mut z_sum = x.multiplier_sum(x_interval) + s.multiplier_sum(s_interval);
        let mut z_count = x_interval.count() + s_interval.count();
        if self.phase.is_restoration() {
            let rho = self.phase.penalty();
            let mut in_p = y.map(|y| rho - y);
            let mut in_n = y.map(|y| rho + y);
            p.subtract_multipliers(p_interval, &mut in_p);
            n.subtract_multipliers(n_interval, &mut in_n);
            stationarity = stationarity.max(largest(&in_p)).max(largest(&in_n));
            z_sum += p.multiplier_sum(p_interval) + n.multiplier_sum(n_interval);
            z_count += 2 * M;
        }
        let scale = |sum: f64, count: usize| {
            if sum <= S_MAX * count as f64 { 1.0 } else { sum / (S_MAX * count.max(1) as f64) }
        };
        // a sum, unlike a maximum, lets no "not a number" get lost
        let is_number = !(in_x.sum() + in_s.sum()).is_nan();
        first_order.stationarity = if is_number { stationarity } else { f64::NAN };
        first_order.violation = largest(&self.values.residuals);
        first_order.dual_scale = scale(z_sum + y.lp_norm(1), z_count + M);
        first_order.complementarity_scale = scale(z_sum, z_count);
    }

    /// Largest violation of the (relaxed) bounds of the constraints themselves, without slacks,
    /// each divided by its scale.
    #[inline(never)]
    fn constraint_violation(&self, scale: &SVector<f64, M>) -> f64 {
        let g = &self.values.g;
        let mut most = 0.0f64;
        for i in 0..M {
            if self.is_equality[i] {
                most = most.max(self.values.residuals[i].abs() / scale[i]);
            }
        }
        let Intervals { s, .. } = &self.intervals;
        most.max(s.lower.violation(g, scale)).max(s.upper.violation(g, scale))
    }

    /// The error `E_0`, where the violation is that of the constraints without slacks.
    pub fn program_error(&self) -> OptimalityError {
        OptimalityError { violation: self.constraint_violation(&SVector::repeat(1.0)), ..self.error(0.0) }
    }

    /// The error `E_mu` at the current iterate.
    #[inline(never)]
    pub fn error(&self, mu: f64) -> OptimalityError {
        let Self { iterate, intervals, first_order, .. } = self;
        let mut complementarity =
            iterate.x.complementarity(&intervals.x, mu).max(iterate.s.complementarity(&intervals.s, mu));
        if self.phase.is_restoration() {
            complementarity = complementarity
                .max(iterate.p.complementarity(&intervals.p, mu))
                .max(iterate.n.complementarity(&intervals.n, mu));
        }
        OptimalityError {
            stationarity: first_order.stationarity,
            violation: first_order.violation,
            complementarity,
            dual_scale: first_order.dual_scale,
            complementarity_scale: first_order.complementarity_scale,
        }
    }

    /// How the run ends at the current iterate, if it does.
    #[inline(never)]
    pub fn finished(&mut self) -> Option<SolveStatus> {
        if self.phase.is_restoration() {
            return self.restoration_finished();
        }
        // Never the sharper of the two, however loose the tolerance was chosen.
        let acceptable = self.options.acceptable_tolerance.max(self.options.tolerance);
        // the cheap parts first: most iterates are far from the end
        let far = self.first_order.stationarity > acceptable * self.first_order.dual_scale;
        if far || !self.is_acceptable(acceptable) {
            self.acceptable_iterations = 0;
        } else {
            if self.is_acceptable(self.options.tolerance) {
                return Some(SolveStatus::Solved);
            }
            self.acceptable_iterations += 1;
            if self.acceptable_iterations >= ACCEPTABLE_ITERATIONS {
                return Some(SolveStatus::SolvedToAcceptableLevel);
            }
        }
        (largest(&self.iterate.x.value) > DIVERGING).then_some(SolveStatus::Diverging)
    }

    /// Whether the error is at most `tolerance`, and that of the program as written tolerable.
    fn is_acceptable(&self, tolerance: f64) -> bool {
        let error = self.program_error();
        let scaling = &self.program.scaling;
        error.max() <= tolerance
            && error.stationarity <= UNSCALED_STATIONARITY * scaling.objective
            && error.complementarity <= UNSCALED_COMPLEMENTARITY * scaling.objective
            && self.constraint_violation(&scaling.constraints) <= UNSCALED_VIOLATION
    }
}

/// Largest modulus.
pub(super) fn largest<const K: usize>(vector: &SVector<f64, K>) -> f64 {
    vector.iter().fold(0.0, |most, entry| most.max(entry.abs()))
}
