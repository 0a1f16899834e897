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
    face::{Explanation, NOISY, complementary_systems, is_complementary},
    findings::{DataSet, Findings},
    identifiability::Identifiability,
    input::{
        BlockData, FROM_FORCES, Figures, Input, InputError, LearnError, MOST_SAMPLES, Progress, Run, Wish,
        minimise_reporting, report,
    },
    least_squares,
    linear_program::describe,
    momentum::contradiction,
    options::Range,
    picture::{COUNTS, SEEDS, coefficients, learners_by_selection, learning_curve},
    system::{COEFFICIENTS, Coefficients, Equations, ForcedStep, ForcedSteps, Plane, ROWS, truth},
};
use crate::plot::{Axis, Figure, Marker, Panel, Point, Style, palette};

/// Decay of Adam's averages of gradients and squared gradients.
const ADAM_DECAY: (f64, f64) = (0.9, 0.999);
/// Steps of Adam between two reports of progress.
const REPORT_STRIDE: usize = 1000;

const LEAST_SQUARES: Style = Style::line(palette::BLUE).with_marker(Marker::Disc);
const ADAM: Style = Style::line(palette::VERMILLION);

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
        let wish = Wish {
            experiment: "traditional",
            samples: 30,
            least: 3,
            most: MOST_SAMPLES,
            needs_forces: true,
            ignores_noise: Some(FROM_FORCES),
        };
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

    fn least_squares(
        &self,
        steps: &[ForcedStep],
        plane: &Plane,
        progress: &mut Progress<'_>,
    ) -> Result<least_squares::Minimum, LearnError> {
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
        let settings = least_squares::Settings::default();
        minimise_reporting(&problem, DVector::zeros(plane.dimension()), &settings, 0.0, progress)
    }

    /// One pass of Adam over fresh samples, from the origin of the plane; `watch` is told how many
    /// were seen and the system so far, at every tenth of the number and in the end.
    fn adam(
        &self,
        generator: BlockGenerator,
        plane: &Plane,
        progress: &mut Progress<'_>,
        watch: &mut dyn FnMut(usize, &Coefficients),
    ) -> Result<Coefficients, LearnError> {
        let samples = generator.stream(Random::derived_seed(self.seed)).take(self.adam_samples);
        let steps = samples.filter_map(|sample| ForcedStep::in_units_of(1.0, &sample));
        let (mean_decay, square_decay) = ADAM_DECAY;
        let mut t = DVector::zeros(plane.dimension());
        let (mut mean, mut square) = (t.clone(), t.clone());
        let (mut mean_power, mut square_power) = (1.0, 1.0);
        let mut next_watch = 1;
        for (index, step) in steps.enumerate() {
            if index % REPORT_STRIDE == 0 {
                report(progress, 0.1 + 0.9 * index as f64 / self.adam_samples as f64)?;
            }
            let residuals = self.residuals(&step, plane, &t).into_iter();
            let gradient = residuals.fold(DVector::zeros(t.len()), |sum, (r, slope)| sum + slope * (2.0 * r));
            mean_power *= mean_decay;
            square_power *= square_decay;
            for k in 0..t.len() {
                mean[k] = mean_decay * mean[k] + (1.0 - mean_decay) * gradient[k];
                square[k] = square_decay * square[k] + (1.0 - square_decay) * gradient[k] * gradient[k];
                let scale = (square[k] / (1.0 - square_power)).sqrt() + 1e-8;
                t[k] -= self.adam_rate * mean[k] / (1.0 - mean_power) / scale;
            }
            if index + 1 >= next_watch || index + 1 == self.adam_samples {
                watch(index + 1, &plane.point(&t));
                next_watch += next_watch.div_ceil(10);
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
        let minimum = self.least_squares(&steps, &plane, progress)?;
        let system = plane.point(&minimum.x);
        report(progress, 0.1)?;

        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        findings.notes.extend(contradiction(&self.data));
        findings.measure("cost", minimum.cost());
        findings.note_unfinished(&minimum);
        findings.measure("evaluations", minimum.evaluations);
        findings.measure("condition", Identifiability::of(&minimum.jacobian).condition);
        // Directions that change no complementary equation leave the cost at zero, where there is a system without cost.
        let free = complementary_systems(&steps, &fixed);
        let product =
            |step: &ForcedStep, row: usize| step.slack_row(row).dot(&free.origin) * step.lambda[row];
        let violation = steps.iter().flat_map(|step| (0..ROWS).map(|row| product(step, row).abs())).sum();
        let intervals = if is_complementary(violation, &steps) {
            let interval = |index| {
                let is_free = free.dimension() > 0 && free.directions.row(index).amax() > 1e-9;
                if is_free { [f64::NEG_INFINITY, f64::INFINITY] } else { [system[index]; 2] }
            };
            Some((0..COEFFICIENTS).map(interval).collect())
        } else {
            findings.notes.push(NOISY.to_owned());
            None
        };
        let explanation = Explanation { system, intervals };
        describe(&mut findings, &explanation, self.data.friction(), "one of them is shown");
        if self.data.generator.is_none() {
            let mean = minimum.cost() / steps.len() as f64;
            findings.set_error(mean, "mean penalty of a step, m^2/s^2");
        }
        if let Some(generator) = self.data.generator.filter(|_| self.adam_samples > 0) {
            let adam = self.adam(generator, &plane, progress, &mut |_, _| {})?;
            let error = (adam - truth(generator.friction)).amax();
            findings.measure("adam", json!({ "samples": self.adam_samples, "error": error }));
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let title = "*M* and *W* of the traditional formulation";
        let mut figures = vec![("coefficients", coefficients(title, &findings.parameters))];
        let Some(generator) = self.data.generator else { return Ok(figures) };
        let plane = Equations::one_entry_per_row().solutions();
        if self.adam_samples > 0 {
            let mut path = Vec::new();
            // Longer than for the result, so that one sees what it takes.
            let longer = Self { data: self.data.clone(), adam_samples: 10 * self.adam_samples, ..*self };
            longer.adam(generator, &plane, progress, &mut |seen, system| {
                path.push([seen as f64, (system - truth(generator.friction)).amax()]);
            })?;
            let steps = ForcedSteps::in_units_of(1.0, &self.data.samples).steps;
            let costs = self.least_squares(&steps, &plane, &mut |_| progress(0.1))?.costs;
            figures.push(("convergence", convergence(&costs, path)));
        }
        let error = |data: BlockData, progress: &mut Progress<'_>| {
            Ok(Self { data, adam_samples: 0, ..*self }.run(progress)?.error)
        };
        let learners = learners_by_selection(generator, &error);
        let title = "How many steps the traditional formulation takes";
        let axis = Axis::new("largest error of a coefficient", "");
        figures.push(("learning-curve", learning_curve(title, axis, &learners, &COUNTS, SEEDS, progress)?));
        Ok(figures)
    }
}

/// The cost at every step of the least-squares method, and the error after every sample of Adam.
fn convergence(costs: &[f64], adam: Vec<Point>) -> Figure {
    let costs = costs.iter().enumerate().map(|(step, cost)| [step as f64, cost.max(1e-30)]).collect();
    let cost = Axis::new("cost", "m^{2}/s^{2}").log().decades(40.0);
    let least_squares = Panel::new(Axis::new("step of the method", ""), cost).height(110.0).curve(
        "all samples at once, Levenberg-Marquardt",
        costs,
        LEAST_SQUARES,
    );
    let adam = Panel::new(Axis::new("samples seen", "").log(), Axis::new("largest error", "").log())
        .height(110.0)
        .curve("one after the other, Adam", adam, ADAM);
    let mut figure = Figure::new("Convergence of the traditional formulation");
    figure.panels = vec![least_squares, adam];
    figure
}
