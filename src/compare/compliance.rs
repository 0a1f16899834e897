//! What sets compliant contact by a convex program apart from rigid contact, measured on one motion.

use super::{
    BodyMode, Truth,
    quantity::{quantity, significant},
};
use crate::{
    model::{State, tangential},
    stepper::{ContactLaw, EventKind},
    trajectory::Track,
};

/// Time in s, and steps at least, that a phase of motion takes to settle; not measured.
const SETTLING: (f64, usize) = (0.05, 3);

/// Creep in m/s that is rounding.
const NEGLIGIBLE_CREEP: f64 = 1e-12;

/// Difference in restitution that is not worth a word.
const NEGLIGIBLE_RESTITUTION: f64 = 0.01;

/// The artefacts of the convex stepper that `track` shows, in words; none for other steppers.
/// Lengths below `negligible` m are not worth a word.
pub(super) fn artefacts<const D: usize>(
    track: Track<'_, D>,
    truth: Option<&Truth<D>>,
    negligible: f64,
) -> impl Iterator<Item = String> {
    let truth = truth.filter(|_| track.stepper.descriptor().capabilities.law == ContactLaw::Convex);
    let sentences =
        truth.map(|truth| [pop_out(track, truth), gliding(track, truth, negligible), creep(track, truth)]);
    sentences.into_iter().flatten().flatten()
}

/// How fast the point leaves the first impact, against what the restitution asks for. A contact
/// that acts only below the ground pushes out within `dt + tau_d` what fell in within a step. It is not worth a word
/// where friction, which lifts it by `mu |v_t|` and belongs to its gliding, is all that makes it faster.
fn pop_out<const D: usize>(track: Track<'_, D>, truth: &Truth<D>) -> Option<String> {
    let impact = truth.events.iter().find(|event| event.kind == EventKind::Impact)?;
    let body = track.point();
    let approach = impact.impulse[D - 1] / (body.mass * (1.0 + body.restitution));
    let start = (impact.time / track.scenario.step) as usize;
    // Soft ground may push it out for longer.
    let is_pushed_out = |k: &usize| {
        let [before, after] = [k, &(k + 1)].map(|k| track.states[*k].velocity[D - 1]);
        track.steps[*k].force[D - 1] > 0.0 && after > before
    };
    let settled = (start + settling(track)).min(track.steps.len());
    let end = settled + (settled..track.steps.len()).take_while(is_pushed_out).count();
    let speed = |state: &State<D>| state.velocity[D - 1];
    let above_lift = |state: &State<D>| speed(state) - body.friction * tangential(&state.velocity).norm();
    let fastest = |of: &dyn Fn(&State<D>) -> f64| {
        track.states[..=end].iter().skip(start).map(of).fold(0.0, f64::max) / approach - body.restitution
    };
    // Too fast is what is so without the lift, too slow what is so with it.
    let (excess, beside) = match (fastest(&above_lift), fastest(&speed)) {
        (popped, _) if popped > 0.0 => (popped, " beside what friction lifts it by"),
        (_, slow) => (slow.min(0.0), ""),
    };
    if excess.is_nan() || excess.abs() < NEGLIGIBLE_RESTITUTION {
        return None;
    }
    let ratio = body.restitution + excess;
    let convex = &track.scenario.steppers.convex;
    let cause = if excess > 0.0 && convex.gated {
        let steps = convex.dissipation_time_at(track.scenario.step) / track.scenario.step;
        format!(": it pops out, for its dissipation time is only {} steps", significant(steps))
    } else {
        String::new()
    };
    let speed = quantity(ratio * approach, "m/s");
    Some(format!(
        "Leaves the first impact at {speed}{beside}, a restitution of {ratio:.3} instead of {}{cause}.",
        body.restitution
    ))
}

/// How high the point rides while it should slide on the ground: convex friction lifts it onto a
/// layer that is proportional to its speed.
fn gliding<const D: usize>(track: Track<'_, D>, truth: &Truth<D>, negligible: f64) -> Option<String> {
    let sliding: Vec<usize> = settled_steps(track, truth, BodyMode::Sliding).flatten().collect();
    let fold = |limit: f64, pick: fn(f64, f64) -> f64| {
        sliding.iter().map(|&k| track.states[k + 1].height()).fold(limit, pick)
    };
    let (lowest, highest) = (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max));
    if sliding.is_empty() || highest - lowest < negligible {
        return None;
    }
    let touching = sliding.iter().filter(|&&k| track.steps[k].force[D - 1] > 0.0).count();
    let share = 100.0 * touching as f64 / sliding.len() as f64;
    Some(format!(
        "Slides at a height that follows its speed, between z = {} and {}, rather than on the ground, which pushes it in \
         {share:.0} % of the steps.",
        quantity(lowest, "m"),
        quantity(highest, "m")
    ))
}

/// How fast the point creeps while it should stick: friction is regularised, and takes a velocity of
/// `sigma w F_t dt` to hold a force `F_t`.
fn creep<const D: usize>(track: Track<'_, D>, truth: &Truth<D>) -> Option<String> {
    let speed = |steps: &Vec<usize>| {
        let [first, last] = [steps.first()?, steps.last()?];
        let ends: [&State<D>; 2] = [&track.states[*first], &track.states[last + 1]];
        let way = tangential(&(ends[1].position - ends[0].position)).norm();
        Some(way / (steps.len() as f64 * track.scenario.step))
    };
    let phases = settled_steps(track, truth, BodyMode::Sticking);
    let fastest = phases.filter_map(|steps| speed(&steps)).fold(0.0, f64::max);
    (fastest > NEGLIGIBLE_CREEP)
        .then(|| format!("Creeps at {} while it should stick.", quantity(fastest, "m/s")))
}

/// The steps of each phase in which the exact motion is in `mode`, without the beginning of the
/// phase.
fn settled_steps<const D: usize>(
    track: Track<'_, D>,
    truth: &Truth<D>,
    mode: BodyMode,
) -> impl Iterator<Item = Vec<usize>> {
    let steps: Vec<usize> = (0..track.steps.len())
        .filter(|&k| BodyMode::of(truth.trajectory.track(0), k) == Some(mode))
        .collect();
    let skipped = settling(track);
    let phases: Vec<Vec<usize>> = steps
        .chunk_by(|a, b| a + 1 == *b)
        .filter(|phase| phase.len() > 2 * skipped)
        .map(|phase| phase[skipped..].to_vec())
        .collect();
    phases.into_iter()
}

/// [`SETTLING`] in steps.
fn settling<const D: usize>(track: Track<'_, D>) -> usize {
    ((SETTLING.0 / track.scenario.step).ceil() as usize).max(SETTLING.1)
}
