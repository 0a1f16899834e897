use std::ops::Range;

use crate::trajectory::Track;

/// Half the window around an impact in s: long enough for compliant models.
const HALF_WINDOW: f64 = 0.05;

/// The same in steps.
const HALF_WINDOW_STEPS: f64 = 10.0;

/// Relative error of the normal impulse of an impact at time `at` in s: the impulses over a window
/// around it are compared, so that it does not matter over how many steps a model spreads the impact.
///
/// The window reaches 50 ms or ten steps to both sides, or as long as soft ground still throws the body that flies by the
/// exact motion, at most half way to `next`, the time of the impact after it. `None` if `trajectory` does not get to its
/// end, if it is not thrown by then, or nothing is exerted in it.
pub fn impulse_error<const D: usize>(
    track: Track<'_, D>,
    exact: Track<'_, D>,
    at: f64,
    next: Option<f64>,
) -> Option<f64> {
    let window = window(track, exact, at, next)?;
    let impulse = |track: Track<'_, D>| {
        let steps = track.steps.get(window.clone())?;
        Some(steps.iter().map(|step| step.force[D - 1]).sum::<f64>() * track.scenario.step)
    };
    let (own, truth) = (impulse(track)?, impulse(exact)?);
    (truth > 0.0).then(|| own / truth - 1.0)
}

fn window<const D: usize>(
    track: Track<'_, D>,
    exact: Track<'_, D>,
    at: f64,
    next: Option<f64>,
) -> Option<Range<usize>> {
    let dt = exact.scenario.step;
    let half = HALF_WINDOW.max(HALF_WINDOW_STEPS * dt);
    let index = |t: f64| ((t / dt).round().max(0.0) as usize).min(exact.steps.len());
    let limit = next.map_or(exact.steps.len(), |next| index(0.5 * (at + next)));
    let end = index(at + half).min(limit);
    let presses =
        |track: Track<'_, D>, k: usize| track.steps.get(k).is_some_and(|step| step.force[D - 1] > 0.0);
    let is_still_thrown = |k: &usize| presses(track, *k) && !presses(exact, *k);
    // Whether it is thrown shows in the last step of the window.
    let last = end.saturating_sub(1);
    let beyond = (last..limit).take_while(is_still_thrown).count();
    let end = end.max(last + beyond);
    (beyond == 0 || end < limit).then(|| index(at - half)..end)
}
