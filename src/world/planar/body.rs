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
