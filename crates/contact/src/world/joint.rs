//! Joints: what of the motion of two bodies in each other is held, and how.
//!
//! A joint has an anchor on each of two bodies, or in the world, and a list of axes: a coordinate of the one anchor in the
//! other, and a law for it. What is not in the list is free. Each axis is a row of the problem of a step,
//!
//! ```text
//! J_1 v_1 + J_2 v_2 + bias + compliance * impulse = 0
//! ```
//!
//! with the directions at its start and the deviation that it has there, which is undone at its end. Rows are written once
//! for all number types: in `f64` they are the links of a step, in dual numbers those and their derivatives.

use nalgebra::{SMatrix, SVector};

use super::RigidBody;
use crate::{
    contact::Link,
    model::{Attitude, Real, State},
};

/// Two bodies, or a body and the world, that are joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint<const D: usize> {
    /// Where it holds them.
    pub anchors: [Anchor<D>; 2],
    /// What it holds, axis by axis; the rest is free.
    pub axes: Vec<JointAxis<D>>,
}

/// A place that a joint is fixed to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor<const D: usize> {
    /// The body that carries it; `None` is the world.
    pub body: Option<usize>,
    /// Where on it, in m: about the centre of mass in the axes of the body, or in the world.
    pub point: SVector<f64, D>,
}

/// A coordinate of a joint and its law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointAxis<const D: usize> {
    /// What is held.
    pub coordinate: Coordinate<D>,
    /// How.
    pub law: AxisLaw,
}

/// A coordinate of the anchors in each other, in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coordinate<const D: usize> {
    /// Their distance.
    Distance,
    /// How far the second lies from the first along this unit vector, which is fixed in the axes of the first.
    Along(SVector<f64, D>),
}

/// What holds for a coordinate of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AxisLaw {
    /// It keeps a value.
    Locked {
        /// The value in m.
        at: f64,
    },
    /// A linear spring with a damper in parallel pulls it back.
    Sprung {
        /// The value at rest in m.
        rest: f64,
        /// Stiffness in N/m.
        stiffness: f64,
        /// Damping in N s/m.
        damping: f64,
    },
}

impl<const D: usize> Joint<D> {
    /// A massless rod: the anchors keep the distance of `length` m.
    pub fn rod(anchors: [Anchor<D>; 2], length: f64) -> Self {
        let axis = JointAxis { coordinate: Coordinate::Distance, law: AxisLaw::Locked { at: length } };
        Self { anchors, axes: vec![axis] }
    }

    /// A spring of the length `rest` in m between the anchors, of a stiffness in N/m and a damping in N s/m.
    pub fn spring(anchors: [Anchor<D>; 2], rest: f64, stiffness: f64, damping: f64) -> Self {
        let law = AxisLaw::Sprung { rest, stiffness, damping };
        Self { anchors, axes: vec![JointAxis { coordinate: Coordinate::Distance, law }] }
    }

    /// A pin: the anchors stay together, the bodies turn about them. A hinge in the plane, a ball joint in space.
    pub fn pin(anchors: [Anchor<D>; 2]) -> Self {
        let along = |axis| Coordinate::Along(SVector::from_fn(|i, _| f64::from(i == axis)));
        let locked = |axis| JointAxis { coordinate: along(axis), law: AxisLaw::Locked { at: 0.0 } };
        Self { anchors, axes: (0..D).map(locked).collect() }
    }

    /// The length at rest in m, if it is a spring between its anchors.
    pub fn rest_length(&self) -> Option<f64> {
        self.axes.iter().find_map(|axis| match (axis.coordinate, axis.law) {
            (Coordinate::Distance, AxisLaw::Sprung { rest, .. }) => Some(rest),
            _ => None,
        })
    }

    /// The value in m of one of its coordinates, where `body` knows how its bodies are and are turned, points not at all;
    /// `None` where it does not.
    pub fn value<'a>(
        &self,
        coordinate: &Coordinate<D>,
        body: impl Fn(usize) -> Option<(&'a State<D>, Option<&'a Attitude>)>,
    ) -> Option<f64> {
        let turned = |attitude: Option<&Attitude>, vector: &SVector<f64, D>| {
            attitude.map_or(*vector, |attitude| attitude.orientation.turn(vector))
        };
        let place = |Anchor { body: carrier, point }: &Anchor<D>| match *carrier {
            Some(carrier) => body(carrier).map(|(state, attitude)| state.position + turned(attitude, point)),
            None => Some(*point),
        };
        let places = [place(&self.anchors[0])?, place(&self.anchors[1])?];
        let attitude = self.anchors[0].body.and_then(|carrier| body(carrier)?.1);
        Some(coordinate.value_and_direction(&places, |axis| turned(attitude, axis)).0)
    }

    /// Writes its rows for a step of `dt` s between these bodies, `None` being the world; axes that do nothing have none.
    fn rows<C: Carrier<D, N, S>, const N: usize, S: Real>(
        &self,
        carriers: [Option<C>; 2],
        dt: f64,
        mut found: impl FnMut(JointRow<N, S>),
    ) {
        let turned = |end: usize, vector: &SVector<f64, D>| match &carriers[end] {
            Some(carrier) => carrier.turn(vector),
            None => vector.map(S::constant),
        };
        let arms = [0, 1].map(|end| turned(end, &self.anchors[end].point));
        let places = [0, 1].map(|end| match &carriers[end] {
            Some(carrier) => carrier.position() + arms[end],
            None => arms[end],
        });
        let row = |end: usize, arm: &SVector<S, D>, direction: &SVector<S, D>| match &carriers[end] {
            Some(carrier) => carrier.velocity_at(arm).tr_mul(direction),
            None => SVector::zeros(),
        };
        let size = places.iter().map(|place| place.map(|part| part.value()).amax()).fold(0.0, f64::max);
        for JointAxis { coordinate, law } in &self.axes {
            let (value, direction) = coordinate.value_and_direction(&places, |axis| turned(0, axis));
            let Some((bias, terms, compliance)) = law.terms(value, size, dt) else { continue };
            let first = match coordinate {
                Coordinate::Distance => arms[0],
                // The direction turns with the first body, which the other anchor feels as one of its points.
                Coordinate::Along(_) => arms[0] + (places[1] - places[0]),
            };
            let jacobian = [row(0, &first, &direction), -row(1, &arms[1], &direction)];
            found(JointRow { jacobian, bias, terms, compliance });
        }
    }
}

impl<const D: usize> Anchor<D> {
    /// A point of a body, in m in its axes about its centre of mass.
    pub fn on(body: usize, point: SVector<f64, D>) -> Self {
        Self { body: Some(body), point }
    }

    /// A point of the world in m.
    pub fn in_world(point: SVector<f64, D>) -> Self {
        Self { body: None, point }
    }
}

impl<const D: usize> Coordinate<D> {
    /// Its value with the anchors at these `places`, and the direction along which it grows when the first moves and the
    /// second does not; `turn` is that of the first.
    fn value_and_direction<S: Real>(
        &self,
        places: &[SVector<S, D>; 2],
        turn: impl Fn(&SVector<f64, D>) -> SVector<S, D>,
    ) -> (S, SVector<S, D>) {
        match self {
            Self::Distance => separation(&places[0], &places[1]),
            Self::Along(axis) => {
                let axis = turn(axis);
                (axis.dot(&(places[1] - places[0])), -axis)
            }
        }
    }
}

impl AxisLaw {
    /// The bias in m/s, the size of the terms that it is the difference of, and the compliance of a row whose coordinate
    /// has the `value`, a difference of lengths of this `size` in m. `None` where it does nothing.
    fn terms<S: Real>(&self, value: S, size: f64, dt: f64) -> Option<(S, f64, f64)> {
        match *self {
            Self::Locked { at } => {
                Some(((value - S::constant(at)) / S::constant(dt), size.max(at.abs()) / dt, 0.0))
            }
            Self::Sprung { rest, stiffness, damping } => {
                let implicit = dt * stiffness + damping;
                let deviation = value - S::constant(rest);
                (implicit > 0.0).then(|| {
                    let bias = S::constant(stiffness) * deviation / S::constant(implicit);
                    (bias, stiffness * size.max(rest.abs()) / implicit, 1.0 / (dt * implicit))
                })
            }
        }
    }
}

/// A body as a joint sees it.
pub(super) trait Carrier<const D: usize, const N: usize, S: Real> {
    /// Its centre of mass in m.
    fn position(&self) -> SVector<S, D>;

    /// A vector of its axes in those of the world.
    fn turn(&self, vector: &SVector<f64, D>) -> SVector<S, D>;

    /// The map from its velocity to that of its point at the `arm` in m from the centre of mass.
    fn velocity_at(&self, arm: &SVector<S, D>) -> SMatrix<S, D, N>;
}

/// A rigid body at a pose.
pub(super) struct Posed<B: RigidBody<D, N>, const D: usize, const N: usize, S: Real>(pub B::Pose<S>);

impl<B: RigidBody<D, N>, const D: usize, const N: usize, S: Real> Carrier<D, N, S> for Posed<B, D, N, S> {
    fn position(&self) -> SVector<S, D> {
        B::position(&self.0)
    }

    fn turn(&self, vector: &SVector<f64, D>) -> SVector<S, D> {
        B::turn(&self.0, vector)
    }

    fn velocity_at(&self, arm: &SVector<S, D>) -> SMatrix<S, D, N> {
        B::velocity_at(&self.0, arm)
    }
}

/// A particle at its place.
impl<const D: usize, S: Real> Carrier<D, D, S> for SVector<S, D> {
    fn position(&self) -> Self {
        *self
    }

    fn turn(&self, vector: &SVector<f64, D>) -> Self {
        vector.map(S::constant)
    }

    fn velocity_at(&self, _: &Self) -> SMatrix<S, D, D> {
        SMatrix::identity()
    }
}

/// A row of a joint in a step.
pub(super) struct JointRow<const N: usize, S> {
    /// The row for each of the two bodies.
    pub jacobian: [SVector<S, N>; 2],
    /// In m/s.
    pub bias: S,
    /// The size in m/s of what the bias is the difference of.
    pub terms: f64,
    /// In m/s per N s.
    pub compliance: f64,
}

impl<const N: usize> JointRow<N, f64> {
    /// The link between these bodies that it is.
    pub fn link(self, bodies: [Option<usize>; 2]) -> Link<N> {
        let Self { jacobian, bias, terms, compliance } = self;
        Link { bodies, jacobian, bias, terms, compliance }
    }
}

/// Writes the rows of `joints` for a step of `dt` s, joint by joint with its bodies, where `carrier` says how a body is
/// placed. Those between bodies that stay have none.
pub(super) fn rows<C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real>(
    joints: &[Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    carrier: impl Fn(usize) -> C,
    dt: f64,
    mut found: impl FnMut([Option<usize>; 2], JointRow<N, S>),
) {
    for joint in joints {
        let bodies = joint.anchors.map(|anchor| anchor.body);
        if bodies.iter().flatten().all(|body| is_fixed(*body)) {
            continue;
        }
        joint.rows(bodies.map(|body| body.map(&carrier)), dt, |row| found(bodies, row));
    }
}

/// Writes those rows as the links of a step.
pub(super) fn links<C: Carrier<D, N, f64>, const D: usize, const N: usize>(
    joints: &[Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    carrier: impl Fn(usize) -> C,
    dt: f64,
    links: &mut Vec<Link<N>>,
) {
    links.clear();
    rows(joints, is_fixed, carrier, dt, |bodies, row| links.push(row.link(bodies)));
}

/// Distance of two points, and the direction from the second to the first; upwards where they are in one
/// place.
pub(super) fn separation<const D: usize, S: Real>(
    first: &SVector<S, D>,
    second: &SVector<S, D>,
) -> (S, SVector<S, D>) {
    let line = first - second;
    let distance = line.norm();
    if distance.value() > 0.0 {
        (distance, line / distance)
    } else {
        (S::zero(), SVector::from_fn(|i, _| S::constant(f64::from(i == D - 1))))
    }
}
