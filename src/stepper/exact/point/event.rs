use std::fmt;

use crate::model::Vector;

/// Something that happened at one instant between or on the sampled times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event<const D: usize, N = f64> {
    /// When, in s.
    pub time: N,
    /// What happened.
    pub kind: EventKind,
    /// Impulse of the contact at that instant in N s; in the axes of the world; zero unless the point hit a plane.
    pub impulse: Vector<D, N>,
}

/// What can happen to a point over the ground and between walls, or to a ball by the point that touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// The point hit the ground, or a wall.
    Impact,
    /// So many impacts in a row, taken together in closed form; the time is that of the last one
    /// and the impulse their sum.
    Impacts(u64),
    /// Infinitely many impacts came to their end (Zeno): the point stays on the plane. The
    /// impulse is the sum of those not reported one by one.
    BouncingEnds,
    /// The plane stopped pushing, and the point rises.
    LiftOff,
    /// The point began to slide from rest.
    SlidingStarts,
    /// The point came to rest for an instant and slides on the other way.
    SlidingReverses,
    /// The point came to rest and sticks.
    SlidingStops,
    /// A push began or ended.
    PushChanges,
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impact => f.write_str("impact"),
            Self::Impacts(count) => write!(f, "{count} impacts"),
            Self::BouncingEnds => f.write_str("bouncing ends"),
            Self::LiftOff => f.write_str("lift-off"),
            Self::SlidingStarts => f.write_str("sliding starts"),
            Self::SlidingReverses => f.write_str("sliding reverses"),
            Self::SlidingStops => f.write_str("sliding stops"),
            Self::PushChanges => f.write_str("push changes"),
        }
    }
}
