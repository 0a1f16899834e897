use super::{Number, Vector};

/// Position and velocity of the point at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State<const D: usize, N = f64> {
    /// Position in m, the height over the ground last.
    pub position: Vector<D, N>,
    /// Velocity in m/s.
    pub velocity: Vector<D, N>,
}

impl<const D: usize, N: Number> State<D, N> {
    /// Height over the ground in m; the signed gap `phi` of the contact.
    pub fn height(&self) -> N {
        self.position[D - 1]
    }

    /// Whether every component is a finite number.
    pub fn is_finite(&self) -> bool {
        self.position.iter().chain(self.velocity.iter()).all(|component| component.re().is_finite())
    }

    /// The state one step later under the new velocity: `x+ = x + dt v+`, the position half of
    /// semi-implicit Euler.
    pub fn advance(&self, velocity: Vector<D, N>, dt: N) -> Self {
        Self { position: self.position + velocity * dt, velocity }
    }
}
