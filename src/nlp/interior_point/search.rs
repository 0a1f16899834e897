use nalgebra::SVector;

use super::bounded::{Bounded, Interval};
use super::filter::Filter;
use super::inertia::InertiaCorrection;
use super::restoration::Phase;
use super::scaling::Scaled;
use super::watchdog::Watchdog;
use super::{InteriorPointOptions, Workspace};
use crate::nlp::SolveStatus;

/// Primal and dual variables of the program with slacks,
///
/// ```text
/// min f(x)   subject to   g(x) - s = 0,   x_L <= x <= x_U,   g_L <= s <= g_U.
/// ```
///
/// The slack of an equality is a constant. While feasibility is restored every constraint also has
/// two elastic variables, `g(x) - s - p + n = 0` with `p, n >= 0`; otherwise they are zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Iterate<const N: usize, const M: usize> {
    pub x: Bounded<N>,
    pub s: Bounded<M>,
    pub p: Bounded<M>,
    pub n: Bounded<M>,
    /// Multipliers of the constraints.
    pub y: SVector<f64, M>,
}

/// Bounds of the variables of an [`Iterate`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Intervals<const N: usize, const M: usize> {
    pub x: Interval<N>,
    pub s: Interval<M>,
    /// Zero while feasibility is restored, otherwise none.
    pub p: Interval<M>,
    pub n: Interval<M>,
}

/// Values, or steps, of the primal variables of an [`Iterate`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Primal<const N: usize, const M: usize> {
    pub x: SVector<f64, N>,
    pub s: SVector<f64, M>,
    pub p: SVector<f64, M>,
    pub n: SVector<f64, M>,
}

/// Step of an [`Iterate`]; those of the multipliers of bounds follow from the primal ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction<const N: usize, const M: usize> {
    pub primal: Primal<N, M>,
    pub y: SVector<f64, M>,
}

/// Values at a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values<const M: usize> {
    /// Objective of the program.
    pub program_objective: f64,
    /// Objective of the phase, without the elastic penalty.
    pub objective: f64,
    /// Constraints `g(x)`.
    pub g: SVector<f64, M>,
    /// Residuals `g - s - p + n`.
    pub residuals: SVector<f64, M>,
    /// Constraint violation `theta = |g - s - p + n|_1`.
    pub theta: f64,
    /// Barrier function `phi`.
    pub phi: f64,
}

/// What the optimality conditions need at the current iterate, whatever the barrier parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct FirstOrder<const N: usize> {
    /// Gradient of the objective of the phase.
    pub gradient: SVector<f64, N>,
    /// `grad f + J^T y`.
    pub lagrangian: SVector<f64, N>,
    pub stationarity: f64,
    pub violation: f64,
    pub dual_scale: f64,
    pub complementarity_scale: f64,
}

/// One run of the filter line-search method, on the program itself or on its restoration problem.
pub(super) struct Search<'a, const N: usize, const M: usize> {
    pub program: &'a Scaled<'a, N, M>,
    pub options: &'a InteriorPointOptions,
    pub workspace: &'a mut Workspace,
    pub filter: &'a mut Filter,
    /// Filter of the restoration phase that this run may start.
    pub spare_filter: Option<&'a mut Filter>,
    pub phase: Phase<'a, N>,
    pub is_equality: SVector<bool, M>,
    pub intervals: Intervals<N, M>,
    pub iterate: Iterate<N, M>,
    pub values: Values<M>,
    pub first_order: FirstOrder<N>,
    pub correction: InertiaCorrection,
    /// Barrier parameter.
    pub mu: f64,
    /// Largest and smallest interesting violation, from the first iterate (eq. 21).
    pub theta_max: f64,
    pub theta_min: f64,
    pub iterations: u32,
    pub max_iterations: u32,
    pub tiny_steps: u32,
    pub acceptable_iterations: u32,
    /// Number of successive iterations with shortened steps.
    pub shortened_steps: u32,
    pub watchdog: Option<Watchdog<N, M>>,
}

/// How one iteration can fail to move on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// No acceptable step length along the direction.
    LineSearch,
    /// No direction.
    LinearSystem,
    /// Derivatives that are not numbers.
    Evaluation,
}

impl<const M: usize> Values<M> {
    /// Before the first evaluation.
    pub const NONE: Self = Self {
        program_objective: 0.0,
        objective: 0.0,
        g: SVector::from_array_storage(nalgebra::ArrayStorage([[0.0; M]])),
        residuals: SVector::from_array_storage(nalgebra::ArrayStorage([[0.0; M]])),
        theta: 0.0,
        phi: 0.0,
    };
}

impl<const N: usize> FirstOrder<N> {
    /// Before the first evaluation.
    pub const NONE: Self = Self {
        gradient: SVector::from_array_storage(nalgebra::ArrayStorage([[0.0; N]])),
        lagrangian: SVector::from_array_storage(nalgebra::ArrayStorage([[0.0; N]])),
        stationarity: 0.0,
        violation: 0.0,
        dual_scale: 1.0,
        complementarity_scale: 1.0,
    };
}

impl<const N: usize, const M: usize> Iterate<N, M> {
    pub fn primal(&self) -> Primal<N, M> {
        Primal { x: self.x.value, s: self.s.value, p: self.p.value, n: self.n.value }
    }
}

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Fraction-to-the-boundary parameter (eq. 8).
    pub fn tau(&self) -> f64 {
        (1.0 - self.mu).max(0.99)
    }

    /// Iterates until the phase ends.
    pub fn run(&mut self) -> SolveStatus {
        if self.workspace.is_verbose {
            self.log_header();
        }
        loop {
            if self.workspace.is_verbose {
                self.log_iterate();
            }
            if let Some(status) = self.finished() {
                return status;
            }
            if self.iterations >= self.max_iterations {
                return self.or_acceptable(SolveStatus::IterationLimit);
            }
            self.lower_barrier();
            match self.iterate_once() {
                Ok(()) => {}
                Err(Obstacle::Evaluation) => return SolveStatus::EvaluationError,
                Err(obstacle) => {
                    if let Some(status) = self.overcome(obstacle) {
                        return status;
                    }
                }
            }
        }
    }

    /// Computes a direction and goes along it.
    fn iterate_once(&mut self) -> Result<(), Obstacle> {
        self.iterations += 1;
        let direction = self.direction()?;
        self.line_search(&direction)
    }

    /// Restores feasibility after an obstacle, or says how the run ends because of it.
    #[inline(never)]
    fn overcome(&mut self, obstacle: Obstacle) -> Option<SolveStatus> {
        if self.phase.is_restoration() {
            return Some(SolveStatus::RestorationFailed);
        }
        if self.tiny_steps > 1 || self.first_order.violation <= 0.01 * self.options.tolerance {
            // nothing to restore
            let status = match obstacle {
                Obstacle::LinearSystem => SolveStatus::StepComputationFailed,
                _ => SolveStatus::SearchDirectionTooSmall,
            };
            return Some(self.or_acceptable(status));
        }
        match self.restore() {
            SolveStatus::Solved => None,
            status => Some(self.or_acceptable(status)),
        }
    }

    /// `status`, unless the point is good enough all the same.
    fn or_acceptable(&self, status: SolveStatus) -> SolveStatus {
        let is_acceptable = || self.program_error().max() <= self.options.acceptable_tolerance;
        if !self.phase.is_restoration() && is_acceptable() {
            SolveStatus::SolvedToAcceptableLevel
        } else {
            status
        }
    }

    /// Values at `point` for the current barrier parameter.
    #[inline(never)]
    pub fn evaluate(&self, point: &Primal<N, M>) -> Values<M> {
        let (program_objective, g) = self.program.values(&point.x);
        let objective = self.phase.objective(program_objective, &point.x, self.mu);
        let mut residuals = g - point.s;
        if self.phase.is_restoration() {
            residuals += point.n - point.p;
        }
        let theta = residuals.lp_norm(1);
        let phi = self.barrier_function(point, objective);
        Values { program_objective, objective, g, residuals, theta, phi }
    }

    /// Barrier function `phi = f - mu sum ln(...)` (eq. 3a).
    #[inline(never)]
    pub fn barrier_function(&self, point: &Primal<N, M>, objective: f64) -> f64 {
        let Intervals { x, s, p, n } = &self.intervals;
        let mut product = 1.0;
        let mut barrier = x.barrier(&point.x, &mut product) + s.barrier(&point.s, &mut product);
        let mut penalty = 0.0;
        if self.phase.is_restoration() {
            penalty = self.phase.penalty() * (point.p.sum() + point.n.sum());
            barrier += p.barrier(&point.p, &mut product) + n.barrier(&point.n, &mut product);
        }
        objective + penalty + self.mu * (barrier - product.ln())
    }

    /// Evaluates values and first derivatives at the current iterate anew.
    pub fn refresh(&mut self) -> Result<(), Obstacle> {
        self.values = self.evaluate(&self.iterate.primal());
        self.refresh_derivatives()
    }

    /// Evaluates the first derivatives at the current iterate.
    #[inline(never)]
    pub fn refresh_derivatives(&mut self) -> Result<(), Obstacle> {
        let x = &self.iterate.x.value;
        self.program.jacobian(x, &mut self.workspace.jacobian);
        self.phase.gradient(self.program, x, self.mu, &mut self.first_order.gradient);
        self.refresh_first_order();
        // a derivative that is not finite makes the stationarity so
        let is_finite = self.first_order.stationarity.is_finite()
            && self.values.phi.is_finite()
            && self.values.theta.is_finite();
        if is_finite { Ok(()) } else { Err(Obstacle::Evaluation) }
    }

    /// Makes `point` the iterate and moves the multipliers along.
    #[inline(never)]
    pub fn accept(
        &mut self,
        point: &Primal<N, M>,
        values: &Values<M>,
        direction: &Direction<N, M>,
        alpha: f64,
    ) -> Result<(), Obstacle> {
        self.values = *values;
        self.advance(point, &direction.primal);
        self.iterate.y += direction.y * alpha;
        self.refresh_derivatives()
    }

    /// Moves the primal variables to `point`, and the multipliers of their bounds as far as the
    /// fraction-to-the-boundary rule allows along the step that belongs to `step`.
    pub fn advance(&mut self, point: &Primal<N, M>, step: &Primal<N, M>) {
        let (tau, mu) = (self.tau(), self.mu);
        let is_restoration = self.phase.is_restoration();
        let Self { iterate, intervals, .. } = self;
        let mut alpha = iterate.x.dual_step_length(&intervals.x, &step.x, mu, tau, 1.0);
        alpha = iterate.s.dual_step_length(&intervals.s, &step.s, mu, tau, alpha);
        if is_restoration {
            alpha = iterate.p.dual_step_length(&intervals.p, &step.p, mu, tau, alpha);
            alpha = iterate.n.dual_step_length(&intervals.n, &step.n, mu, tau, alpha);
            iterate.p.advance(&mut intervals.p, &point.p, &step.p, mu, alpha);
            iterate.n.advance(&mut intervals.n, &point.n, &step.n, mu, alpha);
        }
        iterate.x.advance(&mut intervals.x, &point.x, &step.x, mu, alpha);
        iterate.s.advance(&mut intervals.s, &point.s, &step.s, mu, alpha);
    }
}
