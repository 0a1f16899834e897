use super::{NoError, Run, StepOutcome, distances, slope};
use crate::{
    decimal::rounded,
    scenario::Scenario,
    simulate::{OnFailure, stream},
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

use rayon::prelude::*;

/// How many steps of the reference the finest step of a study has at least, where a model is compared with itself.
const FINER: usize = 4;

/// How many it may have so that all steps of the study are multiples of that of the reference.
const FINEST: usize = 64;

/// Part of a step by which a multiple may be off, for rounding.
const ROUNDING: f64 = 1e-9;

/// With what the motions of a study are compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    /// The exact motion.
    Exact,
    /// Where there is none, the motion of every model itself at a finer step: how fast it settles, and nothing of what
    /// it settles on.
    OwnMotion {
        /// That step in s.
        step: f64,
        /// Why there is no exact motion.
        reason: String,
    },
}

/// Why there is no exact motion of `scenario` up to its end; `None` if there is.
fn why_unknown<const D: usize>(scenario: &Scenario<D>, watch: &Watch<'_>) -> Option<String>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut exact = match scenario.stepper(StepperName::EXACT) {
        Ok(exact) => exact,
        Err(refusal) => return Some(refusal.reason),
    };
    let run = stream(scenario, exact.as_mut(), OnFailure::Stop, |_| watch.flow());
    run.first_failure.map(|failure| failure.error.explanation)
}

impl Reference {
    /// For a study of `scenario`, which has the finest step, at these steps.
    pub(super) fn of<const D: usize>(finest: &Scenario<D>, steps: &[f64], watch: &Watch<'_>) -> Self
    where
        Scenario<D>: BuildStepper<D>,
    {
        match why_unknown(finest, watch) {
            Some(reason) => Self::OwnMotion { step: Self::own_step(finest.step, steps), reason },
            None => Self::Exact,
        }
    }

    /// The step in s of a model's own motion, finer than the `finest`, that steps at all these lengths are held against.
    pub(super) fn own_step(finest: f64, steps: &[f64]) -> f64 {
        let divided_by = |parts: usize| rounded(finest / parts as f64, 12);
        let takes_all =
            |parts: &usize| steps.iter().all(|&step| multiple(step, divided_by(*parts)).is_some());
        let parts = (FINER..=FINEST).find(takes_all).unwrap_or(FINER);
        divided_by(parts)
    }

    /// What came out under the stepper `name` of the scenario at each of its steps.
    pub(super) fn outcomes<const D: usize>(
        &self,
        name: StepperName,
        scenarios: &[Scenario<D>],
        watch: &Watch<'_>,
    ) -> Vec<StepOutcome<D>>
    where
        Scenario<D>: BuildStepper<D>,
    {
        let run = |scenario, stride| Run { stepper: name, scenario, stride };
        let errors: Vec<_> = match self {
            Self::Exact => scenarios
                .par_iter()
                .flat_map_iter(|scenario| {
                    distances((StepperName::EXACT, scenario), &[run(scenario, 1)], watch)
                })
                .collect(),
            Self::OwnMotion { step, .. } => {
                let strides: Vec<_> =
                    scenarios.iter().map(|scenario| multiple(scenario.step, *step)).collect();
                let runs: Vec<_> = scenarios
                    .iter()
                    .zip(&strides)
                    .filter_map(|(scenario, stride)| Some(run(scenario, (*stride)?)))
                    .collect();
                // It lasts as long as the longest of them: each ends at a multiple of its step.
                let end = |run: &Run<'_, D>| run.scenario.step * run.scenario.time().steps as f64;
                let duration = runs.iter().map(end).fold(0.0, f64::max);
                let errors = match scenarios.first().filter(|_| !runs.is_empty()) {
                    Some(scenario) => {
                        let reference = Scenario { step: *step, duration, ..scenario.clone() };
                        distances((name, &reference), &runs, watch)
                    }
                    None => Vec::new(),
                };
                let mut errors = errors.into_iter();
                let reason =
                    || NoError::Refused(format!("no multiple of the step of {step} s of the reference"));
                let of_step = |stride: &Option<usize>| {
                    stride.and_then(|_| errors.next()).unwrap_or_else(|| Err(reason()))
                };
                strides.iter().map(of_step).collect()
            }
        };
        let steps = scenarios.iter().map(|scenario| scenario.step);
        steps.zip(errors).map(|(step, errors)| StepOutcome { step, errors }).collect()
    }

    /// The order of convergence of the errors `points` over the steps.
    ///
    /// Distances from a motion of first order at a step of `r` are proportional to `h - r`, so that they are fitted
    /// over that.
    pub(super) fn order(&self, points: &[(f64, f64)]) -> Option<f64> {
        let finer = match self {
            Self::Exact => 0.0,
            Self::OwnMotion { step, .. } => *step,
        };
        slope(&points.iter().map(|(step, error)| (step - finer, *error)).collect::<Vec<_>>())
    }
}

/// How many times the step `part` is in `whole`, where that is a whole number.
fn multiple(whole: f64, part: f64) -> Option<usize> {
    let times = whole / part;
    ((times - times.round()).abs() <= ROUNDING * times).then(|| times.round() as usize)
}

#[cfg(test)]
mod tests {
    use super::{Reference, multiple};

    #[test]
    fn multiples_are_told_from_what_is_none() {
        assert_eq!(multiple(1e-2, 1.25e-4), Some(80));
        assert_eq!(multiple(3e-3, 1e-3), Some(3));
        assert_eq!(multiple(1e-2, 3e-3), None);
    }

    #[test]
    fn distances_of_first_order_from_a_finer_motion_have_order_one() {
        let reference = Reference::OwnMotion { step: 0.25, reason: String::new() };
        let points = [4.0, 2.0, 1.0].map(|step| (step, 3.0 * (step - 0.25)));
        assert!((reference.order(&points).unwrap() - 1.0).abs() < 1e-12);
    }
}
