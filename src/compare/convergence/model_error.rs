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
    let error = beside(StepperName::EXACT, &trial, 1)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenario::Body, watch::Watch};

    /// A point that is thrown and bounces, of which `convex` makes nothing.
    fn bounce() -> Scenario<2> {
        let mut scenario = Scenario::new("model-error");
        scenario.duration = 1.5;
        scenario.bodies = vec![Body::point(10.0, [0.0, 1.0], [2.0, 0.0])];
        (scenario.ground.friction, scenario.ground.restitution) = (0.1, 0.6);
        scenario
    }

    const FINEST: f64 = 1e-3;

    /// The error of a stepper at the finest step.
    fn error(name: StepperName) -> f64 {
        let scenario = Scenario { step: FINEST, ..bounce() };
        let run = Run { stepper: name, scenario: &scenario, stride: 1 };
        let errors = distances((StepperName::EXACT, &scenario), &[run], &Watch::none()).pop();
        errors.and_then(Result::ok).expect("it reaches the end").rms
    }

    /// Whether an error of the model is claimed where the errors at the two finest steps are these.
    fn is_claimed(name: StepperName, coarser: f64, finest: f64) -> bool {
        let points = [(2.0 * FINEST, coarser), (FINEST, finest)];
        let found = model_error(&bounce(), name, &points, &Watch::none());
        found.inspect(|found| assert_eq!(found.step, FINEST / 8.0)).is_some()
    }

    #[test]
    fn an_error_of_the_model_hardly_falls_and_is_still_there_and_settled() {
        let convex = error(StepperName::CONVEX);
        assert!(is_claimed(StepperName::CONVEX, convex, convex));
        assert!(is_claimed(StepperName::CONVEX, 1.3 * convex, convex));
        assert!(!is_claimed(StepperName::CONVEX, 2.0 * convex, convex), "it falls at first order");
        assert!(!is_claimed(StepperName::CONVEX, 10.0 * convex, 10.0 * convex), "a tenth of it is left");
        // The error of a consistent model falls, and its motion with it: it has not settled.
        let lcp = error(StepperName::LCP);
        assert!(!is_claimed(StepperName::LCP, lcp, lcp));
        assert!(!is_claimed(StepperName::LCP, 0.1 * lcp, 0.1 * lcp));
    }
}
