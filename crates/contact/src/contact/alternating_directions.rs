use nalgebra::{SMatrix, SVector};

use super::{
    ContactModel, ContactProblem, DenseProblem, DenseSolution, DenseSolver, LinearLaw, Report, Residuals,
    Solution, SolveFailure, TOLERANCE, Yardstick,
    accelerated_gradient::AcceleratedGradient,
    acceleration::Acceleration,
    active_bounds::answer_with_bounds,
    analytic_centre::AnalyticCentre,
    friction_cone::{project, tangential_norm},
    linear_law::coulomb,
    model::{judge, refuse_groups},
    scaled::Operator,
    structured::{
        body_lu::BodySystem, dense_lu::DenseSystem, held_contacts::HeldContacts, linear::LinearSystem,
    },
};

/// What is taken from the definiteness of `W`, in units of the weights.
const PROXIMAL: f64 = 1e-8;
/// Proximal term of the links.
const DELTA: f64 = 1e-10;
/// How far beyond a step the projection looks.
const RELAXATION: f64 = 1.6;
/// Iterations between two looks at the residual and at the penalty.
const ITERATIONS_PER_CHECK: u32 = 5;
/// Ratio of the two misses beyond which the penalty follows it, and by how much it may in one go.
const BALANCED: f64 = 5.0;
const MOST_CHANGE: f64 = 10.0;
/// Iterations that a penalty is kept at least, and the share of all so far.
const KEPT: u32 = 10;
const KEPT_SHARE: u32 = 5;

/// When the iterations end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlternatingDirectionsSettings {
    /// Bound on both residuals ([`Residuals`]), pure numbers; 1e-8 by default.
    pub tolerance: f64,
    /// Iterations after which accelerated gradients take over.
    pub max_iterations: u32,
    /// Iterations of these after which a solve is given up.
    pub max_gradients: u32,
}

impl Default for AlternatingDirectionsSettings {
    fn default() -> Self {
        Self { tolerance: TOLERANCE, max_iterations: 5_000, max_gradients: 20_000 }
    }
}

/// Exact Coulomb friction by the alternating direction method of multipliers over the cones, known as ADMM.
///
/// Impulses `x` that fulfil the equations of motion and `z` in the cones are brought together by multipliers `y`, in weights
/// `X` that fit the problem (the analytic centre of the normal impulses):
///
/// ```text
/// (W + ro/X^2) x = ro z/X^2 - y - q - s n,   z = P_K(1.6 x - .6 z + X^2 y/ro),   y <- ro/X^2 (1.6 x - .6 z_before - z) + y
/// ```
///
/// with the shift `s = mu |u_t|` of Coulomb's law anew in each iteration. Every few iterations what is projected goes where they
/// would lead if they were linear (Anderson 1965). The linear system is factored once over the graph of the bodies, and again
/// where the penalty `ro` is changed, so that impulses travel through a stack in one iteration. Where all contacts hold, as in a
/// stack at rest, one linear system is all that it takes, and is tried first.
/// Accelerated projected gradients take over where it does not converge; the residual says what came of it.
#[derive(Debug, Clone)]
pub struct AlternatingDirections<const D: usize, const N: usize> {
    settings: AlternatingDirectionsSettings,
    bodies: BodySystem<D, N>,
    dense: DenseSystem<D>,
    iteration: Iteration<D>,
}

impl<const D: usize, const N: usize> Default for AlternatingDirections<D, N> {
    fn default() -> Self {
        Self::new(AlternatingDirectionsSettings::default())
    }
}

impl<const D: usize, const N: usize> AlternatingDirections<D, N> {
    /// A solver with the given settings.
    pub fn new(settings: AlternatingDirectionsSettings) -> Self {
        Self {
            settings,
            bodies: BodySystem::default(),
            dense: DenseSystem::default(),
            iteration: Iteration::default(),
        }
    }

    /// Solves a problem without groups whose links, if bounded, are met by projection.
    pub(super) fn project_bounds(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        problem.check()?;
        let Self { settings, bodies, iteration, .. } = self;
        bodies.operator.take_up(problem, solution, &mut iteration.z);
        bodies.analyse();
        let outcome = iteration.run(bodies, settings);
        let residuals = bodies.operator.give_back(problem, &iteration.z, solution);
        conclude(&bodies.operator.yardstick, residuals, settings, outcome)
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for AlternatingDirections<D, N> {
    fn name(&self) -> &str {
        "cone:alternating-directions"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        refuse_groups(ContactModel::name(self), problem)?;
        // What is eliminated has no bounds, and the gradient, which projects on them, is slow along chains.
        let answer = answer_with_bounds(self, problem, solution);
        answer.unwrap_or_else(|| self.project_bounds(problem, solution))
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        coulomb(problem, solution, laws)
    }
}

impl<const D: usize, const N: usize> DenseSolver<D> for AlternatingDirections<D, N> {
    fn name(&self) -> &str {
        "cone:alternating-directions"
    }

    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure> {
        let Self { settings, dense, iteration, .. } = self;
        dense.operator.set(problem);
        iteration.z.clear();
        iteration.z.resize(problem.contacts(), SVector::zeros());
        let outcome = iteration.run(dense, settings);
        dense.operator.unscale(&iteration.z, &mut solution.impulses);
        let residuals = solution.measure(problem, &dense.operator.yardstick);
        conclude(&dense.operator.yardstick, residuals, settings, outcome)
    }
}

fn conclude(
    yardstick: &Yardstick,
    residuals: Residuals,
    settings: &AlternatingDirectionsSettings,
    outcome: (u32, u32),
) -> Result<Report, SolveFailure> {
    judge(yardstick, residuals, settings.tolerance, outcome, || {
        "neither alternating directions nor accelerated gradients converged".to_owned()
    })
}

/// Solves with one factorisation, by which links are met that nothing else concerns.
const LINK_SOLVES: u32 = 3;

/// The iteration, on whatever form of the problem.
#[derive(Debug, Clone)]
struct Iteration<const D: usize> {
    /// Impulses in the cones: where to start, and the best found.
    z: Vec<SVector<f64, D>>,
    x: Vec<SVector<f64, D>>,
    y: Vec<SVector<f64, D>>,
    /// What was projected last, of which `z` and `y` are the two parts.
    target: Vec<SVector<f64, D>>,
    acceleration: Acceleration<D>,
    before: Vec<SVector<f64, D>>,
    best: Vec<SVector<f64, D>>,
    best_links: Vec<f64>,
    links: Vec<f64>,
    friction: Vec<f64>,
    /// Impulses that the linear system is solved about, and the relative velocities that they leave.
    about: Vec<SVector<f64, D>>,
    free: Vec<SVector<f64, D>>,
    u: Vec<SVector<f64, D>>,
    e: Vec<SVector<f64, D>>,
    blocks: Vec<SMatrix<f64, D, D>>,
    centre: AnalyticCentre<D>,
    held: HeldContacts<D>,
    gradient: AcceleratedGradient<D>,
}

impl<const D: usize> Default for Iteration<D> {
    fn default() -> Self {
        Self {
            z: Vec::new(),
            x: Vec::new(),
            y: Vec::new(),
            target: Vec::new(),
            acceleration: Acceleration::default(),
            before: Vec::new(),
            best: Vec::new(),
            best_links: Vec::new(),
            links: Vec::new(),
            friction: Vec::new(),
            about: Vec::new(),
            free: Vec::new(),
            u: Vec::new(),
            e: Vec::new(),
            blocks: Vec::new(),
            centre: AnalyticCentre::default(),
            held: HeldContacts::default(),
            gradient: AcceleratedGradient::default(),
        }
    }
}

impl<const D: usize> Iteration<D> {
    /// Iterates from `z` and the links of `system` until both residuals are accepted; the best point is then there. Gives the
    /// iterations and the number of the method that they ended with.
    fn run(
        &mut self,
        system: &mut impl LinearSystem<D>,
        settings: &AlternatingDirectionsSettings,
    ) -> (u32, u32) {
        let n = self.z.len();
        self.friction.clear();
        self.friction.extend_from_slice(system.operator().friction());
        let Self { y, before, about, free, u, e, .. } = self;
        for vectors in [y, before, about, free, u, e] {
            vectors.clear();
            vectors.resize(n, SVector::zeros());
        }
        self.best_links.clear();
        self.best_links.extend_from_slice(system.link_impulses());
        self.links.clone_from(&self.best_links);
        self.best.clone_from(&self.z);
        self.x.clone_from(&self.z);
        system.operator_mut().velocities(&self.z, &mut self.u);
        let mut residuals = system.operator().residuals(&self.z, &self.u);
        if n == 0 && self.links.is_empty() || system.operator().accepts(&residuals, settings.tolerance) {
            return (0, 0);
        }
        let pushed = self.z.iter().any(|z| z.amax() > 0.0);
        if pushed {
            for ((y, u), &mu) in self.y.iter_mut().zip(&self.u).zip(&self.friction) {
                *y = -super::friction_cone::augmented(mu, u);
            }
        } else {
            if self.hangs_in_links(system, settings.tolerance)
                || self.held.solve(system, (&mut self.z, &mut self.u), settings.tolerance)
            {
                return (1, 0);
            }
            self.z.fill(SVector::zeros());
        }
        self.centre.find(system);
        system.set_link_impulses(&[]);
        system.operator_mut().velocities(&self.about, &mut self.free);
        let (mut penalty, mut since, mut iterations) = (1.0, 0, 0);
        // What is eliminated has no bounds: the method of the gradient projects on them.
        let eliminates = !system.operator().has_bounded_links();
        let mut is_factored = eliminates && self.factor(system, penalty);
        self.begin(penalty);
        while is_factored && iterations < settings.max_iterations {
            self.step(system, penalty);
            iterations += 1;
            since += 1;
            if self.acceleration.extrapolate(&mut self.target, &self.centre.x) {
                self.part(penalty);
            }
            if iterations % ITERATIONS_PER_CHECK != 0 {
                continue;
            }
            system.advance_links(1.0);
            self.links.clear();
            self.links.extend_from_slice(system.link_impulses());
            system.operator_mut().velocities(&self.z, &mut self.u);
            let found = system.operator().residuals(&self.z, &self.u);
            if !found.max().is_finite() {
                break;
            }
            if found.max() < residuals.max() {
                residuals = found;
                self.best.copy_from_slice(&self.z);
                self.best_links.clone_from(&self.links);
            }
            if system.operator().accepts(&found, settings.tolerance) {
                return (iterations, 0);
            }
            if !self.links.is_empty() {
                // Links without compliance are rows of 1/DELTA: about what is nearly the solution rounding of their answer is small.
                self.about.copy_from_slice(&self.x);
                system.operator_mut().velocities(&self.about, &mut self.free);
            }
            let ratio = self.imbalance(penalty);
            if since >= KEPT.max(iterations / KEPT_SHARE)
                && !(1.0 / BALANCED..=BALANCED).contains(&ratio)
                && ratio > 0.0
                && ratio.is_finite()
            {
                penalty *= ratio.sqrt().clamp(1.0 / MOST_CHANGE, MOST_CHANGE);
                since = 0;
                is_factored = self.factor(system, penalty);
                self.begin(penalty);
            }
        }
        system.set_link_impulses(&self.best_links);
        let limits = (settings.tolerance, settings.max_gradients);
        let taken = self.gradient.run(system, &mut self.best, residuals, limits);
        self.z.copy_from_slice(&self.best);
        (iterations + taken, 1)
    }

    /// Whether links alone hold the bodies, and no contact pushes; the answer is then in the system.
    fn hangs_in_links(&mut self, system: &mut impl LinearSystem<D>, tolerance: f64) -> bool {
        if self.links.is_empty() || system.operator().has_bounded_links() {
            return false;
        }
        self.blocks.clear();
        self.blocks.resize(self.z.len(), SMatrix::zeros());
        let mut holds = false;
        if system.factor(&self.blocks, DELTA) {
            for _ in 0..LINK_SOLVES {
                system.solve(&self.blocks, &self.e, &mut self.x, &mut self.u);
                system.advance_links(1.0);
                system.operator_mut().velocities(&self.z, &mut self.u);
                holds = system.operator().accepts(&system.operator().residuals(&self.z, &self.u), tolerance);
                if holds {
                    break;
                }
            }
        }
        if !holds {
            system.set_link_impulses(&self.best_links);
            self.x.copy_from_slice(&self.z);
        }
        holds
    }

    /// Factors the linear system for this penalty; `false` where it is singular.
    fn factor(&mut self, system: &mut impl LinearSystem<D>, penalty: f64) -> bool {
        self.blocks.clear();
        let weights = self.centre.x.iter().map(|x| x * x / (penalty + PROXIMAL));
        self.blocks.extend(weights.map(SMatrix::from_diagonal_element));
        system.factor(&self.blocks, DELTA)
    }

    /// One iteration.
    fn step<S: LinearSystem<D>>(&mut self, system: &mut S, penalty: f64) {
        let points = self.x.iter().zip(&self.y).zip(&self.z).zip(self.free.iter().zip(&self.about));
        let of_contacts = self.centre.x.iter().zip(&self.friction);
        for ((((x, y), z), (free, about)), ((weight, mu), e)) in points.zip(of_contacts.zip(&mut self.e)) {
            let square = weight * weight;
            let mut right = (z * penalty + x * PROXIMAL) / square - y - free;
            right[0] -= mu * tangential_norm(y);
            *e = right * (square / (penalty + PROXIMAL)) - about;
        }
        system.solve(&self.blocks, &self.e, &mut self.x, &mut self.u);
        for (x, about) in self.x.iter_mut().zip(&self.about) {
            *x += about;
        }
        self.before.copy_from_slice(&self.z);
        let points = self.x.iter().zip(&self.y).zip(&self.z).zip(&self.centre.x);
        for ((((x, y), z), weight), target) in points.zip(&mut self.target) {
            *target = x * RELAXATION - *z * (RELAXATION - 1.0) + *y * (weight * weight / penalty);
        }
        self.part(penalty);
    }

    /// Parts the target into impulses in the cones and what is left over, by which they are corrected.
    fn part(&mut self, penalty: f64) {
        let parts = self.z.iter_mut().zip(&mut self.y);
        let of_contacts = self.centre.x.iter().zip(&self.friction);
        for (((z, y), target), (weight, &mu)) in parts.zip(&self.target).zip(of_contacts) {
            *z = project(mu, target);
            *y = (target - *z) * (penalty / (weight * weight));
        }
    }

    /// Begins an iteration with this penalty from where the last one ended.
    fn begin(&mut self, penalty: f64) {
        self.target.clear();
        let points = self.z.iter().zip(&self.y).zip(&self.centre.x);
        self.target.extend(points.map(|((z, y), weight)| z + y * (weight * weight / penalty)));
        self.acceleration.begin(&self.target);
    }

    /// By how much `x` and `z` differ over by how much `z` still moves, in the weights.
    fn imbalance(&self, penalty: f64) -> f64 {
        let points = self.x.iter().zip(&self.z).zip(&self.before).zip(&self.centre.x);
        let (apart, moved) = points.fold((0.0_f64, 0.0_f64), |(apart, moved), (((x, z), before), weight)| {
            (apart.max((x - z).amax() / weight), moved.max(penalty * (z - before).amax() / weight))
        });
        apart / moved
    }
}
