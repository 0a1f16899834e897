//! Linear program formulation with known forces (section 3.1.4 of the LCP notes).
//!
//! Find `M` and `W` of `q = W d`, `d = (v, u, 1)`, from steps with known `lambda`:
//!
//! ```text
//! min  sum_i lambda_i . w_i  [ + l1 |(M, W)|_1 ]     w_i = M lambda_i + W d_i >= eps
//! ```
//!
//! Every row of the system can be scaled alone, so the all-zero system solves this. The notes
//! exclude it by `eps > 0`, which does not help: `M = 0`, `q = eps` costs no more than the truth.
//! Here `eps = 0` and one entry of every row is fixed, `M13 = M23 = 1`, `M31 = -1`. With forces
//! that vary while the block sticks the solution is then unique and exact.
//!
//! Where it is not unique, the solutions form a face: all `w_ij` with `lambda_ij > 0` vanish, the
//! others are not negative. Its extent in every coefficient is found by two linear programs. With
//! saturated forces, `lambda_plus + lambda_minus = mu` in every step, and a multiple `c` of row 3
//! may be added to rows 1 and 2 if these have a constant: the degenerate example of the notes is
//! `row 2 = .319 (true row) + c row 3 + eps` with `c = 1.89`. An `l1` penalty does not choose the
//! truth either; without the fixed entries it shrinks the system to zero.

use nalgebra::DVector;

use super::{
    data::BlockGenerator,
    face::{self, Explanation},
    findings::{DataSet, Findings, Parameter},
    input::{
        BlockData, FROM_FORCES, Figures, Input, InputError, LearnError, MOST_SAMPLES, Progress, Run, Wish,
        report,
    },
    momentum::contradiction,
    options::Range,
    picture::{COUNTS, SEEDS, coefficients, learners_by_selection, learning_curve},
    system::{COEFFICIENTS, Coefficients, Equations, ForcedSteps, coefficient_names, truth},
    tall_program::TallProgram,
};
use crate::plot::Axis;

/// Relative difference of two costs that counts as none.
const SAME_COST: f64 = 1e-6;

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct LinearProgram {
    data: BlockData,
    eps: f64,
    l1: f64,
    biases: bool,
    fixed_entries: bool,
}

impl LinearProgram {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish {
            experiment: "linear-program",
            samples: 300,
            least: 3,
            most: MOST_SAMPLES,
            needs_forces: true,
            ignores_noise: Some(FROM_FORCES),
        };
        Ok(Self {
            data: input.block(&wish, BlockGenerator::default())?,
            eps: input.options.number("eps", 0.0, Range::closed(0.0, 1e3)),
            l1: input.options.number("l1", 0.0, Range::closed(0.0, 1e9)),
            biases: input.options.switch("biases", true),
            fixed_entries: input.options.switch("fixed_entries", true),
        })
    }

    fn fixed(&self) -> Equations {
        let fixed = if self.fixed_entries { Equations::one_entry_per_row() } else { Equations::default() };
        if self.biases { fixed } else { fixed.without_biases() }
    }

    /// Solves the program itself. The unknowns are coordinates of the plane of admissible systems
    /// and, for the penalty, a bound on the magnitude of every coefficient.
    fn solve(&self, data: &ForcedSteps) -> Result<Coefficients, LearnError> {
        let plane = self.fixed().solutions();
        let (mut rows, mut right) = face::slack_constraints(&data.steps, &plane, self.eps / data.size);
        let (_, mut cost) = plane.reduce(&face::complementarity_cost(&data.steps));
        if self.l1 > 0.0 {
            (rows, right) = face::with_magnitudes(&plane, rows, right);
            // The violation is in units of size^2.
            cost = cost.resize_vertically(plane.dimension() + COEFFICIENTS, self.l1 / data.size.powi(2));
        }
        let no_cuts = |_: &DVector<f64>| Vec::new();
        let solution = TallProgram::new(rows, right, &no_cuts).minimise(&cost, "M and W")?;
        Ok(plane.point(&solution.rows(0, plane.dimension()).into_owned()))
    }
}

impl Run for LinearProgram {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let data = ForcedSteps::of(&self.data.samples);
        let steps = &data.steps;
        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        findings.notes.extend(contradiction(&self.data));
        let system = self.solve(&data)?;
        report(progress, 0.2)?;

        let violation = face::complementarity_cost(steps).dot(&system);
        findings.measure("violation", violation * data.size.powi(2));
        let force: f64 = steps.iter().map(|step| step.lambda.sum()).sum();
        findings.measure("violation_of_zero_matrix", self.eps * force * data.size);
        if self.eps > 0.0 && violation * data.size >= (1.0 - SAME_COST) * self.eps * force {
            findings.notes.push(
                "M = 0, q = eps costs no more than the best system: eps does not exclude the trivial one"
                    .to_owned(),
            );
        }
        let is_plain = self.eps == 0.0 && self.l1 == 0.0;
        let explanation = if is_plain && face::is_complementary(violation, steps) {
            face::explore(steps, &self.fixed(), &|_| Vec::new(), progress)?
        } else {
            if is_plain {
                findings.notes.push(face::NOISY.to_owned());
            }
            Explanation { system, intervals: None }
        };
        describe(&mut findings, &explanation.in_units(&data.units()), self.data.friction(), SMALLEST_SHOWN);
        if self.data.generator.is_none() {
            set_violation(&mut findings, violation * data.size.powi(2) / steps.len() as f64);
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let error =
            |data: BlockData, progress: &mut Progress<'_>| Ok(Self { data, ..*self }.run(progress)?.error);
        system_figures("linear program", findings, self.data.generator, &COUNTS, &error, progress)
    }
}

/// The coefficients that a method found, and for generated data the error over the number of steps,
/// among `counts`, that it is given.
pub(super) fn system_figures(
    method: &str,
    findings: &Findings,
    generator: Option<BlockGenerator>,
    counts: &[usize],
    error: &dyn Fn(BlockData, &mut Progress<'_>) -> Result<f64, LearnError>,
    progress: &mut Progress<'_>,
) -> Result<Figures, LearnError> {
    let title = format!("*M* and *W* of the {method}");
    let mut figures = vec![("coefficients", coefficients(&title, &findings.parameters))];
    if let Some(generator) = generator {
        let learners = learners_by_selection(generator, error);
        let title = format!("How many steps the {method} takes");
        let axis = Axis::new("largest error of a coefficient", "");
        figures.push(("learning-curve", learning_curve(&title, axis, &learners, counts, SEEDS, progress)?));
    }
    Ok(figures)
}

/// Sets the error where the true system is not known; rounding may take a violation of zero below it.
pub(super) fn set_violation(findings: &mut Findings, mean: f64) {
    findings.set_error(mean.max(0.0), "mean violation of complementarity in a step, m^2/s^2");
}
/// Which system is shown of those that explain the data equally well.
pub(super) const SMALLEST_SHOWN: &str = "the one with the smallest sum of magnitudes is shown";

/// Enters coefficients, intervals and their error into the findings, and names what is free; `shown`
/// says which of many systems is the one that was found.
pub(super) fn describe(
    findings: &mut Findings,
    explanation: &Explanation,
    friction: Option<f64>,
    shown: &str,
) {
    let truth = friction.map(truth);
    let mut free = Vec::new();
    for (index, name) in coefficient_names().into_iter().enumerate() {
        let interval = explanation.intervals.as_ref().map(|intervals| intervals[index]);
        let identifiable = interval.is_some_and(face::is_determined);
        if let Some([low, high]) = interval.filter(|_| !identifiable) {
            free.push(format!("{name} in [{:.4}, {:.4}]", unsigned_zero(low), unsigned_zero(high)));
        }
        findings.parameter(
            name,
            Parameter {
                interval,
                ..Parameter::new(explanation.system[index], truth.map(|truth| truth[index]), identifiable)
            },
        );
    }
    if let Some(truth) = truth {
        findings.set_error((explanation.system - truth).amax(), "largest error of a coefficient of M and W");
    }
    findings.measure("unique", explanation.intervals.is_some() && free.is_empty());
    findings.measure("free_coefficients", free.clone());
    if !free.is_empty() {
        findings.notes.push(format!(
            "degenerate: systems that differ in {} explain the data equally well; {shown}",
            free.join(", ")
        ));
    }
}

/// A number that no sign stands before if it is written with four decimals as zero.
fn unsigned_zero(value: f64) -> f64 {
    if value.abs() < 0.5e-4 { 0.0 } else { value }
}
