use crate::{model::Vector, world::contact_frame};

/// A half-plane or half-space `n.x >= offset` that bodies stay in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall<const D: usize> {
    /// Unit normal `n`, into the room.
    pub normal: Vector<D>,
    /// Its distance from the origin along the normal in m.
    pub offset: f64,
    /// Friction coefficient; that of the ground if absent.
    pub friction: Option<f64>,
    /// Coefficient of restitution; that of the ground if absent.
    pub restitution: Option<f64>,
    /// Velocity of its surface along itself in m/s: a conveyor. In the plane along `(n_z, -n_x)`, the
    /// second component being zero; in space along the two tangents of a contact with it.
    pub velocity: [f64; 2],
}

impl<const D: usize> Wall<D> {
    /// A wall at rest with the friction and restitution of the ground.
    pub fn new(normal: impl Into<Vector<D>>, offset: f64) -> Self {
        Self { normal: normal.into(), offset, friction: None, restitution: None, velocity: [0.0; 2] }
    }

    /// The velocity of its surface in m/s, along the normal and the tangents of a contact with it.
    pub fn velocity_in_frame(&self) -> Vector<D> {
        Vector::from_fn(|row, _| if row == 0 { 0.0 } else { self.velocity[row - 1] })
    }

    /// The velocity of its surface in m/s, in the axes of the world.
    pub fn surface_velocity(&self) -> Vector<D> {
        contact_frame(&self.normal).tr_mul(&self.velocity_in_frame())
    }
}
