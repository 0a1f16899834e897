//! Exact minimisation of the cost along a Newton direction.
//!
//! The derivative `l'(alpha)` along the direction is continuous and increasing. With one tangential
//! direction it is piecewise linear and its root is found exactly; with more, by a safeguarded
//! Newton iteration.

mod breakpoints;
mod safeguarded_newton;
#[cfg(test)]
mod tests;

pub use breakpoints::Scratch;

use super::{Cone, Projection, Vector, evaluation::Reaction};

/// Longest step in units of the Newton step.
const LONGEST_STEP: f64 = 1.5;

/// One contact along the search direction: `y(alpha) = start + alpha direction`.
#[derive(Debug, Clone, Copy)]
pub struct Ray<const D: usize, C> {
    /// Cone onto which `y` is projected.
    pub cone: C,
    /// `y` at `alpha = 0`.
    pub start: Vector<D>,
    /// Its projection at `alpha = 0`.
    pub projection: Projection<D>,
    /// `dy/d alpha = -R^-1 dv_c`.
    pub direction: Vector<D>,
    /// `dv_c`: the change of the contact velocity over a full step.
    pub velocity_change: Vector<D>,
}

impl<const D: usize, C: Cone<D>> Ray<D, C> {
    /// From this reaction of a contact, along this change of its velocity.
    pub(super) fn new(cone: C, reaction: Reaction<D>, velocity_change: Vector<D>) -> Self {
        let Reaction { unprojected: start, projection } = reaction;
        Self { cone, start, projection, direction: -cone.unscale(&velocity_change), velocity_change }
    }

    fn at(&self, alpha: f64) -> Vector<D> {
        self.start + self.direction * alpha
    }

    /// `-dv_c' (gamma(alpha) - gamma(0))`: how far the contact turns `l'` on the way.
    fn slope_change(&self, alpha: f64) -> f64 {
        let impulse = self.cone.project(&self.at(alpha)).impulse;
        self.velocity_change.dot(&(self.projection.impulse - impulse))
    }

    /// Whether a full step stays within one linear piece of the projection.
    fn stays_linear(&self) -> bool {
        self.cone.is_one_piece((&self.start, &self.projection), &self.at(1.0))
    }
}

/// The cost along a direction.
#[derive(Debug)]
pub struct Direction<'a, const D: usize, C> {
    /// `l'(0)`, negative.
    pub slope: f64,
    /// `dv' A~ dv`: the second derivative without the contacts.
    pub curvature: f64,
    /// The contacts.
    pub rays: &'a [Ray<D, C>],
}

impl<const D: usize, C: Cone<D>> Direction<'_, D, C> {
    /// `l'(alpha)`.
    fn slope_at(&self, alpha: f64) -> f64 {
        let without_contacts = self.slope + alpha * self.curvature;
        self.rays.iter().fold(without_contacts, |slope, ray| slope + ray.slope_change(alpha))
    }
}

/// Where a line search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minimum {
    /// The step length `alpha`.
    pub alpha: f64,
    /// How often the derivative was evaluated.
    pub evaluations: u32,
}

/// The minimiser of the cost over `0 <= alpha <= 1.5`. `scratch` is room that
/// the piecewise linear search needs.
pub fn minimize<const D: usize, C: Cone<D>>(
    direction: &Direction<'_, D, C>,
    scratch: &mut Scratch,
) -> Minimum {
    if C::IS_PIECEWISE_LINEAR {
        if direction.rays.iter().all(Ray::stays_linear) {
            return Minimum { alpha: 1.0, evaluations: 0 };
        }
        breakpoints::minimize(direction, scratch)
    } else if direction.rays.is_empty() {
        Minimum { alpha: 1.0, evaluations: 0 }
    } else {
        safeguarded_newton::minimize(direction)
    }
}
