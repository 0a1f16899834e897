/// How far `time/dt` may be from a whole number and still count as that step: rounding of the
/// quotient stays below 1e-7 steps up to the largest step count a scenario may have.
const INDEX_TOLERANCE: f64 = 1e-6;

/// The uniform time grid `t_k = k dt`, `k = 0 ..= steps`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeGrid {
    /// Number of steps, at least 1.
    pub steps: usize,
    /// Length of a step in s.
    pub dt: f64,
}

impl TimeGrid {
    /// `round(duration/dt)` steps of `dt` seconds, at least one.
    pub fn new(duration: f64, dt: f64) -> Self {
        Self { steps: ((duration / dt).round() as usize).max(1), dt }
    }

    /// Time in s at the start of step `k`.
    pub fn at(&self, k: usize) -> f64 {
        k as f64 * self.dt
    }
}

/// A time, or the beginning of the step that it is but for rounding.
pub(super) fn on_grid(time: f64, dt: f64) -> f64 {
    let steps = time / dt;
    if (steps - steps.round()).abs() <= INDEX_TOLERANCE { steps.round() * dt } else { time }
}

/// The first step index `k` with `k dt >= time`, as a float, blind to rounding of the quotient.
pub(crate) fn first_step_at_or_after(time: f64, dt: f64) -> f64 {
    (time / dt - INDEX_TOLERANCE).ceil()
}

/// The last step index `k` with `k dt <= time`, as a float, blind to rounding of the quotient.
pub(crate) fn last_step_at_or_before(time: f64, dt: f64) -> f64 {
    (time / dt + INDEX_TOLERANCE).floor()
}
