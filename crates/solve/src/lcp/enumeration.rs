use std::ops::ControlFlow;

use nalgebra::{Const, DefaultAllocator, Dim, OVector, U1, allocator::Allocator};

use super::{
    Problem, RESIDUAL_TOLERANCE, Solution, Status,
    elimination::{LinearSystem, NEARLY_SINGULAR},
    refine::{clamp, solve_on_support},
    residual::measured_residual,
    scaling::Scaling,
    yardstick::Yardstick,
};

/// Most unknowns with a sign that [`Enumeration`] takes: 2^12 = 4096 bases.
pub const MAX_ENUMERATED: usize = 12;

/// Only bases with a pivot of exactly zero are left out; what a nearly singular one gives is for the
/// residual to judge.
const EXACTLY_SINGULAR: f64 = 0.0;

/// Magnitudes of numbers whose products and quotients stay far from overflow and underflow.
const WITHIN: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Tries every complementary basis; the oracle for small problems.
///
/// If any solution exists, a basic one does, whose support has linearly independent columns. A
/// regular basis determines it alone; where regular bases give nothing, the independent subsets of
/// the others are tried as well; free unknowns that their equations leave open are 0. So the search is complete: finding
/// nothing proves, up to rounding, that there is no solution, unless numbers overflow or underflow: then nothing is proved.
#[derive(Debug, Clone)]
pub struct Enumeration<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    system: LinearSystem<D>,
    scaling: Scaling<D>,
    is_rescaled: bool,
    scaled: Problem<D>,
    yardstick: Yardstick<D>,
    z: OVector<f64, D>,
    w: OVector<f64, D>,
}

impl<const N: usize> Default for Enumeration<Const<N>> {
    fn default() -> Self {
        Self::new(Const)
    }
}

impl<D: Dim> Enumeration<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// A solver for problems of `dim` unknowns.
    pub fn new(dim: D) -> Self {
        Self {
            system: LinearSystem::new(dim),
            scaling: Scaling::identity(dim),
            is_rescaled: false,
            scaled: Problem::zeros(dim),
            yardstick: Yardstick::new(dim),
            z: OVector::zeros_generic(dim, U1),
            w: OVector::zeros_generic(dim, U1),
        }
    }

    /// Solves `problem`: the first basis in counting order that passes the check.
    pub fn solve(&mut self, problem: &Problem<D>) -> Solution<D> {
        let mut solution = Solution::empty(problem.dim());
        self.solve_into(problem, &mut solution);
        solution
    }

    /// Solves `problem` into `solution`, which has its size.
    pub fn solve_into(&mut self, problem: &Problem<D>, solution: &mut Solution<D>) {
        solution.forget();
        solution.attempts = 1;
        if problem.size() - problem.free() > MAX_ENUMERATED {
            return;
        }
        let mut bases = 0;
        let found = self.visit(problem, |z, w, residual| {
            bases += 1;
            if residual < solution.residual {
                solution.residual = residual;
                solution.z.copy_from(z);
                solution.w.copy_from(w);
            }
            if residual <= RESIDUAL_TOLERANCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        solution.pivots = bases;
        solution.status = match found {
            true => Status::Solved,
            false if proves(problem) => Status::NoSolution,
            false => Status::ResidualTooLarge,
        };
        if solution.residual.is_infinite() {
            self.z.fill(0.0);
            solution.residual = measured_residual(problem, &self.yardstick, &self.z, &mut solution.w);
        }
    }

    /// Every basic solution that a regular basis determines, each once; empty where there is none
    /// or the problem is too large.
    pub fn all_solutions(&mut self, problem: &Problem<D>) -> Vec<OVector<f64, D>> {
        let mut solutions: Vec<OVector<f64, D>> = Vec::new();
        if problem.size() - problem.free() <= MAX_ENUMERATED {
            let _ = self.visit(problem, |z, _, residual| {
                let is_new = |z: &OVector<f64, D>| {
                    solutions.iter().all(|known| (known - z).amax() > 1e-9 * known.amax().max(z.amax()))
                };
                if residual <= RESIDUAL_TOLERANCE && is_new(z) {
                    solutions.push(z.clone_owned());
                }
                ControlFlow::Continue(())
            });
        }
        solutions
    }

    /// Shows every candidate with its `w` and residual to `visitor`, until that breaks off. Returns
    /// whether it did.
    fn visit(
        &mut self,
        problem: &Problem<D>,
        mut visitor: impl FnMut(&OVector<f64, D>, &OVector<f64, D>, f64) -> ControlFlow<()>,
    ) -> bool {
        self.yardstick.set(problem);
        self.is_rescaled = self.scaling.balance_if_needed(problem);
        self.scaling.apply(problem, &self.yardstick.q, &mut self.scaled);
        let bases = 1_u32 << (problem.size() - problem.free());
        let mut found = false;
        for basis in 0..bases {
            if self.candidate(problem, basis, basis, EXACTLY_SINGULAR) {
                let residual = measured_residual(problem, &self.yardstick, &self.z, &mut self.w);
                found |= residual <= RESIDUAL_TOLERANCE;
                if visitor(&self.z, &self.w, residual).is_break() {
                    return true;
                }
            }
        }
        if found {
            return false;
        }
        // Free unknowns cannot be left out of a support: columns that depend on others get 0 instead.
        let has_free = problem.free() > 0;
        let tolerance = if has_free { NEARLY_SINGULAR } else { EXACTLY_SINGULAR };
        for basis in 0..bases {
            let mut next = if has_free { Some(basis) } else { basis.checked_sub(1).map(|less| less & basis) };
            while let Some(support) = next {
                if self.candidate(problem, basis, support, tolerance) || has_free {
                    let residual = measured_residual(problem, &self.yardstick, &self.z, &mut self.w);
                    if visitor(&self.z, &self.w, residual).is_break() {
                        return true;
                    }
                }
                next = support.checked_sub(1).map(|less| less & basis);
            }
        }
        false
    }

    /// Solves `w_i = 0`, `i` in `rows`, for the `z_j`, `j` in `support`; both are bit sets over the
    /// unknowns with a sign, the free ones always belong. `false` where that is singular by `tolerance`: what
    /// the rows leave open is then 0.
    fn candidate(&mut self, problem: &Problem<D>, rows: u32, support: u32, tolerance: f64) -> bool {
        let free = problem.free();
        let is_in = |set: u32| move |i: usize| i < free || set >> (i - free) & 1 == 1;
        let Self { system, scaling, is_rescaled, scaled, z, .. } = self;
        z.fill(0.0);
        let mut solve =
            || solve_on_support(system, scaled, &scaled.q, is_in(rows), is_in(support), tolerance, z);
        // The second solution removes the rounding that bad scaling makes large in the first.
        let regular = solve() && (!*is_rescaled || solve());
        scaling.restore(z);
        clamp(problem, z);
        regular
    }
}

/// Whether bases that all fail prove that there is no solution: not where solutions or products may leave the range of
/// double precision.
fn proves<D: Dim>(problem: &Problem<D>) -> bool
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let numbers = problem.m.iter().chain(problem.q.iter());
    numbers.filter(|number| **number != 0.0).all(|number| WITHIN.contains(&number.abs()))
}
