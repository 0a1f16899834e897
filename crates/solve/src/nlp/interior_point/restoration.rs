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

use super::bounded::{Bounded, Interval};
use super::filter::{GAMMA_PHI, GAMMA_THETA, at_most};
use super::inertia::InertiaCorrection;
use super::iterate::{Intervals, Iterate, Primal};
use super::optimality::largest;
use super::phase::{Phase, RHO, Reference};
use super::search::Search;
use crate::nlp::{Bounds, SolveStatus};

/// The largest violation has to come down by this factor.
const KAPPA_RESTORATION: f64 = 0.9;

/// Multipliers of bounds above this are reset to one after the restoration.
const LARGEST_MULTIPLIER: f64 = 1000.0;

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Looks for a point that the filter accepts, and makes it the iterate.
    #[inline(never)]
    pub fn restore(&mut self) -> SolveStatus {
        let Some(spare_filter) = self.spare_filter.as_deref_mut() else {
            return SolveStatus::RestorationFailed;
        };
        self.filter.augment(self.values.theta, self.values.phi);
        let reference = Reference {
            x: self.iterate.x.value,
            weights: self.iterate.x.value.map(|x| (1.0 / x.abs()).min(1.0).powi(2)),
            filter: &*self.filter,
            mu: self.mu,
            theta: self.values.theta,
            phi: self.values.phi,
            violation: self.first_order.violation,
            first_iteration: self.iterations,
        };
        let mu = self.mu.max(largest(&self.values.residuals));
        let elastic = Interval::new(&Bounds::non_negative());
        let mut intervals = Intervals { p: elastic, n: elastic, ..self.intervals };
        let iterate = elastic_start(&self.iterate, &mut intervals, &self.values.residuals, mu);
        let mut inner = Search {
            program: self.program,
            options: self.options,
            workspace: &mut *self.workspace,
            filter: spare_filter,
            spare_filter: None,
            phase: Phase::Restoration(reference),
            is_equality: self.is_equality,
            intervals,
            iterate,
            values: self.values,
            first_order: self.first_order,
            correction: InertiaCorrection::default(),
            mu,
            theta_max: 0.0,
            theta_min: 0.0,
            iterations: self.iterations,
            max_iterations: self.max_iterations,
            tiny_steps: 0,
            acceptable_iterations: 0,
            shortened_steps: 0,
            watchdog: None,
        };
        let status = match inner.begin() {
            Ok(()) => inner.run(),
            Err(_) => SolveStatus::EvaluationError,
        };
        let (end, intervals) = (inner.iterate.primal(), inner.intervals);
        self.iterations = inner.iterations;
        if status == SolveStatus::Solved || status == SolveStatus::Infeasible {
            self.intervals.x = intervals.x;
            self.intervals.s = intervals.s;
            self.resume_from(&end);
        }
        if self.refresh().is_err() { SolveStatus::EvaluationError } else { status }
    }

    /// Takes over the primal variables of the restoration; the multipliers of bounds follow the
    /// displacement as they would follow a Newton step, those of constraints start anew.
    fn resume_from(&mut self, end: &Primal<N, M>) {
        let start = self.iterate.primal();
        let displacement =
            Primal { x: end.x - start.x, s: end.s - start.s, p: SVector::zeros(), n: SVector::zeros() };
        self.advance(end, &displacement);
        let Iterate { x, s, .. } = &mut self.iterate;
        let largest = x.largest_multiplier(&self.intervals.x).max(s.largest_multiplier(&self.intervals.s));
        if largest > LARGEST_MULTIPLIER {
            x.set_multipliers(1.0);
            s.set_multipliers(1.0);
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
        let phi = self.outer_barrier_function(reference.mu);
        let is_better = at_most(theta, (1.0 - GAMMA_THETA) * reference.theta, reference.theta)
            || at_most(phi - reference.phi, -GAMMA_PHI * reference.theta, reference.phi);
        let target = (KAPPA_RESTORATION * reference.violation).max(self.options.tolerance);
        if largest(&residuals) <= target
            && phi.is_finite()
            && is_better
            && reference.filter.accepts(theta, phi)
        {
            return Some(SolveStatus::Solved);
        }
        if self.error(0.0).max() <= self.options.tolerance {
            let is_infeasible = largest(&residuals) > self.options.acceptable_tolerance;
            return Some(if is_infeasible {
                SolveStatus::Infeasible
            } else {
                SolveStatus::RestorationFailed
            });
        }
        None
    }

    /// Barrier function of the program itself, whatever the phase.
    fn outer_barrier_function(&self, mu: f64) -> f64 {
        let Self { iterate, intervals, values, .. } = self;
        let mut product = 1.0;
        let barrier = intervals.x.barrier(&iterate.x.value, &mut product)
            + intervals.s.barrier(&iterate.s.value, &mut product);
        values.program_objective + mu * (barrier - product.ln())
    }
}

/// First iterate of the restoration: the elastic variables that minimise its barrier function for
/// the residuals at hand (eq. 33), and multipliers of at most `rho`.
fn elastic_start<const N: usize, const M: usize>(
    outer: &Iterate<N, M>,
    intervals: &mut Intervals<N, M>,
    residuals: &SVector<f64, M>,
    mu: f64,
) -> Iterate<N, M> {
    let n = residuals.map(|c| {
        let half = (mu - RHO * c) / (2.0 * RHO);
        half + (half * half + mu * c / (2.0 * RHO)).sqrt()
    });
    let p = residuals + n;
    let none = SVector::zeros();
    let mut start = Iterate {
        p: Bounded::new(&mut intervals.p, p, 0.0),
        n: Bounded::new(&mut intervals.n, n, 0.0),
        y: SVector::zeros(),
        ..*outer
    };
    start.p.set_multipliers_from(&intervals.p, &p.map(|p| mu / p), &none, 0.0);
    start.n.set_multipliers_from(&intervals.n, &n.map(|n| mu / n), &none, 0.0);
    start.x.cap_multipliers(RHO);
    start.s.cap_multipliers(RHO);
    start
}
