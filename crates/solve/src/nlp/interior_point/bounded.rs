//! Variables between bounds, the multipliers of these bounds, and the logarithmic barrier.
//!
//! Lower and upper bounds are treated alike: `distance = sign (v - bound)` with sign 1 or -1. Only
//! bounds that exist are stored, without gaps, since most variables have one or none.

use nalgebra::SVector;

use crate::nlp::Bounds;

/// How far bounds are moved that rounding has let a variable reach, relative to the bound (IPOPT's
/// `slack_move`, the machine epsilon to the power 3/4).
const SLACK_MOVE: f64 = 1.8e-12;

/// Factor `kappa_Sigma` by which the product of a multiplier and its distance may differ from `mu`
/// (Waechter and Biegler, eq. 16).
const KAPPA_SIGMA: f64 = 1e10;

/// Weight `kappa_d` of the linear damping that keeps variables with one bound from running off
/// (section 3.7).
const KAPPA_D: f64 = 1e-5;

/// The lower bounds, or the upper ones, of `K` variables.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides<const K: usize> {
    sign: f64,
    len: usize,
    variable: [usize; K],
    bound: [f64; K],
    /// `kappa_d` for a variable without a bound on the other side, else 0.
    damping: [f64; K],
}

/// Multipliers of the bounds of one side, and the distances of the variables from them.
#[derive(Debug, Clone, Copy)]
pub(super) struct SideState<const K: usize> {
    pub z: [f64; K],
    distance: [f64; K],
    inverse_distance: [f64; K],
}

/// Both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval<const K: usize> {
    pub lower: Sides<K>,
    pub upper: Sides<K>,
}

/// Variables `v` strictly inside an [`Interval`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounded<const K: usize> {
    pub value: SVector<f64, K>,
    pub lower: SideState<K>,
    pub upper: SideState<K>,
}

impl<const K: usize> Sides<K> {
    fn new(sign: f64, bounds: &SVector<f64, K>, others: &SVector<f64, K>) -> Self {
        let mut sides = Self { sign, len: 0, variable: [0; K], bound: [0.0; K], damping: [0.0; K] };
        for i in 0..K {
            if bounds[i].is_finite() {
                sides.variable[sides.len] = i;
                sides.bound[sides.len] = bounds[i];
                sides.damping[sides.len] = if others[i].is_finite() { 0.0 } else { KAPPA_D };
                sides.len += 1;
            }
        }
        sides
    }

    fn distance(&self, k: usize, value: &SVector<f64, K>) -> f64 {
        self.sign * (value[self.variable[k]] - self.bound[k])
    }

    /// Largest violation of a bound by `value`; negative inside.
    pub fn violation(&self, value: &SVector<f64, K>, scale: &SVector<f64, K>) -> f64 {
        (0..self.len)
            .fold(f64::NEG_INFINITY, |most, k| most.max(-self.distance(k, value) / scale[self.variable[k]]))
    }

    /// Measures the distances of `value`, and moves bounds outwards that it has reached.
    fn measure(&mut self, state: &mut SideState<K>, value: &SVector<f64, K>) {
        for k in 0..self.len {
            let mut distance = self.distance(k, value);
            if distance < f64::EPSILON * self.bound[k].abs().max(1e-4) {
                let size = self.bound[k].abs().max(1.0);
                self.bound[k] -= self.sign * (SLACK_MOVE * size - distance.min(0.0));
                distance = self.distance(k, value);
            }
            state.distance[k] = distance;
            state.inverse_distance[k] = 1.0 / distance;
        }
    }
}

impl<const K: usize> SideState<K> {
    const NONE: Self = Self { z: [0.0; K], distance: [0.0; K], inverse_distance: [0.0; K] };

    /// Step of multiplier `k` that belongs to the step `dv` of the variables:
    /// `dz = mu/d - z - z/d sign dv` (Waechter and Biegler, eq. 12).
    fn z_step(&self, sides: &Sides<K>, k: usize, mu: f64, dv: &SVector<f64, K>) -> f64 {
        (mu - self.z[k] * sides.sign * dv[sides.variable[k]]) * self.inverse_distance[k] - self.z[k]
    }

    /// Adds to `target` the multipliers with the signs of the stationarity condition.
    fn subtract_multipliers(&self, sides: &Sides<K>, target: &mut SVector<f64, K>) {
        for k in 0..sides.len {
            target[sides.variable[k]] -= sides.sign * self.z[k];
        }
    }
}

impl<const K: usize> Interval<K> {
    pub fn new(bounds: &Bounds<K>) -> Self {
        Self {
            lower: Sides::new(1.0, &bounds.lower, &bounds.upper),
            upper: Sides::new(-1.0, &bounds.upper, &bounds.lower),
        }
    }

    /// Number of bounds that exist.
    pub fn count(&self) -> usize {
        self.lower.len + self.upper.len
    }

    /// Barrier of `value`: multiplies `product` by the distances, whose logarithm the caller takes,
    /// and returns the sum of what has to be added to `-ln product`. Logarithms are taken of
    /// products because one costs as much as twenty multiplications.
    #[inline(never)]
    pub fn barrier(&self, value: &SVector<f64, K>, product: &mut f64) -> f64 {
        let mut sum = 0.0;
        for sides in [&self.lower, &self.upper] {
            for k in 0..sides.len {
                let distance = sides.distance(k, value);
                sum += sides.damping[k] * distance;
                *product *= distance.max(0.0); // infinite barrier outside
                if !(1e-100..1e100).contains(product) {
                    sum -= product.ln();
                    *product = 1.0;
                }
            }
        }
        sum
    }

    /// `value`, at least `min(kappa_1 max(1, |bound|), kappa_2 (upper - lower))` inside each bound
    /// (section 3.6).
    #[inline(never)]
    pub fn push_inside(bounds: &Bounds<K>, value: &SVector<f64, K>, kappa: f64) -> SVector<f64, K> {
        SVector::from_fn(|i, _| {
            let (lower, upper) = (bounds.lower[i], bounds.upper[i]);
            let away = |bound: f64| (kappa * bound.abs().max(1.0)).min(kappa * (upper - lower));
            let low = if lower.is_finite() { lower + away(lower) } else { lower };
            let high = if upper.is_finite() { upper - away(upper) } else { upper };
            value[i].max(low).min(high)
        })
    }
}

impl<const K: usize> Bounded<K> {
    /// Variables inside their bounds, with the same multiplier for each of these.
    #[inline(never)]
    pub fn new(interval: &mut Interval<K>, value: SVector<f64, K>, z: f64) -> Self {
        let mut this = Self { value, lower: SideState::NONE, upper: SideState::NONE };
        this.set_multipliers(z);
        this.measure(interval);
        this
    }

    pub fn set_multipliers(&mut self, z: f64) {
        self.lower.z = [z; K];
        self.upper.z = [z; K];
    }

    /// Sets the multipliers from dense vectors, at least `smallest`.
    #[inline(never)]
    pub fn set_multipliers_from(
        &mut self,
        interval: &Interval<K>,
        lower: &SVector<f64, K>,
        upper: &SVector<f64, K>,
        smallest: f64,
    ) {
        for k in 0..interval.lower.len {
            self.lower.z[k] = lower[interval.lower.variable[k]].max(smallest);
        }
        for k in 0..interval.upper.len {
            self.upper.z[k] = upper[interval.upper.variable[k]].max(smallest);
        }
    }

    /// No multiplier above `most`.
    pub fn cap_multipliers(&mut self, most: f64) {
        self.lower.z = self.lower.z.map(|z| z.min(most));
        self.upper.z = self.upper.z.map(|z| z.min(most));
    }

    pub fn largest_multiplier(&self, interval: &Interval<K>) -> f64 {
        self.pairs(interval).iter().fold(0.0, |most, (sides, state)| {
            state.z[..sides.len].iter().fold(most, |most: f64, z| most.max(*z))
        })
    }

    /// Multipliers as dense vectors of lower and upper bounds.
    pub fn dense_multipliers(&self, interval: &Interval<K>) -> (SVector<f64, K>, SVector<f64, K>) {
        let (mut lower, mut upper) = (SVector::zeros(), SVector::zeros());
        for k in 0..interval.lower.len {
            lower[interval.lower.variable[k]] = self.lower.z[k];
        }
        for k in 0..interval.upper.len {
            upper[interval.upper.variable[k]] = self.upper.z[k];
        }
        (lower, upper)
    }

    fn pairs<'a>(&'a self, interval: &'a Interval<K>) -> [(&'a Sides<K>, &'a SideState<K>); 2] {
        [(&interval.lower, &self.lower), (&interval.upper, &self.upper)]
    }

    /// Adds `Sigma = z/distance`, the primal-dual Hessian of the barrier, to a diagonal.
    pub fn add_sigma(&self, interval: &Interval<K>, diagonal: &mut SVector<f64, K>) {
        for (sides, state) in self.pairs(interval) {
            for k in 0..sides.len {
                diagonal[sides.variable[k]] += state.z[k] * state.inverse_distance[k];
            }
        }
    }

    /// Adds the gradient of `-mu ln distance + mu kappa_d distance`.
    pub fn add_barrier_gradient(&self, interval: &Interval<K>, mu: f64, gradient: &mut SVector<f64, K>) {
        for (sides, state) in self.pairs(interval) {
            for k in 0..sides.len {
                gradient[sides.variable[k]] -=
                    sides.sign * mu * (state.inverse_distance[k] - sides.damping[k]);
            }
        }
    }

    /// Subtracts the multipliers, with their signs: what bounds contribute to stationarity.
    pub fn subtract_multipliers(&self, interval: &Interval<K>, target: &mut SVector<f64, K>) {
        self.lower.subtract_multipliers(&interval.lower, target);
        self.upper.subtract_multipliers(&interval.upper, target);
    }

    /// Largest `alpha <= most` that leaves `(1 - tau)` of every distance: the fraction-to-the-boundary
    /// rule (eq. 15a).
    #[inline(never)]
    pub fn primal_step_length(
        &self,
        interval: &Interval<K>,
        dv: &SVector<f64, K>,
        tau: f64,
        most: f64,
    ) -> f64 {
        let mut alpha = most;
        for (sides, state) in self.pairs(interval) {
            for k in 0..sides.len {
                let approach = -sides.sign * dv[sides.variable[k]];
                if alpha * approach > tau * state.distance[k] {
                    alpha = tau * state.distance[k] / approach;
                }
            }
        }
        alpha
    }

    /// The same for the multipliers (eq. 15b), which move with the step `dv` of the variables.
    #[inline(never)]
    pub fn dual_step_length(
        &self,
        interval: &Interval<K>,
        dv: &SVector<f64, K>,
        mu: f64,
        tau: f64,
        most: f64,
    ) -> f64 {
        let mut alpha = most;
        for (sides, state) in self.pairs(interval) {
            for k in 0..sides.len {
                let decrease = -state.z_step(sides, k, mu, dv);
                if alpha * decrease > tau * state.z[k] {
                    alpha = tau * state.z[k] / decrease;
                }
            }
        }
        alpha
    }

    /// Moves the variables to `value` and the multipliers by `alpha` along the step that belongs to
    /// `dv`, and keeps each multiplier within `kappa_Sigma` of `mu/distance`.
    #[inline(never)]
    pub fn advance(
        &mut self,
        interval: &mut Interval<K>,
        value: &SVector<f64, K>,
        dv: &SVector<f64, K>,
        mu: f64,
        alpha: f64,
    ) {
        for (sides, state) in [(&interval.lower, &mut self.lower), (&interval.upper, &mut self.upper)] {
            for k in 0..sides.len {
                state.z[k] += alpha * state.z_step(sides, k, mu, dv);
            }
        }
        self.value = *value;
        self.measure(interval);
        for (sides, state) in [(&interval.lower, &mut self.lower), (&interval.upper, &mut self.upper)] {
            for k in 0..sides.len {
                let central = mu * state.inverse_distance[k];
                state.z[k] = state.z[k].min(central * KAPPA_SIGMA).max(central / KAPPA_SIGMA);
            }
        }
    }

    /// Measures the distances anew.
    pub fn measure(&mut self, interval: &mut Interval<K>) {
        interval.lower.measure(&mut self.lower, &self.value);
        interval.upper.measure(&mut self.upper, &self.value);
    }

    /// Largest `|z distance - mu|`.
    #[inline(never)]
    pub fn complementarity(&self, interval: &Interval<K>, mu: f64) -> f64 {
        let mut most = 0.0f64;
        for (sides, state) in self.pairs(interval) {
            for k in 0..sides.len {
                most = most.max((state.z[k] * state.distance[k] - mu).abs());
            }
        }
        most
    }

    /// Sum of the multipliers, which are never negative.
    pub fn multiplier_sum(&self, interval: &Interval<K>) -> f64 {
        self.pairs(interval).iter().map(|(sides, state)| state.z[..sides.len].iter().sum::<f64>()).sum()
    }
}
