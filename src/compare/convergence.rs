use std::fmt;

use rayon::prelude::*;

use super::{Truth, run::admitted};
use crate::{
    model::Vector,
    scenario::Scenario,
    simulate::{OnFailure, simulate_observed},
    stepper::{BuildStepper, Refusal, StepperName},
    trajectory::{Ending, Replay, Trajectory},
    watch::Watch,
};

/// Steps in s at which convergence is studied by default.
pub const DEFAULT_STEPS: [f64; 5] = [1e-2, 5e-3, 2e-3, 1e-3, 5e-4];

/// Errors in m below this are rounding, and say nothing about an order.
const ROUNDING: f64 = 1e-10;

/// A local order at the finest steps below this means that the error no longer falls: what is left
/// is the error of the model, not of the step.
const FLOOR_ORDER: f64 = 0.5;

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
    /// What came out at each step.
    pub outcomes: Vec<StepOutcome<D>>,
    /// The fitted order.
    pub order: Order<D>,
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
    /// The final position minus the exact one, of the body that is farthest off.
    pub at_end: Vector<D>,
    /// The largest over the run and the bodies, along each axis.
    pub largest: Vector<D>,
}

/// How fast the error falls with the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Order<const D: usize> {
    /// Whether the order is that of the largest error; otherwise of the error at the end.
    ///
    /// The error at the end is smooth in the step, which the largest one, at an impact between two
    /// samples, is not; the largest is taken where the end is exact up to rounding.
    pub of_largest: bool,
    /// Slope of the logarithm of the error over the logarithm of the step, by least squares; `None`
    /// if fewer than two steps have an error above rounding.
    pub slope: Option<f64>,
    /// The error along each axis that remains as the step goes to zero, if it has stopped falling:
    /// the error of the model. Extrapolated from the two finest steps at first order.
    pub floor: Option<Vector<D>>,
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
        let steppers = studied
            .into_iter()
            .zip(outcomes.chunks(steps.len().max(1)))
            .map(|(stepper, outcomes)| StepperConvergence {
                stepper,
                outcomes: outcomes.to_vec(),
                order: Order::of(outcomes),
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
    let mut stepper = scenario.stepper(name).map_err(|refusal| NoError::Refused(refusal.reason))?;
    let trajectory: Trajectory<D> =
        simulate_observed(scenario, stepper.as_mut(), OnFailure::Stop, |_| watch.advance(1));
    if trajectory.ending != Ending::Complete {
        return Err(
            Replay::of(&trajectory).map_or(NoError::Interrupted, |replay| NoError::Failed(Box::new(replay)))
        );
    }
    let pairs = || trajectory.tracks().zip(truth.trajectory.tracks());
    let at_end = pairs().map(|(track, exact)| track.final_state().position - exact.final_state().position);
    let worst = at_end.reduce(|a, b| if b.norm() > a.norm() { b } else { a });
    let largest = pairs().map(|(track, exact)| crate::metrics::max_error(track, exact));
    let largest = largest.reduce(|a, b| a.sup(&b));
    Ok(ErrorAt {
        at_end: worst.unwrap_or_else(Vector::zeros),
        largest: largest.unwrap_or_else(Vector::zeros),
    })
}

impl<const D: usize> Order<D> {
    fn of(outcomes: &[StepOutcome<D>]) -> Self {
        let points = |measure: fn(&ErrorAt<D>) -> f64| -> Vec<(f64, f64)> {
            let errors =
                outcomes.iter().filter_map(|outcome| Some((outcome.step, outcome.errors.as_ref().ok()?)));
            let mut points: Vec<_> = errors.map(|(step, errors)| (step, measure(errors))).collect();
            points.sort_by(|a, b| b.0.total_cmp(&a.0));
            points.retain(|(_, error)| *error > ROUNDING);
            points
        };
        let at_end = points(|errors| errors.at_end.norm());
        let of_largest = at_end.len() < 2;
        let points = if of_largest { points(|errors| errors.largest.norm()) } else { at_end };
        let has_floor = match points.as_slice() {
            [.., coarser, finer] => slope(&[*coarser, *finer]).is_some_and(|order| order < FLOOR_ORDER),
            _ => false,
        };
        let floor = if has_floor { floor(outcomes, of_largest) } else { None };
        Self { of_largest, slope: slope(&points), floor }
    }
}

fn floor<const D: usize>(outcomes: &[StepOutcome<D>], of_largest: bool) -> Option<Vector<D>> {
    let errors = outcomes.iter().filter_map(|outcome| Some((outcome.step, outcome.errors.as_ref().ok()?)));
    let mut errors: Vec<_> = errors.collect();
    errors.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [.., (coarse_step, coarse), (fine_step, fine)] = errors.as_slice() else { return None };
    let error = |errors: &ErrorAt<D>| if of_largest { errors.largest } else { errors.at_end };
    let ratio = coarse_step / fine_step;
    Some(((error(fine) * ratio - error(coarse)) / (ratio - 1.0)).abs())
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
