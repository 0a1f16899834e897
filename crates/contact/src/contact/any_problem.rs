//! Problems by their Delassus operator of any dimension.

use std::time::Instant;

use nalgebra::{DMatrix, DVector, SVector};

use super::{
    Answer, DenseProblem, DenseProblemError, DenseSolution, Doubt, Method, RollingProblem, SolveFailure,
    friction_cone::natural_map,
};

/// A contact problem by its Delassus operator, in the plane or in space.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyDenseProblem {
    /// Two rows per contact: normal, tangent.
    Planar(DenseProblem<2>),
    /// Three rows per contact: normal and two tangents.
    Spatial(DenseProblem<3>),
    /// Three rows per contact: normal, tangent and rolling.
    PlanarRolling(RollingProblem<3>),
    /// Five rows per contact: normal, two tangents and rolling about both.
    SpatialRolling(RollingProblem<5>),
}

/// Why numbers are no contact problem.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AnyDenseProblemError {
    /// Neither the plane nor space.
    #[error("`dimension` is {0}; it must be 2 (normal, tangent) or 3 (normal, two tangents)")]
    Dimension(u64),
    /// Sizes or numbers.
    #[error(transparent)]
    Problem(#[from] DenseProblemError),
}

impl AnyDenseProblem {
    /// A problem, its sizes and numbers checked; with `rolling` contacts have three rows in the plane and five in space.
    ///
    /// # Errors
    /// [`AnyDenseProblemError`] for the first fault found.
    pub fn new(
        dimension: u64,
        w: DMatrix<f64>,
        q: DVector<f64>,
        friction: Vec<f64>,
        rolling: Option<Vec<f64>>,
    ) -> Result<Self, AnyDenseProblemError> {
        match (dimension, rolling) {
            (2, None) => Ok(Self::Planar(DenseProblem::new(w, q, friction)?)),
            (3, None) => Ok(Self::Spatial(DenseProblem::new(w, q, friction)?)),
            (2, Some(rolling)) => Ok(Self::PlanarRolling(RollingProblem::new(w, q, friction, rolling)?)),
            (3, Some(rolling)) => Ok(Self::SpatialRolling(RollingProblem::new(w, q, friction, rolling)?)),
            (other, _) => Err(AnyDenseProblemError::Dimension(other)),
        }
    }

    /// 2 in the plane, 3 in space.
    pub fn dimension(&self) -> u64 {
        match self {
            Self::Planar(_) | Self::PlanarRolling(_) => 2,
            Self::Spatial(_) | Self::SpatialRolling(_) => 3,
        }
    }

    /// Rows per contact.
    pub fn rows_per_contact(&self) -> usize {
        match self {
            Self::Planar(_) => 2,
            Self::Spatial(_) | Self::PlanarRolling(_) => 3,
            Self::SpatialRolling(_) => 5,
        }
    }

    /// `W`, `q` and `mu`.
    pub fn parts(&self) -> (&DMatrix<f64>, &DVector<f64>, &[f64]) {
        fn of<const R: usize>(problem: &DenseProblem<R>) -> (&DMatrix<f64>, &DVector<f64>, &[f64]) {
            (&problem.w, &problem.q, &problem.friction)
        }
        match self {
            Self::Planar(problem) => of(problem),
            Self::Spatial(problem) => of(problem),
            Self::PlanarRolling(problem) => of(&problem.problem),
            Self::SpatialRolling(problem) => of(&problem.problem),
        }
    }

    /// What resists rolling at each contact, in m, where something does.
    pub fn rolling(&self) -> Option<&[f64]> {
        match self {
            Self::Planar(_) | Self::Spatial(_) => None,
            Self::PlanarRolling(problem) => Some(&problem.rolling),
            Self::SpatialRolling(problem) => Some(&problem.rolling),
        }
    }

    /// What makes the problem dubious.
    pub fn doubts(&self) -> Vec<Doubt> {
        match self {
            Self::Planar(problem) => problem.doubts(),
            Self::Spatial(problem) => problem.doubts(),
            Self::PlanarRolling(problem) => problem.problem.doubts(),
            Self::SpatialRolling(problem) => problem.problem.doubts(),
        }
    }

    /// What `method` makes of the problem with this bound on the residuals, and why it found no solution where it did not.
    /// Doubts about the problem are left to [`AnyDenseProblem::doubts`].
    pub fn solve(&self, method: Method, tolerance: f64) -> (Answer, Option<SolveFailure>) {
        match self {
            Self::Planar(problem) => solve::<2, 3>(problem, method, tolerance),
            Self::Spatial(problem) => solve::<3, 6>(problem, method, tolerance),
            Self::PlanarRolling(problem) => solve_rolling(problem, method, tolerance),
            Self::SpatialRolling(problem) => solve_rolling(problem, method, tolerance),
        }
    }
}

fn solve<const D: usize, const N: usize>(
    problem: &DenseProblem<D>,
    method: Method,
    tolerance: f64,
) -> (Answer, Option<SolveFailure>) {
    let mut solution = DenseSolution::default();
    let start = Instant::now();
    let outcome = method.solver::<D, N>(tolerance).solve_dense(problem, &mut solution);
    let seconds = start.elapsed().as_secs_f64();
    let residual = residual(problem, &solution, |contact, r, u| {
        natural_map(problem.friction[contact], r, u, 1.0).norm_squared()
    });
    (Answer::new(method, &outcome, &solution, (residual, tolerance), seconds), outcome.err())
}

fn solve_rolling<const R: usize>(
    problem: &RollingProblem<R>,
    method: Method,
    tolerance: f64,
) -> (Answer, Option<SolveFailure>) {
    let mut solution = DenseSolution::default();
    let start = Instant::now();
    let outcome = problem.solve(method, tolerance, &mut solution);
    let seconds = start.elapsed().as_secs_f64();
    let residual =
        residual(&problem.problem, &solution, |contact, r, u| problem.missed(contact, r, u).norm_squared());
    (Answer::new(method, &outcome, &solution, (residual, tolerance), seconds), outcome.err())
}

/// `|r - P_K(r - v)|_2/|q|_2`, of the squares that contacts miss by; infinite without a candidate.
fn residual<const D: usize>(
    problem: &DenseProblem<D>,
    solution: &DenseSolution<D>,
    square: impl Fn(usize, &SVector<f64, D>, &SVector<f64, D>) -> f64,
) -> f64 {
    let contacts = problem.contacts();
    if [solution.impulses.len(), solution.velocities.len()] != [contacts; 2] {
        return f64::INFINITY;
    }
    let pairs = solution.impulses.iter().zip(&solution.velocities).enumerate();
    let missed = pairs.map(|(contact, (r, u))| square(contact, r, u)).sum::<f64>().sqrt();
    let size = (0..contacts).map(|contact| problem.free(contact).norm_squared()).sum::<f64>().sqrt();
    // Without a velocity there is nothing to be relative to: only rest is right, and all else is all wrong.
    match size > 0.0 {
        true => missed / size,
        false => f64::from(u8::from(missed > 0.0)),
    }
}
