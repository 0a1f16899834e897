use nalgebra::SVector;

use crate::nlp::Bounds;

/// How far an iterate stays from its bounds after rounding, relative to the bound (IPOPT's
/// `slack_move`, the machine epsilon to the power 3/4).
const SLACK_MOVE: f64 = 1.8e-12;

/// Factor `kappa_Sigma` by which the product of a multiplier and its distance may differ from `mu`
/// (Waechter and Biegler, eq. 16).
const KAPPA_SIGMA: f64 = 1e10;

/// Variables that stay strictly between bounds, with the multipliers of these bounds.
///
/// A bound that does not exist is infinite and its multiplier zero; every formula below then gives
/// zero for it by itself, since a number divided by infinity is zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounded<const K: usize> {
    /// The variables `v`.
    pub value: SVector<f64, K>,
    /// Multipliers `z_L` of the lower bounds.
    pub z_lower: SVector<f64, K>,
    /// Multipliers `z_U` of the upper bounds.
    pub z_upper: SVector<f64, K>,
}

/// Step of the multipliers of both bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct MultiplierStep<const K: usize> {
    pub lower: SVector<f64, K>,
    pub upper: SVector<f64, K>,
}

impl<const K: usize> Bounded<K> {
    /// Variables without multipliers.
    pub fn at(value: SVector<f64, K>) -> Self {
        Self { value, z_lower: SVector::zeros(), z_upper: SVector::zeros() }
    }

    /// Sets the multipliers of the bounds that exist.
    pub fn set_multipliers(&mut self, bounds: &Bounds<K>, z: f64) {
        self.z_lower = bounds.lower.map(|bound| if bound.is_finite() { z } else { 0.0 });
        self.z_upper = bounds.upper.map(|bound| if bound.is_finite() { z } else { 0.0 });
    }

    /// `Sigma = z_L/(v - l) + z_U/(u - v)`, the primal-dual Hessian of the barrier.
    pub fn sigma(&self, bounds: &Bounds<K>, i: usize) -> f64 {
        self.z_lower[i] / (self.value[i] - bounds.lower[i])
            + self.z_upper[i] / (bounds.upper[i] - self.value[i])
    }

    /// Gradient of `-mu ln(v - l) - mu ln(u - v) + damping`, see [`barrier`].
    pub fn barrier_gradient(&self, bounds: &Bounds<K>, mu: f64, i: usize) -> f64 {
        let (lower, upper) = (bounds.lower[i], bounds.upper[i]);
        mu / (upper - self.value[i]) - mu / (self.value[i] - lower) + mu * damping(lower, upper)
    }

    /// Step of the multipliers that belongs to the step `dv`:
    /// `dz = mu/(v - l) - z - z/(v - l) dv` and its mirror image (Waechter and Biegler, eq. 12).
    pub fn multiplier_step(&self, bounds: &Bounds<K>, mu: f64, dv: &SVector<f64, K>) -> MultiplierStep<K> {
        let mut step = MultiplierStep { lower: SVector::zeros(), upper: SVector::zeros() };
        for i in 0..K {
            let below = 1.0 / (self.value[i] - bounds.lower[i]);
            let above = 1.0 / (bounds.upper[i] - self.value[i]);
            step.lower[i] = (mu - self.z_lower[i] * dv[i]) * below - self.z_lower[i];
            step.upper[i] = (mu + self.z_upper[i] * dv[i]) * above - self.z_upper[i];
        }
        step
    }

    /// Largest `alpha <= most` with `v + alpha dv - l >= (1 - tau)(v - l)` and its mirror image: the
    /// fraction-to-the-boundary rule (eq. 15a).
    pub fn primal_step_length(&self, bounds: &Bounds<K>, dv: &SVector<f64, K>, tau: f64, most: f64) -> f64 {
        let mut alpha = most;
        for i in 0..K {
            if dv[i] < 0.0 {
                alpha = alpha.min(tau * (self.value[i] - bounds.lower[i]) / -dv[i]);
            } else if dv[i] > 0.0 {
                alpha = alpha.min(tau * (bounds.upper[i] - self.value[i]) / dv[i]);
            }
        }
        alpha
    }

    /// The same for the multipliers (eq. 15b).
    pub fn dual_step_length(&self, step: &MultiplierStep<K>, tau: f64, most: f64) -> f64 {
        let mut alpha = most;
        for i in 0..K {
            if step.lower[i] < 0.0 && self.z_lower[i] > 0.0 {
                alpha = alpha.min(tau * self.z_lower[i] / -step.lower[i]);
            }
            if step.upper[i] < 0.0 && self.z_upper[i] > 0.0 {
                alpha = alpha.min(tau * self.z_upper[i] / -step.upper[i]);
            }
        }
        alpha
    }

    /// Moves the multipliers along `step`, and keeps each within `kappa_Sigma` of `mu/(v - l)`.
    pub fn move_multipliers(&mut self, bounds: &Bounds<K>, step: &MultiplierStep<K>, alpha: f64, mu: f64) {
        let safeguarded = |z: f64, distance: f64| {
            let central = mu / distance;
            z.min(central * KAPPA_SIGMA).max(central / KAPPA_SIGMA)
        };
        for i in 0..K {
            self.z_lower[i] =
                safeguarded(self.z_lower[i] + alpha * step.lower[i], self.value[i] - bounds.lower[i]);
            self.z_upper[i] =
                safeguarded(self.z_upper[i] + alpha * step.upper[i], bounds.upper[i] - self.value[i]);
        }
    }

    /// Largest `|z (v - l) - mu|` over both kinds of bounds.
    pub fn complementarity(&self, bounds: &Bounds<K>, mu: f64) -> f64 {
        let mut most = 0.0f64;
        for i in 0..K {
            if bounds.lower[i].is_finite() {
                most = most.max((self.z_lower[i] * (self.value[i] - bounds.lower[i]) - mu).abs());
            }
            if bounds.upper[i].is_finite() {
                most = most.max((self.z_upper[i] * (bounds.upper[i] - self.value[i]) - mu).abs());
            }
        }
        most
    }

    /// Sum of the multipliers, which are never negative.
    pub fn multiplier_sum(&self) -> f64 {
        self.z_lower.sum() + self.z_upper.sum()
    }
}

/// Number of bounds that exist.
pub(super) fn count<const K: usize>(bounds: &Bounds<K>) -> usize {
    bounds.lower.iter().chain(bounds.upper.iter()).filter(|bound| bound.is_finite()).count()
}

/// Barrier function without the objective, divided by `mu`:
///
/// ```text
/// -sum ln(v - l) - sum ln(u - v) + kappa_d sum (v - l)   (the last over variables with l alone,
/// ```
///
/// and `u - v` over those with `u` alone; Waechter and Biegler, section 3.7). The logarithms are
/// taken of products of a few distances, since a logarithm costs as much as twenty products.
pub(super) fn barrier<const K: usize>(bounds: &Bounds<K>, value: &SVector<f64, K>) -> f64 {
    let (mut sum, mut product) = (0.0, 1.0);
    for i in 0..K {
        let (lower, upper) = (bounds.lower[i], bounds.upper[i]);
        if lower.is_finite() {
            product *= value[i] - lower;
            if !upper.is_finite() {
                sum += KAPPA_D * (value[i] - lower);
            }
        }
        if upper.is_finite() {
            product *= upper - value[i];
            if !lower.is_finite() {
                sum += KAPPA_D * (upper - value[i]);
            }
        }
        if !(1e-100..1e100).contains(&product) {
            sum -= product.ln();
            product = 1.0;
        }
    }
    sum - product.ln()
}

/// Weight `kappa_d` of the linear damping that keeps variables with one bound from running off.
const KAPPA_D: f64 = 1e-5;

/// Derivative of the damping term, divided by `mu`.
fn damping(lower: f64, upper: f64) -> f64 {
    match (lower.is_finite(), upper.is_finite()) {
        (true, false) => KAPPA_D,
        (false, true) => -KAPPA_D,
        _ => 0.0,
    }
}

/// Moves `value` inside the bounds, at least
/// `min(kappa_1 max(1, |bound|), kappa_2 (upper - lower))` away from each (section 3.6).
pub(super) fn push_inside(lower: f64, upper: f64, value: f64, kappa_1: f64, kappa_2: f64) -> f64 {
    let away = |bound: f64| (kappa_1 * bound.abs().max(1.0)).min(kappa_2 * (upper - lower));
    let low = if lower.is_finite() { lower + away(lower) } else { lower };
    let high = if upper.is_finite() { upper - away(upper) } else { upper };
    value.max(low).min(high)
}

/// Moves bounds that rounding has let a variable reach a little outwards.
pub(super) fn open_closed_bounds<const K: usize>(bounds: &mut Bounds<K>, value: &SVector<f64, K>) {
    for i in 0..K {
        let (lower, upper) = (bounds.lower[i], bounds.upper[i]);
        if value[i] - lower < f64::EPSILON * lower.abs().max(1e-4) {
            bounds.lower[i] = value[i].min(lower) - SLACK_MOVE * lower.abs().max(1.0);
        }
        if upper - value[i] < f64::EPSILON * upper.abs().max(1e-4) {
            bounds.upper[i] = value[i].max(upper) + SLACK_MOVE * upper.abs().max(1.0);
        }
    }
}
