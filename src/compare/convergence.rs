use std::fmt;

use rayon::prelude::*;

use super::{Truth, run::admitted};
use crate::{
    model::Vector,
    scenario::Scenario,
    simulate::{OnFailure, simulate_observed},
    stepper::{BuildStepper, Ignored, Refusal, StepperName},
    trajectory::{Ending, Replay, Trajectory},
    watch::Watch,
};

/// Steps in s at which convergence is studied by default.
pub const DEFAULT_STEPS: [f64; 5] = [1e-2, 5e-3, 2e-3, 1e-3, 5e-4];

/// Errors in m below this are rounding, and say nothing about an order.
const ROUNDING: f64 = 1e-10;

/// A local order at the two finest steps below this makes an error of the model a suspicion.
const SUSPICIOUS_ORDER: f64 = 0.5;

/// How much finer the step is at which a suspicion is tried. An error of first order falls to an eighth,
/// one of order one half to a third.
const REFINEMENT: f64 = 8.0;

/// Part of the error at the finest step that is left at the trial, at least, for an error of the model.
const STILL_THERE: f64 = 0.7;

/// Distance of the motions at the finest step and at the trial, as a part of the error, at most: the
/// motion has settled, and not on the exact one.
const SETTLED: f64 = 0.25;

/// Steps of a run that a suspicion is worth, at most.
const MOST_STEPS: usize = 10_000_000;

/// The errors of several steppers on one scenario, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvergenceStudy<const D: usize> {
    /// Name of the scenario.
    pub scenario: String,
    /// A row per stepper.
    pub steppers: Vec<StepperConvergence<D>>,
}

/// The errors of one stepper.
#[derive(Debug, Clone, PartialEq)]
pub struct StepperConvergence<const D: usize> {
    /// Which one.
    pub stepper: StepperName,
    /// Values of the scenario of which it makes nothing.
    pub ignored: Vec<Ignored>,
    /// What came out at each step.
    pub outcomes: Vec<StepOutcome<D>>,
    /// Slope of the logarithm of [`ErrorAt::rms`] over the logarithm of the step, by least squares; `None`
    /// if fewer than two steps have an error above rounding, or it is an error of the model that they have.
    pub order: Option<f64>,
    /// The error of the model, where it hides that of the step.
    pub model_error: Option<ModelError<D>>,
}

/// An error that no smaller step takes away, with the evidence for it.
///
/// It is claimed where the error hardly falls between the two finest steps of the study, is still there in
/// a run with steps an eighth as long, and the motions of both runs are much nearer to each other than to
/// the exact one. Errors that go up and down with where an impact falls between two samples pass none of
/// the three for long, and a consistent model fails the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelError<const D: usize> {
    /// The error that is left, as [`ErrorAt::rms`], in m.
    pub rms: f64,
    /// The largest along each axis in m.
    pub largest: Vector<D>,
    /// The step in s at which it was tried.
    pub step: f64,
    /// Root mean square distance in m of the motion there from that at the finest step of the study.
    pub settled: f64,
}

/// What came out at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutcome<const D: usize> {
    /// The step in s.
    pub step: f64,
    /// The errors, or why there are none.
    pub errors: Result<ErrorAt<D>, NoError>,
}

/// Why there is no error at a step.
#[derive(Debug, Clone, PartialEq)]
pub enum NoError {
    /// The stepper does not admit the scenario at this step, or there is nothing to compare it with.
    Refused(String),
    /// A step of the simulation failed; the record takes it again.
    Failed(Box<Replay>),
    /// Somebody asked to stop.
    Interrupted,
}

impl fmt::Display for NoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) => f.write_str(reason),
            Self::Failed(replay) => {
                write!(f, "step {} at t = {} s failed: {}", replay.index, replay.time, replay.reason)
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// Distances from the exact motion in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorAt<const D: usize> {
    /// Root mean square over the whole run, all bodies and all coordinates: the measure of every order. A rotation
    /// counts by how far it takes the farthest point of the body.
    pub rms: f64,
    /// The final position minus the exact one, of the body that is farthest off.
    pub at_end: Vector<D>,
    /// The largest over the run and the bodies, along each axis.
    pub largest: Vector<D>,
    /// The largest angle in rad over the run and the bodies, where they turn.
    pub largest_turn: Option<f64>,
}

impl<const D: usize> ConvergenceStudy<D>
where
    Scenario<D>: BuildStepper<D>,
{
    /// Runs `scenario` with every stepper of `names` at every step of `steps`, in parallel.
    ///
    /// A step that a stepper refuses has no error; a stepper that refuses all of them is left out,
    /// with its refusal at the finest step in the second value.
    ///
    /// `watch` counts the steps of all simulations together, those of the exact motions too; where it
    /// says to stop, all of them end early ([`NoError::Interrupted`]).
    pub fn run(
        scenario: &Scenario<D>,
        names: &[StepperName],
        steps: &[f64],
        watch: &Watch<'_>,
    ) -> (Self, Vec<Refusal>) {
        let with_step = |step: f64| Scenario { step, ..scenario.clone() };
        let truths: Vec<Option<Truth<D>>> =
            steps.par_iter().map(|&step| Truth::of(&with_step(step), watch)).collect();
        let finest = steps.iter().copied().fold(f64::INFINITY, f64::min);
        let admits = |name: &StepperName| steps.iter().any(|&step| with_step(step).stepper(*name).is_ok());
        let (studied, hopeless): (Vec<_>, Vec<_>) = names.iter().copied().partition(admits);
        let (_, refused) = admitted(&with_step(finest), &hopeless);
        let jobs: Vec<(StepperName, usize)> =
            studied.iter().flat_map(|&name| (0..steps.len()).map(move |k| (name, k))).collect();
        let outcomes: Vec<StepOutcome<D>> = jobs
            .par_iter()
            .map(|&(name, k)| StepOutcome {
                step: steps[k],
                errors: errors(&with_step(steps[k]), name, truths[k].as_ref(), watch),
            })
            .collect();
        let steppers = studied.into_iter().zip(outcomes.chunks(steps.len().max(1))).collect::<Vec<_>>();
        let steppers = steppers
            .into_par_iter()
            .map(|(name, outcomes)| {
                let model_error = model_error(scenario, name, outcomes, watch);
                let ignored = scenario.stepper(name).map(|stepper| scenario.ignored(&stepper.honours()));
                StepperConvergence {
                    stepper: name,
                    ignored: ignored.unwrap_or_default(),
                    outcomes: outcomes.to_vec(),
                    order: if model_error.is_some() { None } else { slope(&points(outcomes)) },
                    model_error,
                }
            })
            .collect();
        (Self { scenario: scenario.name.clone(), steppers }, refused)
    }
}

fn errors<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    truth: Option<&Truth<D>>,
    watch: &Watch<'_>,
) -> Result<ErrorAt<D>, NoError>
where
    Scenario<D>: BuildStepper<D>,
{
    if watch.flow().is_break() {
        return Err(NoError::Interrupted);
    }
    let truth =
        truth.ok_or_else(|| NoError::Refused("there is no exact motion to compare with".to_owned()))?;
    Ok(ErrorAt::of(&motion(scenario, name, watch)?, &truth.trajectory))
}

/// The whole motion under a stepper.
fn motion<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    watch: &Watch<'_>,
) -> Result<Trajectory<D>, NoError>
where
    Scenario<D>: BuildStepper<D>,
{
    if watch.flow().is_break() {
        return Err(NoError::Interrupted);
    }
    let mut stepper = scenario.stepper(name).map_err(|refusal| NoError::Refused(refusal.reason))?;
    let trajectory = simulate_observed(scenario, stepper.as_mut(), OnFailure::Stop, |_| watch.advance(1));
    if trajectory.ending != Ending::Complete {
        return Err(
            Replay::of(&trajectory).map_or(NoError::Interrupted, |replay| NoError::Failed(Box::new(replay)))
        );
    }
    Ok(trajectory)
}

impl<const D: usize> ErrorAt<D> {
    fn of(trajectory: &Trajectory<D>, exact: &Trajectory<D>) -> Self {
        let pairs = || trajectory.tracks().zip(exact.tracks());
        let at_end =
            pairs().map(|(track, exact)| track.final_state().position - exact.final_state().position);
        let worst = at_end.reduce(|a, b| if b.norm() > a.norm() { b } else { a });
        let largest = pairs().map(|(track, exact)| crate::metrics::max_error(track, exact));
        let largest = largest.reduce(|a, b| a.sup(&b));
        Self {
            rms: rms_distance(trajectory, exact, 1),
            at_end: worst.unwrap_or_else(Vector::zeros),
            largest: largest.unwrap_or_else(Vector::zeros),
            largest_turn: pairs()
                .filter_map(|(track, exact)| crate::metrics::max_turn_error(track, exact))
                .reduce(f64::max),
        }
    }
}

/// Root mean square distance in m of two motions of the same bodies, over the states of the first, every
/// one of which is as late as every `stride`-th of the second.
fn rms_distance<const D: usize>(a: &Trajectory<D>, b: &Trajectory<D>, stride: usize) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (a, b) in a.tracks().zip(b.tracks()) {
        for (a, b) in a.states.iter().zip(b.states.iter().step_by(stride)) {
            sum += (a.position - b.position).norm_squared();
            count += 1.0;
        }
        // A rotation counts by how far it takes the farthest point of the body.
        let reach = a.scenario.bodies[a.body].reach();
        for (a, b) in a.attitudes.iter().zip(b.attitudes.iter().step_by(stride)) {
            sum += (reach * a.orientation.angle_to(&b.orientation)).powi(2);
        }
    }
    if count > 0.0 { f64::sqrt(sum / count) } else { 0.0 }
}

/// The errors above rounding over the steps, the finest last.
fn points<const D: usize>(outcomes: &[StepOutcome<D>]) -> Vec<(f64, f64)> {
    let errors =
        outcomes.iter().filter_map(|outcome| Some((outcome.step, outcome.errors.as_ref().ok()?.rms)));
    let mut points: Vec<_> = errors.filter(|(_, error)| *error > ROUNDING).collect();
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    points
}

/// Looks for an error of the model; see [`ModelError`].
fn model_error<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    outcomes: &[StepOutcome<D>],
    watch: &Watch<'_>,
) -> Option<ModelError<D>>
where
    Scenario<D>: BuildStepper<D>,
{
    let points = points(outcomes);
    let [.., coarser, finest] = points.as_slice() else { return None };
    let is_suspicious = slope(&[*coarser, *finest]).is_some_and(|order| order < SUSPICIOUS_ORDER);
    let steps = |step: f64| Scenario { step, ..scenario.clone() };
    let trial = steps(finest.0 / REFINEMENT);
    if !is_suspicious || trial.time().steps > MOST_STEPS || trial.check().is_err() {
        return None;
    }
    let truth = Truth::of(&trial, watch)?;
    let [fine, trial] = [&steps(finest.0), &trial].map(|scenario| motion(scenario, name, watch).ok());
    let (fine, trial) = (fine?, trial?);
    let error = ErrorAt::of(&trial, &truth.trajectory);
    let settled = rms_distance(&fine, &trial, REFINEMENT as usize);
    (error.rms >= STILL_THERE * finest.1 && settled <= SETTLED * error.rms).then_some(ModelError {
        rms: error.rms,
        largest: error.largest,
        step: finest.0 / REFINEMENT,
        settled,
    })
}

/// Slope of the least-squares line through the logarithms.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    (variance > 0.0).then(|| covariance / variance)
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn slope_of_a_power_is_its_exponent() {
        let points = [1e-2_f64, 5e-3, 1e-3].map(|x| (x, 3.0 * x.powf(1.5)));
        assert!((slope(&points).unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(slope(&points[..1]), None);
    }
}
