//! The quantities of a trajectory as curves over time.

use super::{decimate::by_column, geometry::Point};
use crate::{
    model::{Attitude, Orientation, Vector},
    trajectory::{Record, StepRecord, Track},
};

/// A quantity of the states, at the times of the states.
pub(super) fn of_states<const D: usize>(
    track: Track<'_, D>,
    end: f64,
    value: impl Fn(usize) -> f64,
) -> Vec<Point> {
    let points = (0..track.states.len()).map(|k| [track.time(k), value(k)]);
    by_column(points, (0.0, end))
}

/// A quantity of the steps, which holds from the start of the step to its end.
pub(super) fn of_steps<const D: usize>(
    track: Track<'_, D>,
    window: (f64, f64),
    value: impl Fn(&Record<D>) -> f64,
) -> Vec<Point> {
    held(track, track.steps, window, value)
}

/// A quantity of the reports of the steps, in the same way.
pub(super) fn of_reports<const D: usize>(
    track: Track<'_, D>,
    window: (f64, f64),
    value: impl Fn(&StepRecord) -> f64,
) -> Vec<Point> {
    held(track, track.reports, window, value)
}

fn held<const D: usize, S>(
    track: Track<'_, D>,
    steps: &[S],
    window: (f64, f64),
    value: impl Fn(&S) -> f64,
) -> Vec<Point> {
    let inside = |k: usize| track.time(k + 1) >= window.0 && track.time(k) <= window.1;
    let steps = steps.iter().enumerate().filter(|(k, _)| inside(*k));
    let points = steps.flat_map(|(k, step)| {
        let value = value(step);
        [[track.time(k), value], [track.time(k + 1), value]]
    });
    by_column(points, window)
}

/// Largest magnitude among vectors' components; 0 if there is none.
pub(super) fn magnitude<'a, const D: usize>(vectors: impl Iterator<Item = &'a Vector<D>>) -> f64 {
    vectors.map(Vector::amax).filter(|size| size.is_finite()).fold(0.0, f64::max)
}

/// The angle in rad of a body in a vertical plane; not a number in space.
pub(super) fn angle_of(attitude: &Attitude) -> f64 {
    match attitude.orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => f64::NAN,
    }
}
