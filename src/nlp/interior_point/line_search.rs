//! Filter line search with second-order corrections (Waechter and Biegler, Algorithm A, steps A-5
//! to A-9). Parameters that differ from the paper have IPOPT's values.

use super::filter::{GAMMA_PHI, GAMMA_THETA, at_most};
use super::search::{Direction, Iterate, Obstacle, Search, Values};
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
        let alpha_max = self.primal_step_length(direction);
        if self.watchdog.is_none() && self.is_tiny(direction) {
            let trial = self.moved(direction, alpha_max);
            let values = self.evaluate(&trial);
            if values.phi.is_finite() && values.theta.is_finite() {
                self.tiny_steps += 1;
                if self.tiny_steps > 1 {
                    return Err(Obstacle::LineSearch);
                }
                return self.accept(trial, values, direction, alpha_max);
            }
        }
        self.tiny_steps = 0;
        let reference =
            Reference { theta: self.values.theta, phi: self.values.phi, slope: self.slope(direction) };
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
    fn backtrack(
        &mut self,
        direction: &Direction<N, M>,
        alpha_max: f64,
        mut alpha: f64,
        reference: &Reference,
    ) -> Result<(), Obstacle> {
        let alpha_min = self.smallest_step_length(reference);
        while alpha >= alpha_min || alpha == alpha_max {
            let trial = self.moved(direction, alpha);
            let values = self.evaluate(&trial);
            if let Some(augment) = self.is_acceptable(&values, alpha, reference) {
                self.shortened_steps = if alpha < alpha_max { self.shortened_steps + 1 } else { 0 };
                return self.take(trial, values, direction, alpha, augment.then_some(reference));
            }
            let may_correct = alpha == alpha_max && values.theta.is_finite();
            if may_correct
                && values.theta >= self.values.theta
                && let Some(result) = self.second_order_correction(&trial, values, alpha, reference)
            {
                self.shortened_steps = 0;
                return result;
            }
            alpha *= 0.5;
        }
        Err(Obstacle::LineSearch)
    }

    /// Takes the full step on trust, or goes back to where the watchdog woke.
    fn full_step(
        &mut self,
        direction: &Direction<N, M>,
        alpha_max: f64,
        reference: &Reference,
        alpha: f64,
    ) -> Result<(), Obstacle> {
        let trial = self.moved(direction, alpha_max);
        let values = self.evaluate(&trial);
        if let Some(augment) = self.is_acceptable(&values, alpha, reference) {
            self.dismiss_watchdog();
            return self.take(trial, values, direction, alpha_max, augment.then_some(reference));
        }
        if self.watchdog_trusts() && values.theta.is_finite() && values.phi.is_finite() {
            return self.take(trial, values, direction, alpha_max, None);
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
        trial: Iterate<N, M>,
        values: Values<N, M>,
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
        rejected: &Iterate<N, M>,
        rejected_values: Values<N, M>,
        alpha: f64,
        reference: &Reference,
    ) -> Option<Result<(), Obstacle>> {
        let mut residuals = self.residuals(&self.iterate, &self.values.g);
        let (mut at, mut values, mut alpha_soc) = (*rejected, rejected_values, alpha);
        for _ in 0..MAX_CORRECTIONS {
            residuals = residuals * alpha_soc + self.residuals(&at, &values.g);
            let direction = self.corrected_direction(&residuals)?;
            alpha_soc = self.primal_step_length(&direction);
            let theta = values.theta;
            at = self.moved(&direction, alpha_soc);
            values = self.evaluate(&at);
            if let Some(augment) = self.is_acceptable(&values, alpha, reference) {
                return Some(self.take(at, values, &direction, alpha_soc, augment.then_some(reference)));
            }
            if !(values.theta <= KAPPA_SOC * theta) {
                return None;
            }
        }
        None
    }

    /// Whether a trial point is acceptable to the filter and in comparison with `reference`;
    /// `Some(true)` if the filter has to be augmented then.
    fn is_acceptable(&self, trial: &Values<N, M>, alpha: f64, reference: &Reference) -> Option<bool> {
        let Reference { theta, phi, slope } = *reference;
        if !(trial.theta.is_finite() && trial.phi.is_finite()) || trial.theta > self.theta_max {
            return None;
        }
        let is_descent = slope < 0.0 && alpha * (-slope).powf(S_PHI) > DELTA * theta.powf(S_THETA);
        let is_armijo = at_most(trial.phi - phi, ETA_PHI * alpha * slope, phi);
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

    fn primal_step_length(&self, direction: &Direction<N, M>) -> f64 {
        let Self { iterate, bounds, .. } = self;
        let tau = self.tau();
        let mut alpha = iterate.x.primal_step_length(&bounds.x, &direction.x, tau, 1.0);
        alpha = iterate.s.primal_step_length(&bounds.s, &direction.s, tau, alpha);
        if self.phase.is_restoration() {
            alpha = iterate.p.primal_step_length(&bounds.elastic, &direction.p, tau, alpha);
            alpha = iterate.n.primal_step_length(&bounds.elastic, &direction.n, tau, alpha);
        }
        alpha
    }

    /// The current iterate with its primal variables moved by `alpha` times the direction.
    fn moved(&self, direction: &Direction<N, M>, alpha: f64) -> Iterate<N, M> {
        let mut trial = self.iterate;
        trial.x.value += direction.x * alpha;
        trial.s.value += direction.s * alpha;
        if self.phase.is_restoration() {
            trial.p.value += direction.p * alpha;
            trial.n.value += direction.n * alpha;
        }
        trial
    }

    /// Directional derivative of the barrier function.
    fn slope(&self, direction: &Direction<N, M>) -> f64 {
        let Self { iterate, bounds, mu, .. } = self;
        let mut slope = 0.0;
        for j in 0..N {
            slope += (self.gradient[j] + iterate.x.barrier_gradient(&bounds.x, *mu, j)) * direction.x[j];
        }
        for i in 0..M {
            slope += iterate.s.barrier_gradient(&bounds.s, *mu, i) * direction.s[i];
        }
        if self.phase.is_restoration() {
            let rho = self.phase.penalty();
            for i in 0..M {
                slope += (rho + iterate.p.barrier_gradient(&bounds.elastic, *mu, i)) * direction.p[i];
                slope += (rho + iterate.n.barrier_gradient(&bounds.elastic, *mu, i)) * direction.n[i];
            }
        }
        slope
    }

    /// Whether the step would be lost in rounding errors (section 3.9).
    fn is_tiny(&self, direction: &Direction<N, M>) -> bool {
        let Self { iterate, .. } = self;
        let x = (0..N).all(|j| direction.x[j].abs() <= TINY * (1.0 + iterate.x.value[j].abs()));
        let s = || (0..M).all(|i| direction.s[i].abs() <= TINY * (1.0 + iterate.s.value[i].abs()));
        x && s() && self.violation() <= TINY_VIOLATION
    }
}
