//! The impulses of links between their bounds, on the central path and at the end of it.
//!
//! With `u = L v + b + R l`, the slacks `s+ = hi - l`, `s- = l - lo` and multipliers `lam+, lam- > 0` the path is
//!
//! ```text
//! u + lam+ - lam- = 0,   lam+ s+ = tau,   lam- s- = tau
//! ```
//!
//! of which a step eliminates the multipliers: with `K = lam+/s+ + lam-/s-`,
//! `dl = -(u + tau/s+ - tau/s- + L dv)/(R + K)`.

/// The bounds of one link along a path, in scaled units. A side without a bound has no part in anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LinkBarrier {
    bounds: [f64; 2],
    /// `lam-`, `lam+`.
    multipliers: [f64; 2],
    steps: [f64; 2],
}

/// What the products `lam s` of links come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::contact) struct LinkProducts {
    pub count: usize,
    pub sum: f64,
    pub least: f64,
}

impl LinkProducts {
    pub const NONE: Self = Self { count: 0, sum: 0.0, least: f64::INFINITY };
}

impl LinkBarrier {
    /// That of a link with these bounds, and the impulse of its start, at products `product` each: in the middle of its
    /// bounds, or by 1 within the only one.
    pub fn centred(bounds: [f64; 2], product: f64) -> (Self, f64) {
        let impulse = match bounds.map(f64::is_finite) {
            [true, true] => 0.5 * bounds[0] + 0.5 * bounds[1],
            [true, false] => bounds[0] + 1.0,
            [false, true] => bounds[1] - 1.0,
            [false, false] => 0.0,
        };
        let mut barrier = Self { bounds, multipliers: [0.0; 2], steps: [0.0; 2] };
        barrier.multipliers = barrier.slacks(impulse).map(|slack| slack.map_or(0.0, |slack| product / slack));
        (barrier, impulse)
    }

    /// That of a link near this impulse and rate, at products of about `least^2` and above.
    pub fn near(bounds: [f64; 2], impulse: f64, rate: f64, least: f64) -> (Self, f64) {
        let [low, high] = bounds;
        let off = least.min(0.25 * (high - low));
        let impulse = impulse.max(low + off).min(high - off);
        let mut barrier = Self { bounds, multipliers: [0.0; 2], steps: [0.0; 2] };
        let slacks = barrier.slacks(impulse);
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(slack) = slacks[k] {
                barrier.multipliers[k] = (sign * rate).max(least * least / slack);
            }
        }
        (barrier, impulse)
    }

    /// Whether there is no room between the bounds: the impulse is what it is.
    pub fn is_fixed(&self) -> bool {
        self.bounds[0] >= self.bounds[1]
    }

    /// `s-`, `s+`, where there are bounds with room between them.
    fn slacks(&self, impulse: f64) -> [Option<f64>; 2] {
        let [low, high] = self.bounds;
        let of = |bound: f64, slack: f64| (bound.is_finite() && low < high).then_some(slack);
        [of(low, impulse - low), of(high, high - impulse)]
    }

    /// `K`.
    pub fn curvature(&self, impulse: f64) -> f64 {
        let slacks = self.slacks(impulse);
        (0..2).map(|k| slacks[k].map_or(0.0, |slack| self.multipliers[k] / slack)).sum()
    }

    /// `tau/s+ - tau/s-`.
    pub fn push(&self, impulse: f64, tau: f64) -> f64 {
        let [below, above] = self.slacks(impulse).map(|slack| slack.map_or(0.0, |slack| tau / slack));
        above - below
    }

    /// The steps of the multipliers beside that of the impulse.
    pub fn follow(&mut self, impulse: f64, step: f64, tau: f64) {
        let slacks = self.slacks(impulse);
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(slack) = slacks[k] else { continue };
            let own = self.multipliers[k];
            self.steps[k] = tau / slack - own + sign * own / slack * step;
        }
    }

    /// The longest step that leaves slacks and multipliers at 0 or above.
    pub fn longest_step(&self, impulse: f64, step: f64) -> f64 {
        let limit = |value: f64, slope: f64| if slope < 0.0 { -value / slope } else { f64::INFINITY };
        let slacks = self.slacks(impulse);
        let sides = [(0, 1.0), (1, -1.0)].into_iter().filter_map(|(k, sign)| {
            let slack = slacks[k]?;
            Some(limit(slack, sign * step).min(limit(self.multipliers[k], self.steps[k])))
        });
        sides.fold(f64::INFINITY, f64::min)
    }

    /// Adds the products after a step of length `alpha`.
    pub fn add_products(&self, impulse: f64, step: f64, alpha: f64, to: &mut LinkProducts) {
        let slacks = self.slacks(impulse + alpha * step);
        for (slack, (multiplier, change)) in slacks.iter().zip(self.multipliers.iter().zip(&self.steps)) {
            let Some(slack) = slack else { continue };
            let product = slack * (multiplier + alpha * change);
            to.count += 1;
            to.sum += product;
            to.least = to.least.min(product);
        }
    }

    /// What the rate and the products miss.
    #[cfg(test)]
    pub fn equations(&self, impulse: f64, rate: f64, tau: f64) -> Vec<f64> {
        let [below, above] = self.multipliers;
        let slacks = self.slacks(impulse);
        let products = (0..2).filter_map(|k| slacks[k].map(|slack| slack * self.multipliers[k] - tau));
        std::iter::once(rate + above - below).chain(products).collect()
    }

    /// Moves the multipliers.
    pub fn advance(&mut self, alpha: f64) {
        for (multiplier, step) in self.multipliers.iter_mut().zip(self.steps) {
            *multiplier += alpha * step;
        }
    }
}
