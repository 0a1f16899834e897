//! Direct formulation with known friction forces (section 3.1.1 of the LCP notes).
//!
//! Given the forces `lambda = [lambda_plus, lambda_minus]` of every step, predict the two parts
//! `x = [max(v_next, 0), max(-v_next, 0)]` of the velocity after it by
//!
//! ```text
//! x = f(v, u) + G(v, u) lambda,        f and G affine in v and u,
//! ```
//!
//! with the cost `a1 |x - x_data|^2 + a2 |lambda * x|^2 + a3 |max(0, -x)|^2` of prediction error,
//! violated complementarity and negative velocities, squared so that it is a least-squares problem.
//!
//! The true dynamics `x_plus = s - lambda_minus`, `x_minus = -s - lambda_plus` hold only for the
//! component that is not zero, so no such `f` and `G` exists: the fit keeps an error. It does
//! predict exact sticking, because `x_plus - x_minus = s + lambda_plus - lambda_minus` is affine,
//! and the penalties destroy just this. A rectifier on the outputs,
//!
//! ```text
//! x = max(0, f(v, u) + G(v, u) lambda),
//! ```
//!
//! makes the model exact. It is solved by the Levenberg-Marquardt method, from the fit without
//! rectifier along a path of vanishing ridge weights. Since friction saturates at the same `mu` in
//! every sliding step, several `f` and `G` predict alike; what is tested is the prediction.

use nalgebra::{DMatrix, DVector, SVector, Vector2};
use serde_json::json;

use super::{
    affine::{
        COEFFICIENTS, FEATURES, coefficient_names, features, linear_least_squares, predict, rms, split,
    },
    data::{BlockGenerator, BlockSample, Random, Selection},
    findings::{DataSet, Findings, Parameter},
    identifiability::Identifiability,
    input::{
        BlockData, Figures, Input, InputError, LearnError, Progress, Run, Wish, minimise_reporting, report,
    },
    least_squares::{self, Minimum},
    momentum::contradiction,
    options::Range,
    picture::{Learner, coefficients, learning_curve, prediction_error},
};
use crate::plot::Axis;

/// Weights of `|c|` on the way to the rectified fit, relative to a prediction error of 1 m/s.
const RIDGE_WEIGHTS: [f64; 5] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5];
/// Training error (rms) that counts as zero.
const ZERO_TRAINING_ERROR: f64 = 1e-9;
/// Steps of the test data that pictures show.
const SHOWN: usize = 100;
/// Samples drawn for testing where data are generated.
const TEST_SAMPLES: usize = 2000;

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct Direct {
    data: BlockData,
    training: Vec<BlockSample>,
    test: Vec<BlockSample>,
    weights: Vec<f64>,
    sticking_tolerance: f64,
}

impl Direct {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish {
            experiment: "direct",
            samples: 400,
            least: 2 * FEATURES,
            most: 100_000,
            needs_forces: true,
            ignores_noise: None,
        };
        let data = input.block(&wish, BlockGenerator { selection: Selection::Min, ..Default::default() })?;
        let (training, test) = split_for_testing(&data, input);
        Ok(Self {
            data,
            training,
            test,
            weights: input.options.numbers("penalties", &[0.0, 1.0, 10.0], Range::closed(0.0, 1e9)),
            sticking_tolerance: input.options.number("sticking_tolerance", 3e-3, Range::above(0.0, 1.0)),
        })
    }
}

impl Run for Direct {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let training = Rows::new(&self.training);
        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        findings.notes.extend(contradiction(&self.data));

        let (linear, residuals) = training.fit();
        findings.measure("linear_residual_rms", rms(residuals.iter().copied()));
        let mut penalties = Vec::with_capacity(self.weights.len());
        for weight in &self.weights {
            let fit = training.fit_with_penalties(*weight, &linear, progress)?;
            let sticking = sticking_share(&self.training, self.sticking_tolerance, |row| predict(&fit, row));
            penalties.push(json!({ "weight": weight, "sticking_share": sticking,
                                   "rms": training.error(|row| predict(&fit, row)) }));
        }
        findings.measure("penalties", penalties);
        report(progress, 0.2)?;

        let rectified = training.fit_rectified(linear, progress)?;
        let model = |row: &SVector<f64, FEATURES>| rectify(predict(&rectified.x, row));
        findings.measure("training_rms", rectified.rms());
        findings.note_unfinished(&rectified);
        findings.measure("sticking_share", sticking_share(&self.training, self.sticking_tolerance, model));
        findings.set_error(Rows::new(&self.test).error(model), error_measure(&self.training, &self.test));
        findings.measure("test_samples", self.test.len());

        let identifiability = Identifiability::of(&rectified.jacobian);
        findings.measure("rank", identifiability.rank);
        // Noise lends every direction something to go by: what it determines is noise.
        let is_exact = rectified.rms() <= ZERO_TRAINING_ERROR;
        for (index, name) in coefficient_names().into_iter().enumerate() {
            let identifiable = is_exact && identifiability.determined[index];
            let truth = self.data.generator.map(|_| TRUTH[index]);
            findings.parameter(name, Parameter::new(rectified.x[index], truth, identifiable));
        }
        if is_exact && identifiability.rank < COEFFICIENTS {
            findings.notes.push(format!(
                "the data determine {} of {COEFFICIENTS} directions in the space of f and G: other coefficients \
                 predict the same, so compare predictions, not coefficients",
                identifiability.rank
            ));
        }
        if !is_exact {
            findings.notes.push(format!(
                "the rectified model keeps a training error of {:.1e}: noise, or too few samples (300 are enough); \
                 which coefficients the data determine is not explored",
                rectified.rms()
            ));
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let training = Rows::new(&self.training);
        let (linear, _) = training.fit();
        let mut models = vec![("without penalties".to_owned(), linear.clone(), false)];
        if let Some(weight) = self.weights.iter().copied().reduce(f64::max).filter(|weight| *weight > 0.0) {
            report(progress, 0.05)?;
            models.push((
                format!("penalties of {weight}"),
                training.fit_with_penalties(weight, &linear, &mut |_| progress(0.05))?,
                false,
            ));
        }
        let learned = findings.parameters.iter().map(|(_, parameter)| parameter.learned);
        models.push(("rectified".to_owned(), DVector::from_iterator(COEFFICIENTS, learned), true));
        let shown = &self.test[..self.test.len().min(SHOWN)];
        let errors = models.into_iter().map(|(label, c, is_rectified)| {
            let error = |sample: &BlockSample| {
                let x = predict(&c, &features(sample, forces(sample)));
                let x = if is_rectified { rectify(x) } else { x };
                [sample.free_velocity(), (x - split(sample.next_velocity)).amax()]
            };
            (label, shown.iter().map(error).collect())
        });
        let title = "Errors of the direct formulation";
        let mut figures = vec![
            ("prediction-error", prediction_error(title, errors.collect(), self.data.friction())),
            ("coefficients", coefficients("Coefficients of the rectified model", &findings.parameters)),
        ];
        if let Some(generator) = self.data.generator {
            let affine = |count: usize, seed: u64, _: &mut Progress<'_>| {
                let (c, _) = Rows::new(&generator.generate(count, seed)).fit();
                Ok(Rows::new(&self.test).error(|row| predict(&c, row)))
            };
            let rectified = |count: usize, seed: u64, progress: &mut Progress<'_>| {
                let data = BlockData::drawn(generator, count, seed);
                let (training, test) = (data.samples.clone(), self.test.clone());
                Ok(Self { data, training, test, weights: Vec::new(), ..*self }.run(progress)?.error)
            };
            let learners = [
                Learner { label: "affine".to_owned(), error: Box::new(affine) },
                Learner { label: "rectified".to_owned(), error: Box::new(rectified) },
            ];
            let axis = Axis::new("rms error on other data", "m/s");
            let title = "How many steps the direct formulation takes";
            let counts = [6, 9, 12, 18, 30, 50, 100, 200, 300];
            figures.push(("learning-curve", learning_curve(title, axis, &learners, &counts, 5, progress)?));
        }
        Ok(figures)
    }
}

/// `f = [s, -s]`, `G = [[0, -1], [-1, 0]]`, in the order of [`coefficient_names`].
const TRUTH: [f64; COEFFICIENTS] = [
    0.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, //
    0.0, -1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0,
];

/// Data to learn from and data to test with: fresh ones; or of a file all to learn from, unless the
/// share `test_share` at its end is kept for testing.
pub(super) fn split_for_testing(data: &BlockData, input: &mut Input) -> (Vec<BlockSample>, Vec<BlockSample>) {
    let samples = &data.samples;
    match data.generator {
        Some(generator) => {
            (samples.clone(), generator.generate(TEST_SAMPLES, Random::derived_seed(input.seed)))
        }
        None => {
            let share = input.options.number("test_share", 0.0, Range::closed(0.0, 0.9));
            let kept = (samples.len() as f64 * share) as usize;
            let (training, test) = samples.split_at(samples.len() - kept);
            (training.to_vec(), if test.is_empty() { training } else { test }.to_vec())
        }
    }
}

/// What the error of predictions of `test` measures.
fn error_measure(training: &[BlockSample], test: &[BlockSample]) -> &'static str {
    if training == test {
        "rms error of predicted velocities on the data learned from, m/s; test_share keeps some for testing"
    } else {
        "rms error of predicted velocities on data not learned from, m/s"
    }
}

fn rectify(x: Vector2<f64>) -> Vector2<f64> {
    x.map(|part| part.max(0.0))
}

/// The forces of a step, where they are known.
fn forces(sample: &BlockSample) -> Vector2<f64> {
    sample.lambda.map_or(Vector2::zeros(), |lambda| lambda.xy())
}

/// Of the steps that stick, the share that is predicted to, within a tolerance in m/s.
fn sticking_share(
    samples: &[BlockSample],
    tolerance: f64,
    model: impl Fn(&SVector<f64, FEATURES>) -> Vector2<f64>,
) -> f64 {
    let sticking: Vec<_> = samples.iter().filter(|sample| sample.next_velocity == 0.0).collect();
    let predicted = sticking.iter().filter(|sample| {
        let x = model(&features(sample, forces(sample)));
        (x.x - x.y).abs() <= tolerance
    });
    predicted.count() as f64 / sticking.len().max(1) as f64
}

/// Features, forces and velocities of the training data.
struct Rows {
    features: Vec<SVector<f64, FEATURES>>,
    forces: Vec<Vector2<f64>>,
    velocities: Vec<Vector2<f64>>,
}

impl Rows {
    fn new(samples: &[BlockSample]) -> Self {
        Self {
            features: samples.iter().map(|sample| features(sample, forces(sample))).collect(),
            forces: samples.iter().map(forces).collect(),
            velocities: samples.iter().map(|sample| split(sample.next_velocity)).collect(),
        }
    }

    /// Root mean square prediction error.
    fn error(&self, model: impl Fn(&SVector<f64, FEATURES>) -> Vector2<f64>) -> f64 {
        let errors: Vec<f64> = (self.features.iter().zip(&self.velocities))
            .flat_map(|(row, velocity)| {
                let error = model(row) - velocity;
                [error.x, error.y]
            })
            .collect();
        rms(errors.into_iter())
    }

    /// Least squares without rectifier and penalties.
    fn fit(&self) -> (DVector<f64>, DVector<f64>) {
        let mut matrix = DMatrix::zeros(2 * self.features.len(), COEFFICIENTS);
        let mut right = DVector::zeros(matrix.nrows());
        for (index, (row, velocity)) in self.features.iter().zip(&self.velocities).enumerate() {
            for output in 0..2 {
                matrix
                    .view_mut((2 * index + output, output * FEATURES), (1, FEATURES))
                    .copy_from(&row.transpose());
                right[2 * index + output] = velocity[output];
            }
        }
        linear_least_squares(&matrix, &right)
    }

    /// Least squares with both penalties at `weight`.
    fn fit_with_penalties(
        &self,
        weight: f64,
        start: &DVector<f64>,
        progress: &mut Progress<'_>,
    ) -> Result<DVector<f64>, LearnError> {
        let root = weight.sqrt();
        // Prediction, complementarity and sign of both outputs of every row.
        let problem = |c: &DVector<f64>| {
            let mut residuals = DVector::zeros(6 * self.features.len());
            let mut jacobian = DMatrix::zeros(residuals.len(), COEFFICIENTS);
            for (index, row) in self.features.iter().enumerate() {
                let x = predict(c, row);
                for output in 0..2 {
                    let violation = (-x[output]).max(0.0);
                    let slope = if violation > 0.0 { -root } else { 0.0 };
                    let force = root * self.forces[index][output];
                    let entries = [
                        (x[output] - self.velocities[index][output], 1.0),
                        (force * x[output], force),
                        (root * violation, slope),
                    ];
                    for (kind, (residual, derivative)) in entries.into_iter().enumerate() {
                        let place = 6 * index + 2 * kind + output;
                        residuals[place] = residual;
                        let entry = row.transpose() * derivative;
                        jacobian.view_mut((place, output * FEATURES), (1, FEATURES)).copy_from(&entry);
                    }
                }
            }
            (residuals, jacobian)
        };
        let settings = least_squares::Settings::default();
        Ok(minimise_reporting(&problem, start.clone(), &settings, 0.0, progress)?.x)
    }

    /// Least squares with the rectifier, along a path of vanishing ridge weights from `start`.
    ///
    /// Where many coefficients have no error, the path leads to those of least norm, which lie
    /// well inside the set and predict other data better than one at its edge.
    fn fit_rectified(&self, start: DVector<f64>, progress: &mut Progress<'_>) -> Result<Minimum, LearnError> {
        let settings = least_squares::Settings::default();
        let mut x = start;
        for (stage, weight) in RIDGE_WEIGHTS.into_iter().enumerate() {
            let share = 0.2 + 0.8 * stage as f64 / RIDGE_WEIGHTS.len() as f64;
            let ridge = |c: &DVector<f64>| self.with_ridge(c, weight);
            x = minimise_reporting(&ridge, x, &settings, share, progress)?.x;
        }
        minimise_reporting(&|c: &DVector<f64>| self.rectified(c), x, &settings, 1.0, progress)
    }

    /// The residuals of [`rectified`](Self::rectified), followed by `weight c`.
    fn with_ridge(&self, c: &DVector<f64>, weight: f64) -> (DVector<f64>, DMatrix<f64>) {
        let (residuals, jacobian) = self.rectified(c);
        let rows = residuals.len();
        let mut residuals = residuals.resize_vertically(rows + COEFFICIENTS, 0.0);
        let mut jacobian = jacobian.resize_vertically(rows + COEFFICIENTS, 0.0);
        residuals.rows_mut(rows, COEFFICIENTS).copy_from(&(c * weight));
        jacobian.view_mut((rows, 0), (COEFFICIENTS, COEFFICIENTS)).fill_diagonal(weight);
        (residuals, jacobian)
    }

    fn rectified(&self, c: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let mut residuals = DVector::zeros(2 * self.features.len());
        let mut jacobian = DMatrix::zeros(residuals.len(), COEFFICIENTS);
        for (index, row) in self.features.iter().enumerate() {
            let x = predict(c, row);
            for output in 0..2 {
                let place = 2 * index + output;
                residuals[place] = x[output].max(0.0) - self.velocities[index][output];
                if x[output] > 0.0 {
                    jacobian.view_mut((place, output * FEATURES), (1, FEATURES)).copy_from(&row.transpose());
                }
            }
        }
        (residuals, jacobian)
    }
}
