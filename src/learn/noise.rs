//! Noise on the complementarity problem of a sliding block (section 3.2 of the LCP notes).
//!
//! If `M` and `q` were learned from data they would carry errors. Does the problem
//!
//! ```text
//! 0 <= z _|_ M z + q >= 0,   M = [1 -1 1; -1 1 1; -1 -1 0],  q = (v + u, -v - u, mu),  mu = 1,
//! ```
//!
//! still predict that a block sticks, `v_next = v + u + lambda_plus - lambda_minus = 0`? Solved by
//! Lemke's method:
//!
//! - Noise on all entries: at `v = u = 0` the block sticks where `q >= 0` (a quarter of the draws, for
//!   noise far below `mu`), because `z = 0` then solves the problem; noise on `M` alone changes
//!   nothing. Under any push it never sticks: sticking needs the force `-u` to the last digit.
//! - Noise on one entry: with a push to the right sticking survives errors in all entries but `M12`
//!   and `q1` (where it depends on their sign) and `M22` and `q2` (where it never does).
//! - A bias `eps` on `q1` at `v = u = 0` moves the block at `v_next = gamma = eps/2`.
//! - Different weights `alpha_1`, `alpha_2` of `u` in `q1` and `q2` move it at
//!   `gamma = max(0, (alpha_2 - alpha_1) u/2)`.

use nalgebra::{Matrix3, Vector3};
use serde_json::{Value, json};

use super::{
    data::Random,
    findings::{DataSet, Findings},
    input::{Figures, Input, InputError, LearnError, MOST_SAMPLES, Progress, Run, Wish, report},
    options::Range,
    picture::{sticking_by_entry, sticking_by_noise},
    system::BLOCK_MATRIX,
};
use crate::lcp::{Lcp, Lemke, Status};

/// Velocity that counts as zero where sticking is exact.
const EXACT: f64 = 1e-12;
/// Velocity, over the size of the noise, that the notes took for zero.
const TOLERANCE: f64 = 1e-3;
/// Draws for each of the twelve entries that are perturbed alone.
const ENTRY_TRIALS: usize = 300;
/// Size of the noise on a single entry.
const ENTRY_NOISE: f64 = 0.1;
/// Names of the entries that are perturbed alone.
const ENTRIES: [&str; 12] = ["M11", "M12", "M13", "M21", "M22", "M23", "M31", "M32", "M33", "q1", "q2", "q3"];

/// The experiment.
#[derive(Debug, Clone)]
pub struct Noise {
    trials: usize,
    seed: u64,
    sizes: Vec<f64>,
    push: f64,
}

impl Noise {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish {
            experiment: "noise",
            samples: 20_000,
            least: 100,
            most: MOST_SAMPLES,
            needs_forces: false,
            ignores_noise: None,
        };
        Ok(Self {
            trials: input.count(&wish)?,
            seed: input.seed,
            sizes: input.options.numbers(
                "sigmas",
                &[0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0],
                Range::above(0.0, 1e3),
            ),
            push: input.options.number("push", 0.5, Range::above(0.0, 0.999)),
        })
    }
}

/// A step of the block with `m = dt = mu g = 1`, and the problem that is to predict it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerturbedStep {
    /// `v + u`, the velocity without friction.
    pub free_velocity: f64,
    /// `M`.
    pub m: Matrix3<f64>,
    /// `q`.
    pub q: Vector3<f64>,
}

/// What a perturbed problem predicts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// `v_next = v + u + lambda_plus - lambda_minus`.
    pub velocity: f64,
    /// `gamma`.
    pub gamma: f64,
}

impl PerturbedStep {
    /// The step without any perturbation.
    pub fn exact(free_velocity: f64) -> Self {
        Self {
            free_velocity,
            m: Matrix3::from_fn(|row, column| BLOCK_MATRIX[row][column]),
            q: Vector3::new(free_velocity, -free_velocity, 1.0),
        }
    }

    /// What the problem predicts, by Lemke's method; `None` if it finds no solution.
    pub fn predict(&self) -> Option<Prediction> {
        let problem = Lcp::<3>::new(self.m, self.q).ok()?;
        let solution = Lemke::default().solve(&problem);
        let z = solution.z;
        let velocity = self.free_velocity + z[0] - z[1];
        (solution.status == Status::Solved).then_some(Prediction { velocity, gamma: z[2] })
    }

    /// Whether it predicts a velocity of at most `tolerance`.
    fn sticks(&self, tolerance: f64) -> bool {
        self.predict().is_some_and(|prediction| prediction.velocity.abs() <= tolerance)
    }
}

/// Shares of draws that stick, with noise of one size.
struct Shares {
    at_rest: f64,
    at_rest_matrix_only: f64,
    pushed: f64,
    pushed_within_tolerance: f64,
}

impl Noise {
    fn shares(&self, sigma: f64, random: &mut Random) -> Shares {
        let mut counts = [0_usize; 4];
        for _ in 0..self.trials {
            let m = Matrix3::from_fn(|_, _| random.normal(sigma));
            let q = Vector3::from_fn(|_, _| random.normal(sigma));
            let rest = PerturbedStep::exact(0.0);
            let pushed = PerturbedStep::exact(self.push);
            let matrix_only = PerturbedStep { m: rest.m + m, ..rest };
            let rest = PerturbedStep { q: rest.q + q, ..matrix_only };
            let pushed = PerturbedStep { m: pushed.m + m, q: pushed.q + q, ..pushed };
            counts[0] += usize::from(rest.sticks(EXACT));
            counts[1] += usize::from(matrix_only.sticks(EXACT));
            counts[2] += usize::from(pushed.sticks(EXACT));
            counts[3] += usize::from(pushed.sticks(TOLERANCE * sigma));
        }
        let [at_rest, at_rest_matrix_only, pushed, pushed_within_tolerance] =
            counts.map(|count| count as f64 / self.trials as f64);
        Shares { at_rest, at_rest_matrix_only, pushed, pushed_within_tolerance }
    }

    /// Share of draws that stick with noise on one entry, for a push `u` of either sign.
    fn entry_share(index: usize, push: f64, random: &mut Random) -> f64 {
        let sticking = (0..ENTRY_TRIALS).filter(|_| {
            let mut step = PerturbedStep::exact(push);
            let noise = random.normal(ENTRY_NOISE);
            if index < 9 {
                step.m[(index / 3, index % 3)] += noise
            } else {
                step.q[index - 9] += noise
            }
            step.sticks(EXACT)
        });
        sticking.count() as f64 / ENTRY_TRIALS as f64
    }
}

/// Largest difference between the prediction with a bias `eps` on `q1` at rest and the formula:
/// `v_next = gamma = eps/2` up to `eps = 2 mu`, then `v_next = mu`, `gamma = eps - mu`.
pub fn bias_error(biases: &[f64]) -> f64 {
    let errors = biases.iter().map(|&eps| {
        let mut step = PerturbedStep::exact(0.0);
        step.q.x -= eps;
        let (velocity, gamma) = if eps <= 2.0 { (eps / 2.0, eps / 2.0) } else { (1.0, eps - 1.0) };
        difference(&step, velocity, gamma)
    });
    errors.fold(0.0, f64::max)
}

/// Largest difference between the prediction with `q = (alpha_1 u, -alpha_2 u, mu)` for `u > 0`
/// and the formula: `gamma = max(0, (alpha_2 - alpha_1) u/2)`, and `v_next = u (1 - (alpha_1 +
/// alpha_2)/2)` where `gamma > 0`, else `u (1 - alpha_2)`.
pub fn weight_error(weights: &[(f64, f64)], push: f64) -> f64 {
    let errors = weights.iter().map(|&(first, second)| {
        let mut step = PerturbedStep::exact(push);
        step.q = Vector3::new(first * push, -second * push, 1.0);
        let gamma = (0.5 * (second - first) * push).max(0.0);
        let weight = if gamma > 0.0 { 0.5 * (first + second) } else { second };
        difference(&step, push * (1.0 - weight), gamma)
    });
    errors.fold(0.0, f64::max)
}

fn difference(step: &PerturbedStep, velocity: f64, gamma: f64) -> f64 {
    step.predict().map_or(f64::INFINITY, |prediction| {
        (prediction.velocity - velocity).abs().max((prediction.gamma - gamma).abs())
    })
}

impl Run for Noise {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let mut random = Random::seeded(self.seed);
        let mut rows = Vec::new();
        let mut by_size = Vec::new();
        for (index, &sigma) in self.sizes.iter().enumerate() {
            report(progress, 0.9 * index as f64 / self.sizes.len() as f64)?;
            let shares = self.shares(sigma, &mut random);
            by_size.push(json!({
                "sigma": sigma,
                "at_rest": shares.at_rest,
                "at_rest_noise_on_m": shares.at_rest_matrix_only,
                "pushed": shares.pushed,
                "pushed_within_tolerance": shares.pushed_within_tolerance,
            }));
            rows.push(vec!["all".to_owned(), sigma.to_string(), "0".to_owned(), shares.at_rest.to_string()]);
            rows.push(vec![
                "M".to_owned(),
                sigma.to_string(),
                "0".to_owned(),
                shares.at_rest_matrix_only.to_string(),
            ]);
            rows.push(vec![
                "all".to_owned(),
                sigma.to_string(),
                self.push.to_string(),
                shares.pushed.to_string(),
            ]);
        }
        let mut by_entry = serde_json::Map::new();
        for (index, name) in ENTRIES.into_iter().enumerate() {
            let shares = [self.push, -self.push].map(|push| {
                let share = Self::entry_share(index, push, &mut random);
                rows.push(vec![
                    name.to_owned(),
                    ENTRY_NOISE.to_string(),
                    push.to_string(),
                    share.to_string(),
                ]);
                share
            });
            by_entry.insert(name.to_owned(), json!({ "pushed_right": shares[0], "pushed_left": shares[1] }));
        }
        let biases: Vec<f64> = (1..=40).map(|index| 0.1 * f64::from(index)).collect();
        let weights: Vec<(f64, f64)> = (0..=40).map(|index| (1.0, 0.5 + 0.025 * f64::from(index))).collect();
        let (bias_error, weight_error) = (bias_error(&biases), weight_error(&weights, self.push));

        let header = ["perturbed", "sigma", "push", "sticking_share"].map(str::to_owned).to_vec();
        let mut findings = Findings::new(DataSet::Table { header, rows, samples: self.trials });
        findings.measure("sticking_by_noise", by_size);
        findings.measure("sticking_by_entry", Value::Object(by_entry));
        findings.measure("bias_formula_error", bias_error);
        findings.measure("weight_formula_error", weight_error);
        findings.set_error(bias_error.max(weight_error), "largest difference from the formulas, m/s");
        findings.notes.push(
            "nothing is learned here: the experiment shows why errors in M and q destroy sticking".to_owned(),
        );
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, _: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let mut figures = Figures::new();
        if let Some(rows) = findings.measures.get("sticking_by_noise").and_then(Value::as_array) {
            figures.push(("noise-on-all", sticking_by_noise(rows, self.trials, self.push)));
        }
        if let Some(entries) = findings.measures.get("sticking_by_entry").and_then(Value::as_object) {
            figures.push(("noise-on-one", sticking_by_entry(entries, ENTRY_NOISE, ENTRY_TRIALS)));
        }
        Ok(figures)
    }
}
