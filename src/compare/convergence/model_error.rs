use super::{Run, distances, slope};
use crate::{
    model::Vector,
    scenario::Scenario,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

/// A local order at the two finest steps below this makes an error of the model a suspicion.
const SUSPICIOUS_ORDER: f64 = 0.5;

/// How much finer the step is at which a suspicion is tried. An error of first order falls to an eighth,
/// one of order one half to a third.
const REFINEMENT: usize = 8;

/// Part of the error at the finest step that is left at the trial, at least, for an error of the model.
const STILL_THERE: f64 = 0.7;

/// Distance of the motions at the finest step and at the trial, as a part of the error, at most: the
/// motion has settled, and not on the exact one.
const SETTLED: f64 = 0.25;

/// Steps of a run that a suspicion is worth, at most.
const MOST_STEPS: usize = 10_000_000;

/// An error that no smaller step takes away, with the evidence for it.
///
/// It is claimed where the error hardly falls between the two finest steps of the study, is still there in
/// a run with steps an eighth as long, and the motions of both runs are much nearer to each other than to
/// the exact one. Errors that go up and down with where an impact falls between two samples pass none of
/// the three for long, and a consistent model fails the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelError<const D: usize> {
    /// The error that is left, as [`ErrorAt::rms`](super::ErrorAt::rms), in m.
    pub rms: f64,
    /// The largest along each axis in m.
    pub largest: Vector<D>,
    /// The step in s at which it was tried.
    pub step: f64,
    /// Root mean square distance in m of the motion there from that at the finest step of the study.
    pub settled: f64,
}

/// Looks for an error of the model among the errors `points` over the steps, the finest last; see [`ModelError`].
pub(super) fn model_error<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    points: &[(f64, f64)],
    watch: &Watch<'_>,
) -> Option<ModelError<D>>
where
    Scenario<D>: BuildStepper<D>,
{
    let [.., coarser, finest] = points else { return None };
    let is_suspicious = slope(&[*coarser, *finest]).is_some_and(|order| order < SUSPICIOUS_ORDER);
    let fine = Scenario { step: finest.0, ..scenario.clone() };
    let step = finest.0 / REFINEMENT as f64;
    let trial = Scenario { step, duration: fine.step * fine.time().steps as f64, ..scenario.clone() };
    if !is_suspicious || trial.time().steps > MOST_STEPS || trial.check().is_err() {
        return None;
    }
    let beside = |reference: StepperName, run: &Scenario<D>, stride: usize| {
        let run = Run { stepper: name, scenario: run, stride };
        distances((reference, &trial), &[run], watch).pop()?.ok()
    };
    let error = beside(StepperName::Exact, &trial, 1)?;
    if error.rms < STILL_THERE * finest.1 {
        return None;
    }
    let settled = beside(name, &fine, REFINEMENT)?.rms;
    (settled <= SETTLED * error.rms).then_some(ModelError {
        rms: error.rms,
        largest: error.largest,
        step,
        settled,
    })
}
