//! The quantities of a trajectory as curves over time.

use super::{decimate::by_column, geometry::Point};
use crate::{
    model::Vector,
    trajectory::{Record, Trajectory},
};

/// A quantity of the states, at the times of the states.
pub(super) fn of_states<const D: usize>(
    trajectory: &Trajectory<D>,
    end: f64,
    value: impl Fn(usize) -> f64,
) -> Vec<Point> {
    let points = (0..trajectory.states.len()).map(|k| [trajectory.time(k), value(k)]);
    by_column(points, (0.0, end))
}

/// A quantity of the steps, which holds from the start of the step to its end.
pub(super) fn of_steps<const D: usize>(
    trajectory: &Trajectory<D>,
    window: (f64, f64),
    value: impl Fn(&Record<D>) -> f64,
) -> Vec<Point> {
    let inside = |k: usize| trajectory.time(k + 1) >= window.0 && trajectory.time(k) <= window.1;
    let steps = trajectory.steps.iter().enumerate().filter(|(k, _)| inside(*k));
    let points = steps.flat_map(|(k, step)| {
        let value = value(step);
        [[trajectory.time(k), value], [trajectory.time(k + 1), value]]
    });
    by_column(points, window)
}

/// Largest magnitude among vectors' components; 0 if there is none.
pub(super) fn magnitude<'a, const D: usize>(vectors: impl Iterator<Item = &'a Vector<D>>) -> f64 {
    vectors.map(Vector::amax).filter(|size| size.is_finite()).fold(0.0, f64::max)
}
