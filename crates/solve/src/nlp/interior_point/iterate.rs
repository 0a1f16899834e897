//! Where a run is, and what is known of the program there.

use nalgebra::SVector;

use super::bounded::{Bounded, Interval};

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
