/// A massless rod: its two bodies keep the distance of their centres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rod {
    /// The bodies at its ends.
    pub bodies: [usize; 2],
    /// Length in m; the distance at the start if absent.
    pub length: Option<f64>,
}

/// A linear spring with a damper in parallel, between the centres of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// The bodies at its ends.
    pub bodies: [usize; 2],
    /// Stiffness in N/m, at least 0.
    pub stiffness: f64,
    /// Damping in N s/m, at least 0.
    pub damping: f64,
    /// Length at rest in m; the distance at the start if absent.
    pub length: Option<f64>,
}

/// Contact of two particles: they push each other apart, with friction, when they come closer than
/// a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairContact {
    /// The particles.
    pub bodies: [usize; 2],
    /// Distance of the particles at which they touch, in m; the sum of their radii, if they are beads.
    pub distance: f64,
    /// Friction coefficient; that of the ground if absent.
    pub friction: Option<f64>,
}
