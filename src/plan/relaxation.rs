//! Solves of a plan: Scholtes' homotopy, which bounds every product of complementary numbers by a `tau` that goes to zero
//! (Scholtes 2001), and direct solves at the last `tau` at once.

use std::{ops::ControlFlow, time::Instant};

use super::{given_start::given_start, program::Program, starts, work::Work, worst_row::WorstRow};
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
    /// From the motion of the pushes that the task starts from, as it is.
    Given,
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
            Self::Given => "given",
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

/// How a motion that is nearly a plan is begun, the gentlest first.
const NEAR: [Beginning; 3] = [
    Beginning { barrier: 1e-4, push: 1e-5, warm: false, exact: false },
    Beginning { barrier: 1e-2, push: 1e-3, warm: false, exact: false },
    Beginning { barrier: 0.1, push: 1e-2, warm: false, exact: false },
];

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

/// Solves from the variables `x` of a motion that is nearly a plan, more and more roughly until a solution `is_taken`; with what
/// all of that took, and the last solution where none is.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub(super) fn solve_from_near(
    program: &Program,
    x: Vec<f64>,
    watch: &Watch<'_>,
    is_taken: impl Fn(&SparseSolution) -> bool,
) -> Result<(SparseSolution, Work), IpoptError> {
    let start = Point { multipliers: zeros(program), x };
    let [first, rougher @ ..] = NEAR;
    let (mut solution, mut work) = solve_measured(program, &start, first, watch)?;
    for beginning in rougher {
        if is_taken(&solution) || watch.flow().is_break() {
            break;
        }
        let (next, own) = solve_measured(program, &start, beginning, watch)?;
        solution = next;
        work += own;
    }
    Ok((solution, work))
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
    homotopy_from(program, seed, start(program, None, seed), watch)
}

fn homotopy_from(
    program: &Program,
    seed: u64,
    start: Vec<f64>,
    watch: &Watch<'_>,
) -> Result<Attempt, IpoptError> {
    let mut program = program.clone();
    let Followed { solution, relaxation, work, is_whole } = follow(&mut program, start, watch)?;
    Ok(attempt(&program, (Kind::Homotopy, seed), solution, (work, relaxation), is_whole))
}

/// Solves at the last relaxation at once, from the straight way to the goal.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn direct(program: &Program, seed: u64, watch: &Watch<'_>) -> Result<Attempt, IpoptError> {
    solve_once(program, (Kind::Direct, seed), start(program, None, seed), Beginning::COLD, watch)
}

/// The motion that is given, or the straight way where none is, with noise.
fn start(program: &Program, given: Option<&Vec<f64>>, seed: u64) -> Vec<f64> {
    let mut random = Random::seeded(seed);
    match given {
        Some(motion) => starts::perturbed(program, motion.clone(), &mut random),
        None => starts::straight(program, &mut random),
    }
}

/// Solves at the last relaxation from a motion that is given, as it is.
fn from_given(program: &Program, motion: Vec<f64>, watch: &Watch<'_>) -> Result<Attempt, IpoptError> {
    let mut program = program.clone();
    program.relaxation = LAST;
    let (solution, work) = solve_from_near(&program, motion, watch, is_plan)?;
    let is_whole = is_plan(&solution);
    let origin = (Kind::Given, program.task.seed);
    Ok(attempt(&program, origin, Some(solution), (work, LAST), is_whole))
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

/// Tries the homotopy and all direct starts, one after the other; `told` hears of each. Where the task has pushes to start from,
/// their motion is tried before, starts with noise are made of it, and the homotopy, which forgets where it began, is taken
/// where the motion as it is leads to no plan. What was found when the watch says to stop is what there is.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn try_all(
    program: &Program,
    watch: &Watch<'_>,
    mut told: impl FnMut(&Attempt),
) -> Result<Vec<Attempt>, IpoptError> {
    let task = &program.task;
    // The simulator gets through these pushes at the steps of the plan; at fewer it may not.
    let given = given_start(program, watch).and_then(Result::ok);
    let mut attempts: Vec<Attempt> =
        given.iter().map(|motion| from_given(program, motion.clone(), watch)).collect::<Result<_, _>>()?;
    attempts.iter().for_each(&mut told);
    if attempts.iter().all(|attempt| attempt.point.is_none()) {
        let attempt = homotopy_from(program, task.seed, start(program, given.as_ref(), task.seed), watch)?;
        told(&attempt);
        attempts.push(attempt);
    }
    for seed in seeds(task.seed, task.starts) {
        if watch.flow() == ControlFlow::Break(()) {
            break;
        }
        let x = start(program, given.as_ref(), seed);
        let attempt = solve_once(program, (Kind::Direct, seed), x, Beginning::COLD, watch)?;
        told(&attempt);
        attempts.push(attempt);
    }
    Ok(attempts)
}

/// Tries the motion of the pushes that the task starts from alone; nothing where it has none, or the simulator does not get
/// through them.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub(super) fn try_given(program: &Program, watch: &Watch<'_>) -> Result<Option<Attempt>, IpoptError> {
    let motion = given_start(program, watch).and_then(Result::ok);
    motion.map(|motion| from_given(program, motion, watch)).transpose()
}
