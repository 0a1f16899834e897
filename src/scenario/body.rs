use super::Shape;
use crate::model::{State, Vector};

/// A moving body at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Body<const D: usize> {
    /// What files and pictures call it; `body-0`, `body-1` and so on if absent.
    pub name: Option<String>,
    /// Its shape; a point does not turn.
    pub shape: Shape,
    /// Mass in kg, 1e-12 to 1e12.
    pub mass: f64,
    /// Position of the centre of mass in m, the height (for a point at least 0) last.
    pub position: Vector<D>,
    /// Velocity of the centre of mass in m/s.
    pub velocity: Vector<D>,
}

impl<const D: usize> Body<D> {
    /// A point of `mass` kg at `position` in m with `velocity` in m/s.
    pub fn point(mass: f64, position: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>) -> Self {
        Self { name: None, shape: Shape::Point, mass, position: position.into(), velocity: velocity.into() }
    }

    /// Position and velocity of the centre of mass at the start.
    pub fn state(&self) -> State<D> {
        State { position: self.position, velocity: self.velocity }
    }
}

/// A point of 1 kg at rest in the origin.
impl<const D: usize> Default for Body<D> {
    fn default() -> Self {
        Self::point(1.0, Vector::zeros(), Vector::zeros())
    }
}
