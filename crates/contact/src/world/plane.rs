use nalgebra::SVector;

/// A half-plane or half-space `n.x >= offset` that bodies stay in: the ground, a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane<const D: usize> {
    /// Unit normal `n`, into it.
    pub normal: SVector<f64, D>,
    /// Distance from the origin along the normal in m.
    pub offset: f64,
    /// Velocity of its surface in m/s along the tangents of a contact with it (a conveyor); in the plane
    /// the tangent is `(n_z, -n_x)`. The first component, along the normal, is 0.
    pub velocity: SVector<f64, D>,
}

impl<const D: usize> Plane<D> {
    /// Level ground at height 0.
    pub fn ground() -> Self {
        let normal = SVector::from_fn(|i, _| f64::from(i == D - 1));
        Self { normal, offset: 0.0, velocity: SVector::zeros() }
    }
}
