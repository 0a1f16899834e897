use std::io::{self, Write};

use nalgebra::{DefaultAllocator, Dim, allocator::Allocator};

use crate::{
    lcp::{MAX_ENUMERATED, Method, Problem, Solution, Solver},
    model::{PointMass, Vector},
    scenario::LcpSolverChoice,
    stepper::{
        PointInput, Refusal, SolveReport, SolverInfo, Step, StepError, StepFailure, StepStatus, StepperName,
    },
};

/// The solver of a stepper's problem, with room for the problem's solution.
pub(super) struct ContactSolver<N: Dim>
where
    DefaultAllocator: Allocator<N, N> + Allocator<N>,
{
    solver: Solver<N>,
    pub solution: Solution<N>,
    /// Pivots of the problems before the last one of the same step.
    earlier_pivots: u32,
    /// Whether every problem and its solution is printed.
    pub verbose: bool,
}

impl<N: Dim> ContactSolver<N>
where
    DefaultAllocator: Allocator<N, N> + Allocator<N>,
{
    /// A solver for `unknowns` unknowns, `signed` of them with a sign.
    ///
    /// # Errors
    /// [`Refusal`] where enumeration was chosen for a problem that is too large for it.
    pub fn new(
        choice: LcpSolverChoice,
        stepper: StepperName,
        unknowns: N,
        signed: usize,
    ) -> Result<Self, Refusal> {
        if choice == LcpSolverChoice::Enumeration && signed > MAX_ENUMERATED {
            return Err(Refusal {
                stepper,
                reason: format!(
                    "the solver `enumeration` takes at most {MAX_ENUMERATED} unknowns, and this scenario needs {signed}"
                ),
                remedy: "set stepper.lcp.solver = \"lemke\", or fewer stepper.lcp.directions".to_owned(),
            });
        }
        Ok(Self::with(method(choice), unknowns))
    }

    /// The solver `method`, which must take problems of this size.
    pub fn with(method: Method, unknowns: N) -> Self {
        Self {
            solver: Solver::new(method, unknowns),
            solution: Solution::empty(unknowns),
            earlier_pivots: 0,
            verbose: false,
        }
    }

    /// Name and version of the solver.
    pub fn info(&self) -> SolverInfo {
        let name = match self.solver.method() {
            Method::Lemke => "Lemke",
            Method::Enumeration => "enumeration of complementary bases",
            Method::InteriorPoint => "interior point",
            Method::GaussSeidel => "projected Gauss-Seidel",
        };
        SolverInfo { name: name.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// Begins a step, of which no problem is solved yet.
    pub fn begin(&mut self) {
        (self.earlier_pivots, self.solution.pivots) = (0, 0);
    }

    /// Solves the only problem of a step.
    pub fn solve(&mut self, problem: &Problem<N>) {
        self.begin();
        self.solve_again(problem);
    }

    /// Prints the problem, in units of velocity, and what became of it.
    fn print(&self, problem: &Problem<N>) {
        let Solution { status, z, w, residual, pivots, attempts } = &self.solution;
        let mut text = format!("{}: {status}, {}\n", self.info().name, status.explain());
        text += &format!("  {pivots} pivots in {attempts} attempt(s), residual {residual:.1e}\n");
        for (i, row) in problem.m.row_iter().enumerate() {
            let row: Vec<String> = row.iter().map(|entry| format!("{entry:9.3e}")).collect();
            let (q, z, w) = (problem.q[i], z[i], w[i]);
            text += &format!("  M [{}]  q {q:.17e}  z {z:.17e}  w {w:.17e}\n", row.join(", "));
        }
        // A standard output that is gone leaves nobody to tell.
        let _ = io::stdout().write_all(text.as_bytes());
    }

    /// Solves a further problem of the same step.
    pub fn solve_again(&mut self, problem: &Problem<N>) {
        self.earlier_pivots += self.solution.pivots;
        self.solver.solve_into(problem, &mut self.solution);
        if self.verbose {
            self.print(problem);
        }
    }

    /// The step to `velocity`, which was read off the solution; an error if the problem was not
    /// solved, which `explain` may put into words. `free` is the velocity without contact.
    pub fn conclude<const D: usize>(
        &self,
        body: &PointMass<D>,
        input: &PointInput<D>,
        free: &Vector<D>,
        velocity: Vector<D>,
        explain: impl FnOnce() -> Option<String>,
    ) -> Result<Step<D>, StepError<D>> {
        let (state, report) =
            (input.state.advance(velocity, input.dt), self.report(body.gravity_norm() * input.dt));
        let step = Step::from_free(free, state, body.mass, report);
        if self.solution.is_solved() { Ok(step) } else { Err(self.unsolved(step, explain())) }
    }

    fn unsolved<const D: usize>(&self, candidate: Step<D>, why: Option<String>) -> StepError<D> {
        let Solution { status, residual, attempts, .. } = &self.solution;
        let why = why.unwrap_or_else(|| status.explain().to_owned());
        let reason = format!(
            "{}: {why}; {} after {} pivots in {attempts} attempt(s), residual {residual:.1e}",
            status,
            self.info().name,
            self.pivots(),
        );
        let failure = StepFailure::new((*status).into(), reason);
        if candidate.state.is_finite() {
            return StepError::with_candidate(failure, candidate);
        }
        failure.after(self.pivots(), candidate.report.residual).into()
    }

    fn pivots(&self) -> u32 {
        self.earlier_pivots + self.solution.pivots
    }

    /// `unit` is the velocity that counts as 1 for the residual, `g dt`; without gravity 1 m/s.
    fn report(&self, unit: f64) -> SolveReport {
        let Solution { z, w, attempts, .. } = &self.solution;
        let status = match (self.solution.is_solved(), attempts) {
            (true, 1) => StepStatus::Solved,
            (true, _) => StepStatus::Rescued,
            (false, _) => StepStatus::Failed,
        };
        // |min(z, w)|, the natural residual; with a free unknown z is no bound and w has to vanish.
        let natural = |(z, w): (&f64, &f64)| if *z < 0.0 { w.abs() } else { z.min(*w).abs() };
        let residual = z.iter().zip(w.iter()).map(natural).fold(0.0, f64::max);
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let residual = residual / unit;
        SolveReport { status, iterations: self.pivots(), residual, is_approximate: false, nlp: None }
    }
}

fn method(choice: LcpSolverChoice) -> Method {
    match choice {
        LcpSolverChoice::Lemke => Method::Lemke,
        LcpSolverChoice::Enumeration => Method::Enumeration,
        LcpSolverChoice::InteriorPoint => Method::InteriorPoint,
    }
}
