use nalgebra::{Const, DefaultAllocator, Dim, OVector, allocator::Allocator};

use super::{
    Problem, RESIDUAL_TOLERANCE, Solution, Status, residual::measured_residual, yardstick::Yardstick,
};

/// Sweeps before giving up.
const MAX_SWEEPS: u32 = 20_000;
/// Sweeps between two looks at the residual, which costs as much as a sweep.
const SWEEPS_PER_CHECK: u32 = 4;

/// Projected Gauss-Seidel: `z_i <- max(0, z_i - w_i/M_ii)`, row after row (no projection where
/// `z_i` is free).
///
/// It needs a positive diagonal, and converges where `M` is symmetric positive definite or strictly
/// diagonally dominant. Friction written with a bound `gamma` has a zero on the diagonal, so the
/// method does not apply there; it says so ([`Status::NotApplicable`]) and does not try.
#[derive(Debug, Clone)]
pub struct GaussSeidel<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    yardstick: Yardstick<D>,
}

impl<const N: usize> Default for GaussSeidel<Const<N>> {
    fn default() -> Self {
        Self::new(Const)
    }
}

impl<D: Dim> GaussSeidel<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// A solver for problems of `dim` unknowns.
    pub fn new(dim: D) -> Self {
        Self { yardstick: Yardstick::new(dim) }
    }

    /// The first row whose diagonal entry is not positive, which rules the method out.
    pub fn obstacle(problem: &Problem<D>) -> Option<usize> {
        (0..problem.size()).find(|&i| problem.m[(i, i)].is_nan() || problem.m[(i, i)] <= 0.0)
    }

    /// Solves `problem`.
    pub fn solve(&mut self, problem: &Problem<D>) -> Solution<D> {
        let mut solution = Solution::empty(problem.dim());
        self.solve_into(problem, &mut solution);
        solution
    }

    /// Solves `problem` into `solution`, which has its size.
    pub fn solve_into(&mut self, problem: &Problem<D>, solution: &mut Solution<D>) {
        self.yardstick.set(problem);
        solution.forget();
        solution.attempts = 1;
        solution.residual = measured_residual(problem, &self.yardstick, &solution.z, &mut solution.w);
        if Self::obstacle(problem).is_some() {
            return;
        }
        solution.status = Status::IterationLimit;
        while solution.pivots < MAX_SWEEPS {
            if solution.residual <= RESIDUAL_TOLERANCE {
                solution.status = Status::Solved;
                return;
            }
            if solution.residual.is_infinite() {
                solution.status = Status::ResidualTooLarge;
                return;
            }
            for _ in 0..SWEEPS_PER_CHECK {
                self.sweep(problem, &mut solution.z);
            }
            solution.pivots += SWEEPS_PER_CHECK;
            solution.residual = measured_residual(problem, &self.yardstick, &solution.z, &mut solution.w);
        }
    }

    fn sweep(&self, problem: &Problem<D>, z: &mut OVector<f64, D>) {
        for i in 0..problem.size() {
            let w = (0..problem.size()).fold(self.yardstick.q[i], |sum, j| sum + problem.m[(i, j)] * z[j]);
            let updated = z[i] - w / problem.m[(i, i)];
            z[i] = if i < problem.free() { updated } else { updated.max(0.0) };
        }
    }
}
