use nalgebra::SVector;

use super::bounded::{Bounded, MultiplierStep, barrier, open_closed_bounds};
use super::filter::Filter;
use super::inertia::InertiaCorrection;
use super::restoration::Phase;
use super::scaling::Scaled;
use super::watchdog::Watchdog;
use super::{InteriorPointOptions, Workspace};
use crate::nlp::{Bounds, SolveStatus};

/// Primal and dual variables of the program with slacks,
///
/// ```text
/// min f(x)   subject to   g(x) - s = 0,   x_L <= x <= x_U,   g_L <= s <= g_U.
/// ```
///
/// The slack of an equality is a constant. While feasibility is restored every constraint also has
/// two elastic variables, `g(x) - s - p + n = 0` with `p, n >= 0`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Iterate<const N: usize, const M: usize> {
    pub x: Bounded<N>,
    pub s: Bounded<M>,
    pub p: Bounded<M>,
    pub n: Bounded<M>,
    /// Multipliers of the constraints.
    pub y: SVector<f64, M>,
}

/// Step of every variable of an [`Iterate`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction<const N: usize, const M: usize> {
    pub x: SVector<f64, N>,
    pub s: SVector<f64, M>,
    pub p: SVector<f64, M>,
    pub n: SVector<f64, M>,
    pub y: SVector<f64, M>,
    pub z_x: MultiplierStep<N>,
    pub z_s: MultiplierStep<M>,
    pub z_p: MultiplierStep<M>,
    pub z_n: MultiplierStep<M>,
}

/// Values at an iterate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values<const N: usize, const M: usize> {
    /// Objective of the program.
    pub program_objective: f64,
    /// Objective of the phase, without the elastic penalty.
    pub objective: f64,
    /// Constraints `g(x)`.
    pub g: SVector<f64, M>,
    /// Constraint violation `theta = |g - s - p + n|_1`.
    pub theta: f64,
    /// Barrier function `phi`.
    pub phi: f64,
}

/// Bounds of every variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct AllBounds<const N: usize, const M: usize> {
    pub x: Bounds<N>,
    pub s: Bounds<M>,
    /// Bounds of the elastic variables: none or zero.
    pub elastic: Bounds<M>,
}

/// One run of the filter line-search method, on the program itself or on its restoration problem.
pub(super) struct Search<'a, const N: usize, const M: usize> {
    pub program: &'a Scaled<'a, N, M>,
    pub options: &'a InteriorPointOptions,
    pub workspace: &'a mut Workspace,
    pub filter: &'a mut Filter,
    /// Filter of the restoration phase that this run may start.
    pub spare_filter: Option<&'a mut Filter>,
    pub phase: Phase<'a, N, M>,
    pub is_equality: SVector<bool, M>,
    pub bounds: AllBounds<N, M>,
    pub iterate: Iterate<N, M>,
    pub values: Values<N, M>,
    pub gradient: SVector<f64, N>,
    pub correction: InertiaCorrection,
    /// Barrier parameter.
    pub mu: f64,
    /// Largest and smallest interesting violation, from the first iterate (eq. 21).
    pub theta_max: f64,
    pub theta_min: f64,
    pub iterations: u32,
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
        loop {
            if let Some(status) = self.finished() {
                return status;
            }
            if self.iterations >= self.options.max_iterations {
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
    #[inline(never)]
    fn iterate_once(&mut self) -> Result<(), Obstacle> {
        self.iterations += 1;
        let direction = self.direction()?;
        self.line_search(&direction)
    }

    /// Restores feasibility after an obstacle, or says how the run ends because of it.
    fn overcome(&mut self, obstacle: Obstacle) -> Option<SolveStatus> {
        if self.phase.is_restoration() {
            return Some(SolveStatus::RestorationFailed);
        }
        if self.tiny_steps > 1 || self.violation() <= 0.01 * self.options.tolerance {
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
        if !self.phase.is_restoration() && self.program_error().max() <= self.options.acceptable_tolerance {
            SolveStatus::SolvedToAcceptableLevel
        } else {
            status
        }
    }

    /// Constraint residuals `g(x) - s - p + n`.
    pub fn residuals(&self, iterate: &Iterate<N, M>, g: &SVector<f64, M>) -> SVector<f64, M> {
        let plain = g - iterate.s.value;
        if self.phase.is_restoration() { plain - iterate.p.value + iterate.n.value } else { plain }
    }

    /// Values at `iterate` for the current barrier parameter.
    #[inline(never)]
    pub fn evaluate(&self, iterate: &Iterate<N, M>) -> Values<N, M> {
        let (program_objective, g) = self.program.values(&iterate.x.value);
        let objective = self.phase.objective(program_objective, &iterate.x.value, self.mu);
        let theta = self.residuals(iterate, &g).lp_norm(1);
        let phi = self.barrier_function(iterate, objective);
        Values { program_objective, objective, g, theta, phi }
    }

    /// Barrier function `phi = f - mu sum ln(...)` of Waechter and Biegler, eq. 3a.
    pub fn barrier_function(&self, iterate: &Iterate<N, M>, objective: f64) -> f64 {
        let logarithms =
            barrier(&self.bounds.x, &iterate.x.value) + barrier(&self.bounds.s, &iterate.s.value);
        let elastic = if self.phase.is_restoration() {
            let (p, n) = (&iterate.p.value, &iterate.n.value);
            self.phase.penalty() * (p.sum() + n.sum())
                + self.mu * (barrier(&self.bounds.elastic, p) + barrier(&self.bounds.elastic, n))
        } else {
            0.0
        };
        objective + self.mu * logarithms + elastic
    }

    /// Evaluates values and first derivatives at the current iterate anew.
    pub fn refresh(&mut self) -> Result<(), Obstacle> {
        self.values = self.evaluate(&self.iterate);
        self.refresh_derivatives()
    }

    /// Evaluates the first derivatives at the current iterate.
    #[inline(never)]
    pub fn refresh_derivatives(&mut self) -> Result<(), Obstacle> {
        let x = self.iterate.x.value;
        self.program.jacobian(&x, &mut self.workspace.jacobian);
        self.gradient = self.phase.gradient(self.program, &x, self.mu);
        let is_finite = self.gradient.iter().chain(&self.workspace.jacobian).all(|entry| entry.is_finite());
        if is_finite && self.values.phi.is_finite() && self.values.theta.is_finite() {
            Ok(())
        } else {
            Err(Obstacle::Evaluation)
        }
    }

    /// Makes `trial` the iterate and moves the multipliers along.
    #[inline(never)]
    pub fn accept(
        &mut self,
        trial: Iterate<N, M>,
        values: Values<N, M>,
        direction: &Direction<N, M>,
        alpha: f64,
    ) -> Result<(), Obstacle> {
        let tau = self.tau();
        let old = self.iterate;
        self.iterate = trial;
        self.values = values;
        open_closed_bounds(&mut self.bounds.x, &trial.x.value);
        open_closed_bounds(&mut self.bounds.s, &trial.s.value);
        let mut alpha_dual = old.x.dual_step_length(&direction.z_x, tau, 1.0);
        alpha_dual = old.s.dual_step_length(&direction.z_s, tau, alpha_dual);
        if self.phase.is_restoration() {
            alpha_dual = old.p.dual_step_length(&direction.z_p, tau, alpha_dual);
            alpha_dual = old.n.dual_step_length(&direction.z_n, tau, alpha_dual);
            self.iterate.p.move_multipliers(&self.bounds.elastic, &direction.z_p, alpha_dual, self.mu);
            self.iterate.n.move_multipliers(&self.bounds.elastic, &direction.z_n, alpha_dual, self.mu);
        }
        self.iterate.x.move_multipliers(&self.bounds.x, &direction.z_x, alpha_dual, self.mu);
        self.iterate.s.move_multipliers(&self.bounds.s, &direction.z_s, alpha_dual, self.mu);
        self.iterate.y += direction.y * alpha;
        self.refresh_derivatives()
    }
}
