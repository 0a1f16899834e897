use crate::trajectory::Track;

/// Speed below which a point counts as resting, as a fraction of what gravity adds in one step.
const REST_FRACTION: f64 = 1e-2;

/// The same as a fraction of the largest speed of the run, for weightless scenarios.
const REST_FRACTION_OF_SPEED: f64 = 1e-9;

/// When the point came to rest for good: the first `t_k` from which on the speed stays below
/// `g dt/100` to the end of the run. `None` if the point still moves at the end.
///
/// The threshold lets compliant models creep, and is far below any speed that a step could change.
pub fn stop_time<const D: usize>(track: Track<'_, D>) -> Option<f64> {
    let speeds = || track.states.iter().map(|state| state.velocity.norm());
    let fastest = speeds().fold(0.0, f64::max);
    let gravity = track.scenario.gravity;
    let threshold = (REST_FRACTION * gravity * track.scenario.step).max(REST_FRACTION_OF_SPEED * fastest);
    let resting = speeds().rev().take_while(|speed| *speed <= threshold).count();
    (resting > 0).then(|| track.time(track.states.len() - resting))
}
