//! The watchdog technique (Chamberlain et al. 1982; in IPOPT since 3.0): after many shortened steps
//! in a row a few full steps are taken on trust. If one of them reaches a point that is acceptable
//! in comparison with the iterate where they began, time was saved; if none does, the method goes
//! back there and shortens the step after all.

use super::search::{Direction, FirstOrder, Intervals, Iterate, Search, Values};

/// Number of successive shortened steps that wakes the watchdog, and of the full steps it allows.
pub(super) const SHORTENED_STEPS: u32 = 10;
const TRIALS: u32 = 3;

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
    iterate: Iterate<N, M>,
    values: Values<M>,
    first_order: FirstOrder<N>,
    intervals: Intervals<N, M>,
    direction: Direction<N, M>,
    trials: u32,
}

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Wakes the watchdog at the current iterate.
    pub fn wake_watchdog(&mut self, direction: &Direction<N, M>, reference: Reference, alpha: f64) {
        self.watchdog = Some(Watchdog {
            reference,
            alpha,
            iterate: self.iterate,
            values: self.values,
            first_order: self.first_order,
            intervals: self.intervals,
            direction: *direction,
            trials: 0,
        });
    }

    /// Counts a full step that was not acceptable; whether another may be taken.
    pub fn watchdog_trusts(&mut self) -> bool {
        self.watchdog.as_mut().is_some_and(|watchdog| {
            watchdog.trials += 1;
            watchdog.trials <= TRIALS
        })
    }

    /// Goes back to where the full steps began, and returns the direction from there.
    pub fn call_back_watchdog(&mut self) -> Option<Direction<N, M>> {
        let watchdog = self.watchdog.take()?;
        self.iterate = watchdog.iterate;
        self.values = watchdog.values;
        self.first_order = watchdog.first_order;
        self.intervals = watchdog.intervals;
        self.program.jacobian(&watchdog.iterate.x.value, &mut self.workspace.jacobian);
        self.shortened_steps = 0;
        Some(watchdog.direction)
    }

    /// Puts it to sleep: the barrier function has changed, or a full step was acceptable.
    pub fn dismiss_watchdog(&mut self) {
        self.watchdog = None;
        self.shortened_steps = 0;
    }
}
