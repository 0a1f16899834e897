use nalgebra::{Const, DefaultAllocator, Dim, OVector, U1, allocator::Allocator};

use super::{
    Problem, RESIDUAL_TOLERANCE, Solution, Status,
    certificate::{has_hopeless_row, proves_infeasible},
    dictionary::{Dictionary, Variable},
    elimination::{LinearSystem, NEARLY_SINGULAR},
    lexicographic::{Tolerances, leaving_row, most_negative_row},
    refine::{clamp, solve_on_support},
    residual::measured_residual,
    scaling::Scaling,
    yardstick::Yardstick,
};

/// A residual above this is worth solving the final basis again from the data.
const WORTH_REFINING: f64 = 1e-13;

/// Lemke's complementary pivoting with the lexicographic rule, the default solver.
///
/// It follows a path of almost complementary bases of `w = M z + d z0 + q`, `d > 0`, until the
/// covering variable `z0` is zero. It ends at a solution, or in a ray where the path goes off to
/// infinity. For copositive-plus matrices (every contact problem with a fixed normal force) a ray
/// means that there is no solution, and for the contact problem with Coulomb friction it cannot
/// occur; for other matrices it proves nothing, so that other covering vectors `d` are tried.
///
/// `q` is divided by its largest entry; the result is recomputed from the data, and where it fails
/// the check, the problem is balanced and solved again. One value serves any number of problems of
/// its size without allocating.
#[derive(Debug, Clone)]
pub struct Lemke<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    dictionary: Dictionary<D>,
    system: LinearSystem<D>,
    scaling: Scaling<D>,
    scaled: Problem<D>,
    yardstick: Yardstick<D>,
    /// The largest entry of `q`, by which the dictionary is divided.
    unit: f64,
    z: OVector<f64, D>,
    w: OVector<f64, D>,
    /// What is tried, one after the other.
    attempts: [&'static [Attempt]; 2],
}

/// One try: in which units, along which path, and what counts as zero on it.
#[derive(Debug)]
struct Attempt {
    balanced: bool,
    cover: Cover,
    tolerances: Tolerances,
}

impl Attempt {
    const fn tight(balanced: bool, cover: Cover) -> Self {
        Self { balanced, cover, tolerances: Tolerances::TIGHT }
    }
}

/// Covering vectors `d`.
#[derive(Debug, Clone, Copy)]
enum Cover {
    /// All ones.
    Ones,
    /// `|q_i|`, so that a small entry of `q` is not lost beside a large one.
    Sizes,
    /// Irregular numbers between 1/4 and 4.
    Irregular(u8),
    /// Irregular numbers between 1/2 and 2.
    Near(u8),
}

/// The first is nearly always enough.
const ATTEMPTS: [Attempt; 16] = [
    Attempt::tight(false, Cover::Ones),
    Attempt::tight(true, Cover::Ones),
    Attempt::tight(false, Cover::Sizes),
    Attempt::tight(true, Cover::Sizes),
    Attempt::tight(false, Cover::Irregular(1)),
    Attempt::tight(true, Cover::Irregular(1)),
    Attempt::tight(false, Cover::Irregular(2)),
    Attempt::tight(true, Cover::Irregular(3)),
    Attempt::tight(false, Cover::Near(1)),
    Attempt::tight(false, Cover::Near(2)),
    Attempt::tight(false, Cover::Near(3)),
    Attempt::tight(false, Cover::Near(4)),
    Attempt::tight(false, Cover::Near(5)),
    Attempt::tight(false, Cover::Near(6)),
    Attempt::tight(false, Cover::Near(7)),
    Attempt::tight(false, Cover::Near(8)),
];

/// What comes before these where the rank is known to be deficient, and else after them: the rounding that pivots leave
/// of a zero must not be taken for a pivot.
const DEFICIENT: [Attempt; 2] = [
    Attempt { balanced: false, cover: Cover::Ones, tolerances: Tolerances::WIDE },
    Attempt { balanced: false, cover: Cover::Ones, tolerances: Tolerances::MIDDLE },
];

/// Seeds of the covering vectors of [`Lemke::try_more`].
const MORE_SEEDS: std::ops::RangeInclusive<u8> = 9..=72;

enum PathEnd {
    Complementary,
    Ray,
    PivotLimit,
    FreeUndetermined,
}

impl<const N: usize> Default for Lemke<Const<N>> {
    fn default() -> Self {
        Self::new(Const)
    }
}

impl<D: Dim> Lemke<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// A solver for problems of `dim` unknowns.
    pub fn new(dim: D) -> Self {
        Self {
            dictionary: Dictionary::new(dim),
            system: LinearSystem::new(dim),
            scaling: Scaling::identity(dim),
            scaled: Problem::zeros(dim),
            yardstick: Yardstick::new(dim),
            unit: 1.0,
            z: OVector::zeros_generic(dim, U1),
            w: OVector::zeros_generic(dim, U1),
            attempts: [&ATTEMPTS, &DEFICIENT],
        }
    }

    /// A solver for problems of `dim` unknowns whose rank is deficient, as that of several contacts of one
    /// body: paths on which more counts as zero are tried first.
    pub fn of_deficient_rank(dim: D) -> Self {
        Self { attempts: [&DEFICIENT, &ATTEMPTS], ..Self::new(dim) }
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
        // A plain problem gets code in which the rows are known to start at 0.
        if problem.free() == 0 {
            self.attempt_all(problem, 0, solution);
        } else {
            self.attempt_all(problem, problem.free(), solution);
        }
    }

    /// Goes on where [`Lemke::solve`] left `solution` without an answer, along the paths of many more
    /// covering vectors.
    pub fn try_more(&mut self, problem: &Problem<D>, solution: &mut Solution<D>) {
        self.yardstick.set(problem);
        for seed in MORE_SEEDS {
            for cover in [Cover::Irregular(seed), Cover::Near(seed)] {
                let attempt = Attempt::tight(seed % 2 == 0, cover);
                if self.attempt(problem, problem.free(), &attempt, solution) {
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn attempt_all(&mut self, problem: &Problem<D>, free: usize, solution: &mut Solution<D>) {
        for attempt in self.attempts.into_iter().flatten() {
            if self.attempt(problem, free, attempt, solution) {
                return;
            }
        }
        if solution.residual.is_infinite() {
            self.report(problem, solution);
        }
    }

    /// Follows one path; whether there is nothing left to try.
    #[inline(always)]
    fn attempt(
        &mut self,
        problem: &Problem<D>,
        free: usize,
        attempt: &Attempt,
        solution: &mut Solution<D>,
    ) -> bool {
        solution.attempts += 1;
        let end = self.follow_path(problem, free, attempt, &mut solution.pivots);
        match end {
            PathEnd::FreeUndetermined => {
                // What is left open may be anything: that nothing acts may do.
                self.z.fill(0.0);
                self.report(problem, solution);
                let is_solved = solution.residual <= RESIDUAL_TOLERANCE;
                solution.status = if is_solved { Status::Solved } else { Status::NotApplicable };
                return true;
            }
            PathEnd::Ray
                if self.ray_proves_infeasible(problem, attempt)
                    || has_hopeless_row(problem, &self.yardstick.q) =>
            {
                solution.status = Status::NoSolution;
                self.report(problem, solution);
                return true;
            }
            PathEnd::Ray => solution.status = Status::Ray,
            PathEnd::PivotLimit => solution.status = Status::IterationLimit,
            PathEnd::Complementary => {
                let residual = self.read_off(problem, attempt);
                self.keep_better(residual, solution);
                if solution.residual <= RESIDUAL_TOLERANCE {
                    solution.status = Status::Solved;
                    return true;
                }
                solution.status = Status::ResidualTooLarge;
            }
        }
        false
    }

    #[inline(always)]
    fn follow_path(
        &mut self,
        problem: &Problem<D>,
        free: usize,
        attempt: &Attempt,
        pivots: &mut u32,
    ) -> PathEnd {
        let Self { dictionary, scaling, scaled, yardstick, .. } = self;
        let (posed, q, largest) = if attempt.balanced {
            scaling.balance(problem);
            scaling.apply(problem, &yardstick.q, scaled);
            (&*scaled, &scaled.q, scaled.q.amax())
        } else {
            (problem, &yardstick.q, yardstick.largest)
        };
        self.unit = if largest > 0.0 { largest } else { 1.0 };
        dictionary.start(posed, q, 1.0 / self.unit, |i, q| attempt.cover.entry(i, q));
        if !dictionary.eliminate_free(free) {
            return PathEnd::FreeUndetermined;
        }
        let n = dictionary.rhs.nrows();
        if (free..n).all(|i| dictionary.rhs[i] >= 0.0) {
            return PathEnd::Complementary;
        }
        let limit = 1000 + 10 * n;
        dictionary.enter_cover(most_negative_row(dictionary, free, &attempt.tolerances));
        for _ in 0..limit {
            *pivots += 1;
            let (Variable::W(slot) | Variable::Z(slot)) = dictionary.spare_variable else {
                return PathEnd::Complementary;
            };
            dictionary.load_column(slot);
            // The first rows are written out: the processor then predicts which one leaves, and begins
            // the pivot before the ratio test is through.
            match leaving_row(dictionary, free, &attempt.tolerances) {
                Some(0) => dictionary.enter(slot, 0),
                Some(1) => dictionary.enter(slot, 1),
                Some(2) => dictionary.enter(slot, 2),
                Some(3) => dictionary.enter(slot, 3),
                Some(row) => dictionary.enter(slot, row),
                None => return PathEnd::Ray,
            }
        }
        PathEnd::PivotLimit
    }

    /// Reads `z` off the final dictionary and, if that leaves a residual, solves its basis again.
    /// Gives the residual of `z` and writes its `w`.
    #[inline(always)]
    fn read_off(&mut self, problem: &Problem<D>, attempt: &Attempt) -> f64 {
        let Self { dictionary, scaling, yardstick, z, w, unit, .. } = self;
        z.fill(0.0);
        for (value, variable) in dictionary.rhs.iter().zip(dictionary.basic.iter()) {
            if let Variable::Z(i) = variable {
                z[*i] = value * *unit;
            }
        }
        if attempt.balanced {
            scaling.restore(z);
        }
        clamp(problem, z);
        let residual = measured_residual(problem, yardstick, z, w);
        if residual > WORTH_REFINING { self.refine(problem) } else { residual }
    }

    /// Solves the final basis from the data.
    #[cold]
    fn refine(&mut self, problem: &Problem<D>) -> f64 {
        let Self { dictionary, system, yardstick, z, w, .. } = self;
        let in_basis = |i: usize| dictionary.basic.iter().any(|&variable| variable == Variable::Z(i));
        solve_on_support(system, problem, &yardstick.q, in_basis, in_basis, NEARLY_SINGULAR, z);
        clamp(problem, z);
        measured_residual(problem, yardstick, z, w)
    }

    /// Writes `z` with its `w` and residual into `solution`, unless what is there is better.
    fn report(&mut self, problem: &Problem<D>, solution: &mut Solution<D>) {
        let residual = measured_residual(problem, &self.yardstick, &self.z, &mut self.w);
        self.keep_better(residual, solution);
    }

    #[inline(always)]
    fn keep_better(&self, residual: f64, solution: &mut Solution<D>) {
        if residual <= solution.residual {
            solution.residual = residual;
            solution.z.copy_from(&self.z);
            solution.w.copy_from(&self.w);
        }
    }

    /// Whether the direction of the ray is a proof that the problem, balanced or not, is infeasible.
    #[cold]
    fn ray_proves_infeasible(&mut self, problem: &Problem<D>, attempt: &Attempt) -> bool {
        let Self { dictionary, scaled, yardstick, z, .. } = self;
        z.fill(0.0);
        for (slope, variable) in dictionary.entering.iter().zip(dictionary.basic.iter()) {
            if let Variable::Z(i) = variable {
                z[*i] = (-slope).max(0.0);
            }
        }
        if let Variable::W(i) = dictionary.spare_variable {
            z[i] = 1.0; // its complement was to enter
        }
        let proved = if attempt.balanced {
            proves_infeasible(scaled, &scaled.q, z)
        } else {
            proves_infeasible(problem, &yardstick.q, z)
        };
        z.fill(0.0);
        proved
    }
}

impl Cover {
    /// Entry `i` for a problem whose `q_i`, divided by the largest, is `q`.
    fn entry(self, i: usize, q: f64) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        const PLASTIC: f64 = 0.754_877_666_246_692_8;
        match self {
            Self::Ones => 1.0,
            Self::Sizes if q == 0.0 => 1.0,
            Self::Sizes => q.abs(),
            Self::Irregular(seed) => (4.0 * ((i + 1) as f64 * GOLDEN * f64::from(seed)).fract() - 2.0).exp2(),
            Self::Near(seed) => {
                let spread = (i + 1) as f64 * PLASTIC + f64::from(seed) * (i * i) as f64 * GOLDEN;
                0.5 + 1.5 * spread.fract()
            }
        }
    }
}
