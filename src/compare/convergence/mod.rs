//! The errors of models over the length of the step, and how fast they fall.

mod model_error;
mod reference;
mod side_by_side;

pub use model_error::ModelError;
pub use reference::Reference;

use std::fmt;

use rayon::prelude::*;

use self::{
    model_error::model_error,
    side_by_side::{Run, distances},
};
use super::run::admitted;
use crate::{
    decimal::rounded,
    model::Vector,
    scenario::Scenario,
    stepper::{BuildStepper, Ignored, Refusal, StepperName},
    trajectory::Replay,
    watch::Watch,
};

/// Steps in s at which convergence is studied by default.
pub const DEFAULT_STEPS: [f64; 5] = [1e-2, 5e-3, 2e-3, 1e-3, 5e-4];

/// Errors in m below this are rounding, and say nothing about an order.
const ROUNDING: f64 = 1e-10;

/// The errors of several steppers on one scenario, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvergenceStudy<const D: usize> {
    /// Name of the scenario.
    pub scenario: String,
    /// With what the motions are compared.
    pub reference: Reference,
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
                write!(
                    f,
                    "step {} at t = {} s failed: {}",
                    replay.index,
                    rounded(replay.time, 12),
                    replay.reason
                )
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// Distances from the motion of [`ConvergenceStudy::reference`] in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorAt<const D: usize> {
    /// Root mean square over the whole run, all bodies that move and all coordinates: the measure of every order. A
    /// rotation counts by how far it takes the farthest point of the body.
    pub rms: f64,
    /// The final position minus that of the reference, of the body that is farthest off.
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
    /// Runs `scenario` with every stepper of `names` at every step of `steps`, in parallel, beside the motion with which
    /// it is compared. Nothing is kept of either: a study of any length needs no more memory than a step.
    ///
    /// A step that a stepper refuses has no error; a stepper that refuses all of them is left out,
    /// with its refusal at the finest step in the second value.
    ///
    /// `watch` counts the steps of all simulations together, those of the reference too (see
    /// [`amount`](Self::amount)); where it says to stop, all of them end early ([`NoError::Interrupted`]).
    pub fn run(
        scenario: &Scenario<D>,
        names: &[StepperName],
        steps: &[f64],
        watch: &Watch<'_>,
    ) -> (Self, Vec<Refusal>) {
        let scenarios: Vec<Scenario<D>> =
            steps.iter().map(|&step| Scenario { step, ..scenario.clone() }).collect();
        let admits = |name: &StepperName| scenarios.iter().any(|scenario| scenario.stepper(*name).is_ok());
        let (studied, hopeless): (Vec<_>, Vec<_>) = names.iter().copied().partition(admits);
        let finest = scenarios.iter().min_by(|a, b| a.step.total_cmp(&b.step));
        let (_, refused) = admitted(finest.unwrap_or(scenario), &hopeless);
        let reference = Reference::of(finest.unwrap_or(scenario), steps, watch);
        let steppers = studied.into_par_iter().map(|name| {
            let outcomes = reference.outcomes(name, &scenarios, watch);
            let model_error = match reference {
                Reference::Exact => model_error(scenario, name, &points(&outcomes), watch),
                Reference::OwnMotion { .. } => None,
            };
            let ignored = scenario.stepper(name).map(|stepper| scenario.ignored(&stepper.honours()));
            StepperConvergence {
                stepper: name,
                ignored: ignored.unwrap_or_default(),
                order: if model_error.is_some() { None } else { reference.order(&points(&outcomes)) },
                outcomes,
                model_error,
            }
        });
        let steppers = steppers.collect();
        (Self { scenario: scenario.name.clone(), reference, steppers }, refused)
    }

    /// How many steps [`run`](Self::run) counts, but for the trials of errors that may be of the model.
    pub fn amount(scenario: &Scenario<D>, names: &[StepperName], steps: &[f64]) -> usize {
        let at = |step: f64| Scenario { step, ..scenario.clone() };
        let count = |step: f64| at(step).time().steps;
        let finest = steps.iter().copied().fold(f64::INFINITY, f64::min);
        let runs: usize = steps.iter().copied().map(count).sum();
        // That an exact motion ends is not known before it was followed.
        let beside = match at(finest).stepper(StepperName::EXACT) {
            Ok(_) => runs,
            Err(_) => count(Reference::own_step(finest, steps)),
        };
        names.len() * (runs + beside)
    }
}

/// The errors above rounding over the steps, the finest last.
fn points<const D: usize>(outcomes: &[StepOutcome<D>]) -> Vec<(f64, f64)> {
    let errors =
        outcomes.iter().filter_map(|outcome| Some((outcome.step, outcome.errors.as_ref().ok()?.rms)));
    let mut points: Vec<_> = errors.filter(|(_, error)| *error > ROUNDING).collect();
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    points
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
    use super::*;

    #[test]
    fn slope_of_a_power_is_its_exponent() {
        let points = [1e-2_f64, 5e-3, 1e-3].map(|x| (x, 3.0 * x.powf(1.5)));
        assert!((slope(&points).unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(slope(&points[..1]), None);
    }

    #[test]
    fn errors_of_the_size_of_rounding_have_no_order() {
        let outcome = |step: f64, rms: f64| StepOutcome::<2> {
            step,
            errors: Ok(ErrorAt {
                rms,
                at_end: Vector::zeros(),
                largest: Vector::zeros(),
                largest_turn: None,
            }),
        };
        let refused = StepOutcome { step: 5e-3, errors: Err(NoError::Refused(String::new())) };
        let outcomes = [outcome(1e-3, 1e-4), outcome(5e-4, 0.9e-10), refused, outcome(1e-2, 1e-3)];
        assert_eq!(points(&outcomes), [(1e-2, 1e-3), (1e-3, 1e-4)], "the finest is last");
        assert_eq!(points(&outcomes[1..2]), []);
    }
}
