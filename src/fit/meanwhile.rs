//! The best parameters so far, handed on while the search goes on: nothing else is left of it where it is killed, or the power
//! fails.

use std::{
    cell::Cell,
    fmt,
    time::{Duration, Instant},
};

use super::FitOutcome;

/// Who is handed the best so far of a search, and how often.
pub struct Meanwhile<'a> {
    every: Duration,
    since: Cell<Instant>,
    /// The mean error that was handed on last.
    error: Cell<f64>,
    keep: &'a dyn Fn(&FitOutcome),
}

impl fmt::Debug for Meanwhile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meanwhile").field("every", &self.every).finish_non_exhaustive()
    }
}

impl<'a> Meanwhile<'a> {
    /// Hands what is better than before to `keep`, as often as that; for the first time so long after now. What it is handed
    /// has no intervals, and is said to be interrupted.
    pub fn new(every: Duration, keep: &'a dyn Fn(&FitOutcome)) -> Self {
        Self { every, since: Cell::new(Instant::now()), error: Cell::new(f64::INFINITY), keep }
    }

    /// Hands on what has that mean error, where it is due; `found` may be nothing.
    pub(super) fn hand_on(&self, error: f64, found: impl FnOnce() -> Option<FitOutcome>) {
        if error >= self.error.get() || self.since.get().elapsed() < self.every {
            return;
        }
        if let Some(found) = found() {
            (self.keep)(&found);
        }
        self.error.set(error);
        self.since.set(Instant::now());
    }
}
