use nalgebra::{SMatrix, SVector};

use super::{BodyPart, Partner, Surface};
use crate::{contact::Across, rows};

/// A gap in m that counts as none.
pub const TOUCHING: f64 = 1e-12;

/// The gap, 0 where it counts as none, and what is rounded off then.
pub(super) fn rounded(gap: f64) -> (f64, f64) {
    if gap.abs() < TOUCHING { (0.0, gap) } else { (gap, 0.0) }
}

/// A pair of points that may touch in a step: geometry and law, before a solver sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Touch<const D: usize, const N: usize> {
    /// The body that the normal points into.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// The parts of the two that touch, among those of each body; 0 for a plane.
    pub parts: [usize; 2],
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
    /// What was rounded off the gap, in m.
    pub rounded_off: f64,
    /// Reach `rho` in m of the smaller body: the largest distance of a point from its centre of mass.
    pub reach: f64,
    /// Whether either of the bodies can turn, so that where an impulse acts matters.
    pub turns: bool,
    /// The law between the two.
    pub surface: Surface,
    /// Rows about the normal and the tangents of both, of the angular velocity `w = J_1 v_1 + J_2 v_2` in rad/s, where the
    /// surface resists turning. In the plane there is one, the second.
    pub turning: Option<Box<[SMatrix<f64, 3, N>; 2]>>,
    /// How friction along the surfaces differs across an axis of the tangents, where it does.
    pub across: Option<Across>,
    /// Velocity in m/s that the surfaces have along each other by themselves (a conveyor), part of `u`.
    pub surface_velocity: SVector<f64, D>,
    /// Where on the way of the step it was found, rather than at the start: point, normal and rows are then those there, and
    /// the gap is that at the start along the tangent.
    pub on_way: Option<WayPoint<N>>,
}

/// A place on the way of two bodies through a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WayPoint<const N: usize> {
    /// The share of the step.
    pub share: f64,
    /// The velocities that took the two there.
    pub velocities: [SVector<f64, N>; 2],
    /// The gap in m up to which contacts were looked for there.
    pub margin: f64,
}

impl<const D: usize, const N: usize> Touch<D, N> {
    /// A touch of nothing, to be filled in.
    pub(super) fn blank() -> Self {
        Self {
            first: 0,
            second: Partner::Ground,
            parts: [0; 2],
            bodies: [None; 2],
            jacobian: [SMatrix::zeros(); 2],
            point: SVector::zeros(),
            normal: SVector::zeros(),
            gap: 0.0,
            rounded_off: 0.0,
            reach: 0.0,
            turns: false,
            surface: Surface::default(),
            turning: None,
            across: None,
            surface_velocity: SVector::zeros(),
            on_way: None,
        }
    }

    /// Whether it is between the same parts as another.
    pub fn is_of_the_same_parts(&self, other: &Self) -> bool {
        (self.first, self.second, self.parts) == (other.first, other.second, other.parts)
    }

    /// Which of the two carries the axis across which friction differs; `None` where it is the world's, or friction is the same
    /// in all directions.
    pub fn axis_carrier(&self) -> Option<usize> {
        let carrier = self.surface.anisotropy?.carrier?;
        match self.second {
            _ if carrier == self.first => Some(0),
            Partner::Body(other) if carrier == other => Some(1),
            _ => None,
        }
    }

    /// Takes how its friction differs with these axes, normal first, where `turn_of` takes a vector of the axes of either of the two
    /// into those of the world.
    pub(super) fn take_axis(
        &mut self,
        frame: &SMatrix<f64, D, D>,
        turn_of: impl FnOnce(usize) -> SMatrix<f64, D, D>,
    ) {
        self.across = self.surface.anisotropy.and_then(|anisotropy| {
            let turn = self.axis_carrier().map(turn_of);
            anisotropy.at(frame, |axis| turn.map_or(*axis, |turn| turn * axis))
        });
    }

    /// The parts of two bodies that touch; `None` on a plane and at a stop.
    pub fn pair(&self) -> Option<[BodyPart; 2]> {
        let Partner::Body(second) = self.second else { return None };
        let of = |body, end: usize| BodyPart { body, part: self.parts[end] };
        Some([of(self.first, 0), of(second, 1)])
    }

    /// Relative velocity `u` of the first to the second: normal, then tangential, in m/s.
    pub fn relative_velocity(&self, velocities: &[SVector<f64, N>]) -> SVector<f64, D> {
        let terms = self.bodies.iter().zip(&self.jacobian);
        terms.fold(self.surface_velocity, |sum, (body, jacobian)| match body {
            Some(body) => sum + rows::times(jacobian, &velocities[*body]),
            None => sum,
        })
    }

    /// The slip that friction goes by, in m/s: tangential as in [`Touch::relative_velocity`], across an axis by how friction differs there,
    /// and in the place of the normal component what drilling counts as beside it, `rho_t w_n/mu_s`.
    pub fn slip(&self, velocities: &[SVector<f64, N>]) -> SVector<f64, D> {
        let mut slip = self.relative_velocity(velocities);
        slip[0] = 0.0;
        if let Some(across) = self.across {
            slip = across.slip(&slip);
        }
        let at_rest = self.surface.friction.static_coefficient();
        if let Some(rows) = self.turning.as_ref().filter(|_| at_rest > 0.0) {
            let ends = self.bodies.iter().zip(rows.iter());
            let drilling: f64 =
                ends.filter_map(|(body, rows)| Some(rows::row_times(rows, 0, &velocities[(*body)?]))).sum();
            slip[0] = self.surface.turning.torsional * drilling / at_rest;
        }
        slip
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
