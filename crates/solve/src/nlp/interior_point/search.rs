use nalgebra::SVector;

use super::filter::Filter;
use super::inertia::InertiaCorrection;
use super::iterate::{Direction, FirstOrder, Intervals, Iterate, Primal, Values};
use super::phase::Phase;
use super::scaling::Scaled;
use super::watchdog::{Reference, TRIALS, Watchdog};
use super::{InteriorPointOptions, Workspace};
use crate::nlp::SolveStatus;

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

    /// Wakes the watchdog at the current iterate.
    pub fn wake_watchdog(&mut self, direction: &Direction<N, M>, reference: Reference, alpha: f64) {
        self.watchdog = Some(Watchdog {
            reference,
            alpha,
            iterate: self.iterate,
            values: self.values,
            first_order: self.first_order,
            intervals: self.intervals,
            direction: *direction,
            trials: 0,
        });
    }

    /// Counts a full step that was not acceptable; whether another may be taken.
    pub fn watchdog_trusts(&mut self) -> bool {
        self.watchdog.as_mut().is_some_and(|watchdog| {
            watchdog.trials += 1;
            watchdog.trials <= TRIALS
        })
    }

    /// Goes back to where the full steps began, and returns the direction from there.
    pub fn call_back_watchdog(&mut self) -> Option<Direction<N, M>> {
        let watchdog = self.watchdog.take()?;
        self.iterate = watchdog.iterate;
        self.values = watchdog.values;
        self.first_order = watchdog.first_order;
        self.intervals = watchdog.intervals;
        self.program.jacobian(&watchdog.iterate.x.value, &mut self.workspace.jacobian);
        self.shortened_steps = 0;
        Some(watchdog.direction)
    }

    /// Puts it to sleep: the barrier function has changed, or a full step was acceptable.
    pub fn dismiss_watchdog(&mut self) {
        self.watchdog = None;
        self.shortened_steps = 0;
    }
}
