use std::fmt;

use nalgebra::SVector;

use super::Residuals;

/// Where a solve starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start<const N: usize, const M: usize> {
    /// The variables. They need not be feasible; the solver moves them inside their bounds.
    pub x: SVector<f64, N>,
    /// Multipliers of an earlier solution of a nearby program make it a warm start; `None` is a
    /// cold one.
    pub multipliers: Option<Multipliers<N, M>>,
}

impl<const N: usize, const M: usize> Start<N, M> {
    /// A cold start at `x`.
    pub fn cold(x: SVector<f64, N>) -> Self {
        Self { x, multipliers: None }
    }

    /// A warm start from an earlier solution.
    pub fn warm(solution: &NlpSolution<N, M>) -> Self {
        Self { x: solution.x, multipliers: Some(solution.multipliers) }
    }
}

/// Lagrange multipliers, with the signs of the Lagrangian
///
/// ```text
/// L = f(x) + y^T g(x) - z_lower^T (x - x_lower) - z_upper^T (x_upper - x).
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multipliers<const N: usize, const M: usize> {
    /// `y`: positive where the upper bound of a constraint holds it, negative where the lower does.
    pub constraints: SVector<f64, M>,
    /// `z_lower >= 0` of the lower bounds on the variables.
    pub lower: SVector<f64, N>,
    /// `z_upper >= 0` of the upper bounds on the variables.
    pub upper: SVector<f64, N>,
}

impl<const N: usize, const M: usize> Multipliers<N, M> {
    /// All zero.
    pub fn zeros() -> Self {
        Self { constraints: SVector::zeros(), lower: SVector::zeros(), upper: SVector::zeros() }
    }
}

/// What a solver found, and how far it can be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NlpSolution<const N: usize, const M: usize> {
    /// The variables at the last iterate.
    pub x: SVector<f64, N>,
    /// Objective `f(x)`.
    pub objective: f64,
    /// Constraint values `g(x)`.
    pub constraints: SVector<f64, M>,
    /// Lagrange multipliers.
    pub multipliers: Multipliers<N, M>,
    /// How the solve ended.
    pub status: SolveStatus,
    /// Iterations taken.
    pub iterations: u32,
    /// Residuals of the optimality conditions, recomputed from `x` and the multipliers
    /// independently of the solver.
    pub residuals: Residuals,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SolveStatus {
    /// The point satisfies the optimality conditions to the tolerance, and the residuals that were
    /// recomputed from the point confirm it.
    Solved,
    /// The tolerance was out of reach, but the point satisfies the solver's looser, acceptable one;
    /// the recomputed residuals confirm that.
    SolvedToAcceptableLevel,
    /// The solver said that it had solved the program, but the residuals recomputed from its point
    /// are above the tolerance. Do not use the point.
    ResidualTooLarge,
    /// The solver converged to a point that locally minimises the violation of the constraints
    /// without removing it: there is probably no feasible point near the start.
    Infeasible,
    /// The iteration limit was reached first. Raise it, or start closer.
    IterationLimit,
    /// The steps became too small to make progress before the tolerance was met: often a badly
    /// scaled program or a tolerance below what rounding allows.
    SearchDirectionTooSmall,
    /// The variables grew without bound: the program is probably unbounded below.
    Diverging,
    /// Neither the normal steps nor the search for a feasible point could go on.
    RestorationFailed,
    /// No search direction could be computed: the linear systems stayed singular or of the wrong
    /// inertia however much they were regularised.
    StepComputationFailed,
    /// The objective, a constraint or one of their derivatives was not a finite number where the
    /// solver could not avoid it, for example at the starting point.
    EvaluationError,
    /// There are more equality constraints than free variables.
    TooFewDegreesOfFreedom,
    /// A lower bound lies above its upper bound, or the program is otherwise ill-posed.
    InvalidProblem,
    /// Somebody asked the solver to stop.
    Interrupted,
    /// The time limit was reached first.
    TimeLimit,
    /// Memory ran out.
    OutOfMemory,
    /// The solver broke down in a way that has no name here; the number is its own code.
    InternalError(i32),
}

impl SolveStatus {
    /// Whether the point may be used: [`Solved`](Self::Solved) or
    /// [`SolvedToAcceptableLevel`](Self::SolvedToAcceptableLevel).
    pub fn is_success(self) -> bool {
        matches!(self, Self::Solved | Self::SolvedToAcceptableLevel)
    }

    /// Downgrades a success that the recomputed `residuals` do not bear out: they are above
    /// `tolerance`, or above `acceptable_tolerance` where that is all that was claimed.
    pub(super) fn confirmed_by(
        self,
        residuals: &Residuals,
        tolerance: f64,
        acceptable_tolerance: f64,
    ) -> Self {
        let limit = match self {
            Self::Solved => tolerance,
            Self::SolvedToAcceptableLevel => acceptable_tolerance,
            failure => return failure,
        };
        if residuals.max() <= limit { self } else { Self::ResidualTooLarge }
    }
}

impl fmt::Display for SolveStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solved => "solved",
            Self::SolvedToAcceptableLevel => "solved to the acceptable tolerance only",
            Self::ResidualTooLarge => "reported as solved, but the recomputed residuals are too large",
            Self::Infeasible => "converged to a point of local infeasibility",
            Self::IterationLimit => "iteration limit reached",
            Self::SearchDirectionTooSmall => "search direction became too small",
            Self::Diverging => "iterates diverge, the program is probably unbounded",
            Self::RestorationFailed => "restoration of feasibility failed",
            Self::StepComputationFailed => "no search direction could be computed",
            Self::EvaluationError => "objective, constraints or derivatives are not finite",
            Self::TooFewDegreesOfFreedom => "more equality constraints than free variables",
            Self::InvalidProblem => "ill-posed program, such as a lower bound above its upper bound",
            Self::Interrupted => "interrupted",
            Self::TimeLimit => "time limit reached",
            Self::OutOfMemory => "out of memory",
            Self::InternalError(code) => return write!(f, "internal error {code} of the solver"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_claim_is_held_to_its_own_tolerance() {
        let after = |claim: SolveStatus, residual: f64| {
            let zero =
                Residuals { stationarity: 0.0, feasibility: 0.0, complementarity: 0.0, multiplier_sign: 0.0 };
            claim.confirmed_by(&Residuals { feasibility: residual, ..zero }, 1e-6, 1e-4)
        };
        use SolveStatus::{IterationLimit, ResidualTooLarge, Solved, SolvedToAcceptableLevel};
        assert_eq!(after(Solved, 1e-6), Solved);
        assert_eq!(after(Solved, 2e-6), ResidualTooLarge);
        assert_eq!(after(SolvedToAcceptableLevel, 1e-4), SolvedToAcceptableLevel);
        for residual in [2e-4, f64::INFINITY, f64::NAN] {
            assert_eq!(after(SolvedToAcceptableLevel, residual), ResidualTooLarge, "{residual}");
        }
        assert_eq!(after(IterationLimit, 0.0), IterationLimit, "a failure stays one");
    }
}
