//! The first iterate (Waechter and Biegler, section 3.6).

use nalgebra::SVector;

use super::bounded::{Bounded, Interval};
use super::iterate::{Intervals, Iterate};
use super::search::{Obstacle, Search};
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
    #[inline(never)]
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
    #[inline(never)]
    pub fn estimate_multipliers(&mut self) {
        let order = N + M;
        self.workspace.factors.reset(order);
        let matrix = self.workspace.factors.matrix_mut();
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
        let Self { iterate, intervals, first_order, workspace, .. } = self;
        let (mut in_x, mut in_s) = (first_order.gradient, SVector::<f64, M>::zeros());
        iterate.x.subtract_multipliers(&intervals.x, &mut in_x);
        iterate.s.subtract_multipliers(&intervals.s, &mut in_s);
        let rhs = &mut workspace.right_hand_side;
        rhs[..N].copy_from_slice((-in_x).as_slice());
        rhs[N..].copy_from_slice((-in_s).as_slice());
        workspace.factors.solve(rhs);
        let y = SVector::<f64, M>::from_fn(|i, _| rhs[N + i]);
        if y.iter().all(|y| y.abs() <= LARGEST_MULTIPLIER) {
            self.iterate.y = y;
        }
        self.refresh_first_order();
    }
}

/// How far from its bounds a start is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Push {
    Cold,
    Warm,
}

impl Push {
    /// `value`, moved inside the bounds.
    pub fn inside<const K: usize>(self, bounds: &Bounds<K>, value: &SVector<f64, K>) -> SVector<f64, K> {
        let kappa = if self == Self::Warm { WARM_PUSH } else { COLD_PUSH };
        Interval::push_inside(bounds, value, kappa)
    }
}

/// The first iterate, at a point inside the bounds: at a cold start the multipliers of bounds are
/// one, at a warm one they are those of an earlier solution (scaled as this program is).
pub(super) fn first_iterate<const N: usize, const M: usize>(
    intervals: &mut Intervals<N, M>,
    x: SVector<f64, N>,
    s: SVector<f64, M>,
    multipliers: Option<&Multipliers<N, M>>,
) -> Iterate<N, M> {
    let mut iterate = Iterate {
        x: Bounded::new(&mut intervals.x, x, 1.0),
        s: Bounded::new(&mut intervals.s, s, 1.0),
        p: Bounded::new(&mut intervals.p, SVector::zeros(), 0.0),
        n: Bounded::new(&mut intervals.n, SVector::zeros(), 0.0),
        y: SVector::zeros(),
    };
    if let Some(Multipliers { constraints: y, lower, upper }) = multipliers {
        iterate.x.set_multipliers_from(&intervals.x, lower, upper, WARM_PUSH);
        iterate.s.set_multipliers_from(&intervals.s, &-y, y, WARM_PUSH);
        iterate.y = *y;
    }
    iterate
}
