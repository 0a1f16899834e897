//! Direct formulation with known slack friction (section 3.1.2 of the LCP notes).
//!
//! As in [`direct`](super::direct), but with the unused friction
//!
//! ```text
//! lambda' = [mu + x_plus - s, mu + x_minus + s],      s = v + u,
//! ```
//!
//! in place of the forces. Now the true system is exactly affine, `f = [s - mu, -s - mu]` and
//! `G = I`, the nine features are independent, and linear least squares finds it from nine steps.
//! The price: `mu` has to be known to measure `lambda'`. Where nobody measured it, as in data from a file, it is
//! computed from `v_next` and an assumed `mu`. The equations then hold whatever `v_next` is: `f` and `G` are those
//! of the assumption, and nothing is learned from the data.

use nalgebra::{DMatrix, DVector, Vector2};

use super::{
    affine::{
        COEFFICIENTS, FEATURES, coefficient_names, features, linear_least_squares, predict, rms, split,
    },
    data::{BlockGenerator, BlockSample},
    direct::split_for_testing,
    findings::{DataSet, Findings, Parameter},
    identifiability::Identifiability,
    input::{BlockData, Figures, Input, InputError, LearnError, MOST_SAMPLES, Progress, Run, Wish},
    options::Range,
    picture::{Learner, coefficients, learning_curve},
};
use crate::plot::Axis;

/// Why noise changes nothing.
const NOISE_IS_LOST: &str =
    "lambda' is computed from v_next, so that noise is the same on both sides of the equations: leave it out";
/// Why no coefficient is determined by data from a file.
const ASSUMED: &str = "it follows from the friction that was assumed, whatever the data";

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct Slack {
    data: BlockData,
    training: Vec<BlockSample>,
    test: Vec<BlockSample>,
    friction: f64,
}

impl Slack {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish {
            experiment: "slack",
            samples: 30,
            least: 2,
            most: MOST_SAMPLES,
            needs_forces: false,
            ignores_noise: Some(NOISE_IS_LOST),
        };
        let data = input.block(&wish, BlockGenerator::default())?;
        let friction = match data.friction() {
            Some(friction) => friction,
            None => input.options.number("friction", 1.0, Range::above(0.0, 1e6)),
        };
        let (training, test) = split_for_testing(&data, input);
        Ok(Self { data, training, test, friction })
    }

    /// What steps to give that determine more.
    fn remedy(&self) -> String {
        if self.training.len() < FEATURES {
            return format!("give {FEATURES} steps or more");
        }
        let has = |is: fn(f64) -> bool| self.training.iter().any(|sample| is(sample.next_velocity));
        let kinds = [
            (has(|next| next < 0.0), "slide to the left"),
            (has(|next| next == 0.0), "stick"),
            (has(|next| next > 0.0), "slide to the right"),
        ];
        let missing: Vec<&str> =
            kinds.iter().filter(|(is_there, _)| !is_there).map(|(_, kind)| *kind).collect();
        if missing.is_empty() {
            "they are too much alike; give steps of every kind with other velocities and pushes".to_owned()
        } else {
            format!("more of the same tell no more; give steps that {} too", missing.join(" and that "))
        }
    }

    /// `lambda'` of a step.
    fn slack_friction(&self, sample: &BlockSample) -> Vector2<f64> {
        let free = sample.free_velocity();
        split(sample.next_velocity) + Vector2::new(self.friction - free, self.friction + free)
    }
}

impl Run for Slack {
    fn run(&self, _: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let rows =
            self.training.iter().flat_map(|sample| features(sample, self.slack_friction(sample)).data.0[0]);
        let matrix = DMatrix::from_row_iterator(self.training.len(), FEATURES, rows);
        let mut coefficients = DVector::zeros(COEFFICIENTS);
        let mut residuals = Vec::new();
        for output in 0..2 {
            let right = DVector::from_iterator(
                self.training.len(),
                self.training.iter().map(|sample| split(sample.next_velocity)[output]),
            );
            let (solution, rest) = linear_least_squares(&matrix, &right);
            coefficients.rows_mut(output * FEATURES, FEATURES).copy_from(&solution);
            residuals.extend(rest.iter().copied());
        }

        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        let identifiability = Identifiability::of(&matrix);
        let truth = self.truth();
        for (index, name) in coefficient_names().into_iter().enumerate() {
            let value = coefficients[index];
            let parameter = match self.data.generator {
                Some(_) => {
                    let is_determined = identifiability.determined[index % FEATURES];
                    Parameter::new(value, Some(truth[index]), is_determined)
                }
                None => Parameter { reason: Some(ASSUMED.to_owned()), ..Parameter::new(value, None, false) },
            };
            findings.parameter(name, parameter);
        }
        if self.data.generator.is_none() {
            findings.notes.push(format!(
                "a friction of {} m/s was assumed (--set friction=...), and lambda' computed from it and v_next: f and G \
                 follow from that whatever the data are, which determine none of them and say nothing about the friction",
                self.friction
            ));
        }
        let errors: Vec<f64> = (self.test.iter())
            .flat_map(|sample| {
                let error = predict(&coefficients, &features(sample, self.slack_friction(sample)))
                    - split(sample.next_velocity);
                [error.x, error.y]
            })
            .collect();
        let measure = match self.training == self.test {
            true => {
                "rms error of the velocities that come back from lambda', which was computed from them, m/s"
            }
            false => {
                "rms error of the velocities that come back from lambda', which was computed from them, on data not \
                 learned from, m/s"
            }
        };
        findings.set_error(rms(errors.into_iter()), measure);
        findings.measure("training_rms", rms(residuals.into_iter()));
        findings.measure("rank", identifiability.rank);
        findings.measure("condition", identifiability.condition);
        findings.measure("test_samples", self.test.len());
        if identifiability.rank < FEATURES {
            findings.notes.push(format!(
                "{} steps determine {} of the {FEATURES} coefficients of each output: {}",
                self.training.len(),
                identifiability.rank,
                self.remedy()
            ));
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let title = "Coefficients of the slack formulation";
        let mut figures = vec![("coefficients", coefficients(title, &findings.parameters))];
        if let Some(generator) = self.data.generator {
            let error = |count: usize, seed: u64, progress: &mut Progress<'_>| {
                let data = BlockData::drawn(generator, count, seed);
                let (training, test) = (data.samples.clone(), self.test.clone());
                Ok(Self { data, training, test, friction: self.friction }.run(progress)?.error)
            };
            let learner = Learner { label: "linear least squares".to_owned(), error: Box::new(error) };
            let axis = Axis::new("rms error on other data", "m/s");
            let title = "How many steps the slack formulation takes";
            let counts = [3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30];
            figures.push(("learning-curve", learning_curve(title, axis, &[learner], &counts, 9, progress)?));
        }
        Ok(figures)
    }
}

impl Slack {
    /// `f = [s - mu, -s - mu]`, `G = I`, in the order of [`coefficient_names`].
    fn truth(&self) -> [f64; COEFFICIENTS] {
        let mu = self.friction;
        [
            -mu, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, //
            -mu, -1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
        ]
    }
}
