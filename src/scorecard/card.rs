use rayon::prelude::*;

use super::{Outcome, Phenomenon, Verdict};
use crate::{stepper::StepperName, watch::Watch};

/// Steps in s of a scorecard where none are named.
pub const DEFAULT_STEPS: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Phenomena by models by steps.
#[derive(Debug, Clone)]
pub struct Scorecard {
    /// The phenomena, in order.
    pub phenomena: Vec<Phenomenon>,
    /// The names of the models, in order.
    pub models: Vec<String>,
    /// The steps in s, in order.
    pub steps: Vec<f64>,
    /// What was found: by phenomenon, then by model, then by step.
    pub scores: Vec<Score>,
    /// What the model or setting that each phenomenon names as failing does.
    pub failing: Vec<Score>,
}

/// What one model made of one phenomenon in steps of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// What was found.
    pub outcome: Outcome,
    /// What it is worth.
    pub verdict: Verdict,
}

impl Score {
    /// Judges what was found of `phenomenon`.
    pub fn of(phenomenon: &Phenomenon, outcome: Outcome) -> Self {
        let verdict = match outcome {
            Outcome::Measured(value) => phenomenon.thresholds.judge(value, phenomenon.truth),
            Outcome::Failed { .. } => Verdict::Wrong,
            Outcome::Refused { .. } => Verdict::Refused,
        };
        Self { outcome, verdict }
    }

    /// The measured value, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Measured(value) if value.is_finite() => Some(value),
            _ => None,
        }
    }
}

/// One run of a trial.
struct Job {
    phenomenon: usize,
    stepper: StepperName,
    step: f64,
    is_failing: bool,
}

impl Scorecard {
    /// Time steps that [`Scorecard::run`] takes at most.
    pub fn amount(phenomena: &[Phenomenon], steppers: &[StepperName], steps: &[f64]) -> usize {
        let of = |phenomenon: &Phenomenon| {
            let each: usize = steps.iter().map(|&step| phenomenon.trial.steps(step)).sum();
            each * steppers.len() + phenomenon.trial.steps(phenomenon.failing.step)
        };
        phenomena.iter().map(of).sum()
    }

    /// Runs every phenomenon with every stepper at every step, in parallel.
    ///
    /// `None` where `watch`, which counts the time steps, said to stop.
    pub fn run(
        phenomena: Vec<Phenomenon>,
        steppers: &[StepperName],
        steps: &[f64],
        watch: &Watch<'_>,
    ) -> Option<Self> {
        let mut jobs = Vec::new();
        for (index, phenomenon) in phenomena.iter().enumerate() {
            for &stepper in steppers {
                jobs.extend(steps.iter().map(|&step| Job {
                    phenomenon: index,
                    stepper,
                    step,
                    is_failing: false,
                }));
            }
            let failing = &phenomenon.failing;
            jobs.push(Job {
                phenomenon: index,
                stepper: failing.stepper,
                step: failing.step,
                is_failing: true,
            });
        }
        // The longest first, so that no thread is left with one of them at the end.
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        let length = |job: &Job| phenomena[job.phenomenon].trial.steps(job.step);
        order.sort_by_cached_key(|&index| std::cmp::Reverse(length(&jobs[index])));
        let run = |index: usize| {
            let Job { phenomenon, stepper, step, is_failing } = jobs[index];
            let phenomenon = &phenomena[phenomenon];
            let adjust = phenomenon.failing.settings.filter(|_| is_failing).map(|settings| settings.apply);
            let outcome = phenomenon.trial.run(stepper, step, adjust, watch)?;
            Some((index, Score::of(phenomenon, outcome)))
        };
        let mut found: Vec<(usize, Score)> = order.into_par_iter().map(run).collect::<Option<_>>()?;
        found.sort_by_key(|(index, _)| *index);
        let (mut scores, mut failing) = (Vec::new(), Vec::new());
        for (job, (_, score)) in jobs.iter().zip(found) {
            if job.is_failing { &mut failing } else { &mut scores }.push(score);
        }
        let models = steppers.iter().map(ToString::to_string).collect();
        Some(Self { phenomena, models, steps: steps.to_vec(), scores, failing })
    }

    /// What `model` made of `phenomenon` at `step`, all by their places.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn score(&self, phenomenon: usize, model: usize, step: usize) -> &Score {
        &self.scores[(phenomenon * self.models.len() + model) * self.steps.len() + step]
    }

    /// How often `model` got each of [`Verdict::ALL`] at `step`.
    pub fn tally(&self, model: usize, step: usize) -> [usize; Verdict::ALL.len()] {
        let mut tally = [0; Verdict::ALL.len()];
        for phenomenon in 0..self.phenomena.len() {
            tally[self.score(phenomenon, model, step).verdict as usize] += 1;
        }
        tally
    }
}
