//! Structured formulation with known forces (section 3.1.3 of the LCP notes).
//!
//! The notes give `M` the structure of a positive semidefinite part `sum phi phi'` and a skew part,
//! which the true matrix has with `phi = (-1, 1, 0)`. That structure ties the scales of the rows to
//! each other, so one equation is enough to exclude the zero system:
//!
//! ```text
//! min  sum_i lambda_i . w_i     w_i = M lambda_i + W d_i >= 0,   M + M' >= 0,   M13 - M31 = 2.
//! ```
//!
//! The matrix inequality is imposed by cuts: while `M + M'` has an eigenvector `n` with a negative
//! eigenvalue, `n . M n >= 0` is added to the linear program (Kelley 1960). For one 3 by 3 matrix
//! that takes a few dozen small linear programs, and no solver for semidefinite programs, which
//! would need a LAPACK on the system.

use super::{
    data::BlockGenerator,
    face::{self, Explanation},
    findings::{DataSet, Findings},
    input::{
        BlockData, FROM_FORCES, Figures, Input, InputError, LearnError, MOST_SAMPLES, Progress, Run, Wish,
        report,
    },
    linear_program::{SMALLEST_SHOWN, describe, set_violation, system_figures},
    momentum::contradiction,
    picture::COUNTS,
    system::{Coefficients, Equations, ForcedStep, ForcedSteps, matrix, matrix_entry},
    tall_program::TallProgram,
};

/// Negative eigenvalue of `(M + M')/2`, over the largest entry of `M`, that counts as rounding.
const NEGATIVE: f64 = 1e-9;
/// Diagonal entry that counts as zero, where the scale of `M` is one.
const VANISHING: f64 = 1e-9;

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct Structured {
    data: BlockData,
    biases: bool,
}

impl Structured {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish {
            experiment: "structured",
            samples: 300,
            least: 3,
            most: MOST_SAMPLES,
            needs_forces: true,
            ignores_noise: Some(FROM_FORCES),
        };
        Ok(Self {
            data: input.block(&wish, BlockGenerator::default())?,
            biases: input.options.switch("biases", false),
        })
    }
}

impl Run for Structured {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let data = ForcedSteps::of(&self.data.samples);
        let steps = &data.steps;
        let fixed =
            if self.biases { Equations::one_scale() } else { Equations::one_scale().without_biases() };
        let fixed = with_vanishing_rows(steps, fixed);
        let plane = fixed.solutions();
        let (rows, right) = face::slack_constraints(steps, &plane, 0.0);
        let (_, cost) = plane.reduce(&face::complementarity_cost(steps));
        let cuts = face::reduced_separation(&plane, &semidefinite_cuts);
        let solution = TallProgram::new(rows, right, &cuts).minimise(&cost, "M and W")?;
        let system = plane.point(&solution);
        report(progress, 0.2)?;

        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        findings.notes.extend(contradiction(&self.data));
        let violation = face::complementarity_cost(steps).dot(&system);
        findings.measure("violation", violation * data.size.powi(2));
        let explanation = if face::is_complementary(violation, steps) {
            match face::explore(steps, &fixed, &semidefinite_cuts, progress) {
                // So few steps leave a face that is too large for cuts to enclose.
                Err(LearnError::LinearProgram { .. }) => unexplored(system, &mut findings),
                explanation => explanation?,
            }
        } else {
            Explanation { system, intervals: None }
        };
        let explanation = if explanation.is_consistent() {
            explanation
        } else {
            unexplored(explanation.system, &mut findings)
        };
        let symmetric = matrix(&explanation.system).symmetric_part();
        findings
            .measure("eigenvalues_of_symmetric_part", symmetric.symmetric_eigenvalues().as_slice().to_vec());
        describe(&mut findings, &explanation.in_units(&data.units()), self.data.friction(), SMALLEST_SHOWN);
        if self.data.generator.is_none() {
            set_violation(&mut findings, violation * data.size.powi(2) / steps.len() as f64);
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let error =
            |data: BlockData, progress: &mut Progress<'_>| Ok(Self { data, ..*self }.run(progress)?.error);
        let (method, counts) = ("structured formulation", &COUNTS[3..]);
        system_figures(method, findings, self.data.generator, counts, &error, progress)
    }
}

/// A system without the intervals of its coefficients, and the reason as a note.
fn unexplored(system: Coefficients, findings: &mut Findings) -> Explanation {
    let note = "which coefficients the data determine was not found out: the systems that explain so few steps are \
                too many; give more steps";
    findings.notes.push(note.to_owned());
    Explanation { system, intervals: None }
}

/// Adds what semidefiniteness implies where the data force a diagonal entry of `M` to zero: the
/// symmetric part then vanishes in that whole row, `M_ij + M_ji = 0`.
///
/// Without these equations the cuts approach the edge of the cone only step by step, and the square
/// root of their tolerance remains.
fn with_vanishing_rows(steps: &[ForcedStep], mut fixed: Equations) -> Equations {
    let plane = face::complementary_systems(steps, &fixed);
    for index in 0..3 {
        let (value, slope) = plane.reduce(&Coefficients::ith(matrix_entry(index, index), 1.0));
        if value.abs() <= VANISHING && slope.amax() <= VANISHING {
            for other in (0..3).filter(|other| *other != index) {
                let mut left = Coefficients::zeros();
                left[matrix_entry(index, other)] = 1.0;
                left[matrix_entry(other, index)] = 1.0;
                fixed.push(left, 0.0);
            }
        }
    }
    fixed
}

/// For every negative eigenvalue of `(M + M')/2`, the inequality `n . M n >= 0` with its
/// eigenvector `n`.
fn semidefinite_cuts(system: &Coefficients) -> Vec<(Coefficients, f64)> {
    let m = matrix(system);
    let decomposition = m.symmetric_part().symmetric_eigen();
    let negative = (0..3).filter(|&index| decomposition.eigenvalues[index] < -NEGATIVE * m.amax());
    let cuts = negative.map(|index| {
        let n = decomposition.eigenvectors.column(index);
        let mut left = Coefficients::zeros();
        for row in 0..3 {
            for column in 0..3 {
                left[matrix_entry(row, column)] = n[row] * n[column];
            }
        }
        (left, 0.0)
    });
    cuts.collect()
}
