use super::Truth;
use crate::{
    metrics::{Metrics, deceleration_error, drift_after_stop, impulse_error, max_cone_violation, quantiles},
    trajectory::{Ending, Trajectory},
};

/// The figures of merit of one stepper in a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merit<const D: usize> {
    /// Those of a single run.
    pub metrics: Metrics<D>,
    /// Relative error of the normal impulse of the first impact; see
    /// [`impulse_error`](crate::metrics::impulse_error).
    pub impulse_error: Option<f64>,
    /// Way along the ground after the point should have stopped, in m; see
    /// [`drift_after_stop`](crate::metrics::drift_after_stop).
    pub drift_after_stop: Option<f64>,
    /// Relative error of the deceleration of sliding; see
    /// [`deceleration_error`](crate::metrics::deceleration_error).
    pub deceleration_error: Option<f64>,
    /// Largest distance of the contact force from the friction cone in N.
    pub max_cone_violation: f64,
    /// Iterations of the middle step.
    pub iterations_median: u32,
    /// Iterations of the worst step.
    pub iterations_max: u32,
    /// Wall time of the middle step in microseconds.
    pub step_microseconds: f64,
}

impl<const D: usize> Merit<D> {
    /// Measures `trajectory`, against the exact motion where there is one, it is not that motion itself,
    /// and the run is complete: one
    /// that failed early is near to it only because it did not get far.
    pub fn of(trajectory: &Trajectory<D>, truth: Option<&Truth<D>>) -> Self {
        let is_reference = |truth: &Truth<D>| truth.trajectory.stepper == trajectory.stepper;
        let truth = truth.filter(|truth| trajectory.ending == Ending::Complete && !is_reference(truth));
        let exact = truth.map(|truth| &truth.trajectory);
        let impulse_error = truth.and_then(|truth| {
            let mut impacts = truth.impacts();
            impulse_error(trajectory, &truth.trajectory, impacts.next()?, impacts.next())
        });
        let iterations = quantiles(trajectory.steps.iter().map(|step| f64::from(step.report.iterations)));
        let time = quantiles(trajectory.steps.iter().map(|step| f64::from(step.nanoseconds) / 1e3));
        let metrics = Metrics::of(trajectory, exact);
        Self {
            metrics,
            impulse_error,
            drift_after_stop: exact.and_then(|exact| drift_after_stop(trajectory, exact)),
            deceleration_error: exact.and_then(|exact| deceleration_error(trajectory, exact)),
            max_cone_violation: max_cone_violation(trajectory),
            iterations_median: iterations.median as u32,
            iterations_max: iterations.max as u32,
            step_microseconds: time.median,
        }
    }
}
