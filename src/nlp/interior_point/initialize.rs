//! The first iterate (Waechter and Biegler, section 3.6).

use nalgebra::SVector;

use super::bounded::{Bounded, push_inside};
use super::search::{Iterate, Obstacle, Search};
use crate::nlp::{Bounds, Multipliers};

/// Distance from the bounds at a cold start: `kappa_1` and `kappa_2`.
const COLD_PUSH: f64 = 1e-2;

/// The same at a warm start, for variables and multipliers alike.
const WARM_PUSH: f64 = 1e-8;

/// Least-squares multipliers above this are not used.
const LARGEST_MULTIPLIER: f64 = 1000.0;

/// Largest violation that is let pass, and that below which the objective counts, relative to the
/// violation at the start (eq. 21).
const THETA_MAX: f64 = 1e4;
const THETA_MIN: f64 = 1e-4;

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Values and derivatives at the first iterate, and what depends on its violation.
    pub fn begin(&mut self) -> Result<(), Obstacle> {
        self.filter.reset();
        self.refresh()?;
        let theta = self.values.theta.max(1.0);
        self.theta_max = THETA_MAX * theta;
        self.theta_min = THETA_MIN * theta;
        Ok(())
    }

    /// Multipliers of the constraints that minimise the stationarity in the sense of least squares
    /// (eq. 36):
    ///
    /// ```text
    /// [ I  J^T ] [ w ]     [ grad f - z_L + z_U  ]
    /// [ J  -D  ] [ y ] = - [ -z_L^s + z_U^s      ]     D = 1 for inequalities, 0 for equalities.
    /// ```
    pub fn estimate_multipliers(&mut self) {
        let order = N + M;
        let matrix = self.workspace.factors.matrix_mut();
        matrix.fill(0.0);
        for j in 0..N {
            matrix[j * order + j] = 1.0;
        }
        for (&(row, column), value) in self.program.entries.iter().zip(&self.workspace.jacobian) {
            matrix[column * order + N + row] = *value;
        }
        for i in 0..M {
            matrix[(N + i) * order + N + i] = if self.is_equality[i] { 0.0 } else { -1.0 };
        }
        self.iterate.y.fill(0.0);
        if !self.workspace.factors.factor().is_ok_and(|inertia| inertia.negative == M) {
            return;
        }
        let Self { iterate, gradient, workspace, .. } = self;
        let rhs = &mut workspace.right_hand_side;
        for j in 0..N {
            rhs[j] = iterate.x.z_lower[j] - iterate.x.z_upper[j] - gradient[j];
        }
        for i in 0..M {
            rhs[N + i] = iterate.s.z_lower[i] - iterate.s.z_upper[i];
        }
        workspace.factors.solve(rhs);
        let y = SVector::<f64, M>::from_fn(|i, _| rhs[N + i]);
        if y.iter().all(|y| y.abs() <= LARGEST_MULTIPLIER) {
            self.iterate.y = y;
        }
    }
}

/// How far from its bounds a start is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Push {
    Cold,
    Warm,
}

/// `value`, moved inside the bounds.
pub(super) fn inside<const K: usize>(
    value: &SVector<f64, K>,
    bounds: &Bounds<K>,
    push: Push,
) -> SVector<f64, K> {
    let kappa = if push == Push::Warm { WARM_PUSH } else { COLD_PUSH };
    SVector::from_fn(|i, _| push_inside(bounds.lower[i], bounds.upper[i], value[i], kappa, kappa))
}

/// A cold first iterate: the multipliers of bounds are one.
pub(super) fn cold<const N: usize, const M: usize>(
    x: SVector<f64, N>,
    slacks: SVector<f64, M>,
    x_bounds: &Bounds<N>,
    s_bounds: &Bounds<M>,
) -> Iterate<N, M> {
    let mut iterate = at(x, inside(&slacks, s_bounds, Push::Cold));
    iterate.x.set_multipliers(x_bounds, 1.0);
    iterate.s.set_multipliers(s_bounds, 1.0);
    iterate
}

/// A warm first iterate, with the (scaled) multipliers of an earlier solution.
pub(super) fn warm<const N: usize, const M: usize>(
    x: SVector<f64, N>,
    slacks: SVector<f64, M>,
    multipliers: &Multipliers<N, M>,
    x_bounds: &Bounds<N>,
    s_bounds: &Bounds<M>,
) -> Iterate<N, M> {
    let mut iterate = at(x, inside(&slacks, s_bounds, Push::Warm));
    let pushed = |z: f64, bound: f64| if bound.is_finite() { z.max(WARM_PUSH) } else { 0.0 };
    let y = multipliers.constraints;
    iterate.x.z_lower = multipliers.lower.zip_map(&x_bounds.lower, pushed);
    iterate.x.z_upper = multipliers.upper.zip_map(&x_bounds.upper, pushed);
    iterate.s.z_lower = (-y).zip_map(&s_bounds.lower, pushed);
    iterate.s.z_upper = y.zip_map(&s_bounds.upper, pushed);
    iterate.y = y;
    iterate
}

fn at<const N: usize, const M: usize>(x: SVector<f64, N>, s: SVector<f64, M>) -> Iterate<N, M> {
    let none = Bounded::at(SVector::zeros());
    Iterate { x: Bounded::at(x), s: Bounded::at(s), p: none, n: none, y: SVector::zeros() }
}
