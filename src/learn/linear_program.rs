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

use nalgebra::{DMatrix, DVector};
use serde_json::json;

use super::{
    data::BlockGenerator,
    face::{self, Explanation},
    findings::{DataSet, Findings, Parameter},
    input::{BlockData, Input, InputError, LearnError, Progress, Run, Wish, report},
    options::Range,
    system::{COEFFICIENTS, Coefficients, Equations, ForcedStep, coefficient_names, truth},
    tall_program::TallProgram,
};

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
        let wish = Wish { experiment: "linear-program", samples: 300, least: 3, needs_forces: true };
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
    fn solve(&self, steps: &[ForcedStep]) -> Result<Coefficients, LearnError> {
        let plane = self.fixed().solutions();
        let (mut rows, right) = face::slack_constraints(steps, &plane, self.eps);
        let (_, mut cost) = plane.reduce(&face::complementarity_cost(steps));
        let mut right = right;
        if self.l1 > 0.0 {
            (rows, right, cost) = self.with_penalty(&plane.directions, &plane.origin, rows, &right, &cost);
        }
        let no_cuts = |_: &DVector<f64>| Vec::new();
        let solution = TallProgram::new(rows, right, &no_cuts).minimise(&cost, "M and W")?;
        Ok(plane.point(&solution.rows(0, plane.dimension()).into_owned()))
    }

    /// Appends a bound `s_j` on the magnitude of every coefficient: `s_j - x_j >= 0`,
    /// `s_j + x_j >= 0`, at the price `l1` each.
    fn with_penalty(
        &self,
        directions: &DMatrix<f64>,
        origin: &Coefficients,
        rows: DMatrix<f64>,
        right: &DVector<f64>,
        cost: &DVector<f64>,
    ) -> (DMatrix<f64>, DVector<f64>, DVector<f64>) {
        let (count, unknowns) = rows.shape();
        let mut rows = rows.resize(count + 2 * COEFFICIENTS, unknowns + COEFFICIENTS, 0.0);
        let mut right = right.clone().resize_vertically(count + 2 * COEFFICIENTS, 0.0);
        for (place, sign) in [(count, 1.0), (count + COEFFICIENTS, -1.0)] {
            rows.view_mut((place, 0), (COEFFICIENTS, unknowns)).copy_from(&(directions * -sign));
            rows.view_mut((place, unknowns), (COEFFICIENTS, COEFFICIENTS)).fill_diagonal(1.0);
            right.rows_mut(place, COEFFICIENTS).copy_from(&(origin * sign));
        }
        let cost = cost.clone().resize_vertically(unknowns + COEFFICIENTS, self.l1);
        (rows, right, cost)
    }
}

impl Run for LinearProgram {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let steps = ForcedStep::of(&self.data.samples);
        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        let system = self.solve(&steps)?;
        report(progress, 0.2)?;

        let violation = face::complementarity_cost(&steps).dot(&system);
        findings.measure("complementarity", violation);
        let explains = self.eps == 0.0 && self.l1 == 0.0 && face::is_complementary(violation, &steps);
        let explanation = if explains {
            face::explore(&steps, &self.fixed(), system, &|_| Vec::new(), progress)?
        } else {
            if self.l1 == 0.0 && self.eps == 0.0 {
                findings.notes.push(format!(
                    "no system has the right zeros in every step (total violation {violation:.3e}): the data are noisy"
                ));
            }
            Explanation { system, intervals: vec![[f64::NAN; 2]; COEFFICIENTS] }
        };
        let trivial_cost: f64 = steps.iter().map(|step| self.eps * step.lambda.sum()).sum();
        findings.measure(
            "cost_of_zero_system",
            if self.fixed_entries { json!(null) } else { json!(trivial_cost) },
        );
        describe(&mut findings, &explanation, self.data.friction());
        Ok(findings)
    }
}

/// Enters coefficients, intervals and their error into the findings, and names what is free.
pub(super) fn describe(findings: &mut Findings, explanation: &Explanation, friction: Option<f64>) {
    let truth = friction.map(truth);
    let mut free = Vec::new();
    for (index, name) in coefficient_names().into_iter().enumerate() {
        let interval = explanation.intervals[index];
        let identifiable = face::is_determined(interval);
        if !identifiable {
            let [low, high] = interval;
            free.push(if low.is_nan() { name.clone() } else { format!("{name} in [{low:.4}, {high:.4}]") });
        }
        let parameter = Parameter {
            learned: explanation.system[index],
            r#true: truth.map(|truth| truth[index]),
            identifiable,
            interval: (!interval[0].is_nan()).then_some(interval),
        };
        findings.parameter(name, parameter);
    }
    findings.error = truth.map_or(0.0, |truth| (explanation.system - truth).amax());
    findings.measure("unique", free.is_empty());
    findings.measure("free_coefficients", free.clone());
    if !free.is_empty() {
        findings.notes.push(format!("degenerate: the data leave free {}", free.join(", ")));
    }
}
