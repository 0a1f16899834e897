use super::{Pose, Shape, Twist};

/// A rigid body in the plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its outline.
    pub shape: Shape,
    /// Mass in kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass in kg m^2.
    pub inertia: f64,
    /// Pose at the start.
    pub pose: Pose,
    /// Velocity at the start.
    pub twist: Twist,
    /// Whether it stays where it is; mass, inertia and velocity then do not count.
    pub fixed: bool,
}

impl Body {
    /// A uniform body at rest.
    pub fn new(shape: Shape, mass: f64, pose: Pose) -> Self {
        let inertia = shape.inertia(mass);
        Self { shape, mass, inertia, pose, twist: Twist::zeros(), fixed: false }
    }
}

/// A half-plane `n.x >= offset` that bodies stay in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Unit normal `n`, into the half-plane.
    pub normal: nalgebra::Vector2<f64>,
    /// Its distance from the origin along the normal in m.
    pub offset: f64,
    /// Velocity of its surface in m/s along the tangent `(n_z, -n_x)`: a conveyor.
    pub velocity: f64,
    /// Friction coefficient and restitution.
    pub surface: Surface,
}

/// What holds between two surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Surface {
    /// Friction coefficient `mu`.
    pub friction: f64,
    /// Coefficient of restitution `e`, 0 to 1.
    pub restitution: f64,
}
