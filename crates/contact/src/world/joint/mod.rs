//! Joints: what of the motion of two bodies in each other is held, and how.
//!
//! A joint has an anchor on each of two bodies, or in the world, and a list of axes: a coordinate of the one anchor in the
//! other, and a law for it. What is not in the list is free. An axis is a row of the problem of a step,
//!
//! ```text
//! J_1 v_1 + J_2 v_2 + bias + compliance * impulse = 0
//! ```
//!
//! with the directions at its start and the deviation that it has there, which is undone at its end; a stop is a contact
//! without friction, and a force that is given is a load. Rows are written once for all number types: in `f64` they are the
//! links of a step, in dual numbers those and their derivatives.

mod coordinate;
mod law;
mod memory;
mod rates;
mod rows;

use nalgebra::{SMatrix, SVector};

use crate::model::{Attitude, State};

pub use coordinate::Coordinate;
pub use law::{AxisLaw, Drive, Schedule, Target};
pub use memory::{JointMemory, Remembered};
pub use rates::{JointLawRates, JointRates, LinkLawRates, LinkRates};
pub(super) use rates::{law_rates, rates};
pub(super) use rows::{Posed, links, loads, separation, stops};

/// Two bodies, or a body and the world, that are joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint<const D: usize> {
    /// Where it holds them.
    pub anchors: [Anchor<D>; 2],
    /// What it holds, axis by axis; the rest is free.
    pub axes: Vec<JointAxis<D>>,
    /// The coordinates that are left free and that laws may act along, zero at the start; those of a ball joint are not among them.
    pub free: Vec<Coordinate<D>>,
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
#[derive(Debug, Clone, PartialEq)]
pub struct JointAxis<const D: usize> {
    /// What is held.
    pub coordinate: Coordinate<D>,
    /// How.
    pub law: AxisLaw,
}

impl<const D: usize> JointAxis<D> {
    /// A coordinate that keeps the value that it has at the start.
    fn locked(coordinate: Coordinate<D>) -> Self {
        Self { coordinate, law: AxisLaw::Locked { at: 0.0 } }
    }
}

/// Three orthogonal unit vectors, two in the plane, that both anchors carry, as columns in the axes of the one and of the
/// other: the same vectors of the world at the start. The first is the axis of the joint.
pub type JointFrame<const D: usize> = [SMatrix<f64, D, D>; 2];

impl<const D: usize> Joint<D> {
    /// A massless rod: the anchors keep the distance of `length` m.
    pub fn rod(anchors: [Anchor<D>; 2], length: f64) -> Self {
        let axis = JointAxis { coordinate: Coordinate::Distance, law: AxisLaw::Locked { at: length } };
        Self { anchors, axes: vec![axis], free: Vec::new() }
    }

    /// A spring of the length `rest` in m between the anchors, of a stiffness in N/m and a damping in N s/m.
    pub fn spring(anchors: [Anchor<D>; 2], rest: f64, stiffness: f64, damping: f64) -> Self {
        let law = AxisLaw::Sprung { rest, stiffness, damping };
        Self { anchors, axes: vec![JointAxis { coordinate: Coordinate::Distance, law }], free: Vec::new() }
    }

    /// A pin: the anchors stay together, the bodies turn about them. A hinge in the plane, a ball joint in space.
    pub fn pin(anchors: [Anchor<D>; 2]) -> Self {
        let along = |axis| Coordinate::Along(SVector::from_fn(|i, _| f64::from(i == axis)));
        Self { anchors, axes: (0..D).map(along).map(JointAxis::locked).collect(), free: Vec::new() }
    }

    /// A pin about an axis, the first vector of the frame; in the plane the axis is that across it. What is left free is the
    /// angle in rad by which the second anchor has turned in the first.
    pub fn hinge(anchors: [Anchor<D>; 2], frame: &JointFrame<D>) -> Self {
        let mut joint = Self::pin(anchors);
        joint.axes.extend(untilted(frame));
        joint.free = vec![turn(frame)];
        joint
    }

    /// The second anchor moves along the first vector of the frame, which the first carries, and does not turn in it. What is
    /// left free is how far it has come, in m.
    pub fn slider(anchors: [Anchor<D>; 2], frame: &JointFrame<D>) -> Self {
        let axes = on_axis(frame).chain(unturned(frame)).collect();
        Self { anchors, axes, free: vec![Coordinate::Along(frame[0].column(0).into())] }
    }

    /// The second anchor moves along the first vector of the frame, which the first carries, and turns about it. What is left
    /// free is how far it has come in m, and the angle in rad. In the plane nothing turns about such an axis, and what comes
    /// back is a slider whose bodies turn.
    pub fn cylindrical(anchors: [Anchor<D>; 2], frame: &JointFrame<D>) -> Self {
        let axes = on_axis(frame).chain(untilted(frame)).collect();
        Self { anchors, axes, free: vec![Coordinate::Along(frame[0].column(0).into()), turn(frame)] }
    }

    /// Two bodies in one piece.
    pub fn weld(anchors: [Anchor<D>; 2], frame: &JointFrame<D>) -> Self {
        let mut joint = Self::pin(anchors);
        joint.axes.extend(unturned(frame));
        joint
    }

    /// A pin in space that turns about two axes at right angles: the first vector of the frame, which the first anchor carries,
    /// and the second, which the other one does. What is left free are the angles in rad about the one and the other. In the
    /// plane there is none, and what comes back is a pin that does not turn.
    pub fn universal(anchors: [Anchor<D>; 2], frame: &JointFrame<D>) -> Self {
        let mut joint = Self::pin(anchors);
        let [first, second] =
            frame.map(|vectors| [0, 1, D - 1].map(|axis| SVector::<f64, D>::from(vectors.column(axis))));
        joint.axes.push(JointAxis::locked(Coordinate::Cosine([first[0], second[1]])));
        joint.free = vec![
            Coordinate::Angle { of: 0, plane: [first[1], first[2]], line: second[1] },
            // Seen from the second, the first turns the other way.
            Coordinate::Angle { of: 1, plane: [second[0], second[2]], line: first[0] },
        ];
        joint
    }
}

/// The axes by which the second anchor stays on the line through the first along the first vector of the frame.
fn on_axis<const D: usize>(frame: &JointFrame<D>) -> impl Iterator<Item = JointAxis<D>> {
    let [first, _] = *frame;
    (1..D).map(move |across| JointAxis::locked(Coordinate::Along(first.column(across).into())))
}

/// The axes by which the first vector of the frame stays the same for both; there is none in the plane, where none tilts.
fn untilted<const D: usize>(frame: &JointFrame<D>) -> impl Iterator<Item = JointAxis<D>> {
    let [first, second] = *frame;
    (1..D).filter(|_| D == 3).map(move |across| {
        JointAxis::locked(Coordinate::Cosine([first.column(across).into(), second.column(0).into()]))
    })
}

/// The angle by which the second anchor has turned in the first, about the first vector of the frame in space.
fn turn<const D: usize>(frame: &JointFrame<D>) -> Coordinate<D> {
    let [first, second] = frame;
    let [start, next] = [D - 2, D - 1];
    let plane = [start, next].map(|across| first.column(across).into());
    Coordinate::Angle { of: 0, plane, line: second.column(start).into() }
}

/// The axes by which two anchors keep the direction that they have in each other.
fn unturned<const D: usize>(frame: &JointFrame<D>) -> impl Iterator<Item = JointAxis<D>> {
    let [first, second] = *frame;
    // One of the two angles between two vectors in the plane, all three in space.
    let pairs = if D == 2 { 1 } else { D };
    (0..pairs).map(move |axis| {
        let next = (axis + 1) % D;
        JointAxis::locked(Coordinate::Cosine([first.column(axis).into(), second.column(next).into()]))
    })
}

impl<const D: usize> Joint<D> {
    /// Whether it is along the line between its anchors, as rods and springs are, rather than holding them together.
    pub fn is_between_points(&self) -> bool {
        self.axes.iter().any(|axis| axis.coordinate == Coordinate::Distance)
    }

    /// The length at rest in m, if it is a spring between its anchors.
    pub fn rest_length(&self) -> Option<f64> {
        self.axes.iter().find_map(|axis| match (&axis.coordinate, &axis.law) {
            (Coordinate::Distance, AxisLaw::Sprung { rest, .. }) => Some(*rest),
            _ => None,
        })
    }

    /// The value of one of its coordinates, in m or rad, angles from -pi to pi, where `body` knows how its bodies are and are
    /// turned, points not at all; `None` where it does not.
    pub fn value<'a>(
        &self,
        coordinate: &Coordinate<D>,
        body: impl Fn(usize) -> Option<(&'a State<D>, Option<&'a Attitude>)>,
    ) -> Option<f64> {
        let attitudes = self.anchors.map(|anchor| anchor.body.and_then(|carrier| body(carrier)?.1));
        let turned = |end: usize, vector: &SVector<f64, D>| {
            attitudes[end].map_or(*vector, |attitude| attitude.orientation.turn(vector))
        };
        Some(coordinate.value(&self.places(&body)?, turned))
    }
}

impl<const D: usize> Joint<D> {
    /// Where its anchors are in m, with `body` as in [`Joint::value`].
    pub fn places<'a>(
        &self,
        body: impl Fn(usize) -> Option<(&'a State<D>, Option<&'a Attitude>)>,
    ) -> Option<[SVector<f64, D>; 2]> {
        let place = |Anchor { body: carrier, point }: &Anchor<D>| match *carrier {
            Some(carrier) => body(carrier).map(|(state, attitude)| {
                state.position + attitude.map_or(*point, |attitude| attitude.orientation.turn(point))
            }),
            None => Some(*point),
        };
        Some([place(&self.anchors[0])?, place(&self.anchors[1])?])
    }

    /// How fast one of its coordinates grows, in m/s or rad/s, with `body` as in [`Joint::value`].
    pub fn rate<'a>(
        &self,
        coordinate: &Coordinate<D>,
        body: impl Fn(usize) -> Option<(&'a State<D>, Option<&'a Attitude>)>,
    ) -> Option<f64> {
        let places = self.places(&body)?;
        let carriers = self.anchors.map(|anchor| anchor.body.and_then(&body));
        let turned = |end: usize, vector: &SVector<f64, D>| {
            let attitude = carriers[end].and_then(|(_, attitude)| attitude);
            attitude.map_or(*vector, |attitude| attitude.orientation.turn(vector))
        };
        let swept = |end: usize, arm: &SVector<f64, D>| {
            let attitude = carriers[end].and_then(|(_, attitude)| attitude);
            attitude.map_or_else(SVector::zeros, |attitude| attitude.sweep(arm))
        };
        let rows = coordinate.rows(
            &places,
            turned,
            |end, arm, direction| {
                let velocity = carriers[end].map_or_else(SVector::zeros, |(state, _)| {
                    state.velocity + swept(end, &(places[end] + arm - state.position))
                });
                SVector::<f64, 1>::new(velocity.dot(direction))
            },
            |end, vector, direction| SVector::<f64, 1>::new(swept(end, vector).dot(direction)),
        );
        Some(rows[0][0] + rows[1][0])
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
