//! Coulomb's law for many contacts at once, to the last digit: an interior point along the graph of the bodies.
//!
//! A nonlinear program for this law has multipliers that are all known at its solution. Without them a *square* system remains,
//! normal velocities, friction opposite to slip, and two products per contact that are to be zero, which Mehrotra's predictor
//! and corrector follow from a start that is far from every boundary. Its matrix is eliminated contact by contact into blocks
//! of bodies, so that a step costs as much as the graph of the contacts is large.
//!
//! The page `docs/many-contacts.md` of the repository has the equations, the elimination written out, and what was measured.

#[cfg(test)]
mod bad_pivots;
mod block_lu;
pub(super) mod body_lu;
pub(super) mod dense_lu;
mod elimination;
mod grouped_path;
pub(super) mod held_contacts;
mod ladder;
pub(super) mod linear;
pub(super) mod link_barrier;
#[cfg(test)]
mod newton_identity;
mod path;
mod semismooth;
pub(super) mod small;
mod start;
mod variables;

use nalgebra::SVector;

use super::{
    ContactModel, ContactProblem, DenseProblem, DenseSolution, DenseSolver, LinearLaw, Report, Solution,
    SolveFailure, TOLERANCE,
    groups::ROWS,
    linear_law::coulomb,
    model::{judge, solve_grouped},
};
use body_lu::BodySystem;
use dense_lu::DenseSystem;
use grouped_path::GroupedPath;
use ladder::Ladder;

/// How the structured interior point solves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StructuredSettings {
    /// Bound on both residuals ([`Residuals`](super::Residuals)), pure numbers; 1e-8 by default.
    pub tolerance: f64,
    /// Whether other paths are tried where the first one ends early.
    pub ladder: bool,
}

impl Default for StructuredSettings {
    fn default() -> Self {
        Self { tolerance: TOLERANCE, ladder: true }
    }
}

/// Exact Coulomb friction by an interior-point method that knows the structure of the problem: the
/// model `nlp`.
#[derive(Debug, Clone)]
pub struct Structured<const D: usize, const N: usize> {
    settings: StructuredSettings,
    bodies: BodySystem<D, N>,
    dense: DenseSystem<D>,
    ladder: Ladder<D>,
    /// Of problems with groups of friction.
    grouped: (BodySystem<ROWS, N>, GroupedPath),
}

impl<const D: usize, const N: usize> Default for Structured<D, N> {
    fn default() -> Self {
        Self::new(StructuredSettings::default())
    }
}

impl<const D: usize, const N: usize> Structured<D, N> {
    /// A model with these settings.
    pub fn new(settings: StructuredSettings) -> Self {
        Self {
            settings,
            bodies: BodySystem::default(),
            dense: DenseSystem::default(),
            ladder: Ladder::default(),
            grouped: Default::default(),
        }
    }
}

impl<const D: usize, const N: usize> Structured<D, N> {
    /// Solves a problem of contacts with groups of rows.
    fn solve_in_groups(
        &mut self,
        problem: &ContactProblem<ROWS, N>,
        solution: &mut Solution<ROWS, N>,
    ) -> Result<Report, SolveFailure> {
        let Self { settings, grouped: (bodies, path), .. } = self;
        bodies.operator.take_up(problem, solution, &mut path.r);
        bodies.analyse();
        let outcome = path.climb(bodies, solution.is_guess, settings);
        let residuals = bodies.operator.give_back(problem, &path.r, solution);
        judge(&bodies.operator.yardstick, residuals, settings.tolerance, outcome, ladder::why_not)
    }

    /// Solves a problem without bodies whose contacts have groups of friction, in scaled rows.
    pub(super) fn solve_dense_groups(
        &mut self,
        problem: &DenseProblem<ROWS>,
        solution: &mut DenseSolution<ROWS>,
    ) -> Result<Report, SolveFailure> {
        let Self { settings, grouped: (_, path), .. } = self;
        let mut system = DenseSystem::<ROWS>::default();
        system.operator.set(problem);
        path.r.clear();
        path.r.resize(problem.contacts(), SVector::zeros());
        let outcome = path.climb(&mut system, false, settings);
        system.operator.unscale(&path.r, &mut solution.impulses);
        let residuals = solution.measure(problem, &system.operator.yardstick);
        judge(&system.operator.yardstick, residuals, settings.tolerance, outcome, ladder::why_not)
    }
}

/// Contacts from which on a guess does not pay.
const WARM_BELOW: usize = 8;

impl<const D: usize, const N: usize> ContactModel<D, N> for Structured<D, N> {
    fn name(&self) -> &str {
        "nlp"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        if !problem.groups.is_empty() {
            return solve_grouped(problem, solution, |problem, solution| {
                self.solve_in_groups(problem, solution)
            });
        }
        problem.check()?;
        let Self { settings, bodies, ladder, .. } = self;
        bodies.operator.take_up(problem, solution, &mut ladder.path.r);
        bodies.analyse();
        let is_warm = solution.is_guess && problem.contacts.len() < WARM_BELOW;
        let outcome = ladder.climb(bodies, is_warm, settings, || problem.delassus());
        let residuals = bodies.operator.give_back(problem, &ladder.path.r, solution);
        judge(&bodies.operator.yardstick, residuals, settings.tolerance, outcome, ladder::why_not)
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

impl<const D: usize, const N: usize> DenseSolver<D> for Structured<D, N> {
    fn name(&self) -> &str {
        "nlp"
    }

    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure> {
        let Self { settings, dense, ladder, .. } = self;
        dense.operator.set(problem);
        ladder.path.r.clear();
        ladder.path.r.resize(problem.contacts(), SVector::zeros());
        let outcome = ladder.climb(dense, false, settings, || problem.clone());
        dense.operator.unscale(&ladder.path.r, &mut solution.impulses);
        let residuals = solution.measure(problem, &dense.operator.yardstick);
        judge(&dense.operator.yardstick, residuals, settings.tolerance, outcome, ladder::why_not)
    }
}
