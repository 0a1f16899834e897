//! Impacts in a trajectory: contact forces that grow without bound as the step shrinks.
//!
//! Over an impact only the impulse means something: the mean force over the step scales with
//! `1/dt`. Force axes therefore show the sustained forces, and impacts as their impulse.

use crate::{
    metrics::IMPACT_LOADS,
    model::{Vector, normal},
    trajectory::Track,
};

/// Steps next to an impact that still carry part of it have more than this multiple of the load.
const SHOULDER_LOADS: f64 = 1.05;

/// Consecutive steps that make up one impact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Impact<const D: usize> {
    /// The steps.
    pub steps: std::ops::Range<usize>,
    /// Impulse in N s, without the share that bears the load over these steps.
    pub impulse: Vector<D>,
}

/// The normal force in N that the ground carries without impact: weight and push. Where nothing
/// presses the point down it is the median of the contact forces there are.
pub(super) fn load<const D: usize>(track: Track<'_, D>) -> f64 {
    let body = track.point();
    let pushed = track.steps.iter().map(|step| -normal(&step.push)).fold(0.0, f64::max);
    let load = (-body.gravity[D - 1] * body.mass).max(0.0) + pushed;
    if load > 0.0 {
        return load;
    }
    let forces = track.steps.iter().map(|step| normal(&step.force));
    let mut forces: Vec<f64> = forces.filter(|&force| force > 0.0).collect();
    let middle = forces.len() / 2;
    if forces.is_empty() { 0.0 } else { *forces.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// The impacts of a trajectory, in order.
pub(super) fn impacts<const D: usize>(track: Track<'_, D>) -> Vec<Impact<D>> {
    let load = load(track);
    let steps = &track.steps;
    let force = |k: usize| normal(&steps[k].force);
    let is_shoulder = |k: usize| force(k) > SHOULDER_LOADS * load;
    let mut impacts: Vec<Impact<D>> = Vec::new();
    let mut k = 0;
    while k < steps.len() {
        if load <= 0.0 || force(k) <= IMPACT_LOADS * load {
            k += 1;
            continue;
        }
        // A contact may begin with a step that only just reaches the ground.
        let begins = |k: usize| force(k) > 0.0 && (k == 0 || force(k - 1) <= 0.0);
        let begin = if k > 0 && (is_shoulder(k - 1) || begins(k - 1)) { k - 1 } else { k };
        let end = (k..steps.len()).find(|&k| !is_shoulder(k)).unwrap_or(steps.len());
        let sum = steps[begin..end].iter().fold(Vector::zeros(), |sum, step| sum + step.force);
        // The contact begins somewhere in the first step: half a step less of the load, on average.
        let borne = load * ((end - begin) as f64 - 0.5) / normal(&sum);
        let impulse = sum * (1.0 - borne) * track.interval();
        impacts.push(Impact { steps: begin..end, impulse });
        k = end;
    }
    impacts
}
