//! The watchdog technique (Chamberlain et al. 1982; in IPOPT since 3.0): after many shortened steps
//! in a row a few full steps are taken on trust. If one of them reaches a point that is acceptable
//! in comparison with the iterate where they began, time was saved; if none does, the method goes
//! back there and shortens the step after all.

use super::iterate::{Direction, FirstOrder, Intervals, Iterate, Values};

/// Number of successive shortened steps that wakes the watchdog, and of the full steps it allows.
pub(super) const SHORTENED_STEPS: u32 = 10;
pub(super) const TRIALS: u32 = 3;

/// What a trial point is compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference {
    pub theta: f64,
    pub phi: f64,
    /// Directional derivative of the barrier function.
    pub slope: f64,
}

/// Where the full steps began.
pub(super) struct Watchdog<const N: usize, const M: usize> {
    pub reference: Reference,
    pub alpha: f64,
    pub iterate: Iterate<N, M>,
    pub values: Values<M>,
    pub first_order: FirstOrder<N>,
    pub intervals: Intervals<N, M>,
    pub direction: Direction<N, M>,
    pub trials: u32,
}
