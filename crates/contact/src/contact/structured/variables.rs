use nalgebra::SVector;

/// Up to which `h` grows to make a product larger; at 1/2 `b` would vanish.
const MOST_H: f64 = 0.4;

/// The unknowns of one contact besides its velocity: `r = (p, mu p b)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Variables<const D: usize> {
    /// Normal impulse.
    pub p: f64,
    /// `u_n`
    pub g: f64,
    /// `lam`: the slip speed over `|b|`.
    pub slip: f64,
    /// Direction and share of the friction, `|b| < 1`; the normal component is 0.
    pub b: SVector<f64, D>,
    /// `h = (1 - |b|^2)/2`, a variable of its own, because it would cancel.
    pub h: f64,
}

/// A step of the unknowns of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Direction<const D: usize> {
    pub p: f64,
    pub g: f64,
    pub slip: f64,
    pub b: SVector<f64, D>,
}

impl<const D: usize> Direction<D> {
    pub fn zero() -> Self {
        Self { p: 0.0, g: 0.0, slip: 0.0, b: SVector::zeros() }
    }
}

impl<const D: usize> Variables<D> {
    pub fn new(p: f64, g: f64, slip: f64, b: SVector<f64, D>) -> Self {
        Self { p, g, slip, b, h: 0.5 * (1.0 - b.norm_squared()) }
    }

    /// `r = (p, mu p b)`.
    #[inline(always)]
    pub fn impulse(&self, friction: f64) -> SVector<f64, D> {
        let mut impulse = self.b * (friction * self.p);
        impulse[0] = self.p;
        impulse
    }

    /// `p g` and `p lam h`.
    #[inline(always)]
    pub fn products(&self) -> [f64; 2] {
        [self.p * self.g, self.p * self.slip * self.h]
    }

    /// Whether the contact is rather closed than open.
    #[inline(always)]
    pub fn presses(&self) -> bool {
        self.p > self.g
    }

    /// The unknowns after a step of length `alpha`, along which the impulse goes straight:
    /// `p b + alpha (dp b + p db)` is the new `p b`. What is left of the equations then stays within the contact;
    /// with `b + alpha db` it would be `dp db`, which the stiffest motions of all the bodies make large.
    #[inline(always)]
    pub fn after(&self, alpha: f64, step: &Direction<D>) -> Self {
        let (along, square) = (self.b.dot(&step.b), step.b.norm_squared());
        let p = self.p + alpha * step.p;
        let turn = alpha * self.p / p;
        Self {
            p,
            g: self.g + alpha * step.g,
            slip: self.slip + alpha * step.slip,
            b: self.b + step.b * turn,
            h: self.h - turn * along - 0.5 * turn * turn * square,
        }
    }

    /// The longest step that takes `p, g, lam` no further than `slack` below 0 and `h` no further than `turn`.
    #[inline(always)]
    pub fn longest_step(&self, step: &Direction<D>, slack: f64, turn: f64) -> f64 {
        let limit =
            |value: f64, slope: f64| if slope < 0.0 { -(value + slack) / slope } else { f64::INFINITY };
        // The positive root of h - a b.db - a^2 |db|^2/2 is how far b may turn; a p/(p + a dp) is how far it does.
        let (along, square) = (self.b.dot(&step.b), step.b.norm_squared());
        let room = self.h + turn;
        let denominator = along + (along * along + 2.0 * square * room).sqrt();
        let share = 0.5 * denominator.max(0.0) / room - step.p / self.p;
        let of_b = if share > 0.0 { 1.0 / share } else { f64::INFINITY };
        limit(self.p, step.p).min(limit(self.g, step.g)).min(limit(self.slip, step.slip)).min(of_b)
    }

    /// The variables after a step of length `alpha`, both products then raised to `floor`; 0 leaves them as they are.
    #[inline(always)]
    pub fn raised_after(&self, alpha: f64, step: &Direction<D>, floor: f64) -> Self {
        let v = self.after(alpha, step);
        if floor > 0.0 { v.with_products_from(floor) } else { v }
    }

    /// The variables with both products at least `floor > 0`: of a product that is too small the smaller factor grows,
    /// and where both are tiny, both.
    #[inline(always)]
    fn with_products_from(mut self, floor: f64) -> Self {
        if !(self.p > 0.0 && self.g > 0.0 && self.p * self.g >= floor) {
            if self.g >= self.p {
                self.g = self.g.max(floor.sqrt());
                self.p = self.p.max(floor / self.g);
            } else {
                self.p = self.p.max(floor.sqrt());
                self.g = self.g.max(floor / self.p);
            }
        }
        if !(self.slip > 0.0 && self.h > 0.0 && self.p * self.slip * self.h >= floor) {
            let of_friction = floor / self.p;
            if self.slip >= self.h {
                self.slip = self.slip.max(of_friction.sqrt());
                let h = (of_friction / self.slip).min(MOST_H);
                if h > self.h {
                    self.b *= ((1.0 - 2.0 * h) / self.b.norm_squared()).sqrt();
                    self.h = h;
                }
            }
            self.slip = self.slip.max(of_friction / self.h);
        }
        self
    }

    /// Sets `b` and `lam` to what fulfils `u_t + lam b = 0` and leaves the product `p lam h` as it is.
    #[inline(always)]
    pub fn oppose(&mut self, u: &SVector<f64, D>) {
        let half = self.slip * self.h;
        let mut slip = *u;
        slip[0] = 0.0;
        self.slip = half + (half * half + slip.norm_squared()).sqrt();
        self.b = -slip / self.slip;
        self.h = half / self.slip;
    }
}
