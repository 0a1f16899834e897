//! The convex program of a step, from the contact problem to its solution.

use nalgebra::{SMatrix, SVector};

use super::{answer::Answer, compliance::Compliance, steady::Steady};
use crate::{
    contact::{
        self, Accuracy, ContactProblem, FailureKind, Report, Residuals, Solution, SolveFailure, Yardstick,
    },
    convex::{self, Block, Cone, Equality, Jacobian, KktCheck, Settings, Solver, Status, solve_dual},
    rows,
    scenario::ConvexSolver,
};

/// Tighter than the solver's own default, which would show as creep at rest; without the absolute part, which has a
/// unit: bodies of 1e-9 kg would be solved before the first step.
pub(super) const SETTINGS: Settings = Settings {
    relative_tolerance: 1e-9,
    absolute_tolerance: 0.0,
    max_iterations: Settings::DEFAULT.max_iterations,
};

/// Largest residual with which a solution is taken, in units of the largest velocity and momentum.
pub(super) const RESIDUAL_LIMIT: f64 = 1e-6;

/// A convex program over the velocities of all bodies that move, whose contacts have cones of the kind `C`, with memory for
/// the programs of the steps to come.
#[derive(Debug, Clone)]
pub(super) struct CompliantProgram<const D: usize, const N: usize, C> {
    program: convex::Problem<D, N, C>,
    /// The inverse masses that `program.inertia` and `blocks` are those of.
    inverse_mass: Vec<SMatrix<f64, N, N>>,
    /// `A^-1`, a block per block of `program.inertia`.
    answers: Vec<Answer<N>>,
    /// The largest entry of `program.inertia`.
    heaviest: f64,
    /// The block of the program that a body moves in; `None` for a fixed one.
    blocks: Vec<Option<usize>>,
    choice: ConvexSolver,
    solver: Solver<D, N, C>,
    /// What the dual found.
    impulses: Vec<SVector<f64, D>>,
    /// `W_ii` of each contact, the normal row last.
    delassus: Vec<SMatrix<f64, D, D>>,
    check: KktCheck<N>,
    yardstick: Yardstick,
    velocity: Vec<SVector<f64, N>>,
    steady: Steady<N>,
    /// The relative velocities of the solution, which are judged by two laws.
    relative: Vec<SVector<f64, D>>,
}

impl<const D: usize, const N: usize, C: Cone<D>> CompliantProgram<D, N, C> {
    /// To be solved like that.
    pub fn new(choice: ConvexSolver) -> Self {
        let program = convex::Problem {
            inertia: Vec::new(),
            free_velocity: Vec::new(),
            contacts: Vec::new(),
            equalities: Vec::new(),
        };
        Self {
            choice,
            impulses: Vec::new(),
            delassus: Vec::new(),
            program,
            inverse_mass: Vec::new(),
            answers: Vec::new(),
            heaviest: 0.0,
            blocks: Vec::new(),
            solver: Solver::new(SETTINGS),
            check: KktCheck::default(),
            yardstick: Yardstick::default(),
            velocity: Vec::new(),
            steady: Steady::default(),
            relative: Vec::new(),
        }
    }

    #[cfg(test)]
    pub fn set_solver(&mut self, solver: Solver<D, N, C>) {
        self.solver = solver;
    }

    /// Sets up what depends on the masses alone, which is the same from step to step for most bodies.
    fn invert(&mut self, inverse_mass: &[SMatrix<f64, N, N>]) {
        if rows::are_equal(&self.inverse_mass, inverse_mass) {
            return;
        }
        self.inverse_mass.clear();
        self.inverse_mass.extend_from_slice(inverse_mass);
        self.blocks.clear();
        self.program.inertia.clear();
        self.answers.clear();
        for inverse in inverse_mass {
            let Some(inertia) = inverse.try_inverse() else {
                self.blocks.push(None);
                continue;
            };
            self.blocks.push(Some(self.program.inertia.len()));
            self.program.inertia.push(inertia);
            self.answers.push(Answer::new(inverse));
        }
        self.heaviest = self.program.inertia.iter().map(|inertia| inertia.amax()).fold(0.0, f64::max);
    }

    /// Sets up the program; `starts` holds the velocities that the bodies start with.
    fn pose(
        &mut self,
        problem: &ContactProblem<D, N>,
        starts: &[SVector<f64, N>],
        compliance: &Compliance,
        cone_of: impl Fn(usize, &Block<D>) -> C,
    ) {
        self.invert(&problem.inverse_mass);
        let Self { program, blocks, velocity, steady, delassus, answers, .. } = self;
        let dt = problem.time_step;
        program.free_velocity.clear();
        // Until it is posed, the solution of the last step.
        velocity.resize(program.inertia.len(), SVector::zeros());
        steady.resize(program.inertia.len());
        for (body, (block, free)) in blocks.iter().zip(&problem.free_velocity).enumerate() {
            if let Some(block) = *block {
                program.free_velocity.push(*free);
                let start = starts.get(body).filter(|velocity| velocity.iter().all(|v| v.is_finite()));
                let inertia = &program.inertia[block];
                velocity[block] = steady.guess(block, inertia, start.unwrap_or(free), &velocity[block]);
            }
        }
        let return_rate = compliance.return_rate(dt);
        delassus.clear();
        program.contacts.resize_with(problem.contacts.len(), convex::Contact::inactive);
        for (posed, contact) in program.contacts.iter_mut().zip(&problem.contacts) {
            pose_rows(&mut posed.jacobian, contact, blocks);
            posed.reference = -tangents_first(&contact.surface_velocity);
            posed.reference[D - 1] -= contact.gap * return_rate;
            posed.active = compliance.is_active(contact.gap);
            delassus.push(posed.jacobian.delassus(|block, x| answers[block].to(x)));
        }
        // By themselves, so that the square roots of one contact need not be waited for by the next.
        for (index, (posed, w)) in program.contacts.iter_mut().zip(&*delassus).enumerate() {
            posed.cone = cone_of(index, w);
        }
        program.equalities.clear();
        program.equalities.extend(problem.links.iter().map(|link| {
            let jacobian = link_row(link, blocks);
            if link.compliance > 0.0 {
                Equality { jacobian, reference: -link.bias, stiffness: 1.0 / link.compliance }
            } else {
                // A rod: a deviation g, of which the row wants to undo g/dt, as a contact's gap.
                let stiffness = 1.0 / compliance.normal_regularization(problem.link_response(link), dt);
                Equality { jacobian, reference: compliance.reference(link.bias * dt, dt), stiffness }
            }
        }));
    }

    /// Solves a step; `cone_of` gives the cone of a contact from its `W_ii`, the normal row last.
    ///
    /// # Errors
    /// [`SolveFailure::Unsolved`] where the program is not solved, or not well enough.
    pub fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
        compliance: &Compliance,
        cone_of: impl Fn(usize, &Block<D>) -> C,
    ) -> Result<Report, SolveFailure> {
        self.pose(problem, &solution.velocity, compliance, cone_of);
        let broken_off = |error: &dyn std::fmt::Display| SolveFailure::Unsolved {
            kind: FailureKind::NotConverged,
            reason: error.to_string(),
            iterations: 0,
            residuals: Residuals::INFINITE,
        };
        let (status, iterations) = match self.choice {
            ConvexSolver::Newton => {
                let report = self
                    .solver
                    .solve(&self.program, &mut self.velocity)
                    .map_err(|error| broken_off(&error))?;
                (report.status, report.iterations)
            }
            ConvexSolver::Dual => {
                let solution = solve_dual(&self.program).map_err(|error| broken_off(&error))?;
                (self.velocity, self.impulses) = (solution.velocity, solution.impulses);
                // The interior-point method is judged by its residuals alone.
                (Status::Converged, solution.iterations)
            }
        };
        let impulses = match self.choice {
            ConvexSolver::Newton => self.solver.impulses(),
            ConvexSolver::Dual => &self.impulses,
        };
        let velocity = |(block, free): (&Option<usize>, &SVector<f64, N>)| {
            block.map_or(*free, |block| self.velocity[block])
        };
        solution.velocity.clear();
        solution.velocity.extend(self.blocks.iter().zip(&problem.free_velocity).map(velocity));
        solution.impulses.clear();
        solution.impulses.extend(impulses.iter().map(normal_first));
        solution.link_impulses.clear();
        let of_links = self.program.equalities.iter().map(|equality| equality.impulse(&self.velocity));
        solution.link_impulses.extend(of_links);
        let Self { yardstick, delassus, relative, .. } = self;
        relative.clear();
        let contacts = problem.contacts.iter();
        relative.extend(contacts.map(|contact| problem.relative_velocity(contact, &solution.velocity)));
        yardstick.set_with(problem, |contact| delassus[contact].trace());
        let of_coulomb = yardstick.residuals_with(
            problem,
            (&solution.impulses, &solution.link_impulses),
            &solution.velocity,
            relative.iter().copied(),
        );
        let relative = &self.relative;
        let contact_velocity = |index: usize| {
            let contact = &problem.contacts[index];
            let mut velocity = relative[index] - contact.surface_velocity;
            velocity[0] -= contact.bias;
            tangents_first(&velocity)
        };
        let own = self.check.residuals_with(&self.program, &self.velocity, impulses, contact_velocity);
        let fastest = fastest(&self.program.free_velocity).max(fastest(&self.velocity));
        // A rod or a spring holds its length to the rounding of the places of its ends.
        let rounded = problem.links.iter().map(|link| 8.0 * f64::EPSILON * link.terms / RESIDUAL_LIMIT);
        let fastest = rounded.fold(fastest, f64::max);
        let own = if fastest > 0.0 { own.scaled(self.heaviest * fastest, fastest) } else { 0.0 };
        if status.is_solved() && own <= RESIDUAL_LIMIT {
            let unmeasured = Report::unmeasured(Accuracy::OwnLaw, iterations);
            return Ok(Report { residuals: of_coulomb, own_law: Some(own), ..unmeasured });
        }
        let (kind, reason) = explain(status, own);
        Err(SolveFailure::Unsolved { kind, reason, iterations, residuals: of_coulomb })
    }
}

/// Why a solution that ended with `status` and misses its own conditions by `residual` is not taken.
pub(super) fn explain(status: Status, residual: f64) -> (FailureKind, String) {
    match status {
        Status::Converged | Status::Stalled => (
            FailureKind::Inaccurate,
            format!(
                "the solution misses the conditions of compliant contact by {residual:e} (relative), more than \
                 {RESIDUAL_LIMIT:e}; try a smaller `step`, or stiffnesses and masses that differ less"
            ),
        ),
        Status::IterationLimit => (
            FailureKind::NotConverged,
            "the convex solver did not converge; try a smaller `step`".to_owned(),
        ),
        Status::NotFinite => {
            (FailureKind::Unstable, "it left the finite numbers; try a smaller `step`".to_owned())
        }
        Status::NotPositiveDefinite => (
            FailureKind::OutOfRange,
            "masses and stiffnesses differ by more than double precision can hold; soften the stiffest spring or \
             make the lightest body heavier"
                .to_owned(),
        ),
    }
}

/// The largest component of velocities; one that is not a number shows elsewhere.
fn fastest<const N: usize>(velocities: &[SVector<f64, N>]) -> f64 {
    let components = velocities.iter().flat_map(|velocity| velocity.data.0[0]);
    components.fold(0.0, |most, component| if component.abs() > most { component.abs() } else { most })
}

/// The bodies of two that move, by their blocks, with what `rows` has for each.
fn moving<'a, T>(
    bodies: [Option<usize>; 2],
    rows: &'a [T; 2],
    blocks: &[Option<usize>],
) -> impl Iterator<Item = (usize, &'a T)> {
    bodies
        .into_iter()
        .zip(rows)
        .filter_map(|(body, rows)| Some((blocks.get(body?).copied().flatten()?, rows)))
}

/// Writes the rows of a contact over the blocks that move; one whose bodies all stand still touches the first
/// block with zero rows, and does nothing.
fn pose_rows<const D: usize, const N: usize>(
    posed: &mut Jacobian<D, N>,
    contact: &contact::Contact<D, N>,
    blocks: &[Option<usize>],
) {
    let block = |end: usize| contact.bodies[end].and_then(|body| *blocks.get(body)?);
    let write = |term: &mut convex::Term<D, N>, block: usize, end: usize| {
        term.block = block;
        transpose_tangents_first(&contact.jacobian[end], &mut term.transposed);
    };
    posed.second = None;
    match (block(0), block(1)) {
        (Some(first), None) => write(&mut posed.first, first, 0),
        (None, Some(second)) => write(&mut posed.first, second, 1),
        (Some(first), Some(second)) => {
            write(&mut posed.first, first, 0);
            let blank = convex::Term { block: 0, transposed: SMatrix::zeros() };
            write(posed.second.insert(blank), second, 1);
        }
        (None, None) => posed.first = convex::Term { block: 0, transposed: SMatrix::zeros() },
    }
}

/// The row of a link over the blocks that move; zero on the first block where none does.
fn link_row<const N: usize>(link: &contact::Link<N>, blocks: &[Option<usize>]) -> Jacobian<1, N> {
    let term = |(block, row): (usize, &SVector<f64, N>)| convex::Term { block, transposed: *row };
    let mut terms = moving(link.bodies, &link.jacobian, blocks).map(term);
    match terms.next() {
        Some(first) => Jacobian { first, second: terms.next() },
        None => Jacobian::single(0, SMatrix::zeros()),
    }
}

/// The components of a contact with the normal last, as the convex program has them.
pub(super) fn tangents_first<const D: usize>(vector: &SVector<f64, D>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| vector[(i + 1) % D])
}

fn transpose_tangents_first<const D: usize, const N: usize>(
    rows: &SMatrix<f64, D, N>,
    transposed: &mut SMatrix<f64, N, D>,
) {
    for (i, row) in transposed.data.0.iter_mut().enumerate() {
        *row = std::array::from_fn(|j| rows.data.0[j][(i + 1) % D]);
    }
}

/// The components with the normal first again.
pub(super) fn normal_first<const D: usize>(vector: &SVector<f64, D>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| vector[(i + D - 1) % D])
}
