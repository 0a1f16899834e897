use std::ops::Range;

use crate::trajectory::Track;

/// Half the window around an impact in s: long enough for compliant models.
const HALF_WINDOW: f64 = 0.05;

/// The same in steps.
const HALF_WINDOW_STEPS: f64 = 10.0;

/// Relative error of the normal impulse of an impact at time `at` in s: the impulses over a window
/// around it are compared, so that it does not matter over how many steps a model spreads the impact.
///
/// The window reaches 50 ms or ten steps to both sides, at most half way to `next`, the time of the
/// impact after it. `None` if `trajectory` does not get to its end, or nothing is exerted in it.
pub fn impulse_error<const D: usize>(
    track: Track<'_, D>,
    exact: Track<'_, D>,
    at: f64,
    next: Option<f64>,
) -> Option<f64> {
    let window = window(exact, at, next);
    let impulse = |track: Track<'_, D>| {
        let steps = track.steps.get(window.clone())?;
        Some(steps.iter().map(|step| step.force[D - 1]).sum::<f64>() * track.scenario.step)
    };
    let (own, truth) = (impulse(track)?, impulse(exact)?);
    (truth > 0.0).then(|| own / truth - 1.0)
}

fn window<const D: usize>(exact: Track<'_, D>, at: f64, next: Option<f64>) -> Range<usize> {
    let dt = exact.scenario.step;
    let half = HALF_WINDOW.max(HALF_WINDOW_STEPS * dt);
    let end = next.map_or(at + half, |next| (at + half).min(0.5 * (at + next)));
    let index = |t: f64| (t / dt).round().max(0.0) as usize;
    let last = exact.steps.len();
    index(at - half).min(last)..index(end).min(last)
}
