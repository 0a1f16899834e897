use std::ops::Range;

use super::stop::{RestSpeed, stop_time};
use crate::{
    model::{State, tangential},
    trajectory::Track,
};

/// Time in s by which a model may come to rest, or settle after an impact, later than the exact one
/// and still be measured as at rest, or as sliding.
const SETTLING: f64 = 0.05;

/// The same in steps.
const SETTLING_STEPS: usize = 10;

/// Fewest steps over which a deceleration is measured.
const FEWEST_STEPS: usize = 5;

/// How far the point moves along the ground, in m, after it should have come to rest, and the exact motion
/// does not: from a short while after both have stopped to the end of the run. What stops late does not creep
/// before; what slides to the end is measured from the exact stop on.
///
/// The while is 50 ms or ten steps, whichever is longer. `None` if the two do not come to
/// rest that long before the end, or `track` does not get there, or still bounces at the end without sliding: it
/// has not stopped, and does not get anywhere.
pub fn drift_after_stop<const D: usize>(track: Track<'_, D>, exact: Track<'_, D>) -> Option<f64> {
    let dt = track.scenario.step;
    let stopped = stop_time(exact)?;
    let own = stop_time(track);
    if own.is_none() && !slides_at_end(track) {
        return None;
    }
    let stopped = own.map_or(stopped, |own| own.max(stopped));
    let stopped = (stopped / dt).round() as usize;
    let start = stopped + settling_steps(dt);
    let end = exact.states.len() - 1;
    if start >= end {
        return None;
    }
    let way = |track: Track<'_, D>| Some(track.states.get(end)?.position - track.states.get(start)?.position);
    // The exact motion may creep as well, if by less than counts as moving.
    Some(tangential(&(way(track)? - way(exact)?)).norm())
}

/// Relative error of the deceleration over the longest stretch on which the exact motion slides
/// without an event: the mean rates of change of the sliding speed, compared in units of the larger
/// of the exact one and `mu g`.
///
/// Both ends of the stretch are left out, 50 ms, ten steps, or a fifth of it, so that impacts that
/// last longer than they should do not count. `None` if the exact motion does not slide long enough
/// or `trajectory` does not get that far.
pub fn deceleration_error<const D: usize>(track: Track<'_, D>, exact: Track<'_, D>) -> Option<f64> {
    let stretch = longest_slide(exact)?;
    let dt = exact.scenario.step;
    let rim = settling_steps(dt).min(stretch.len() / 5);
    let inner = stretch.start + rim..stretch.end - rim;
    if inner.len() < FEWEST_STEPS {
        return None;
    }
    let rate = |track: Track<'_, D>| {
        let speed = |k: usize| Some(tangential(&track.states.get(k)?.velocity).norm());
        Some((speed(inner.end)? - speed(inner.start)?) / (inner.len() as f64 * dt))
    };
    let (own, truth) = (rate(track)?, rate(exact)?);
    let body = exact.point();
    let scale = truth.abs().max(body.friction * body.gravity[D - 1].abs());
    (scale > 0.0).then(|| (own - truth) / scale)
}

/// Whether the body moves along the ground at the end.
fn slides_at_end<const D: usize>(track: Track<'_, D>) -> bool {
    let mut rest = RestSpeed::new(track.scenario);
    track.states.iter().for_each(|state| rest.see(state.velocity.norm()));
    !rest.rests(tangential(&track.final_state().velocity).norm())
}

fn settling_steps(dt: f64) -> usize {
    ((SETTLING / dt).ceil() as usize).max(SETTLING_STEPS)
}

/// The longest run of steps over which the exact motion slides one way.
fn longest_slide<const D: usize>(exact: Track<'_, D>) -> Option<Range<usize>> {
    let slides = |state: &State<D>| {
        state.height() == 0.0 && state.velocity[D - 1] == 0.0 && tangential(&state.velocity).norm() > 0.0
    };
    let goes_on = |k: usize| {
        let (now, next) = (&exact.states[k], &exact.states[k + 1]);
        slides(now) && slides(next) && tangential(&now.velocity).dot(&next.velocity) > 0.0
    };
    let mut longest = 0..0;
    let mut start = 0;
    for k in 0..exact.steps.len() {
        if !goes_on(k) {
            start = k + 1;
        } else if k + 1 - start > longest.len() {
            longest = start..k + 1;
        }
    }
    (!longest.is_empty()).then_some(longest)
}
