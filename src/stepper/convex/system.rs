use super::{
    compliance::Compliance,
    couplings::{Link, Touching},
    dual,
};
use crate::{
    contact::FailureKind,
    convex::{
        Block, Contact, Jacobian, KktCheck, LineSearchStatistics, Problem, Settings, Solver, Status, Vector,
        solve_dual,
    },
    model::State,
    scenario::{ConvexSolver, Scenario},
    stepper::{
        Honours, Moved, SolveReport, SolverInfo, StepFailure, StepInput, StepStatus, Stepper, StepperName,
    },
};

/// Tighter than the solver's own default, which would show as creep of chains at rest.
const RELATIVE_TOLERANCE: f64 = 1e-9;

/// Largest residual with which a step is taken, in units of the largest velocity and momentum.
const RESIDUAL_LIMIT: f64 = 1e-6;

/// Compliant contact of several particles, see the [module](crate::stepper::convex): one convex
/// program over the velocities of all of them.
///
/// Contacts with the ground and between particles are compliant as those of a single point. Rods
/// are equality constraints as stiff as contacts, springs equality constraints of their own
/// stiffness and damping, so that both are implicit in the new velocities. Directions are those at
/// the start of the step.
#[derive(Debug, Clone)]
pub struct ConvexSystem<const D: usize> {
    dt: f64,
    gravity: Vector<D>,
    /// Heaviest mass in kg.
    heaviest: f64,
    /// Unit of velocities in residuals, m/s: what gravity adds in a step.
    velocity_unit: f64,
    compliance: Compliance,
    touching: Vec<Touching>,
    links: Vec<Link>,
    choice: ConvexSolver,
    /// Contacts with the ground by particle, then those between particles.
    problem: Problem<D>,
    solver: Solver<D>,
    check: KktCheck<D>,
    velocity: Vec<Vector<D>>,
    impulses: Vec<Vector<D>>,
    line_search: LineSearchStatistics,
}

impl<const D: usize> ConvexSystem<D> {
    /// A convex stepper for `system`, which has to pass [`Scenario::check`].
    pub fn new(system: &Scenario<D>) -> Self {
        let settings = system.steppers.convex;
        let compliance = Compliance::new(settings);
        let dt = system.step;
        let contact = |jacobian, friction, delassus, softness| Contact {
            jacobian,
            reference: Vector::zeros(),
            cone: compliance.cone::<D>(friction, delassus, softness, dt),
            active: false,
        };
        let delassus = |body: usize| 1.0 / system.bodies[body].mass;
        let grounds = (0..system.bodies.len()).map(|body| {
            let jacobian = Jacobian::single(body, Block::identity());
            let point = system.point(body);
            let start = system.initial_state(body);
            let softness = compliance.softness(point.friction, &start, (point.mass, &point.gravity), dt);
            contact(jacobian, system.ground.friction, delassus(body), softness)
        });
        let pairs = system.contacts.iter().map(|pair| {
            let [first, second] = pair.bodies;
            let jacobian = Jacobian::difference(first, second, Block::identity());
            let friction = pair.friction.unwrap_or(system.ground.friction);
            contact(jacobian, friction, delassus(first) + delassus(second), 0.0)
        });
        let rods = system.rods.iter().map(|rod| Link::rod(rod, system, &compliance));
        let springs = system.springs.iter().map(|spring| Link::spring(spring, system));
        let links: Vec<Link> = rods.chain(springs).collect();
        let states = system.initial_states();
        let problem = Problem {
            inertia: system.bodies.iter().map(|body| Block::identity() * body.mass).collect(),
            free_velocity: vec![Vector::zeros(); states.len()],
            contacts: grounds.chain(pairs).collect(),
            equalities: links.iter().map(|link| link.equality(&states)).collect(),
        };
        let heaviest = system.bodies.iter().map(|body| body.mass).fold(0.0, f64::max);
        let gained = system.gravity_vector().norm() * dt;
        Self {
            dt,
            gravity: system.gravity_vector(),
            heaviest,
            velocity_unit: if gained > 0.0 { gained } else { 1.0 },
            compliance,
            touching: system.contacts.iter().map(Touching::new).collect(),
            links,
            choice: settings.solver,
            impulses: vec![Vector::zeros(); problem.contacts.len()],
            problem,
            solver: Solver::new(Settings { relative_tolerance: RELATIVE_TOLERANCE, ..Settings::default() }),
            check: KktCheck::default(),
            velocity: vec![Vector::zeros(); states.len()],
            line_search: LineSearchStatistics::default(),
        }
    }
}

impl<const D: usize> Stepper<D> for ConvexSystem<D> {
    fn name(&self) -> StepperName {
        StepperName::Convex
    }

    fn solver(&self) -> Option<SolverInfo> {
        Some(match self.choice {
            ConvexSolver::Newton => SolverInfo {
                name: "Newton with exact line search".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            ConvexSolver::Dual => dual::info(),
        })
    }

    fn honours(&self) -> Honours {
        super::HONOURS
    }

    fn line_search(&self) -> Option<LineSearchStatistics> {
        Some(self.line_search)
    }

    /// The residual is the largest one of the optimality conditions, in units of `g dt` (1 m/s without
    /// gravity) and of the heaviest body's `m g dt`, or of the largest contact impulse if that is more.
    fn step(&mut self, input: &StepInput<'_, D>, moved: &mut Moved<D>) -> Result<SolveReport, StepFailure> {
        self.pose(input.states, input.forces);
        let (status, iterations) = match self.choice {
            ConvexSolver::Newton => self.solve_primal(input.states)?,
            ConvexSolver::Dual => self.solve_dual()?,
        };
        let residuals = self.check.residuals(&self.problem, &self.velocity, &self.impulses);
        let largest = self.problem.free_velocity.iter().map(|v| v.amax()).fold(self.velocity_unit, f64::max);
        let relative_residual = residuals.scaled(self.heaviest * largest, largest);
        let impulse_unit = self.heaviest * self.velocity_unit;
        let impulse_unit = self.impulses.iter().map(|impulse| impulse.amax()).fold(impulse_unit, f64::max);
        let mut report = SolveReport {
            status: StepStatus::Solved,
            iterations,
            residual: residuals.scaled(impulse_unit, self.velocity_unit),
            nlp: None,
        };
        if !self.velocity.iter().all(|velocity| velocity.iter().all(|v| v.is_finite())) {
            return Err(failure(status, relative_residual, iterations, None));
        }
        let bodies = moved.states.iter_mut().zip(input.states).zip(&self.velocity);
        for ((state, before), velocity) in bodies {
            *state = before.advance(*velocity, self.dt);
        }
        self.contact_impulses(&mut moved.impulses);
        if status.is_solved() && relative_residual <= RESIDUAL_LIMIT {
            return Ok(report);
        }
        report.status = StepStatus::Failed;
        Err(failure(status, relative_residual, iterations, Some(report)))
    }

    fn reset(&mut self) {
        self.line_search = LineSearchStatistics::default();
    }
}

impl<const D: usize> ConvexSystem<D> {
    /// The impulse of all contacts on each body over the last step, in N s.
    fn contact_impulses(&self, impulses: &mut [Vector<D>]) {
        impulses.fill(Vector::zeros());
        let contacts = self.problem.contacts.iter().zip(&self.impulses);
        for (contact, impulse) in contacts.filter(|(contact, _)| contact.active) {
            contact.jacobian.subtract_transposed(&-impulse, impulses);
        }
    }

    /// Sets up the problem of one step.
    fn pose(&mut self, states: &[State<D>], pushes: &[Vector<D>]) {
        let Self { dt, compliance, problem, .. } = self;
        let dt = *dt;
        let free = problem.free_velocity.iter_mut().zip(states).zip(pushes).zip(&problem.inertia);
        for (((free, state), push), inertia) in free {
            *free = state.velocity + (push / inertia[(0, 0)] + self.gravity) * dt;
        }
        let activate = |contact: &mut Contact<D>, gap| {
            contact.active = compliance.is_active(gap);
            contact.reference[D - 1] = compliance.reference(gap, dt);
        };
        let (grounds, pairs) = problem.contacts.split_at_mut(states.len());
        for (contact, state) in grounds.iter_mut().zip(states) {
            activate(contact, state.height());
        }
        for (contact, touching) in pairs.iter_mut().zip(&self.touching) {
            let gap = touching.update(states, contact);
            activate(contact, gap);
        }
        for (equality, link) in problem.equalities.iter_mut().zip(&self.links) {
            *equality = link.equality(states);
        }
    }

    /// Newton's method from the velocities of the step before.
    fn solve_primal(&mut self, states: &[State<D>]) -> Result<(Status, u32), StepFailure> {
        for (velocity, state) in self.velocity.iter_mut().zip(states) {
            *velocity = state.velocity;
        }
        let report = self.solver.solve(&self.problem, &mut self.velocity).map_err(unsolved)?;
        self.impulses.copy_from_slice(self.solver.impulses());
        self.line_search.add(&report.line_search);
        Ok((report.status, report.iterations))
    }

    fn solve_dual(&mut self) -> Result<(Status, u32), StepFailure> {
        let solution = solve_dual(&self.problem).map_err(unsolved)?;
        self.velocity = solution.velocity;
        self.impulses = solution.impulses;
        // The interior-point method is judged by its residuals alone.
        Ok((Status::Converged, solution.iterations))
    }
}

fn unsolved(error: impl std::fmt::Display) -> StepFailure {
    StepFailure::new(FailureKind::NotConverged, error.to_string())
}

fn failure(status: Status, residual: f64, iterations: u32, candidate: Option<SolveReport>) -> StepFailure {
    let (kind, reason) = match status {
        Status::Converged | Status::Stalled => (
            FailureKind::Inaccurate,
            format!(
                "the solution misses the contact conditions by {residual:e} (relative), more than {RESIDUAL_LIMIT:e}; \
             try a smaller `step`, or stiffnesses and masses that differ less"
            ),
        ),
        Status::IterationLimit => (
            FailureKind::NotConverged,
            format!("the convex solver did not converge in {iterations} iterations; try a smaller `step`"),
        ),
        Status::NotFinite => {
            (FailureKind::Unstable, "it left the finite numbers; try a smaller `step`".to_owned())
        }
        Status::NotPositiveDefinite => (
            FailureKind::OutOfRange,
            "masses and stiffnesses differ by more than double precision can hold; \
             soften the stiffest spring or make the lightest particle heavier"
                .to_owned(),
        ),
    };
    let failure = StepFailure::new(kind, reason).after(iterations, residual);
    match candidate {
        Some(report) => failure.with_candidate(report),
        None => failure,
    }
}
