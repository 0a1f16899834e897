//! Feasibility restoration (Waechter and Biegler, section 3.3): when the line search cannot go on,
//! the same method minimises the constraint violation instead,
//!
//! ```text
//! min  rho |p + n|_1 + eta/2 |D_R (x - x_R)|^2   subject to   g(x) - s - p + n = 0,  p, n >= 0,
//! ```
//!
//! with `eta = sqrt(mu)` and `x_R` the point it starts from, until it is at a point that the filter
//! of the outer method accepts.

use nalgebra::SVector;

use super::bounded::Bounded;
use super::filter::{Filter, GAMMA_PHI, GAMMA_THETA, at_most};
use super::inertia::InertiaCorrection;
use super::scaling::Scaled;
use super::search::{Iterate, Search, Values};
use crate::nlp::SolveStatus;

/// Weight of the violation.
const RHO: f64 = 1000.0;

/// The violation has to come down by this factor.
const KAPPA_RESTORATION: f64 = 0.9;

/// Multipliers of bounds above this are reset to one after the restoration.
const LARGEST_MULTIPLIER: f64 = 1000.0;

/// What a [`Search`] minimises.
pub(super) enum Phase<'a, const N: usize, const M: usize> {
    /// The objective of the program.
    Optimality,
    /// The violation of the constraints.
    Restoration(Reference<'a, N>),
}

/// Where the restoration started.
pub(super) struct Reference<'a, const N: usize> {
    x: SVector<f64, N>,
    /// Diagonal of `D_R^2`: `min(1, 1/|x_R|)^2`.
    weights: SVector<f64, N>,
    filter: &'a Filter,
    mu: f64,
    theta: f64,
    phi: f64,
    first_iteration: u32,
}

impl<const N: usize, const M: usize> Phase<'_, N, M> {
    pub fn is_restoration(&self) -> bool {
        matches!(self, Self::Restoration(_))
    }

    /// Weight `rho` of the elastic variables.
    pub fn penalty(&self) -> f64 {
        RHO
    }

    /// Factor of the program's objective in the Lagrangian.
    pub fn objective_weight(&self) -> f64 {
        if self.is_restoration() { 0.0 } else { 1.0 }
    }

    /// Objective without the elastic penalty.
    pub fn objective(&self, program_objective: f64, x: &SVector<f64, N>, mu: f64) -> f64 {
        match self {
            Self::Optimality => program_objective,
            Self::Restoration(reference) => {
                let d = x - reference.x;
                0.5 * mu.sqrt() * d.component_mul(&d).dot(&reference.weights)
            }
        }
    }

    /// Its gradient.
    pub fn gradient(&self, program: &Scaled<'_, N, M>, x: &SVector<f64, N>, mu: f64) -> SVector<f64, N> {
        match self {
            Self::Optimality => program.gradient(x),
            Self::Restoration(reference) => (x - reference.x).component_mul(&reference.weights) * mu.sqrt(),
        }
    }

    /// Diagonal of its Hessian beyond the program's.
    pub fn hessian_diagonal(&self, j: usize, mu: f64) -> f64 {
        match self {
            Self::Optimality => 0.0,
            Self::Restoration(reference) => mu.sqrt() * reference.weights[j],
        }
    }
}

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Looks for a point that the filter accepts, and makes it the iterate.
    #[inline(never)]
    pub fn restore(&mut self) -> SolveStatus {
        let Some(spare_filter) = self.spare_filter.as_deref_mut() else {
            return SolveStatus::RestorationFailed;
        };
        self.filter.augment(self.values.theta, self.values.phi);
        spare_filter.reset();
        let residuals = self.values.g - self.iterate.s.value;
        let mu = self.mu.max(residuals.amax());
        let reference = Reference {
            x: self.iterate.x.value,
            weights: self.iterate.x.value.map(|x| (1.0 / x.abs()).min(1.0).powi(2)),
            filter: &*self.filter,
            mu: self.mu,
            theta: self.values.theta,
            phi: self.values.phi,
            first_iteration: self.iterations,
        };
        let mut inner = Search {
            program: self.program,
            options: self.options,
            workspace: &mut *self.workspace,
            filter: spare_filter,
            spare_filter: None,
            phase: Phase::Restoration(reference),
            is_equality: self.is_equality,
            bounds: self.bounds,
            iterate: elastic_start(&self.iterate, &residuals, mu),
            values: self.values,
            gradient: self.gradient,
            correction: InertiaCorrection::default(),
            mu,
            theta_max: 0.0,
            theta_min: 0.0,
            iterations: self.iterations,
            tiny_steps: 0,
            acceptable_iterations: 0,
            shortened_steps: 0,
            watchdog: None,
        };
        let status = match inner.begin() {
            Ok(()) => inner.run(),
            Err(_) => SolveStatus::EvaluationError,
        };
        let (end, iterations) = (inner.iterate, inner.iterations);
        self.bounds = inner.bounds;
        self.iterations = iterations;
        if status != SolveStatus::Solved && status != SolveStatus::Infeasible {
            return if self.refresh().is_ok() { status } else { SolveStatus::EvaluationError };
        }
        self.resume_from(&end);
        if self.refresh().is_err() { SolveStatus::EvaluationError } else { status }
    }

    /// Takes over the primal variables of the restoration; the multipliers of bounds follow the
    /// displacement as they would follow a Newton step, those of constraints start anew.
    fn resume_from(&mut self, end: &Iterate<N, M>) {
        let (dx, ds) = (end.x.value - self.iterate.x.value, end.s.value - self.iterate.s.value);
        let z_x = self.iterate.x.multiplier_step(&self.bounds.x, self.mu, &dx);
        let z_s = self.iterate.s.multiplier_step(&self.bounds.s, self.mu, &ds);
        let tau = self.tau();
        let alpha = self.iterate.x.dual_step_length(&z_x, tau, 1.0);
        let alpha = self.iterate.s.dual_step_length(&z_s, tau, alpha);
        self.iterate.x.value = end.x.value;
        self.iterate.s.value = end.s.value;
        self.iterate.x.move_multipliers(&self.bounds.x, &z_x, alpha, self.mu);
        self.iterate.s.move_multipliers(&self.bounds.s, &z_s, alpha, self.mu);
        let Iterate { x, s, .. } = &self.iterate;
        let largest = [x.z_lower.amax(), x.z_upper.amax(), s.z_lower.amax(), s.z_upper.amax()];
        if largest.into_iter().fold(0.0, f64::max) > LARGEST_MULTIPLIER {
            self.iterate.x.set_multipliers(&self.bounds.x, 1.0);
            self.iterate.s.set_multipliers(&self.bounds.s, 1.0);
        }
        self.iterate.y.fill(0.0);
        self.tiny_steps = 0;
        self.dismiss_watchdog();
    }

    /// How the restoration ends at the current iterate, if it does.
    pub fn restoration_finished(&self) -> Option<SolveStatus> {
        let Phase::Restoration(reference) = &self.phase else { return None };
        if self.iterations == reference.first_iteration {
            return None;
        }
        let residuals = self.values.g - self.iterate.s.value;
        let theta = residuals.lp_norm(1);
        let phi = self.outer_barrier_function(&self.values, reference.mu);
        let is_better = at_most(theta, (1.0 - GAMMA_THETA) * reference.theta, reference.theta)
            || at_most(phi - reference.phi, -GAMMA_PHI * reference.theta, reference.phi);
        if theta <= KAPPA_RESTORATION * reference.theta
            && phi.is_finite()
            && is_better
            && reference.filter.accepts(theta, phi)
        {
            return Some(SolveStatus::Solved);
        }
        if self.error(0.0).max() <= self.options.tolerance {
            let is_infeasible = residuals.amax() > self.options.acceptable_tolerance;
            return Some(if is_infeasible {
                SolveStatus::Infeasible
            } else {
                SolveStatus::RestorationFailed
            });
        }
        None
    }

    /// Barrier function of the program itself, whatever the phase.
    fn outer_barrier_function(&self, values: &Values<N, M>, mu: f64) -> f64 {
        let Self { iterate, bounds, .. } = self;
        let logarithms = super::bounded::barrier(&bounds.x, &iterate.x.value)
            + super::bounded::barrier(&bounds.s, &iterate.s.value);
        values.program_objective + mu * logarithms
    }
}

/// First iterate of the restoration: the elastic variables that minimise its barrier function for
/// the residuals at hand (eq. 33), and multipliers of at most `rho`.
fn elastic_start<const N: usize, const M: usize>(
    outer: &Iterate<N, M>,
    residuals: &SVector<f64, M>,
    mu: f64,
) -> Iterate<N, M> {
    let n = residuals.map(|c| {
        let half = (mu - RHO * c) / (2.0 * RHO);
        half + (half * half + mu * c / (2.0 * RHO)).sqrt()
    });
    let p = residuals + n;
    let capped = |bounded: &Bounded<N>| Bounded {
        value: bounded.value,
        z_lower: bounded.z_lower.map(|z| z.min(RHO)),
        z_upper: bounded.z_upper.map(|z| z.min(RHO)),
    };
    let capped_slacks = Bounded {
        value: outer.s.value,
        z_lower: outer.s.z_lower.map(|z| z.min(RHO)),
        z_upper: outer.s.z_upper.map(|z| z.min(RHO)),
    };
    let elastic =
        |value: SVector<f64, M>| Bounded { value, z_lower: value.map(|v| mu / v), z_upper: SVector::zeros() };
    Iterate { x: capped(&outer.x), s: capped_slacks, p: elastic(p), n: elastic(n), y: SVector::zeros() }
}
