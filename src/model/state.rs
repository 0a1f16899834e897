use super::Vector;

/// Position and velocity of the point at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State<const D: usize> {
    /// Position in m, the height over the ground last.
    pub position: Vector<D>,
    /// Velocity in m/s.
    pub velocity: Vector<D>,
}

impl<const D: usize> State<D> {
    /// Height over the ground in m; the signed gap `phi` of the contact.
    pub fn height(&self) -> f64 {
        self.position[D - 1]
    }

    /// Whether every component is a finite number.
    pub fn is_finite(&self) -> bool {
        self.position.iter().chain(self.velocity.iter()).all(|component| component.is_finite())
    }

    /// The state one step later under the new velocity: `x+ = x + dt v+`, the position half of
    /// semi-implicit Euler.
    pub fn advance(&self, velocity: Vector<D>, dt: f64) -> Self {
        Self { position: self.position + velocity * dt, velocity }
    }
}
