//! Solves of a plan: Scholtes' homotopy, which bounds every product of complementary numbers by a `tau` that goes to zero
//! (Scholtes 2001), and direct solves at the last `tau` at once.

use std::{ops::ControlFlow, time::Instant};

use super::{program::Program, starts, work::Work, worst_row::WorstRow};
use crate::{
    nlp::{
        IpoptError, IpoptOptions, Residuals, SolveStatus, SparseIpopt,
        sparse::{SparseMultipliers, SparseNlp, SparseSolution},
    },
    random::Random,
    watch::Watch,
};

/// The bounds on the products, one after the other.
pub const RELAXATIONS: [f64; 7] = [1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-6, LAST];

/// The last of them, at which direct solves begin.
pub const LAST: f64 = 1e-8;

/// Iterations after which a solve is given up.
pub const ITERATIONS: u32 = 400;

/// Largest violation of a row or a bound, in units, of a point that counts as a plan.
const FEASIBLE: f64 = 1e-6;

/// How a plan was sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By the homotopy.
    Homotopy,
    /// At the last relaxation at once.
    Direct,
    /// From the best plan so far, made to run slower or faster.
    Stretched,
}

impl Kind {
    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Homotopy => "homotopy",
            Self::Direct => "direct",
            Self::Stretched => "stretched",
        }
    }
}

/// One attempt at a plan.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// How it was sought.
    pub kind: Kind,
    /// Number of steps.
    pub steps: usize,
    /// Seed of its start.
    pub seed: u64,
    /// How it ended.
    pub status: SolveStatus,
    /// What all of its solves took.
    pub work: Work,
    /// The bound on the products that was reached.
    pub relaxation: f64,
    /// Cost in SI units.
    pub cost: f64,
    /// Largest violation of a row or a bound at its end, recomputed, in units.
    pub infeasibility: f64,
    /// The row that is missed by most at its end, if it is no plan.
    pub worst_row: Option<WorstRow>,
    /// The variables, if it is a plan.
    pub point: Option<Point>,
}

/// A point of a program with its multipliers.
#[derive(Debug, Clone)]
pub struct Point {
    /// The variables.
    pub x: Vec<f64>,
    /// The multipliers.
    pub multipliers: SparseMultipliers,
}

/// How a solve begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beginning {
    /// The barrier parameter.
    pub barrier: f64,
    /// How far variables are kept from their bounds at first.
    pub push: f64,
    /// Whether multipliers of the point before are taken over.
    pub warm: bool,
    /// Whether bounds are to be met exactly, and optimality to more digits.
    pub exact: bool,
}

impl Beginning {
    /// From afar.
    pub const COLD: Self = Self { barrier: 0.1, push: 1e-2, warm: false, exact: false };
}

/// A program in which products of complementary numbers are bounded, by a number that can be changed.
pub trait Relaxed: SparseNlp {
    /// Bounds every product by `tau`.
    fn relax(&mut self, tau: f64);
}

/// Solves `program` from a point.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn solve<P: SparseNlp>(
    program: &P,
    point: &Point,
    beginning: Beginning,
    watch: &Watch<'_>,
) -> Result<SparseSolution, IpoptError> {
    let Beginning { barrier, push, warm, exact } = beginning;
    let mut options = IpoptOptions {
        tolerance: if exact { 1e-10 } else { 1e-8 },
        max_iterations: ITERATIONS,
        warm_max_iterations: ITERATIONS,
        cold_barrier: barrier,
        warm_barrier: barrier,
        warm_push: push,
        ..IpoptOptions::default()
    };
    for name in ["bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac"] {
        options.set(name, push);
    }
    if exact {
        options.set("bound_relax_factor", 0.0);
    }
    let mut solver = SparseIpopt::new(program, &options)?;
    let multipliers = warm.then_some(&point.multipliers);
    Ok(solver.solve_watched(program, &point.x, multipliers, &mut || watch.flow()))
}

/// The same, with what it took.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn solve_measured<P: SparseNlp>(
    program: &P,
    point: &Point,
    beginning: Beginning,
    watch: &Watch<'_>,
) -> Result<(SparseSolution, Work), IpoptError> {
    let begun = Instant::now();
    let solution = solve(program, point, beginning, watch)?;
    let SparseSolution { iterations, factor_entries, .. } = solution;
    Ok((solution, Work { iterations, factor_entries, seconds: begun.elapsed().as_secs_f64() }))
}

/// Whether a solution may be used: IPOPT calls it one, and the rows and bounds hold by code of our own.
pub fn is_plan(solution: &SparseSolution) -> bool {
    let is_claimed = solution.status.is_success() || solution.status == SolveStatus::ResidualTooLarge;
    is_claimed && solution.residuals.feasibility <= FEASIBLE
}

/// Where following the relaxations led.
#[derive(Debug, Clone)]
pub struct Followed {
    /// The solution of the last relaxation that was solved; of the first, if it was not.
    pub solution: Option<SparseSolution>,
    /// The bound on the products that was reached.
    pub relaxation: f64,
    /// What all of its solves took.
    pub work: Work,
    /// Whether products are bounded so closely that it is a solution.
    pub is_whole: bool,
}

/// Follows [`RELAXATIONS`] from the variables `x`, each from the solution of the one before; one that fails twice ends it
/// there.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn follow<P: Relaxed>(program: &mut P, x: Vec<f64>, watch: &Watch<'_>) -> Result<Followed, IpoptError> {
    let mut point = Point { multipliers: zeros(program), x };
    let mut work = Work::default();
    let mut reached: Option<(f64, SparseSolution)> = None;
    let mut last = None;
    for tau in RELAXATIONS {
        program.relax(tau);
        let first = match reached {
            None => Beginning::COLD,
            Some(_) => {
                Beginning { barrier: (tau / 10.0).clamp(1e-9, 0.1), push: 1e-9, warm: true, exact: false }
            }
        };
        let second = Beginning { barrier: tau.clamp(1e-6, 0.1), push: 1e-6, warm: false, exact: false };
        let mut found = None;
        for beginning in [first, second] {
            let (solution, own) = solve_measured(program, &point, beginning, watch)?;
            work += own;
            if is_plan(&solution) {
                found = Some(solution);
                break;
            }
            last = Some(solution);
            if watch.flow().is_break() {
                break;
            }
        }
        let Some(solution) = found else { break };
        point = Point { x: solution.x.clone(), multipliers: solution.multipliers.clone() };
        reached = Some((tau, solution));
    }
    let is_whole = reached.as_ref().is_some_and(|(tau, _)| *tau <= 1e-4);
    let (relaxation, solution) =
        reached.map_or((RELAXATIONS[0], last), |(tau, solution)| (tau, Some(solution)));
    Ok(Followed { solution, relaxation, work, is_whole })
}

/// Follows the homotopy from the straight way to the goal.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn homotopy(program: &Program, seed: u64, watch: &Watch<'_>) -> Result<Attempt, IpoptError> {
    let mut program = program.clone();
    let start = starts::straight(&program, &mut Random::seeded(seed));
    let Followed { solution, relaxation, work, is_whole } = follow(&mut program, start, watch)?;
    Ok(attempt(&program, (Kind::Homotopy, seed), solution, (work, relaxation), is_whole))
}

/// Solves at the last relaxation at once.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn direct(program: &Program, seed: u64, watch: &Watch<'_>) -> Result<Attempt, IpoptError> {
    let x = starts::straight(program, &mut Random::seeded(seed));
    solve_once(program, (Kind::Direct, seed), x, Beginning::COLD, watch)
}

/// Solves at the last relaxation from the variables `x`.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn solve_once(
    program: &Program,
    origin: (Kind, u64),
    x: Vec<f64>,
    beginning: Beginning,
    watch: &Watch<'_>,
) -> Result<Attempt, IpoptError> {
    let mut program = program.clone();
    program.relaxation = LAST;
    let point = Point { multipliers: zeros(&program), x };
    let (solution, work) = solve_measured(&program, &point, beginning, watch)?;
    let is_whole = is_plan(&solution);
    Ok(attempt(&program, origin, Some(solution), (work, LAST), is_whole))
}

/// Multipliers of which nothing is known.
pub fn zeros<P: SparseNlp>(program: &P) -> SparseMultipliers {
    SparseMultipliers::zeros(program.variables(), program.constraints())
}

fn attempt(
    program: &Program,
    (kind, seed): (Kind, u64),
    solution: Option<SparseSolution>,
    (work, relaxation): (Work, f64),
    is_plan: bool,
) -> Attempt {
    let steps = program.task.steps;
    let nothing = Attempt {
        kind,
        steps,
        seed,
        status: SolveStatus::Interrupted,
        work,
        relaxation,
        cost: f64::NAN,
        infeasibility: f64::INFINITY,
        worst_row: None,
        point: None,
    };
    let Some(SparseSolution { x, multipliers, status, residuals, .. }) = solution else { return nothing };
    let Residuals { feasibility, .. } = residuals;
    Attempt {
        status,
        cost: program.cost(&x),
        infeasibility: feasibility,
        worst_row: if is_plan { None } else { WorstRow::of(program, &x) },
        point: is_plan.then_some(Point { x, multipliers }),
        ..nothing
    }
}

/// The seeds of the direct starts of a task.
pub fn seeds(seed: u64, count: usize) -> impl Iterator<Item = u64> {
    let mut next = seed;
    (0..count).map(move |_| {
        next = Random::derived_seed(next);
        next
    })
}

/// Tries the homotopy and all direct starts, one after the other; `told` hears of each. What was found when the watch says to
/// stop is what there is.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn try_all(
    program: &Program,
    watch: &Watch<'_>,
    mut told: impl FnMut(&Attempt),
) -> Result<Vec<Attempt>, IpoptError> {
    let task = &program.task;
    let mut attempts = vec![homotopy(program, task.seed, watch)?];
    attempts.iter().for_each(&mut told);
    for seed in seeds(task.seed, task.starts) {
        if watch.flow() == ControlFlow::Break(()) {
            break;
        }
        let attempt = direct(program, seed, watch)?;
        told(&attempt);
        attempts.push(attempt);
    }
    Ok(attempts)
}
