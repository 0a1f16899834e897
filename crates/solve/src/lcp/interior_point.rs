use nalgebra::{Const, DefaultAllocator, Dim, OVector, U1, allocator::Allocator};

use super::{
    Problem, RESIDUAL_TOLERANCE, Solution, Status,
    certificate::has_hopeless_row,
    elimination::{LinearSystem, NEARLY_SINGULAR},
    refine::{clamp, solve_on_support},
    residual::measured_residual,
    scaling::Scaling,
    yardstick::Yardstick,
};

/// Iterations of one attempt; a monotone problem takes 10 to 25.
const MAX_ITERATIONS: u32 = 100;
/// How the path is followed, tried in turn: `start` is the value of `z` and `w` at the beginning, on
/// data scaled to 1; without `centering` Mehrotra's rule chooses it.
const ATTEMPTS: [Attempt; 4] = [
    Attempt { start: 1.0, centering: None },
    Attempt { start: 1.0, centering: Some(0.5) },
    Attempt { start: 100.0, centering: None },
    Attempt { start: 100.0, centering: Some(0.8) },
];
/// No product `z_i w_i` may fall below this fraction of their mean.
const NEIGHBOURHOOD: f64 = 1e-3;
/// How much of the way to the boundary a step may take.
const TO_THE_BOUNDARY: f64 = 0.995;
/// A step shorter than this makes no progress.
const SHORTEST_STEP: f64 = 1e-8;
/// Below this mean complementarity the support is guessed and solved for.
const GUESS_BELOW: f64 = 1e-4;
/// A residual above this is worth another iteration, if there is one.
const GOOD_ENOUGH: f64 = 1e-13;

/// Primal-dual interior-point method with Mehrotra's predictor and corrector.
///
/// It follows the central path `w = M z + q`, `z_i w_i = mu`, `mu -> 0`, from inside, by Newton steps
/// on all unknowns at once; free unknowns stay in the system. For positive semidefinite `M` it
/// converges to a solution in the middle of the solution set; for other matrices it usually does.
/// Near the end it guesses the support, `z_i > w_i`, and solves that basis, which gives the solution
/// to rounding.
#[derive(Debug, Clone)]
pub struct InteriorPoint<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    system: LinearSystem<D>,
    scaling: Scaling<D>,
    scaled: Problem<D>,
    yardstick: Yardstick<D>,
    /// What the solution of the scaled problem is multiplied by: the largest entry of the balanced `q`,
    /// by which that is divided, over that of the balanced `M`, likewise.
    unit: f64,
    iterate: Iterate<D>,
    /// `w - M z - q`
    defect: OVector<f64, D>,
    dz: OVector<f64, D>,
    dw: OVector<f64, D>,
    candidate: OVector<f64, D>,
    w: OVector<f64, D>,
}

struct Attempt {
    start: f64,
    centering: Option<f64>,
}

#[derive(Debug, Clone)]
struct Iterate<D: Dim>
where
    DefaultAllocator: Allocator<D>,
{
    z: OVector<f64, D>,
    w: OVector<f64, D>,
    free: usize,
}

impl<D: Dim> Iterate<D>
where
    DefaultAllocator: Allocator<D>,
{
    /// Mean of `z_i w_i` over the unknowns with a sign.
    fn complementarity(&self) -> f64 {
        let count = self.signed().len().max(1);
        self.signed().map(|i| self.z[i] * self.w[i]).sum::<f64>() / count as f64
    }

    /// The same after a step of length `alpha`.
    fn complementarity_after(&self, alpha: f64, dz: &OVector<f64, D>, dw: &OVector<f64, D>) -> f64 {
        let count = self.signed().len().max(1);
        self.signed().map(|i| (self.z[i] + alpha * dz[i]) * (self.w[i] + alpha * dw[i])).sum::<f64>()
            / count as f64
    }

    /// The longest step up to 1 that keeps `z` and `w` from turning negative.
    fn longest_step(&self, dz: &OVector<f64, D>, dw: &OVector<f64, D>) -> f64 {
        let limit = |value: f64, slope: f64| if slope < 0.0 { -value / slope } else { f64::INFINITY };
        self.signed()
            .fold(1.0, |alpha: f64, i| alpha.min(limit(self.z[i], dz[i])).min(limit(self.w[i], dw[i])))
    }

    /// Whether a step of length `alpha` keeps every product near the mean.
    fn stays_central(&self, alpha: f64, dz: &OVector<f64, D>, dw: &OVector<f64, D>) -> bool {
        let least = NEIGHBOURHOOD * self.complementarity_after(alpha, dz, dw);
        self.signed().all(|i| (self.z[i] + alpha * dz[i]) * (self.w[i] + alpha * dw[i]) >= least)
    }

    fn advance(&mut self, alpha: f64, dz: &OVector<f64, D>, dw: &OVector<f64, D>) {
        self.z.axpy(alpha, dz, 1.0);
        self.w.axpy(alpha, dw, 1.0);
    }

    fn signed(&self) -> std::ops::Range<usize> {
        self.free..self.z.nrows()
    }
}

impl<const N: usize> Default for InteriorPoint<Const<N>> {
    fn default() -> Self {
        Self::new(Const)
    }
}

impl<D: Dim> InteriorPoint<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// A solver for problems of `dim` unknowns.
    pub fn new(dim: D) -> Self {
        let zeros = || OVector::zeros_generic(dim, U1);
        Self {
            system: LinearSystem::new(dim),
            scaling: Scaling::identity(dim),
            scaled: Problem::zeros(dim),
            yardstick: Yardstick::new(dim),
            unit: 1.0,
            iterate: Iterate { z: zeros(), w: zeros(), free: 0 },
            defect: zeros(),
            dz: zeros(),
            dw: zeros(),
            candidate: zeros(),
            w: zeros(),
        }
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
        self.load(problem);
        self.candidate.fill(0.0);
        self.report(problem, solution);
        solution.status = Status::IterationLimit;
        if has_hopeless_row(problem, &self.yardstick.q) {
            solution.status = Status::NoSolution;
            return;
        }
        for Attempt { start, centering } in ATTEMPTS {
            solution.attempts += 1;
            self.iterate.z.fill(start);
            self.iterate.w.fill(start);
            for i in 0..problem.free() {
                self.iterate.z[i] = 0.0;
                self.iterate.w[i] = 0.0;
            }
            for _ in 0..MAX_ITERATIONS {
                if solution.residual > GOOD_ENOUGH && self.iterate.complementarity() < GUESS_BELOW * start {
                    self.guess_support(problem);
                    self.report(problem, solution);
                }
                if solution.residual <= GOOD_ENOUGH || !self.iteration(centering) {
                    break;
                }
                solution.pivots += 1;
            }
            if solution.residual <= RESIDUAL_TOLERANCE {
                solution.status = Status::Solved;
                return;
            }
        }
    }

    fn load(&mut self, problem: &Problem<D>) {
        self.scaling.balance_if_needed(problem);
        self.scaling.apply(problem, &self.yardstick.q, &mut self.scaled);
        let size = |largest: f64| if largest > 0.0 && largest.is_finite() { largest } else { 1.0 };
        let q_size = size(self.scaled.q.amax());
        // A power of two, so that nothing is rounded.
        let m_size = size(self.scaled.m.amax()).log2().round().exp2();
        self.scaled.q /= q_size;
        self.scaled.m /= m_size;
        self.unit = q_size / m_size;
        self.iterate.free = problem.free();
    }

    /// One step along the central path; `false` where no progress is possible any more.
    fn iteration(&mut self, centering: Option<f64>) -> bool {
        let mu = self.iterate.complementarity();
        self.scaled.m.mul_to(&self.iterate.z, &mut self.defect);
        self.defect += &self.scaled.q;
        self.defect.zip_apply(&self.iterate.w, |entry, w| *entry = w - *entry);

        let sigma = centering.unwrap_or_else(|| {
            self.newton_direction(0.0, false);
            let alpha = self.iterate.longest_step(&self.dz, &self.dw);
            let mu_affine = self.iterate.complementarity_after(alpha, &self.dz, &self.dw);
            (mu_affine / mu.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0).powi(3)
        });
        self.newton_direction(sigma * mu, centering.is_none());
        let boundary = self.iterate.longest_step(&self.dz, &self.dw);
        let mut alpha = if boundary < 1.0 { TO_THE_BOUNDARY * boundary } else { 1.0 };
        while alpha > SHORTEST_STEP && !self.iterate.stays_central(alpha, &self.dz, &self.dw) {
            alpha *= 0.8;
        }
        self.iterate.advance(alpha, &self.dz, &self.dw);
        alpha > SHORTEST_STEP
            && self.iterate.z.iter().chain(self.iterate.w.iter()).all(|entry| entry.is_finite())
    }

    /// Newton's direction towards `z_i w_i = target`; `second_order` corrects it by the products
    /// `dz_i dw_i` of the direction before it:
    ///
    /// ```text
    /// (M + diag(w/z)) dz = defect + (target - z w - dz dw)/z,   dw = M dz - defect.
    /// ```
    fn newton_direction(&mut self, target: f64, second_order: bool) {
        let Self { system, scaled, iterate, defect, dz, dw, .. } = self;
        let n = scaled.size();
        system.a.copy_from(&scaled.m);
        for i in 0..n {
            system.b[i] = defect[i];
            if i >= iterate.free {
                let (z, w) = (iterate.z[i], iterate.w[i]);
                let correction = if second_order { dz[i] * dw[i] } else { 0.0 };
                system.a[(i, i)] += w / z;
                system.b[i] += (target - z * w - correction) / z;
            }
        }
        system.solve(n, n, 0.0);
        dz.copy_from(&system.x);
        scaled.m.mul_to(dz, dw);
        *dw -= &*defect;
        dw.rows_mut(0, iterate.free).fill(0.0);
    }

    /// Puts the solution on the support that the iterate suggests into `candidate`.
    fn guess_support(&mut self, problem: &Problem<D>) {
        let Self { system, scaling, scaled, unit, iterate, candidate, .. } = self;
        let is_active = |i: usize| i < iterate.free || iterate.z[i] > iterate.w[i];
        for i in 0..problem.size() {
            candidate[i] = if is_active(i) { iterate.z[i] } else { 0.0 };
        }
        solve_on_support(system, scaled, &scaled.q, is_active, is_active, NEARLY_SINGULAR, candidate);
        scaling.restore(candidate);
        *candidate *= *unit;
        clamp(problem, candidate);
    }

    fn report(&mut self, problem: &Problem<D>, solution: &mut Solution<D>) {
        let residual = measured_residual(problem, &self.yardstick, &self.candidate, &mut self.w);
        if residual <= solution.residual {
            solution.residual = residual;
            solution.z.copy_from(&self.candidate);
            solution.w.copy_from(&self.w);
        }
    }
}
