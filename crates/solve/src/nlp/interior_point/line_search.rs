//! Filter line search with second-order corrections (Waechter and Biegler, Algorithm A, steps A-5
//! to A-9). Parameters that differ from the paper have IPOPT's values.

use nalgebra::SVector;

use super::filter::{GAMMA_PHI, GAMMA_THETA, at_most};
use super::iterate::{Direction, Intervals, Primal, Values};
use super::search::{Obstacle, Search};
use super::watchdog::{Reference, SHORTENED_STEPS, Watchdog};

/// Switching condition (eq. 19): `alpha (-slope)^s_phi > delta theta^s_theta`.
const DELTA: f64 = 1.0;
const S_PHI: f64 = 2.3;
const S_THETA: f64 = 1.1;

/// Sufficient decrease of the barrier function (eq. 20).
const ETA_PHI: f64 = 1e-8;

/// Fraction of the estimate below which a step length is given up (eq. 23).
const GAMMA_ALPHA: f64 = 0.05;

/// Second-order corrections: how many, and how much each has to reduce the violation.
const MAX_CORRECTIONS: u32 = 4;
const KAPPA_SOC: f64 = 0.99;

/// Largest growth of the barrier function in one step, in orders of magnitude.
const MAX_GROWTH: f64 = 5.0;

/// Relative size of a step that is lost in rounding errors.
const TINY: f64 = 10.0 * f64::EPSILON;
const TINY_VIOLATION: f64 = 1e-4;

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Finds an acceptable step length along `direction` and takes the step.
    #[inline(never)]
    pub fn line_search(&mut self, direction: &Direction<N, M>) -> Result<(), Obstacle> {
        let alpha_max = self.primal_step_length(&direction.primal);
        if self.watchdog.is_none() && self.is_tiny(&direction.primal) {
            let trial = self.moved(&direction.primal, alpha_max);
            let values = self.evaluate(&trial);
            if values.phi.is_finite() && values.theta.is_finite() {
                self.tiny_steps += 1;
                if self.tiny_steps > 1 {
                    return Err(Obstacle::LineSearch);
                }
                return self.accept(&trial, &values, direction, alpha_max);
            }
        }
        self.tiny_steps = 0;
        let reference = Reference {
            theta: self.values.theta,
            phi: self.values.phi,
            slope: self.slope(&direction.primal),
        };
        if self.watchdog.is_none() && self.shortened_steps >= SHORTENED_STEPS {
            self.wake_watchdog(direction, reference, alpha_max);
        }
        if let Some(Watchdog { reference, alpha, .. }) = &self.watchdog {
            let (reference, alpha) = (*reference, *alpha);
            return self.full_step(direction, alpha_max, &reference, alpha);
        }
        self.backtrack(direction, alpha_max, alpha_max, &reference)
    }

    /// Tries step lengths from `alpha` on, each half the one before.
    #[inline(never)]
    fn backtrack(
        &mut self,
        direction: &Direction<N, M>,
        alpha_max: f64,
        mut alpha: f64,
        reference: &Reference,
    ) -> Result<(), Obstacle> {
        while alpha == alpha_max || alpha >= self.smallest_step_length(reference) {
            let trial = self.moved(&direction.primal, alpha);
            let values = self.evaluate(&trial);
            if let Some(augment) = self.is_acceptable_step(&values, alpha, reference) {
                self.shortened_steps = if alpha < alpha_max { self.shortened_steps + 1 } else { 0 };
                return self.take(&trial, &values, direction, alpha, augment.then_some(reference));
            }
            let may_correct = alpha == alpha_max && values.theta.is_finite();
            if may_correct
                && values.theta >= self.values.theta
                && let Some(result) = self.second_order_correction(&values, alpha, reference)
            {
                self.shortened_steps = 0;
                return result;
            }
            alpha *= 0.5;
        }
        Err(Obstacle::LineSearch)
    }

    /// Takes the full step on trust, or goes back to where the watchdog woke.
    #[inline(never)]
    fn full_step(
        &mut self,
        direction: &Direction<N, M>,
        alpha_max: f64,
        reference: &Reference,
        alpha: f64,
    ) -> Result<(), Obstacle> {
        let trial = self.moved(&direction.primal, alpha_max);
        let values = self.evaluate(&trial);
        if let Some(augment) = self.is_acceptable_step(&values, alpha, reference) {
            self.dismiss_watchdog();
            return self.take(&trial, &values, direction, alpha_max, augment.then_some(reference));
        }
        if self.watchdog_trusts() && values.theta.is_finite() && values.phi.is_finite() {
            return self.take(&trial, &values, direction, alpha_max, None);
        }
        match self.call_back_watchdog() {
            Some(direction) => self.backtrack(&direction, alpha, 0.5 * alpha, reference),
            None => Err(Obstacle::LineSearch),
        }
    }

    /// Takes a step; unless it decreased the barrier function along a descent direction, what it
    /// was compared with enters the filter.
    fn take(
        &mut self,
        trial: &Primal<N, M>,
        values: &Values<M>,
        direction: &Direction<N, M>,
        alpha: f64,
        augment: Option<&Reference>,
    ) -> Result<(), Obstacle> {
        if let Some(reference) = augment {
            self.filter.augment(reference.theta, reference.phi);
        }
        self.accept(trial, values, direction, alpha)
    }

    /// Steps towards feasibility at the end of the rejected full step (section 2.4).
    #[inline(never)]
    fn second_order_correction(
        &mut self,
        rejected: &Values<M>,
        alpha: f64,
        reference: &Reference,
    ) -> Option<Result<(), Obstacle>> {
        let mut residuals = self.values.residuals;
        let (mut values, mut alpha_soc) = (*rejected, alpha);
        for _ in 0..MAX_CORRECTIONS {
            residuals = residuals * alpha_soc + values.residuals;
            let direction = self.corrected_direction(&residuals)?;
            alpha_soc = self.primal_step_length(&direction.primal);
            let theta = values.theta;
            let trial = self.moved(&direction.primal, alpha_soc);
            values = self.evaluate(&trial);
            if let Some(augment) = self.is_acceptable_step(&values, alpha, reference) {
                let augment = augment.then_some(reference);
                return Some(self.take(&trial, &values, &direction, alpha_soc, augment));
            }
            if values.theta.is_nan() || values.theta > KAPPA_SOC * theta {
                return None;
            }
        }
        None
    }

    /// Whether a trial point is acceptable to the filter and in comparison with `reference`;
    /// `Some(true)` if the filter has to be augmented then.
    #[inline(never)]
    fn is_acceptable_step(&self, trial: &Values<M>, alpha: f64, reference: &Reference) -> Option<bool> {
        let Reference { theta, phi, slope } = *reference;
        if !(trial.theta.is_finite() && trial.phi.is_finite()) || trial.theta > self.theta_max {
            return None;
        }
        let is_armijo = at_most(trial.phi - phi, ETA_PHI * alpha * slope, phi);
        let is_descent = slope < 0.0
            && (is_armijo || theta <= self.theta_min)
            && alpha * (-slope).powf(S_PHI) > DELTA * theta.powf(S_THETA);
        let is_better = if is_descent && theta <= self.theta_min {
            is_armijo
        } else {
            let growth = trial.phi - phi;
            let is_explosion = growth > 0.0 && growth.log10() > MAX_GROWTH + phi.abs().log10().max(1.0);
            let improves = at_most(trial.theta, (1.0 - GAMMA_THETA) * theta, theta)
                || at_most(growth, -GAMMA_PHI * theta, phi);
            improves && !is_explosion
        };
        if !is_better || !self.filter.accepts(trial.theta, trial.phi) {
            return None;
        }
        Some(!(is_descent && is_armijo))
    }

    /// Step length below which no progress is to be expected (eq. 23).
    fn smallest_step_length(&self, reference: &Reference) -> f64 {
        let Reference { theta, slope, .. } = *reference;
        let estimate = if slope < 0.0 {
            let by_phi = GAMMA_THETA.min(GAMMA_PHI * theta / -slope);
            if theta <= self.theta_min {
                by_phi.min(DELTA * theta.powf(S_THETA) / (-slope).powf(S_PHI))
            } else {
                by_phi
            }
        } else {
            GAMMA_THETA
        };
        GAMMA_ALPHA * estimate
    }

    fn primal_step_length(&self, step: &Primal<N, M>) -> f64 {
        let Self { iterate, intervals, .. } = self;
        let tau = self.tau();
        let mut alpha = iterate.x.primal_step_length(&intervals.x, &step.x, tau, 1.0);
        alpha = iterate.s.primal_step_length(&intervals.s, &step.s, tau, alpha);
        if self.phase.is_restoration() {
            alpha = iterate.p.primal_step_length(&intervals.p, &step.p, tau, alpha);
            alpha = iterate.n.primal_step_length(&intervals.n, &step.n, tau, alpha);
        }
        alpha
    }

    /// The current iterate moved by `alpha` times the step.
    #[inline(never)]
    fn moved(&self, step: &Primal<N, M>, alpha: f64) -> Primal<N, M> {
        let Self { iterate, .. } = self;
        let x = iterate.x.value + step.x * alpha;
        let s = iterate.s.value + step.s * alpha;
        let (mut p, mut n) = (SVector::zeros(), SVector::zeros());
        if self.phase.is_restoration() {
            p = iterate.p.value + step.p * alpha;
            n = iterate.n.value + step.n * alpha;
        }
        Primal { x, s, p, n }
    }

    /// Directional derivative of the barrier function.
    fn slope(&self, step: &Primal<N, M>) -> f64 {
        let Self { iterate, intervals, mu, first_order, .. } = self;
        let Intervals { x, s, p, n } = intervals;
        let mut in_x = first_order.gradient;
        iterate.x.add_barrier_gradient(x, *mu, &mut in_x);
        let mut in_s = SVector::zeros();
        iterate.s.add_barrier_gradient(s, *mu, &mut in_s);
        let mut slope = in_x.dot(&step.x) + in_s.dot(&step.s);
        if self.phase.is_restoration() {
            let mut in_p = SVector::repeat(self.phase.penalty());
            let mut in_n = in_p;
            iterate.p.add_barrier_gradient(p, *mu, &mut in_p);
            iterate.n.add_barrier_gradient(n, *mu, &mut in_n);
            slope += in_p.dot(&step.p) + in_n.dot(&step.n);
        }
        slope
    }

    /// Whether the step would be lost in rounding errors (section 3.9).
    fn is_tiny(&self, step: &Primal<N, M>) -> bool {
        let Self { iterate, first_order, .. } = self;
        let is_lost = |step: f64, value: f64| step.abs() <= TINY * (1.0 + value.abs());
        (0..N).all(|j| is_lost(step.x[j], iterate.x.value[j]))
            && (0..M).all(|i| is_lost(step.s[i], iterate.s.value[i]))
            && first_order.violation <= TINY_VIOLATION
    }
}
