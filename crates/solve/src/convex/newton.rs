use super::{
    Block, BlockMatrix, Cholesky, Cone, FrictionCone, LineSearchStatistics, NotPositiveDefinite, Pattern,
    Problem, ProblemError, Region, Report, Settings, Status, Vector,
    evaluation::{Evaluation, Reaction},
    line_search::{self, Direction, Minimum, Ray},
};
use crate::rows;

/// A change of the cost `l` below this is rounding.
fn rounding_of_cost(cost: f64) -> f64 {
    1e-30 + 1e-15 * cost
}

/// How small the gradient must be at the first guess for it to be taken as it is, as the relative tolerance of the
/// settings, if that is not smaller. A guess that is let through by a hair stays as it is from step to step, and the gaps
/// drift with what it is wrong by until it is wrong enough: in an endless cycle of three or four steps, at rest too.
const FIRST_GUESS: f64 = 1e-11;

/// How flat the cost must be at the end of a full Newton step, in units of its slope at the start, for the step to be
/// taken without a search, and what part of the decrease that the slope promises it must bring: the strong conditions
/// of Wolfe.
const FLAT: f64 = 0.1;
const SUFFICIENT: f64 = 1e-4;

/// Where the cost does not tell any more, steps go on as long as the gradient falls to this part of the least that it was: where
/// contacts begin to slide in a step that changes the cost by less than rounding, the next ones have their gradient right. So many
/// in a row that do not have it fall are the end; at the front of the wave that runs up a tower of hundreds, where all contacts
/// barely press, it takes four or five to halve it.
const FALLING: f64 = 0.5;
const MOST_STALLED: u32 = 6;

/// One step along the Newton direction.
struct Step {
    /// Its length in units of the Newton step.
    alpha: f64,
    /// `l` before it.
    cost_before: f64,
    /// `-l'(0)`: twice the decrease of the quadratic model.
    predicted_decrease: f64,
}

/// How the gradient goes on where the cost does not tell any more.
struct Stalling {
    /// The least norm of the gradient so far.
    least_gradient: f64,
    /// Steps in a row that neither changed the cost nor had the gradient fall.
    steps: u32,
}

/// Newton's method for [`Problem`]s, with memory for everything it needs.
///
/// Solving problems of the same couplings one after the other (the steps of a simulation, contacts
/// switching on and off) takes no memory and repeats no symbolic work.
#[derive(Debug, Clone)]
pub struct Solver<const D: usize, const N: usize = D, C = FrictionCone> {
    settings: Settings,
    /// The couplings for which `pattern` and `cholesky` are made.
    couplings: Vec<(usize, Option<usize>)>,
    pattern: Option<Pattern>,
    /// Edge of the pattern of each coupling.
    edges: Vec<Option<usize>>,
    cholesky: Cholesky<N>,
    hessian: BlockMatrix<N>,
    evaluation: Evaluation<N>,
    /// Indices of the active contacts.
    active: Vec<usize>,
    /// What they answer to the velocity.
    reactions: Vec<Reaction<D>>,
    /// What they answered to the velocity before the last step.
    reactions_before: Vec<Reaction<D>>,
    /// The active contacts along the Newton direction, where it is searched.
    rays: Vec<Ray<D, C>>,
    newton_step: Vec<Vector<N>>,
    line_search: line_search::Scratch,
    impulses: Vec<Vector<D>>,
}

impl<const D: usize, const N: usize, C: Cone<D>> Default for Solver<D, N, C> {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl<const D: usize, const N: usize, C: Cone<D>> Solver<D, N, C> {
    /// A solver with the given settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            couplings: Vec::new(),
            pattern: None,
            edges: Vec::new(),
            cholesky: Cholesky::default(),
            hessian: BlockMatrix::default(),
            evaluation: Evaluation::default(),
            active: Vec::new(),
            reactions: Vec::new(),
            reactions_before: Vec::new(),
            rays: Vec::new(),
            newton_step: Vec::new(),
            line_search: line_search::Scratch::default(),
            impulses: Vec::new(),
        }
    }

    /// Minimises the cost of `problem`. `velocity` holds the first guess on entry (a good one is
    /// the velocity of the step before) and the minimiser on return.
    ///
    /// The values in `problem` are taken as they are; [`Problem::check`] judges them.
    ///
    /// # Errors
    /// [`ProblemError`] if the lengths or couplings of the problem do not fit together.
    pub fn solve(
        &mut self,
        problem: &Problem<D, N, C>,
        velocity: &mut [Vector<N>],
    ) -> Result<Report, ProblemError> {
        self.prepare(problem, velocity)?;
        let mut report = Report {
            status: Status::IterationLimit,
            iterations: 0,
            line_search: LineSearchStatistics::default(),
            cost: 0.0,
            gradient: 0.0,
        };
        if self.active.is_empty() && problem.equalities.is_empty() {
            velocity.copy_from_slice(&problem.free_velocity);
        }
        self.evaluation.update(problem, &self.active, velocity, &mut self.reactions);
        let mut last_step = None;
        let mut stalling = Stalling { least_gradient: f64::INFINITY, steps: 0 };
        loop {
            if let Some(status) = self.finished(last_step.as_ref(), &mut stalling) {
                report.status = status;
                break;
            }
            if report.iterations == self.settings.max_iterations {
                break;
            }
            if self.find_newton_step(problem).is_err() {
                report.status = Status::NotPositiveDefinite;
                break;
            }
            last_step = Some(self.take_step(problem, velocity, &mut report.line_search));
            report.iterations += 1;
        }
        report.cost = self.evaluation.cost;
        report.gradient = self.evaluation.gradient_norm;
        self.impulses.clear();
        self.impulses.resize(problem.contacts.len(), Vector::zeros());
        for (&index, reaction) in self.active.iter().zip(&self.reactions) {
            self.impulses[index] = reaction.projection.impulse;
        }
        Ok(report)
    }

    /// The impulses of the last solution, one per contact; zero where the contact is inactive.
    pub fn impulses(&self) -> &[Vector<D>] {
        &self.impulses
    }

    /// Makes the structure anew if the couplings changed, and sets up what stays the same during the iterations.
    fn prepare(&mut self, problem: &Problem<D, N, C>, velocity: &[Vector<N>]) -> Result<(), ProblemError> {
        problem.check_length("velocity", velocity.len())?;
        problem.check_length("free velocity", problem.free_velocity.len())?;
        let blocks = problem.inertia.len();
        let mut couplings = self.couplings.iter();
        let unchanged = self.pattern.as_ref().is_some_and(|pattern| pattern.blocks() == blocks)
            && problem.couplings().all(|coupling| couplings.next() == Some(&coupling))
            && couplings.next().is_none();
        if !unchanged {
            problem.check_couplings()?;
            self.couplings = problem.couplings().collect();
            let (pattern, edges) = Pattern::new(blocks, problem.couplings());
            self.cholesky = Cholesky::new(&pattern);
            self.edges = edges;
            self.pattern = Some(pattern);
        }
        self.evaluation.set_weights(problem);
        self.active.clear();
        let active = problem.contacts.iter().enumerate().filter(|(_, contact)| contact.active);
        self.active.extend(active.map(|(index, _)| index));
        self.reactions.resize(self.active.len(), Reaction::none());
        self.reactions_before.resize(self.active.len(), Reaction::none());
        Ok(())
    }

    /// The stopping criteria.
    fn finished(&self, last_step: Option<&Step>, stalling: &mut Stalling) -> Option<Status> {
        let evaluation = &self.evaluation;
        if !evaluation.is_finite() {
            return Some(Status::NotFinite);
        }
        let Settings { mut relative_tolerance, absolute_tolerance, .. } = self.settings;
        if last_step.is_none() {
            relative_tolerance = relative_tolerance.min(FIRST_GUESS);
        }
        if evaluation.gradient_norm <= absolute_tolerance + relative_tolerance * evaluation.momentum_norm {
            return Some(Status::Converged);
        }
        let falls = evaluation.gradient_norm <= FALLING * stalling.least_gradient;
        stalling.least_gradient = stalling.least_gradient.min(evaluation.gradient_norm);
        let Step { alpha, cost_before, predicted_decrease } = *last_step?;
        let rounding = rounding_of_cost(0.5 * (cost_before + evaluation.cost));
        let decrease = (cost_before - evaluation.cost).abs();
        let is_rounded = predicted_decrease < rounding || alpha > 0.5 && decrease < rounding;
        stalling.steps = if is_rounded && !falls { stalling.steps + 1 } else { 0 };
        (stalling.steps == MOST_STALLED).then_some(Status::Stalled)
    }

    /// `dv = -H^-1 gradient` with `H = A + J_e' R_e^-1 J_e + J' G J`.
    fn find_newton_step(&mut self, problem: &Problem<D, N, C>) -> Result<(), NotPositiveDefinite> {
        let (of_contacts, of_equalities) = self.edges.split_at(problem.contacts.len());
        if let Some(pattern) = &self.pattern {
            self.hessian.reset(&problem.inertia, pattern);
        }
        for (equality, &edge) in problem.equalities.iter().zip(of_equalities) {
            self.hessian.add_congruence(&equality.jacobian, &Block::<1>::new(equality.stiffness), edge);
        }
        for (&index, reaction) in self.active.iter().zip(&self.reactions) {
            let Reaction { unprojected, projection } = reaction;
            if projection.region != Region::Open {
                let contact = &problem.contacts[index];
                let stiffness = contact.cone.stiffness(unprojected, projection);
                self.hessian.add_congruence(&contact.jacobian, &stiffness, of_contacts[index]);
            }
        }
        self.cholesky.factor(&self.hessian)?;
        self.newton_step.clear();
        self.newton_step.extend(self.evaluation.gradient.iter().map(|gradient| -gradient));
        self.cholesky.solve(&mut self.newton_step);
        Ok(())
    }

    /// Takes a step along the Newton direction, and evaluates there. A full step that ends near the minimum, as most
    /// do, needs no search: the evaluation that it leads to tells. The others go to the minimum.
    fn take_step(
        &mut self,
        problem: &Problem<D, N, C>,
        velocity: &mut [Vector<N>],
        statistics: &mut LineSearchStatistics,
    ) -> Step {
        let slope = self.slope();
        let full = Step { alpha: 1.0, cost_before: self.evaluation.cost, predicted_decrease: -slope };
        std::mem::swap(&mut self.reactions, &mut self.reactions_before);
        self.advance(problem, velocity, 1.0);
        let decrease = full.cost_before - self.evaluation.cost;
        // The slope still tells where the cost does not any more.
        let is_rounded = full.predicted_decrease < rounding_of_cost(full.cost_before);
        let falls = is_rounded || decrease >= SUFFICIENT * full.predicted_decrease;
        if falls && self.slope().abs() <= FLAT * slope.abs() {
            statistics.record(1.0, 1);
            return full;
        }
        let minimum = self.search_line(problem, slope);
        statistics.record(minimum.alpha, minimum.evaluations + 1);
        if minimum.alpha != 1.0 {
            self.advance(problem, velocity, minimum.alpha - 1.0);
        }
        Step { alpha: minimum.alpha, ..full }
    }

    /// Goes `alpha` Newton steps on, and evaluates there.
    fn advance(&mut self, problem: &Problem<D, N, C>, velocity: &mut [Vector<N>], alpha: f64) {
        for (v, dv) in velocity.iter_mut().zip(&self.newton_step) {
            *v += dv * alpha;
        }
        self.evaluation.update(problem, &self.active, velocity, &mut self.reactions);
    }

    /// The derivative of the cost along the Newton direction.
    fn slope(&self) -> f64 {
        let terms = self.newton_step.iter().zip(&self.evaluation.gradient);
        terms.map(|(dv, gradient)| dv.dot(gradient)).sum()
    }

    /// The step length along the Newton direction, at whose start the cost has this `slope`.
    fn search_line(&mut self, problem: &Problem<D, N, C>, slope: f64) -> Minimum {
        let step = &self.newton_step;
        let kinetic = problem.inertia.iter().zip(step).map(|(inertia, dv)| dv.dot(&rows::times(inertia, dv)));
        let mut curvature: f64 = kinetic.sum();
        for equality in &problem.equalities {
            let change = equality.jacobian.apply(step)[0];
            curvature += equality.stiffness * change * change;
        }
        self.rays.clear();
        self.rays.extend(self.active.iter().zip(&self.reactions_before).map(|(&index, reaction)| {
            let contact = &problem.contacts[index];
            Ray::new(contact.cone, *reaction, contact.jacobian.apply(step))
        }));
        let direction = Direction { slope, curvature, rays: &self.rays };
        line_search::minimize(&direction, &mut self.line_search)
    }
}
