use super::{Conduct, Deviation, Truth};
use crate::{
    metrics::{Metrics, deceleration_error, drift_after_stop, impulse_error, max_cone_violation, quantiles},
    trajectory::{Ending, Trajectory},
};

/// The figures of merit of one stepper in a comparison.
#[derive(Debug, Clone, PartialEq)]
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
    /// Largest distance of the contact force from the friction cone in N; of a single point.
    pub max_cone_violation: Option<f64>,
    /// How far bodies get from the mean of all models, where there is no exact motion of them.
    pub deviation: Option<Deviation>,
    /// What bodies do that rigid ones do not, where there is a motion to measure it against.
    pub conduct: Option<Conduct>,
    /// Iterations of the middle step.
    pub iterations_median: u32,
    /// Iterations of the worst step.
    pub iterations_max: u32,
    /// Wall time of the middle step in microseconds.
    pub step_microseconds: f64,
}

impl<const D: usize> Merit<D> {
    /// Measures `trajectory`, against the exact motion where there is one, it is not that motion itself,
    /// and the run is complete: one that failed early is near to it only because it did not get far. What takes
    /// other models to measure is for the comparison to add.
    pub fn of(trajectory: &Trajectory<D>, truth: Option<&Truth<D>>) -> Self {
        let is_reference = |truth: &Truth<D>| truth.trajectory.stepper == trajectory.stepper;
        let truth = truth.filter(|truth| trajectory.ending == Ending::Complete && !is_reference(truth));
        let exact = truth.map(|truth| &truth.trajectory);
        let alone = trajectory.scenario.layout().is_point().then(|| trajectory.track(0));
        let both = alone.zip(exact.map(|exact| exact.track(0)));
        let impulse_error = both.zip(truth).and_then(|((track, exact), truth)| {
            let mut impacts = truth.impacts();
            impulse_error(track, exact, impacts.next()?, impacts.next())
        });
        let iterations = quantiles(trajectory.steps.iter().map(|step| f64::from(step.report.iterations)));
        let time = quantiles(trajectory.steps.iter().map(|step| step.nanoseconds as f64 / 1e3));
        // Of a motion that was recorded forces may not be known.
        let told = |value: &f64| !value.is_nan();
        let metrics = Metrics::of(trajectory, exact);
        Self {
            metrics,
            impulse_error: impulse_error.filter(told),
            drift_after_stop: both.and_then(|(track, exact)| drift_after_stop(track, exact)),
            deceleration_error: both.and_then(|(track, exact)| deceleration_error(track, exact)),
            max_cone_violation: alone.map(max_cone_violation).filter(told),
            deviation: None,
            conduct: None,
            iterations_median: iterations.median as u32,
            iterations_max: iterations.max as u32,
            step_microseconds: time.median,
        }
    }
}
