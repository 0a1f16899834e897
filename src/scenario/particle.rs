use crate::model::Vector;

/// The moving point at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle<const D: usize> {
    /// Mass in kg, 1e-12 to 1e12.
    pub mass: f64,
    /// Position in m, the height (at least 0) last.
    pub position: Vector<D>,
    /// Velocity in m/s.
    pub velocity: Vector<D>,
}

impl<const D: usize> Default for Particle<D> {
    fn default() -> Self {
        Self { mass: 1.0, position: Vector::zeros(), velocity: Vector::zeros() }
    }
}
