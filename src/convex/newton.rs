use super::{
    Block, BlockMatrix, Cholesky, LineSearchStatistics, NotPositiveDefinite, Pattern, Problem, ProblemError,
    Region, Report, Settings, Status, Vector,
    evaluation::Evaluation,
    line_search::{self, Direction, Ray},
};

/// A change of the cost `l` below this is rounding.
fn rounding_of_cost(cost: f64) -> f64 {
    1e-30 + 1e-15 * cost
}

/// One step along the Newton direction.
struct Step {
    /// Its length in units of the Newton step.
    alpha: f64,
    /// `l` before it.
    cost_before: f64,
    /// `-l'(0)`: twice the decrease of the quadratic model.
    predicted_decrease: f64,
}

/// Newton's method for [`Problem`]s, with memory for everything it needs.
///
/// Solving problems of the same couplings one after the other (the steps of a simulation, contacts
/// switching on and off) takes no memory and repeats no symbolic work.
#[derive(Debug, Clone, Default)]
pub struct Solver<const D: usize, const N: usize = D> {
    settings: Settings,
    /// The couplings for which `pattern` and `cholesky` are made.
    couplings: Vec<(usize, Option<usize>)>,
    pattern: Option<Pattern>,
    /// Edge of the pattern of each coupling.
    edges: Vec<Option<usize>>,
    cholesky: Cholesky<N>,
    /// `A~ = A + J_e' R_e^-1 J_e`: the part of the Hessian that does not depend on `v`.
    constant: BlockMatrix<N>,
    hessian: BlockMatrix<N>,
    evaluation: Evaluation<N>,
    /// Indices of the active contacts.
    active: Vec<usize>,
    /// The active contacts along the Newton direction.
    rays: Vec<Ray<D>>,
    newton_step: Vec<Vector<N>>,
    line_search: line_search::Scratch,
    impulses: Vec<Vector<D>>,
}

impl<const D: usize, const N: usize> Solver<D, N> {
    /// A solver with the given settings.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
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
        problem: &Problem<D, N>,
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
        self.evaluation.update(problem, &self.active, velocity, &mut self.rays);
        let mut last_step = None;
        loop {
            if let Some(status) = self.finished(last_step.as_ref()) {
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
            let step = self.search_line(problem, &mut report.line_search);
            for (v, dv) in velocity.iter_mut().zip(&self.newton_step) {
                *v += dv * step.alpha;
            }
            self.evaluation.update(problem, &self.active, velocity, &mut self.rays);
            last_step = Some(step);
            report.iterations += 1;
        }
        report.cost = self.evaluation.cost;
        report.gradient = self.evaluation.gradient_norm;
        self.impulses.clear();
        self.impulses.resize(problem.contacts.len(), Vector::zeros());
        for (&index, ray) in self.active.iter().zip(&self.rays) {
            self.impulses[index] = ray.projection.impulse;
        }
        Ok(report)
    }

    /// The impulses of the last solution, one per contact; zero where the contact is inactive.
    pub fn impulses(&self) -> &[Vector<D>] {
        &self.impulses
    }

    /// Makes the structure anew if the couplings changed, and sets up everything that stays
    /// constant during the iterations.
    fn prepare(&mut self, problem: &Problem<D, N>, velocity: &[Vector<N>]) -> Result<(), ProblemError> {
        problem.check_length("velocity", velocity.len())?;
        problem.check_length("free velocity", problem.free_velocity.len())?;
        let blocks = problem.inertia.len();
        let unchanged = self.pattern.as_ref().is_some_and(|pattern| pattern.blocks() == blocks)
            && problem.couplings().eq(self.couplings.iter().copied());
        if !unchanged {
            problem.check_couplings()?;
            self.couplings = problem.couplings().collect();
            let (pattern, edges) = Pattern::new(blocks, problem.couplings());
            self.cholesky = Cholesky::new(&pattern);
            self.edges = edges;
            self.pattern = Some(pattern);
        }
        if let Some(pattern) = &self.pattern {
            self.constant.reset(&problem.inertia, pattern);
        }
        let edges = &self.edges[problem.contacts.len()..];
        for (equality, &edge) in problem.equalities.iter().zip(edges) {
            self.constant.add_congruence(&equality.jacobian, &Block::<1>::new(equality.stiffness), edge);
        }
        self.evaluation.set_weights(problem);
        self.active.clear();
        self.rays.clear();
        for (index, contact) in problem.contacts.iter().enumerate().filter(|(_, contact)| contact.active) {
            self.active.push(index);
            self.rays.push(Ray::new(contact.cone));
        }
        Ok(())
    }

    /// The stopping criteria.
    fn finished(&self, last_step: Option<&Step>) -> Option<Status> {
        let evaluation = &self.evaluation;
        if !evaluation.is_finite() {
            return Some(Status::NotFinite);
        }
        let Settings { relative_tolerance, absolute_tolerance, .. } = self.settings;
        if evaluation.gradient_norm <= absolute_tolerance + relative_tolerance * evaluation.momentum_norm {
            return Some(Status::Converged);
        }
        let Step { alpha, cost_before, predicted_decrease } = *last_step?;
        let rounding = rounding_of_cost(0.5 * (cost_before + evaluation.cost));
        let decrease = (cost_before - evaluation.cost).abs();
        (predicted_decrease < rounding || alpha > 0.5 && decrease < rounding).then_some(Status::Stalled)
    }

    /// `dv = -H^-1 gradient` with `H = A~ + J' G J`.
    fn find_newton_step(&mut self, problem: &Problem<D, N>) -> Result<(), NotPositiveDefinite> {
        self.hessian.copy_from(&self.constant);
        for (&index, ray) in self.active.iter().zip(&self.rays) {
            if ray.projection.region != Region::Open {
                let stiffness = ray.cone.stiffness(&ray.start, &ray.projection);
                self.hessian.add_congruence(&problem.contacts[index].jacobian, &stiffness, self.edges[index]);
            }
        }
        self.cholesky.factor(&self.hessian)?;
        self.newton_step.clear();
        self.newton_step.extend(self.evaluation.gradient.iter().map(|gradient| -gradient));
        self.cholesky.solve(&mut self.newton_step);
        Ok(())
    }

    /// The step length along the Newton step.
    fn search_line(&mut self, problem: &Problem<D, N>, statistics: &mut LineSearchStatistics) -> Step {
        let step = &self.newton_step;
        let slope: f64 =
            step.iter().zip(&self.evaluation.gradient).map(|(dv, gradient)| dv.dot(gradient)).sum();
        let full = Step { alpha: 1.0, cost_before: self.evaluation.cost, predicted_decrease: -slope };
        if full.predicted_decrease < rounding_of_cost(full.cost_before) {
            return full; // nothing is left to search in
        }
        let mut curvature: f64 =
            problem.inertia.iter().zip(step).map(|(inertia, dv)| dv.dot(&(inertia * dv))).sum();
        for equality in &problem.equalities {
            let change = equality.jacobian.apply(step)[0];
            curvature += equality.stiffness * change * change;
        }
        for (&index, ray) in self.active.iter().zip(&mut self.rays) {
            ray.velocity_change = problem.contacts[index].jacobian.apply(step);
            ray.direction = -ray.cone.unscale(&ray.velocity_change);
        }
        let direction = Direction { slope, curvature, rays: &self.rays };
        let minimum = line_search::minimize(&direction, &mut self.line_search);
        statistics.record(minimum.alpha, minimum.evaluations);
        Step { alpha: minimum.alpha, ..full }
    }
}
