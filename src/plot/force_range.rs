//! The range of a panel of contact force, and where a curve leaves it.

use std::ops::Range;

use super::series::Series;
use crate::trajectory::Track;

/// The range reaches this far beyond the largest sustained force, so that an impact is seen to
/// leave it and its impulse has room above the curve.
const HEADROOM: f64 = 1.75;
/// A force beyond this multiple of the bulk is not sustained.
const PEAK_BULKS: f64 = 3.0;
/// Steps next to such a force that still carry part of it have more than this multiple of the bulk.
const SHOULDER_BULKS: f64 = 1.05;
/// Share of the forces that make up the bulk, the smallest first.
const BULK: f64 = 0.9;
/// Forces in a smaller share of the steps have no bulk: they are single impacts in a flight.
const LASTING: f64 = 0.02;
/// A force below this share of the weight is rounding, or the solver's tolerance.
const ROUNDING: f64 = 1e-6;
/// Part of the range that stays free where no force leaves it.
const RIM: f64 = 0.08;

/// Range of the force along `axis` that shows the sustained forces of either sign, where showing
/// all of them would crush these; `None` where all forces fit.
///
/// What a chattering contact or a cluster of particles exerts all the time is sustained, however
/// large; so the measure is the bulk of the forces of all series. It is `weight` at least, the
/// force in N of resting or sliding.
pub(super) fn range<const D: usize>(
    series: &[Series<'_, D>],
    axis: usize,
    weight: f64,
) -> Option<(f64, f64)> {
    let forces = |sign: f64| {
        let trajectories = series.iter().map(|series| series.track);
        // The zero parts the last step of one run from the first of the next.
        trajectories
            .flat_map(move |track| track.steps.iter().map(move |step| sign * step.force[axis]).chain([0.0]))
    };
    let least = ROUNDING * weight;
    let common = bulk(forces(1.0).map(f64::abs), least).max(weight);
    let side = |sign| Side::new(forces(sign), common.max(bulk(forces(sign), least)), weight);
    let (down, up) = (side(-1.0), side(1.0));
    let rim = RIM * (down.reach() + up.reach());
    let (low, high) = (-down.edge(rim), up.edge(rim));
    let leaves = down.is_clipped() || up.is_clipped();
    (leaves && low < high && (high - low).is_finite()).then_some((low, high))
}

/// Range of the force along `axis` that shows all forces of the series, with free space around.
pub(super) fn around<const D: usize>(series: &[Series<'_, D>], axis: usize, weight: f64) -> (f64, f64) {
    let forces = series.iter().flat_map(|series| series.track.steps).map(|step| step.force[axis]);
    let (low, high) = forces
        .filter(|force| force.is_finite())
        .fold((0.0_f64, 0.0_f64), |(low, high), force| (low.min(force), high.max(force)));
    let span = (high - low).max(ROUNDING * weight).max(f64::MIN_POSITIVE);
    (low - RIM * span, high + RIM * span)
}

/// The force that the bulk of the forces above `least` does not exceed; 0 where they do not last.
fn bulk(forces: impl Iterator<Item = f64>, least: f64) -> f64 {
    let mut count = 0_usize;
    let mut positive: Vec<f64> = forces.inspect(|_| count += 1).filter(|&force| force > least).collect();
    if positive.is_empty() || (positive.len() as f64) < LASTING * count as f64 {
        return 0.0;
    }
    let last = positive.len() - 1;
    *positive.select_nth_unstable_by((BULK * last as f64).round() as usize, f64::total_cmp).1
}

/// Forces of one sign, as positive numbers.
struct Side {
    /// The largest one that is sustained.
    sustained: f64,
    /// The largest one.
    peak: f64,
    weight: f64,
}

impl Side {
    fn new(forces: impl Iterator<Item = f64>, bulk: f64, weight: f64) -> Self {
        let (mut sustained, mut peak) = (0.0_f64, 0.0_f64);
        let mut of_run = 0.0;
        for force in forces {
            peak = peak.max(force);
            if force > SHOULDER_BULKS * bulk {
                of_run = force.max(of_run);
                continue;
            }
            if of_run <= PEAK_BULKS * bulk {
                sustained = sustained.max(of_run);
            }
            of_run = 0.0;
            sustained = sustained.max(force);
        }
        Self { sustained, peak, weight }
    }

    fn is_clipped(&self) -> bool {
        let edge = HEADROOM * self.sustained.max(self.weight);
        edge > 0.0 && self.peak > edge
    }

    /// What is shown of it without the free space.
    fn reach(&self) -> f64 {
        if self.is_clipped() { self.sustained.max(self.weight) } else { self.peak }
    }

    fn edge(&self, rim: f64) -> f64 {
        if self.is_clipped() { HEADROOM * self.reach() } else { self.reach() + rim }
    }
}

/// Consecutive steps at which the force is beyond the range on one side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Excursion {
    pub steps: Range<usize>,
    /// The step of the largest force.
    pub summit: usize,
    /// That force in N.
    pub force: f64,
    /// The impulse of all steps in N s.
    pub impulse: f64,
}

/// Where the force along `axis` leaves the range `low` to `high`, in the order of time.
pub(super) fn excursions<const D: usize>(
    track: Track<'_, D>,
    axis: usize,
    (low, high): (f64, f64),
) -> Vec<Excursion> {
    let dt = track.interval();
    let mut excursions: Vec<Excursion> = Vec::new();
    for (k, step) in track.steps.iter().enumerate() {
        let force = step.force[axis];
        if !(force < low || force > high) {
            continue;
        }
        match excursions.last_mut() {
            Some(last) if last.steps.end == k && (last.force > high) == (force > high) => {
                last.steps.end = k + 1;
                last.impulse += dt * force;
                if force.abs() > last.force.abs() {
                    (last.summit, last.force) = (k, force);
                }
            }
            _ => {
                excursions.push(Excursion { steps: k..k + 1, summit: k, force, impulse: dt * force });
            }
        }
    }
    excursions
}
