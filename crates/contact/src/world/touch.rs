use nalgebra::{SMatrix, SVector};

use super::{Partner, Surface};
use crate::rows;

/// A gap in m that counts as none.
pub const TOUCHING: f64 = 1e-12;

/// The gap, 0 where it counts as none.
pub(super) fn rounded(gap: f64) -> f64 {
    if gap.abs() < TOUCHING { 0.0 } else { gap }
}

/// A pair of points that may touch in a step: geometry and law, before a solver sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Touch<const D: usize, const N: usize> {
    /// The body that the normal points into.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// The two bodies by index, `None` for what does not move.
    pub bodies: [Option<usize>; 2],
    /// Rows n, t[, t2] of both: the relative velocity is `u = J_1 v_1 + J_2 v_2`.
    pub jacobian: [SMatrix<f64, D, N>; 2],
    /// Point of contact in m.
    pub point: SVector<f64, D>,
    /// Unit normal, from the second into the first.
    pub normal: SVector<f64, D>,
    /// Gap `phi` in m, negative in an overlap.
    pub gap: f64,
    /// Reach `rho` in m of the smaller body: the largest distance of a point from its centre of mass.
    pub reach: f64,
    /// Whether either of the bodies can turn, so that where an impulse acts matters.
    pub turns: bool,
    /// The law between the two.
    pub surface: Surface,
    /// Velocity in m/s that the surfaces have along each other by themselves (a conveyor), part of `u`.
    pub surface_velocity: SVector<f64, D>,
}

impl<const D: usize, const N: usize> Touch<D, N> {
    /// A touch of nothing, to be filled in.
    pub(super) fn blank() -> Self {
        Self {
            first: 0,
            second: Partner::Ground,
            bodies: [None; 2],
            jacobian: [SMatrix::zeros(); 2],
            point: SVector::zeros(),
            normal: SVector::zeros(),
            gap: 0.0,
            reach: 0.0,
            turns: false,
            surface: Surface::default(),
            surface_velocity: SVector::zeros(),
        }
    }

    /// Relative velocity `u` of the first to the second: normal, then tangential, in m/s.
    pub fn relative_velocity(&self, velocities: &[SVector<f64, N>]) -> SVector<f64, D> {
        let terms = self.bodies.iter().zip(&self.jacobian);
        terms.fold(self.surface_velocity, |sum, (body, jacobian)| match body {
            Some(body) => sum + rows::times(jacobian, &velocities[*body]),
            None => sum,
        })
    }

    /// Its normal component alone.
    pub fn normal_velocity(&self, velocities: &[SVector<f64, N>]) -> f64 {
        let terms = self.bodies.iter().zip(&self.jacobian);
        terms.fold(self.surface_velocity[0], |sum, (body, jacobian)| match body {
            Some(body) => sum + rows::row_times(jacobian, 0, &velocities[*body]),
            None => sum,
        })
    }
}
