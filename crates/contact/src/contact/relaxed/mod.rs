//! The relaxed nonlinear program of a contact problem, solved by IPOPT: the reference for the
//! structured interior point.

mod derivatives;
mod program;

use nalgebra::SVector;

use super::{
    ContactModel, ContactProblem, LinearLaw, Report, Residuals, Solution, SolveFailure,
    groups::{self, ROWS},
    has_bounded_links,
    linear_law::coulomb,
    model::{judge, measure},
    scaled::{BodyOperator, Operator, sweep},
    solve_grouped, solve_with_bounds,
};
use crate::nlp::{IpoptOptions, SparseIpopt};
use program::RelaxedProgram;

/// How the relaxed program is solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RelaxedSettings {
    /// Bound on both residuals of Coulomb's law; what relaxed complementarity can be held to.
    pub tolerance: f64,
    /// IPOPT's own tolerance.
    pub solver_tolerance: f64,
    /// Smoothing `epsilon` of the square root.
    pub epsilon: f64,
}

impl Default for RelaxedSettings {
    fn default() -> Self {
        Self { tolerance: 1e-5, solver_tolerance: 1e-8, epsilon: 1e-6 }
    }
}

/// Exact Coulomb friction as a nonlinear program with relaxed complementarity, by IPOPT: the model
/// `nlp` under its solver `ipopt`.
///
/// A reference that shares no linear algebra with [`Structured`](super::Structured), good for a
/// dozen contacts.
#[derive(Debug, Clone)]
pub struct Relaxed<const D: usize, const N: usize> {
    settings: RelaxedSettings,
    sliding: BodyOperator<D, N>,
    /// Of problems with groups of friction, in scaled rows.
    grouped: BodyOperator<ROWS, N>,
}

impl<const D: usize, const N: usize> Default for Relaxed<D, N> {
    fn default() -> Self {
        Self::new(RelaxedSettings::default())
    }
}

impl<const D: usize, const N: usize> Relaxed<D, N> {
    /// A model with these settings.
    pub fn new(settings: RelaxedSettings) -> Self {
        Self { settings, sliding: BodyOperator::default(), grouped: BodyOperator::default() }
    }
}

/// Where an attempt starts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Start {
    /// After sweeps of projected Gauss-Seidel.
    Swept(u32),
    /// Without impulses.
    Rest,
    /// `p = 1`, `b = 0`.
    Pressed,
}

#[derive(Debug, Clone, Copy)]
struct Attempt {
    start: Start,
    weight: f64,
    max_iterations: u32,
}

/// Tried in turn until one is accepted by its residuals, whatever IPOPT says of it.
const LADDER: [Attempt; 6] = [
    Attempt { start: Start::Swept(20), weight: 1.0, max_iterations: 100 },
    Attempt { start: Start::Swept(20), weight: 10.0, max_iterations: 300 },
    Attempt { start: Start::Rest, weight: 1.0, max_iterations: 300 },
    Attempt { start: Start::Pressed, weight: 1.0, max_iterations: 300 },
    Attempt { start: Start::Swept(400), weight: 1.0, max_iterations: 300 },
    Attempt { start: Start::Swept(20), weight: 0.1, max_iterations: 300 },
];

/// The attempts at one problem.
struct Attempts<'a, const D: usize, const N: usize> {
    settings: RelaxedSettings,
    operator: &'a mut BodyOperator<D, N>,
    /// A sweep of projected Gauss-Seidel over its contacts.
    sweep: fn(&mut BodyOperator<D, N>, &mut [SVector<f64, D>]),
}

impl<const D: usize, const N: usize> Attempts<'_, D, N> {
    /// Runs one attempt and leaves its impulses in `candidate`; gives the iterations.
    fn attempt(&mut self, attempt: &Attempt, candidate: &mut Solution<D, N>) -> Result<u32, SolveFailure> {
        let operator = &mut *self.operator;
        let mut r = vec![SVector::<f64, D>::zeros(); operator.contacts.len()];
        let mut u = r.clone();
        operator.link_impulses.fill(0.0);
        let sweeps = match attempt.start {
            Start::Swept(sweeps) => sweeps,
            Start::Rest | Start::Pressed => 20,
        };
        operator.start_sweeps(&r);
        for _ in 0..sweeps {
            (self.sweep)(operator, &mut r);
        }
        // P: what the sweeps say about the size of the impulse, at least one unit.
        let units: Vec<f64> = r.iter().map(|r| r[0].max(1.0)).collect();
        match attempt.start {
            Start::Swept(_) => {}
            Start::Rest => r.fill(SVector::zeros()),
            Start::Pressed => {
                for (r, unit) in r.iter_mut().zip(&units) {
                    *r = SVector::zeros();
                    r[0] = *unit;
                }
            }
        }
        operator.velocities(&r, &mut u);
        let epsilon = self.settings.epsilon;
        let program = RelaxedProgram { operator, units, weight: attempt.weight, epsilon };
        let start = program.start(&r, program.operator.body_velocities(), &u, 0.9);
        let options = IpoptOptions {
            tolerance: self.settings.solver_tolerance,
            max_iterations: attempt.max_iterations,
            ..IpoptOptions::default()
        };
        let mut solver = SparseIpopt::new(&program, &options).map_err(|error| SolveFailure::Refused {
            reason: error.to_string(),
            remedy: "take another solver".to_owned(),
        })?;
        let answer = solver.solve(&program, &start, None);
        let (r, links) = program.impulses(&answer.x);
        self.operator.unscale(&r, &links, &mut candidate.impulses, &mut candidate.link_impulses);
        Ok(answer.iterations)
    }

    /// Takes one attempt after the other until one is accepted.
    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        self.operator.set(problem);
        solution.is_guess = false;
        solution.prepare(problem.contacts.len(), problem.links.len());
        let tolerance = self.settings.tolerance;
        let mut best = measure(problem, &self.operator.yardstick, solution);
        let (mut iterations, mut rung) = (0, 0);
        let mut candidate = Solution::default();
        for (index, attempt) in LADDER.iter().enumerate() {
            if self.operator.yardstick.accepts(&best, tolerance) {
                break;
            }
            rung = index as u32;
            iterations += self.attempt(attempt, &mut candidate)?;
            let residuals: Residuals = measure(problem, &self.operator.yardstick, &mut candidate);
            if residuals.max() < best.max() || !best.max().is_finite() {
                best = residuals;
                std::mem::swap(solution, &mut candidate);
            }
        }
        judge(&self.operator.yardstick, best, tolerance, (iterations, rung), || {
            "no attempt of IPOPT came close enough".to_owned()
        })
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for Relaxed<D, N> {
    fn name(&self) -> &str {
        "nlp"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        if has_bounded_links(problem) {
            return solve_with_bounds(self, problem, solution);
        }
        let settings = self.settings;
        if !problem.groups.is_empty() {
            let operator = &mut self.grouped;
            return solve_grouped(problem, solution, |problem, solution| {
                Attempts { settings, operator, sweep: groups::sweep }.solve(problem, solution)
            });
        }
        problem.check()?;
        let sweep = |operator: &mut BodyOperator<D, N>, r: &mut [SVector<f64, D>]| {
            let friction = operator.friction().to_vec();
            sweep(operator, &friction, r);
        };
        Attempts { settings, operator: &mut self.sliding, sweep }.solve(problem, solution)
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        coulomb(problem, solution, laws)
    }
}
