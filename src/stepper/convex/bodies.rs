use nalgebra::{SMatrix, SVector};

use super::{answer::Answer, compliance::Compliance, derivative::linear_law, steady::Steady};
use crate::{
    contact::{
        self, Accuracy, ContactModel, ContactProblem, FailureKind, LinearLaw, LinkLaw, Posing, Report,
        Residuals, SingleContact, Solution, SolveFailure, Yardstick,
    },
    convex::{
        self, ContactSolution, Equality, IsotropicContact, Jacobian, KktCheck, Settings, Solver, Status,
        solve_dual,
    },
    rows,
    scenario::{ConvexSettings, ConvexSolver, Scenario, Shape},
    stepper::UsedSettings,
};

/// Tighter than the solver's own default, which would show as creep at rest; without the absolute part, which has a
/// unit: bodies of 1e-9 kg would be solved before the first step.
const SETTINGS: Settings = Settings {
    relative_tolerance: 1e-9,
    absolute_tolerance: 0.0,
    max_iterations: Settings::DEFAULT.max_iterations,
};

/// Largest residual with which a solution is taken, in units of the largest velocity and momentum.
const RESIDUAL_LIMIT: f64 = 1e-6;

/// Compliant contact of bodies: one convex program over the velocities of all that move.
///
/// A contact has the compliance of the [module](crate::stepper::convex), with `w = |W_i|_F/n` of its own
/// Delassus operator, and acts where the gap at the start of the step is negative; ungated, wherever a
/// step may close it. Rods are as stiff as contacts. The program is solved by Newton's method, or, where the
/// settings say so, by way of its dual.
#[derive(Debug, Clone)]
pub struct ConvexBodies<const D: usize, const N: usize> {
    compliance: Compliance,
    program: convex::Problem<D, N>,
    /// The inverse masses that `program.inertia` and `blocks` are those of.
    inverse_mass: Vec<SMatrix<f64, N, N>>,
    /// `A^-1`, a block per block of `program.inertia`.
    answers: Vec<Answer<N>>,
    /// The largest entry of `program.inertia`.
    heaviest: f64,
    /// The block of the program that a body moves in; `None` for a fixed one.
    blocks: Vec<Option<usize>>,
    choice: ConvexSolver,
    solver: Solver<D, N>,
    /// What the dual found.
    impulses: Vec<SVector<f64, D>>,
    /// The least `R_n` of the contacts of a body with planes, in 1/kg.
    softness: Vec<f64>,
    /// `W_ii` of each contact.
    delassus: Vec<SMatrix<f64, D, D>>,
    check: KktCheck<N>,
    yardstick: Yardstick,
    velocity: Vec<SVector<f64, N>>,
    steady: Steady<N>,
    /// The relative velocities of the solution, which are judged by two laws.
    relative: Vec<SVector<f64, D>>,
}

impl<const D: usize, const N: usize> ConvexBodies<D, N> {
    /// A model with these settings.
    pub fn new(settings: ConvexSettings) -> Self {
        let program = convex::Problem {
            inertia: Vec::new(),
            free_velocity: Vec::new(),
            contacts: Vec::new(),
            equalities: Vec::new(),
        };
        Self {
            compliance: Compliance::new(settings),
            choice: settings.solver,
            impulses: Vec::new(),
            softness: Vec::new(),
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

    /// The same, on ground that is soft enough for points that start sliding as those of `scenario` do.
    #[must_use]
    pub(in crate::stepper) fn on_soft_ground(mut self, scenario: &Scenario<D>) -> Self {
        let of_body = |body: usize| {
            if scenario.bodies[body].shape != Shape::Point {
                return 0.0;
            }
            self.compliance.softness(&scenario.point(body), &scenario.initial_state(body), scenario.step)
        };
        self.softness = (0..scenario.bodies.len()).map(of_body).collect();
        self
    }

    /// Whether any body has ground that is softer than a step can tell.
    pub(in crate::stepper) fn is_softened(&self) -> bool {
        self.softness.iter().any(|softness| *softness > 0.0)
    }

    /// The figures behind the settings that a `scenario` leaves open, where one point is all there is.
    pub(in crate::stepper) fn settings_of_a_point(&self, scenario: &Scenario<D>) -> Option<UsedSettings> {
        let [body] = scenario.bodies.as_slice() else { return None };
        if body.shape != Shape::Point {
            return None;
        }
        let friction = scenario.point(0).friction;
        let (softness, dt) = (self.softness.first().copied().unwrap_or(0.0), scenario.step);
        let cone = self.compliance.cone::<D>(friction, 1.0 / body.mass, softness, dt);
        Some(self.compliance.settings(self.compliance.stiffness_of(&cone, dt), dt))
    }

    /// Solves a single contact in closed form.
    fn solve_single(
        &mut self,
        single: &SingleContact<D>,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        let (dt, compliance) = (problem.time_step, &self.compliance);
        let softness = softness_at(&self.softness, &problem.contacts[0]);
        let mut reference = SVector::zeros();
        reference[D - 1] = compliance.reference(single.gap, dt);
        let contact = IsotropicContact {
            delassus: single.response,
            free_velocity: tangents_first(&single.free),
            reference,
            cone: compliance.cone::<D>(single.friction, single.response, softness, dt),
        };
        let still = ContactSolution { velocity: contact.free_velocity, impulse: SVector::zeros() };
        let answer = if compliance.is_active(single.gap) { contact.solve() } else { still };
        SingleContact::write(&normal_first(&answer.impulse), problem, solution);
        self.yardstick.set(problem);
        let Solution { velocity, impulses, link_impulses, .. } = solution;
        let of_coulomb = self.yardstick.residuals_of_bodies(problem, impulses, link_impulses, velocity);
        let fastest = contact.free_velocity.amax().max(reference[D - 1].abs()).max(answer.velocity.amax());
        let own = if fastest > 0.0 && compliance.is_active(single.gap) {
            let impulse = answer.impulse.norm().max(fastest / single.response);
            contact.residuals(&answer).scaled(impulse, fastest)
        } else {
            0.0
        };
        if own <= RESIDUAL_LIMIT {
            let unmeasured = Report::unmeasured(Accuracy::OwnLaw, 0);
            return Ok(Report { residuals: of_coulomb, own_law: Some(own), ..unmeasured });
        }
        let (kind, reason) = explain(Status::Converged, own);
        Err(SolveFailure::Unsolved { kind, reason, iterations: 0, residuals: of_coulomb })
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
    fn pose(&mut self, problem: &ContactProblem<D, N>, starts: &[SVector<f64, N>]) {
        self.invert(&problem.inverse_mass);
        let Self { program, blocks, compliance, velocity, steady, softness, delassus, answers, .. } = self;
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
            posed.reference[D - 1] = -contact.gap * return_rate;
            posed.active = compliance.is_active(contact.gap);
            delassus.push(posed.jacobian.delassus(|block, x| answers[block].to(x)));
        }
        // By themselves, so that the square roots of one contact need not be waited for by the next.
        let contacts = program.contacts.iter_mut().zip(&problem.contacts);
        for ((posed, contact), w) in contacts.zip(&*delassus) {
            posed.cone = compliance.cone_of(contact.friction, w, softness_at(softness, contact), dt);
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
}

impl<const D: usize, const N: usize> ContactModel<D, N> for ConvexBodies<D, N> {
    fn name(&self) -> &str {
        "convex"
    }

    fn posing(&self) -> Posing {
        Posing::Compliant
    }

    fn horizon(&self, dt: f64) -> f64 {
        self.compliance.horizon(dt)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        problem.check()?;
        if self.choice == ConvexSolver::Newton
            && let Some(contact) = SingleContact::of(problem)
        {
            return self.solve_single(&contact, problem, solution);
        }
        self.pose(problem, &solution.velocity);
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
        let velocity =
            |block: &Option<usize>| block.map_or_else(SVector::zeros, |block| self.velocity[block]);
        solution.velocity.clear();
        solution.velocity.extend(self.blocks.iter().map(velocity));
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

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        let dt = problem.time_step;
        let of_contact = |contact: &contact::Contact<D, N>| {
            if !self.compliance.is_active(contact.gap) {
                return LinearLaw::open();
            }
            let w = problem.own_delassus(contact);
            let softness = softness_at(&self.softness, contact);
            let cone = self.compliance.cone_of(contact.friction, &w, softness, dt);
            let u = problem.relative_velocity(contact, &solution.velocity);
            let weight = w.trace() / D as f64;
            let law = (&self.compliance, &cone, softness);
            linear_law(law, (contact.gap, &u), &w, (dt, weight))
        };
        laws.extend(problem.contacts.iter().map(of_contact));
        true
    }

    fn ends_at_the_ground(&self) -> bool {
        self.compliance.is_gated()
    }

    fn linearised_links(&self, problem: &ContactProblem<D, N>) -> Vec<LinkLaw> {
        let dt = problem.time_step;
        let of_link = |link: &contact::Link<N>| {
            if link.compliance > 0.0 {
                return LinkLaw::of(link);
            }
            let response = problem.link_response(link);
            LinkLaw {
                compliance: self.compliance.normal_regularization(response, dt),
                bias: -self.compliance.reference(dt, dt),
                response: self.compliance.normal_regularization_slope(response, dt),
            }
        };
        problem.links.iter().map(of_link).collect()
    }
}

/// Why a solution that ended with `status` and misses its own conditions by `residual` is not taken.
fn explain(status: Status, residual: f64) -> (FailureKind, String) {
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

/// The least normal regularisation of a contact, of those of each body on the ground.
fn softness_at<const D: usize, const N: usize>(softness: &[f64], contact: &contact::Contact<D, N>) -> f64 {
    match contact.bodies {
        [Some(body), None] => softness.get(body).copied().unwrap_or(0.0),
        _ => 0.0,
    }
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
fn tangents_first<const D: usize>(vector: &SVector<f64, D>) -> SVector<f64, D> {
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
fn normal_first<const D: usize>(vector: &SVector<f64, D>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| vector[(i + D - 1) % D])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::{FACTORS, in_pivots};

    /// Three bodies on each other, sunk in a little, that are pushed to the side and down.
    fn stack() -> ContactProblem<2, 3> {
        let mut problem = ContactProblem::empty(1e-3);
        let rows = SMatrix::<f64, 2, 3>::new(0.0, 1.0, 0.1, 1.0, 0.0, -0.2);
        for (mass, push) in [(1.0, 0.3), (20.0, -0.2), (3.0, 0.5)] {
            let inertia = 0.1 * mass;
            problem
                .inverse_mass
                .push(SMatrix::from_diagonal(&[1.0 / mass, 1.0 / mass, 1.0 / inertia].into()));
            problem.free_velocity.push([push, -0.1, 0.2].into());
        }
        for upper in 0..3_usize {
            problem.contacts.push(contact::Contact {
                bodies: [Some(upper), upper.checked_sub(1)],
                jacobian: [rows, -rows],
                friction: 0.4,
                bias: 0.0,
                surface_velocity: SVector::zeros(),
                restitution: 0.0,
                gap: -1e-4,
            });
        }
        problem
    }

    fn solve(settings: Settings) -> (Result<Report, SolveFailure>, Vec<SVector<f64, 3>>) {
        let mut model = ConvexBodies::<2, 3>::new(ConvexSettings::default());
        model.solver = Solver::new(settings);
        let mut solution = Solution::default();
        (model.solve(&stack(), &mut solution), solution.velocity)
    }

    /// How far velocities are from the only solution.
    fn error(velocity: &[SVector<f64, 3>]) -> f64 {
        let (answer, right) = solve(SETTINGS);
        assert!(answer.is_ok());
        velocity.iter().zip(&right).map(|(v, right)| (v - right).amax()).fold(0.0, f64::max)
    }

    /// With wrong pivots it comes nearer step by step, and not to rounding at once.
    #[test]
    fn a_solver_that_is_content_too_early_is_not_believed() {
        let mut content = 0;
        for tolerance in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            for factor in [1.02, 1.1, 1.3, 1.5] {
                let settings = Settings { relative_tolerance: tolerance, ..SETTINGS };
                let ((answer, velocity), _) = in_pivots(0..usize::MAX, factor, || solve(settings));
                let is_right = error(&velocity) < 1e-4;
                assert!(answer.is_err() || is_right, "{tolerance:e} {factor}: {velocity:?}");
                let kind = answer.err().map(|failure| failure.kind());
                content += usize::from(kind == Some(FailureKind::Inaccurate) && !is_right);
            }
        }
        assert!(content >= 4, "{content} times");
    }

    /// Wrong pivots let it come near before it arrives.
    #[test]
    fn a_solver_that_gives_up_is_believed_however_good_its_last_guess_is() {
        let mut near = 0;
        for factor in [1.0, 1.001, 1.02] {
            let with = |settings| in_pivots(0..usize::MAX, factor, || solve(settings)).0;
            let needed = with(SETTINGS).0.expect("solved").iterations;
            for max_iterations in 1..needed {
                let (answer, velocity) = with(Settings { max_iterations, ..SETTINGS });
                let failure = answer.expect_err("the iterations ran out");
                assert_eq!(failure.kind(), FailureKind::NotConverged, "{failure}");
                near += usize::from(error(&velocity) < 1e-7);
            }
        }
        assert!(near > 0, "none of them is good");
    }

    #[test]
    fn whatever_pivots_go_wrong_no_wrong_velocity_is_passed_on() {
        let mut failed = 0;
        for factor in FACTORS {
            for numbers in [0..1, 4..5, 9..10, 0..9, 0..usize::MAX, 5..usize::MAX] {
                let ((answer, velocity), met) = in_pivots(numbers.clone(), factor, || solve(SETTINGS));
                assert!(met > 0, "there is no pivot {numbers:?}");
                let is_right = error(&velocity) < 1e-5;
                assert!(answer.is_err() || is_right, "pivots {numbers:?} times {factor}: {velocity:?}");
                failed += usize::from(answer.is_err());
            }
        }
        assert!(failed > 0, "the faults change nothing");
    }
}
