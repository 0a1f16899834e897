//! What bodies of several convex parts have in common in the plane and in space.

use nalgebra::SVector;

use super::solid::Solid;

/// Convex parts `P` that are fixed to each other; what `I` has of their inertia about the centre of mass is over the mass, in m^2.
#[derive(Debug, Clone, PartialEq)]
pub struct Compound<P, I, const D: usize> {
    parts: Vec<P>,
    /// A ball around each part: its centre in the axes of the body, and its radius, in m.
    balls: Vec<(SVector<f64, D>, f64)>,
    reach: f64,
    inertia_per_mass: I,
}

impl<P, I, const D: usize> Compound<P, I, D> {
    /// The body of these parts, which `solid` sees as what axes separate.
    pub(super) fn new(parts: Vec<P>, inertia_per_mass: I, solid: impl Fn(&P) -> Solid<'_, D>) -> Self {
        let reach = parts.iter().map(|part| solid(part).reach()).fold(0.0, f64::max);
        let balls = parts.iter().map(|part| solid(part).ball_around()).collect();
        Self { parts, balls, reach, inertia_per_mass }
    }

    /// The parts.
    pub fn parts(&self) -> &[P] {
        &self.parts
    }

    /// A ball around a part: its centre in the axes of the body, and its radius, in m.
    pub(super) fn ball(&self, part: usize) -> &(SVector<f64, D>, f64) {
        &self.balls[part]
    }

    /// Largest distance `rho` of a point from the centre of mass, in m.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// The inertia about the centre of mass over the mass, in m^2.
    pub(super) fn inertia_per_mass(&self) -> &I {
        &self.inertia_per_mass
    }
}

/// The centre of mass of masses in kg at places in m; none of none.
pub(super) fn centre_of_mass<const D: usize>(
    masses: impl Iterator<Item = (f64, SVector<f64, D>)> + Clone,
) -> Option<SVector<f64, D>> {
    let (_, origin) = masses.clone().next()?;
    let mass: f64 = masses.clone().map(|(own, _)| own).sum();
    // From the first one on: a body of one part has its centre without rounding.
    let arms = masses.map(|(own, place)| (place - origin) * (own / mass));
    Some(origin + arms.sum::<SVector<f64, D>>())
}
