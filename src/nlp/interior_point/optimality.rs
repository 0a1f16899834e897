use nalgebra::SVector;

use super::bounded::count;
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
    /// Gradient of the Lagrangian in `x`, without the multipliers of the bounds: `grad f + J^T y`.
    pub fn lagrangian_gradient(&self) -> SVector<f64, N> {
        let mut gradient = self.gradient;
        for (&(row, column), value) in self.program.entries.iter().zip(&self.workspace.jacobian) {
            gradient[column] += value * self.iterate.y[row];
        }
        gradient
    }

    /// Largest constraint residual.
    pub fn violation(&self) -> f64 {
        self.residuals(&self.iterate, &self.values.g).amax()
    }

    /// Largest violation of the (relaxed) bounds of the constraints themselves, without slacks.
    fn constraint_violation(&self, scaling: &SVector<f64, M>) -> f64 {
        let (g, bounds, target) = (&self.values.g, &self.bounds.s, &self.iterate.s.value);
        (0..M).fold(0.0, |most: f64, i| {
            let violation = if self.is_equality[i] {
                (g[i] - target[i]).abs()
            } else {
                (bounds.lower[i] - g[i]).max(g[i] - bounds.upper[i])
            };
            most.max(violation / scaling[i])
        })
    }

    /// The error `E_0`, where the violation is that of the constraints without slacks.
    pub fn program_error(&self) -> OptimalityError {
        OptimalityError { violation: self.constraint_violation(&SVector::repeat(1.0)), ..self.error(0.0) }
    }

    /// The error `E_mu` at the current iterate.
    #[inline(never)]
    pub fn error(&self, mu: f64) -> OptimalityError {
        let Self { iterate, bounds, .. } = self;
        let mut stationarity = (self.lagrangian_gradient() - iterate.x.z_lower + iterate.x.z_upper).amax();
        for i in 0..M {
            if !self.is_equality[i] {
                let slack = -iterate.y[i] - iterate.s.z_lower[i] + iterate.s.z_upper[i];
                stationarity = stationarity.max(slack.abs());
            }
        }
        let mut complementarity =
            iterate.x.complementarity(&bounds.x, mu).max(iterate.s.complementarity(&bounds.s, mu));
        let mut z_sum = iterate.x.multiplier_sum() + iterate.s.multiplier_sum();
        let mut z_count = count(&bounds.x) + count(&bounds.s);
        if self.phase.is_restoration() {
            let rho = self.phase.penalty();
            for i in 0..M {
                let p = rho - iterate.y[i] - iterate.p.z_lower[i];
                let n = rho + iterate.y[i] - iterate.n.z_lower[i];
                stationarity = stationarity.max(p.abs()).max(n.abs());
            }
            for elastic in [&iterate.p, &iterate.n] {
                complementarity = complementarity.max(elastic.complementarity(&bounds.elastic, mu));
                z_sum += elastic.multiplier_sum();
            }
            z_count += 2 * M;
        }
        let scale = |sum: f64, count: usize| (sum / count.max(1) as f64).max(S_MAX) / S_MAX;
        OptimalityError {
            stationarity,
            violation: self.violation(),
            complementarity,
            dual_scale: scale(z_sum + iterate.y.lp_norm(1), z_count + M),
            complementarity_scale: scale(z_sum, z_count),
        }
    }

    /// How the run ends at the current iterate, if it does.
    #[inline(never)]
    pub fn finished(&mut self) -> Option<SolveStatus> {
        if self.phase.is_restoration() {
            return self.restoration_finished();
        }
        let error = self.program_error();
        let scaling = &self.program.scaling;
        let unscaled_violation = self.constraint_violation(&scaling.constraints);
        let is_good = error.stationarity / scaling.objective <= UNSCALED_STATIONARITY
            && unscaled_violation <= UNSCALED_VIOLATION
            && error.complementarity / scaling.objective <= UNSCALED_COMPLEMENTARITY;
        if error.max() <= self.options.tolerance && is_good {
            return Some(SolveStatus::Solved);
        }
        let is_acceptable = error.max() <= self.options.acceptable_tolerance && is_good;
        self.acceptable_iterations = if is_acceptable { self.acceptable_iterations + 1 } else { 0 };
        if self.acceptable_iterations >= ACCEPTABLE_ITERATIONS {
            return Some(SolveStatus::SolvedToAcceptableLevel);
        }
        (self.iterate.x.value.amax() > DIVERGING).then_some(SolveStatus::Diverging)
    }
}
