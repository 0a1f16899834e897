//! Traditional formulation with known forces (section 3.1.3 of the LCP notes).
//!
//! Find `M` and `W` such that `0 <= lambda _|_ w = M lambda + W d >= 0` in every step, by penalties:
//!
//! ```text
//! min  sum_i a1 |lambda_i * w_i|^2 + a2 |max(0, -w_i)|^2,     M13 = M23 = 1,  M31 = -1,
//! ```
//!
//! where one fixed entry per row excludes the zero system and 15 coefficients are left. The
//! penalties are squared, so this is a least-squares problem, piecewise linear in its residuals;
//! the Levenberg-Marquardt method solves it in a few steps from 30 samples.
//!
//! The notes needed 10,000 to 30,000 samples. That is a property of one pass of stochastic gradient
//! descent: a run of Adam (Kingma and Ba 2015), one sample per step, is kept for comparison.

use nalgebra::{DMatrix, DVector};
use serde_json::json;

use super::{
    data::{BlockGenerator, Random},
    face::{Explanation, complementary_systems},
    findings::{DataSet, Findings},
    identifiability::Identifiability,
    input::{BlockData, Input, InputError, LearnError, Progress, Run, Wish, report},
    least_squares::{self, minimise},
    linear_program::describe,
    options::Range,
    system::{COEFFICIENTS, Coefficients, Equations, ForcedStep, ForcedSteps, Plane, ROWS, truth},
};

/// Decay of Adam's averages of gradients and squared gradients.
const ADAM_DECAY: (f64, f64) = (0.9, 0.999);
/// Steps of Adam between two reports of progress.
const REPORT_STRIDE: usize = 1000;

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct Traditional {
    data: BlockData,
    seed: u64,
    complementarity_weight: f64,
    sign_weight: f64,
    adam_samples: usize,
    adam_rate: f64,
}

impl Traditional {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish { experiment: "traditional", samples: 30, least: 3, needs_forces: true };
        Ok(Self {
            data: input.block(&wish, BlockGenerator::default())?,
            seed: input.seed,
            complementarity_weight: input.options.number(
                "complementarity_weight",
                1.0,
                Range::above(0.0, 1e9),
            ),
            sign_weight: input.options.number("sign_weight", 1.0, Range::above(0.0, 1e9)),
            adam_samples: input.options.count("adam_samples", 10_000, 0, 10_000_000),
            adam_rate: input.options.number("adam_rate", 1e-3, Range::above(0.0, 1.0)),
        })
    }

    /// Residuals of one step and their derivatives by the coordinates `t`.
    fn residuals(
        &self,
        step: &ForcedStep,
        plane: &Plane,
        t: &DVector<f64>,
    ) -> [(f64, DVector<f64>); 2 * ROWS] {
        let mut all: [(f64, DVector<f64>); 2 * ROWS] = Default::default();
        for row in 0..ROWS {
            let (constant, slope) = plane.reduce(&step.slack_row(row));
            let w = constant + slope.dot(t);
            let complementarity = self.complementarity_weight.sqrt() * step.lambda[row];
            let sign = if w < 0.0 { -self.sign_weight.sqrt() } else { 0.0 };
            all[row] = (complementarity * w, &slope * complementarity);
            all[ROWS + row] = (sign * w, slope * sign);
        }
        all
    }

    fn least_squares(&self, steps: &[ForcedStep], plane: &Plane) -> least_squares::Minimum {
        let problem = |t: &DVector<f64>| {
            let mut residuals = DVector::zeros(2 * ROWS * steps.len());
            let mut jacobian = DMatrix::zeros(residuals.len(), t.len());
            for (index, step) in steps.iter().enumerate() {
                for (kind, (residual, slope)) in self.residuals(step, plane, t).into_iter().enumerate() {
                    residuals[2 * ROWS * index + kind] = residual;
                    jacobian.set_row(2 * ROWS * index + kind, &slope.transpose());
                }
            }
            (residuals, jacobian)
        };
        minimise(&problem, DVector::zeros(plane.dimension()), &least_squares::Settings::default())
    }

    /// One pass of Adam over fresh samples, from the origin of the plane.
    fn adam(
        &self,
        generator: BlockGenerator,
        plane: &Plane,
        progress: &mut Progress<'_>,
    ) -> Result<Coefficients, LearnError> {
        let samples = generator.generate(self.adam_samples, Random::derived_seed(self.seed));
        let steps = ForcedSteps::in_units_of(1.0, &samples).steps;
        let (mean_decay, square_decay) = ADAM_DECAY;
        let mut t = DVector::zeros(plane.dimension());
        let (mut mean, mut square) = (t.clone(), t.clone());
        let (mut mean_power, mut square_power) = (1.0, 1.0);
        for (index, step) in steps.iter().enumerate() {
            if index % REPORT_STRIDE == 0 {
                report(progress, 0.1 + 0.9 * index as f64 / steps.len() as f64)?;
            }
            let residuals = self.residuals(step, plane, &t).into_iter();
            let gradient = residuals.fold(DVector::zeros(t.len()), |sum, (r, slope)| sum + slope * (2.0 * r));
            mean_power *= mean_decay;
            square_power *= square_decay;
            for k in 0..t.len() {
                mean[k] = mean_decay * mean[k] + (1.0 - mean_decay) * gradient[k];
                square[k] = square_decay * square[k] + (1.0 - square_decay) * gradient[k] * gradient[k];
                let scale = (square[k] / (1.0 - square_power)).sqrt() + 1e-8;
                t[k] -= self.adam_rate * mean[k] / (1.0 - mean_power) / scale;
            }
        }
        Ok(plane.point(&t))
    }
}

impl Run for Traditional {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let steps = ForcedSteps::in_units_of(1.0, &self.data.samples).steps;
        let fixed = Equations::one_entry_per_row();
        let plane = fixed.solutions();
        let minimum = self.least_squares(&steps, &plane);
        let system = plane.point(&minimum.x);
        report(progress, 0.1)?;

        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        findings.measure("cost", minimum.cost());
        findings.measure("evaluations", minimum.evaluations);
        findings.measure("condition", Identifiability::of(&minimum.jacobian).condition);
        // Directions that change no complementary equation leave the cost at zero.
        let free = complementary_systems(&steps, &fixed);
        let intervals = (0..COEFFICIENTS).map(|index| {
            let is_free = free.dimension() > 0 && free.directions.row(index).amax() > 1e-9;
            if is_free { [f64::NEG_INFINITY, f64::INFINITY] } else { [system[index]; 2] }
        });
        let explanation = Explanation { system, intervals: Some(intervals.collect()) };
        describe(&mut findings, &explanation, self.data.friction());
        if let Some(generator) = self.data.generator.filter(|_| self.adam_samples > 0) {
            let adam = self.adam(generator, &plane, progress)?;
            let error = (adam - truth(generator.friction)).amax();
            findings.measure("adam", json!({ "samples": self.adam_samples, "error": error }));
        }
        Ok(findings)
    }
}
