//! The relaxed program of a single contact, solved: warm from the step before, then cold, then through a ladder.

use nalgebra::SVector;

use super::{
    RelaxedProgram, SingleContact,
    attempt::{Attempt, Previous, WARM_MAX_ITERATIONS},
    polish::Polished,
    program::full_use,
};
use crate::{
    contact::{FailureKind, Relaxation},
    nlp::{InteriorPoint, InteriorPointOptions, Nlp, NlpSolution, NlpSolver, SolveStatus},
};

/// How far above the solver's tolerance the recomputed residual of a solved step may be: the
/// solver's own scaling of the rows accounts for that much.
const RESIDUAL_MARGIN: f64 = 100.0;

/// A general solver of nonlinear programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramSolver {
    /// IPOPT, compiled into the crate with the feature `ipopt`.
    Ipopt,
    /// The crate's own interior-point method, some thirty times faster than IPOPT on these programs.
    InteriorPoint,
}

impl ProgramSolver {
    /// Whether the crate was built with it.
    pub const fn is_built_in(self) -> bool {
        match self {
            Self::Ipopt => cfg!(feature = "ipopt"),
            Self::InteriorPoint => true,
        }
    }

    /// The other one, which rescues a step that this one does not solve.
    const fn other(self) -> Self {
        match self {
            Self::Ipopt => Self::InteriorPoint,
            Self::InteriorPoint => Self::Ipopt,
        }
    }
}

/// How the program of a single contact is posed and solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RelaxedContactSettings {
    /// Tolerance of the solver, in the units of the program. 1e-6 is still enough, 1e-4 is not.
    pub tolerance: f64,
    /// Smoothing `epsilon` of the square root, `sqrt(y + epsilon^2) - epsilon`.
    pub epsilon: f64,
    /// The solver that is asked first; the other one rescues, where it is part of the build.
    pub solver: ProgramSolver,
    /// Whether a step starts from the solution of the one before; a cold start follows where that fails.
    pub warm_start: bool,
}

impl Default for RelaxedContactSettings {
    fn default() -> Self {
        let solver = if ProgramSolver::Ipopt.is_built_in() {
            ProgramSolver::Ipopt
        } else {
            ProgramSolver::InteriorPoint
        };
        Self { tolerance: 1e-8, epsilon: 1e-6, solver, warm_start: true }
    }
}

/// Why a solver cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}; {remedy}")]
pub struct Unavailable {
    /// What is in the way.
    pub reason: String,
    /// What to do about it.
    pub remedy: String,
}

/// The program of a single contact as a model uses it, whatever the dimension.
pub trait ContactProgram<const D: usize>: Send {
    /// Solves the contact in a step in which gravity adds `gained` to a velocity, in m/s.
    ///
    /// # Errors
    /// [`ProgramUnsolved`] where no attempt passed the checks, with the best candidate.
    fn solve(
        &mut self,
        contact: &SingleContact<D>,
        gained: f64,
    ) -> Result<ProgramSolution<D>, Box<ProgramUnsolved<D>>>;

    /// How much of its friction a sliding contact has: the smooth square root admits a little more than all.
    fn full_use(&self) -> f64;

    /// Name and version of the solver that is asked first.
    fn solver(&self) -> (&'static str, &'static str);

    /// What is kept of the step before as plain numbers; empty where nothing is.
    fn memory(&self) -> Vec<f64>;

    /// Takes over what [`ContactProgram::memory`] gave out; numbers that do not fit count as none.
    fn restore(&mut self, memory: &[f64]);

    /// Lets the solver print its log to standard output.
    fn set_verbose(&mut self, verbose: bool);
}

/// The program of a contact in `D` dimensions.
///
/// # Errors
/// [`Unavailable`] if the solver cannot be set up, or is not part of this build.
pub fn contact_program<const D: usize>(
    settings: RelaxedContactSettings,
) -> Result<Box<dyn ContactProgram<D>>, Unavailable> {
    Ok(match D {
        2 => Box::new(RelaxedContact::<1, 7>::new(settings)?),
        _ => Box::new(RelaxedContact::<2, 9>::new(settings)?),
    })
}

/// A solved program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProgramSolution<const D: usize> {
    /// Impulse in N s, normal first.
    pub impulse: SVector<f64, D>,
    /// Relative velocity at the end of the step in m/s, normal first.
    pub velocity: SVector<f64, D>,
    /// Slacks and multiplier.
    pub relaxation: Relaxation,
    /// Whether it took more than the attempts of an ordinary step.
    pub is_rescued: bool,
    /// Iterations over all attempts.
    pub iterations: u32,
    /// [`RelaxedProgram::residual`] of the solution.
    pub residual: f64,
}

/// Why a program was not solved.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramUnsolved<const D: usize> {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// What happened, as a clause.
    pub reason: String,
    /// Iterations over all attempts.
    pub iterations: u32,
    /// What came closest, not to be trusted; `None` if nothing was finite.
    pub candidate: Option<ProgramSolution<D>>,
}

/// A [`RelaxedProgram`] per step, and its solvers. A step that the chosen solver does not solve is left to the other one
/// before it counts as failed. Where the relaxed complementarity of a solution would let the contact creep, the equations
/// of its active constraints are solved, and the residual certifies the result.
///
/// `T = D - 1` is the number of tangent directions, `S = 2 T + 5` the size of the program.
pub struct RelaxedContact<const T: usize, const S: usize> {
    settings: RelaxedContactSettings,
    /// The chosen solver.
    solver: Solver<T, S>,
    /// The one that rescues it, from the first step that needs it on: most runs do without, and to set IPOPT up takes
    /// as long as some fifty steps.
    rescuer: Option<Solver<T, S>>,
    is_verbose: bool,
    previous: Option<Previous<S>>,
}

type Solver<const T: usize, const S: usize> = Box<dyn NlpSolver<S, S, RelaxedProgram<T>>>;

/// Who tries what at a step: the solver that rescues it where the flag is set, else the chosen one.
const LADDER: [(bool, &[Attempt]); 3] =
    [(false, &Attempt::ORDINARY), (true, &Attempt::ALL), (false, &Attempt::RESCUES)];

/// A contact that has all shapes of the program: what solvers probe the structure with.
fn probe<const T: usize>(epsilon: f64) -> RelaxedProgram<T> {
    let (mut free, response) = (SVector::<f64, 3>::zeros(), 1.0);
    (free[0], free[1]) = (-1.0, 1.0);
    let contact = SingleContact { free, bias: 0.0, gap: 0.0, response, friction: 0.5 };
    RelaxedProgram::new(&contact, 1.0, epsilon)
}

impl<const T: usize, const S: usize> RelaxedContact<T, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    /// The program with these settings.
    ///
    /// # Errors
    /// [`Unavailable`] if the solver cannot be set up, or is not part of this build.
    pub fn new(settings: RelaxedContactSettings) -> Result<Self, Unavailable> {
        let solver = solver(&settings, settings.solver)?;
        Ok(Self { settings, solver, rescuer: None, is_verbose: false, previous: None })
    }

    /// Sets the other solver up, where it is not yet and is part of this build. One that cannot be, for want of memory
    /// or because its tolerance is beyond it, rescues nothing.
    fn call_the_rescuer(&mut self) {
        let other = self.settings.solver.other();
        if self.rescuer.is_none() && other.is_built_in() {
            self.rescuer = solver(&self.settings, other).ok();
            if let Some(rescuer) = &mut self.rescuer {
                rescuer.set_verbose(self.is_verbose);
            }
        }
    }

    fn largest_residual(&self) -> f64 {
        RESIDUAL_MARGIN * self.settings.tolerance
    }

    /// Solves `program`; the best candidate, its residual and the iterations of all attempts where none succeeds.
    fn climb(&mut self, program: &RelaxedProgram<T>) -> Result<Found<S>, (Option<Best<S>>, u32)> {
        let limit = self.largest_residual();
        let mut iterations = 0;
        let mut best: Option<Best<S>> = None;
        for (rescues, attempts) in LADDER {
            if rescues {
                self.call_the_rescuer();
            }
            let solver = if rescues { self.rescuer.as_mut() } else { Some(&mut self.solver) };
            let Some(solver) = solver else { continue };
            for &attempt in attempts {
                if attempt == Attempt::Warm && !self.settings.warm_start {
                    continue;
                }
                let previous = self.previous.as_ref();
                let Some((solution, spent)) = attempt_with(solver, attempt, program, previous) else {
                    continue;
                };
                iterations += spent;
                let residual = program.residual(&solution.x);
                if attempt.accepts(solution.status) && residual <= limit {
                    let is_rescued = rescues || attempt.is_rescue();
                    self.previous = Some(Previous::of(program, &solution));
                    let polished = program.polished(&solution.x, residual, self.settings.tolerance);
                    let Polished { y, residual } = polished.unwrap_or(Polished { y: solution.x, residual });
                    return Ok(Found { y, is_rescued, iterations, residual });
                }
                if residual.is_finite() && best.as_ref().is_none_or(|best| residual < best.residual) {
                    best = Some(Best { solution, residual });
                }
            }
        }
        Err((best, iterations))
    }

    /// No attempt ended in success. The contact conditions decide all the same: a point that
    /// fulfils them is the step, whatever the solver thought of it.
    fn finish_without_success<const D: usize>(
        &self,
        program: &RelaxedProgram<T>,
        best: Option<Best<S>>,
        iterations: u32,
    ) -> Result<ProgramSolution<D>, Box<ProgramUnsolved<D>>> {
        let Some(Best { solution, residual }) = best else {
            let reason = "no attempt of the solver gave finite numbers".to_owned();
            let kind = FailureKind::NotConverged;
            return Err(Box::new(ProgramUnsolved { kind, reason, iterations, candidate: None }));
        };
        let found = Found { y: solution.x, is_rescued: true, iterations, residual };
        let limit = self.largest_residual();
        if residual <= limit {
            return Ok(found.solution(program));
        }
        let reason = unsolved_reason(solution.status, residual, limit, iterations);
        let kind =
            if solution.status.is_success() { FailureKind::Inaccurate } else { FailureKind::NotConverged };
        let candidate = Some(found.solution(program));
        Err(Box::new(ProgramUnsolved { kind, reason, iterations, candidate }))
    }
}

/// A solution of the program with how it was found.
struct Found<const S: usize> {
    y: SVector<f64, S>,
    is_rescued: bool,
    iterations: u32,
    residual: f64,
}

impl<const S: usize> Found<S> {
    fn solution<const D: usize, const T: usize>(&self, program: &RelaxedProgram<T>) -> ProgramSolution<D> {
        let Self { y, is_rescued, iterations, residual } = self;
        ProgramSolution {
            impulse: program.impulse(y),
            velocity: program.velocity(y),
            relaxation: program.relaxation(y),
            is_rescued: *is_rescued,
            iterations: *iterations,
            residual: *residual,
        }
    }
}

/// The best that the attempts at a step have found so far.
struct Best<const S: usize> {
    solution: NlpSolution<S, S>,
    residual: f64,
}

impl<const D: usize, const T: usize, const S: usize> ContactProgram<D> for RelaxedContact<T, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    fn solve(
        &mut self,
        contact: &SingleContact<D>,
        gained: f64,
    ) -> Result<ProgramSolution<D>, Box<ProgramUnsolved<D>>> {
        let program = RelaxedProgram::new(contact, gained, self.settings.epsilon);
        match self.climb(&program) {
            Ok(found) => Ok(found.solution(&program)),
            Err((best, iterations)) => self.finish_without_success(&program, best, iterations),
        }
    }

    fn full_use(&self) -> f64 {
        full_use(self.settings.epsilon)
    }

    fn solver(&self) -> (&'static str, &'static str) {
        self.solver.info()
    }

    fn memory(&self) -> Vec<f64> {
        self.previous.map(Previous::to_numbers).unwrap_or_default()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.previous = Previous::from_numbers(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.is_verbose = verbose;
        self.solver.set_verbose(verbose);
        if let Some(rescuer) = &mut self.rescuer {
            rescuer.set_verbose(verbose);
        }
    }
}

/// The solver of `choice`.
fn solver<const T: usize, const S: usize>(
    settings: &RelaxedContactSettings,
    choice: ProgramSolver,
) -> Result<Solver<T, S>, Unavailable>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    let program = probe(settings.epsilon);
    match choice {
        ProgramSolver::InteriorPoint => Ok(Box::new(interior_point(&program, settings.tolerance))),
        ProgramSolver::Ipopt => ipopt(&program, settings.tolerance),
    }
}

/// Our own solver for `program`.
fn interior_point<const T: usize, const S: usize>(
    program: &RelaxedProgram<T>,
    tolerance: f64,
) -> InteriorPoint<S, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    let options = InteriorPointOptions {
        tolerance,
        // About where the solve of the step before ended. Ten times as much would cost two more
        // iterations, to go up the central path and come down again.
        warm_start_barrier: 0.1 * tolerance,
        warm_max_iterations: WARM_MAX_ITERATIONS,
        // Solutions are judged by the residuals of the program, in units of their own.
        residual_tolerance: f64::INFINITY,
        acceptable_residual_tolerance: f64::INFINITY,
        // A sharper tolerance must not be blurred by bounds that are relaxed further.
        bound_relaxation: tolerance.min(1e-8),
        ..InteriorPointOptions::default()
    };
    InteriorPoint::new(program, options)
}

/// IPOPT for `program`.
#[cfg(feature = "ipopt")]
fn ipopt<const T: usize, const S: usize>(
    program: &RelaxedProgram<T>,
    tolerance: f64,
) -> Result<Solver<T, S>, Unavailable>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    use crate::nlp::{Ipopt, IpoptOptions};

    /// Iterations after which a cold start is given up, IPOPT's own limit.
    const MAX_ITERATIONS: u32 = 3000;

    let mut options = IpoptOptions {
        tolerance,
        max_iterations: MAX_ITERATIONS,
        warm_max_iterations: WARM_MAX_ITERATIONS,
        residual_tolerance: f64::INFINITY,
        acceptable_residual_tolerance: f64::INFINITY,
        ..IpoptOptions::default()
    };
    // A sharper tolerance must not be blurred by bounds that are relaxed further.
    options.set("bound_relax_factor", tolerance.min(1e-8));
    match Ipopt::new(program, &options) {
        Ok(solver) => Ok(Box::new(solver)),
        Err(error) => Err(Unavailable {
            reason: format!("IPOPT cannot be set up: {error}"),
            remedy: "check [stepper.nlp]".to_owned(),
        }),
    }
}

#[cfg(not(feature = "ipopt"))]
fn ipopt<const T: usize, const S: usize>(_: &RelaxedProgram<T>, _: f64) -> Result<Solver<T, S>, Unavailable> {
    Err(Unavailable {
        reason: "it is to be solved by IPOPT, which this build leaves out".to_owned(),
        remedy: "set stepper.nlp.solver to \"interior-point\", or build with the cargo feature `ipopt`, which is on by \
                 default"
            .to_owned(),
    })
}

/// One attempt by `solver`: the last solution of its path, and the iterations of the whole path. `None`
/// if it needs a step before that there is not.
fn attempt_with<const T: usize, const S: usize>(
    solver: &mut Solver<T, S>,
    attempt: Attempt,
    program: &RelaxedProgram<T>,
    previous: Option<&Previous<S>>,
) -> Option<(NlpSolution<S, S>, u32)>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    let mut start = attempt.start(program, previous)?;
    let mut iterations = 0;
    let mut last = None;
    for epsilon in attempt.smoothings(program.epsilon()) {
        let solution = solver.solve(&program.with_epsilon(epsilon), &start);
        iterations += solution.iterations;
        start.x = solution.x;
        last = Some((solution, iterations));
    }
    last
}

fn unsolved_reason(status: SolveStatus, residual: f64, limit: f64, iterations: u32) -> String {
    format!(
        "no attempt solved the program in {iterations} iterations; the best one: {status}, residual \
         {residual:.1e} where {limit:.1e} is allowed"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::{Start, says::Says};

    /// A contact that slides, in units of what gravity adds to a velocity in the step.
    fn sliding() -> SingleContact<2> {
        SingleContact { free: [-1.0, 100.0].into(), bias: 0.0, gap: 0.0, response: 1.0, friction: 0.5 }
    }

    /// The program of that contact, and a solver that says `status` of its solution and something more; with the
    /// residual of that.
    fn says(status: SolveStatus, off: f64) -> (RelaxedContact<1, 7>, Says<7>, f64) {
        let settings = RelaxedContactSettings::default();
        let solver = RelaxedContact::<1, 7>::new(settings).expect("set up");
        let program = RelaxedProgram::new(&sliding(), 1.0, settings.epsilon);
        let honest = interior_point(&program, settings.tolerance)
            .solve(&program, &Start::cold(program.sliding_start()));
        assert_eq!(honest.status, SolveStatus::Solved);
        let says = Says { x: honest.x + SVector::x() * off, status };
        let residual = program.residual(&says.x);
        (solver, says, residual)
    }

    type Answer = Result<ProgramSolution<2>, Box<ProgramUnsolved<2>>>;

    fn answer(solver: &mut RelaxedContact<1, 7>) -> Answer {
        ContactProgram::<2>::solve(solver, &sliding(), 1.0)
    }

    /// The answer where all solvers say that.
    fn of_all(status: SolveStatus, off: f64) -> (Answer, f64) {
        let (mut solver, says, residual) = says(status, off);
        solver.solver = Box::new(says);
        solver.rescuer = Some(Box::new(says));
        (answer(&mut solver), residual)
    }

    #[test]
    #[cfg(feature = "ipopt")]
    fn the_other_solver_is_set_up_by_the_step_that_needs_it() {
        let (mut solver, says, _) = says(SolveStatus::Solved, 0.3);
        let honest = answer(&mut solver).expect("the chosen solver solves it");
        assert!(!honest.is_rescued && solver.rescuer.is_none());
        solver.solver = Box::new(says);
        let rescued = answer(&mut solver).expect("the other solver solves it");
        assert!(rescued.is_rescued);
        assert!((rescued.velocity - honest.velocity).norm() < 1e-6);
    }

    #[test]
    fn a_point_that_misses_the_contact_conditions_is_no_step_whatever_the_solver_says() {
        for (status, kind) in [
            (SolveStatus::Solved, FailureKind::Inaccurate),
            (SolveStatus::SolvedToAcceptableLevel, FailureKind::Inaccurate),
            (SolveStatus::IterationLimit, FailureKind::NotConverged),
        ] {
            for off in [0.3, 3e-3, f64::NAN] {
                let (outcome, residual) = of_all(status, off);
                let limit = RESIDUAL_MARGIN * RelaxedContactSettings::default().tolerance;
                assert!(off.is_nan() || residual > limit && residual < 1e4 * limit, "{residual:e}");
                let unsolved = outcome.expect_err("the point is wrong");
                let expected = if off.is_nan() { FailureKind::NotConverged } else { kind };
                assert_eq!(unsolved.kind, expected, "{status} with {off:e}: {}", unsolved.reason);
            }
        }
    }

    #[test]
    fn a_point_that_fulfils_the_contact_conditions_is_the_step_and_a_rescue_says_so() {
        for (status, rescued) in [(SolveStatus::Solved, false), (SolveStatus::IterationLimit, true)] {
            let (outcome, _) = of_all(status, 0.0);
            assert_eq!(outcome.expect("the point is right").is_rescued, rescued, "{status}");
        }
    }
}
