use nalgebra::SVector;

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

    /// The unknowns after a step of length `alpha`.
    #[inline(always)]
    pub fn after(&self, alpha: f64, step: &Direction<D>) -> Self {
        let (along, square) = (self.b.dot(&step.b), step.b.norm_squared());
        Self {
            p: self.p + alpha * step.p,
            g: self.g + alpha * step.g,
            slip: self.slip + alpha * step.slip,
            b: self.b + step.b * alpha,
            h: self.h - alpha * along - 0.5 * alpha * alpha * square,
        }
    }

    /// The longest step that keeps `p, g, lam >= 0` and `|b| <= 1`.
    #[inline(always)]
    pub fn longest_step(&self, step: &Direction<D>) -> f64 {
        let limit = |value: f64, slope: f64| if slope < 0.0 { -value / slope } else { f64::INFINITY };
        // The positive root of h - a b.db - a^2 |db|^2/2.
        let (along, square) = (self.b.dot(&step.b), step.b.norm_squared());
        let denominator = along + (along * along + 2.0 * square * self.h).sqrt();
        let of_b = if denominator > 0.0 { 2.0 * self.h / denominator } else { f64::INFINITY };
        limit(self.p, step.p).min(limit(self.g, step.g)).min(limit(self.slip, step.slip)).min(of_b)
    }
}
