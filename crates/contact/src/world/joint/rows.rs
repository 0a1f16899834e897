//! The rows of joints in a step: links, the contacts of stops, and the loads of motors.

use nalgebra::{SMatrix, SVector};

use super::{
    super::{Partner, RigidBody, Surface, Touch},
    AxisLaw, Coordinate, Joint, JointAxis,
    law::Terms,
    memory::JointMemory,
};
use crate::{contact::Link, model::Real};

/// A body as a joint sees it.
pub(in crate::world) trait Carrier<const D: usize, const N: usize, S: Real> {
    /// Its centre of mass in m.
    fn position(&self) -> SVector<S, D>;

    /// A vector of its axes in those of the world.
    fn turn(&self, vector: &SVector<f64, D>) -> SVector<S, D>;

    /// The map from its velocity to that of its point at the `arm` in m from the centre of mass.
    fn velocity_at(&self, arm: &SVector<S, D>) -> SMatrix<S, D, N>;
}

/// A rigid body at a pose.
pub(in crate::world) struct Posed<B: RigidBody<D, N>, const D: usize, const N: usize, S: Real>(
    pub B::Pose<S>,
);

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
pub(in crate::world) struct JointRow<const N: usize, S> {
    /// The row for each of the two bodies.
    pub jacobian: [SVector<S, N>; 2],
    /// Bias, compliance and bounds.
    terms: Terms<S>,
}

impl<const N: usize, S> JointRow<N, S> {
    /// Its bias in m/s.
    pub fn bias(&self) -> &S {
        &self.terms.bias
    }
}

impl<const N: usize> JointRow<N, f64> {
    /// The link between these bodies that it is.
    fn link(self, bodies: [Option<usize>; 2]) -> Link<N> {
        let Self { jacobian, terms: Terms { bias, size, compliance, most } } = self;
        let bounds = most.map_or(Link::<N>::UNBOUNDED, |most| [-most, most]);
        Link { bodies, jacobian, bias, terms: size, compliance, bounds }
    }
}

/// A joint between its bodies as they are placed, `None` being the world.
pub(super) struct Placed<'a, C, const D: usize, const N: usize, S: Real> {
    pub(super) joint: &'a Joint<D>,
    carriers: [Option<C>; 2],
    arms: [SVector<S, D>; 2],
    places: [SVector<S, D>; 2],
}

impl<'a, C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real> Placed<'a, C, D, N, S> {
    fn new(joint: &'a Joint<D>, carrier: impl Fn(usize) -> C) -> Self {
        let carriers = joint.anchors.map(|anchor| anchor.body.map(&carrier));
        let arms = [0, 1].map(|end| turned(&carriers[end], &joint.anchors[end].point));
        let places = [0, 1].map(|end| match &carriers[end] {
            Some(carrier) => carrier.position() + arms[end],
            None => arms[end],
        });
        Self { joint, carriers, arms, places }
    }

    fn value(&self, coordinate: &Coordinate<D>) -> S {
        coordinate.value(&self.places, |end, vector| turned(&self.carriers[end], vector))
    }

    pub(super) fn rows(&self, coordinate: &Coordinate<D>) -> [SVector<S, N>; 2] {
        let Self { carriers, arms, places, .. } = self;
        let seen = |end: usize, arm: &SVector<S, D>| carriers[end].as_ref().map(|body| body.velocity_at(arm));
        coordinate.rows(
            places,
            |end, vector| turned(&carriers[end], vector),
            |end, arm, direction| {
                seen(end, &(arms[end] + arm)).map_or_else(SVector::zeros, |map| map.tr_mul(direction))
            },
            |end, vector, direction| match (seen(end, vector), seen(end, &SVector::zeros())) {
                (Some(there), Some(here)) => (there - here).tr_mul(direction),
                _ => SVector::zeros(),
            },
        )
    }

    /// The size in m of what lengths are the differences of; cosines and angles are of size 1.
    pub(super) fn size(&self, coordinate: &Coordinate<D>) -> f64 {
        if !coordinate.is_length() {
            return 1.0;
        }
        self.places.iter().map(|place| place.map(|part| part.value()).amax()).fold(0.0, f64::max)
    }
}

fn turned<C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real>(
    carrier: &Option<C>,
    vector: &SVector<f64, D>,
) -> SVector<S, D> {
    carrier.as_ref().map_or_else(|| vector.map(S::constant), |carrier| carrier.turn(vector))
}

/// Goes through the axes of `joints` whose bodies do not all stay, with the number of each among those of all joints, and
/// the value of its coordinate, full turns counted.
pub(super) fn each_axis<'a, C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real>(
    joints: &'a [Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    carrier: impl Fn(usize) -> C,
    memory: &JointMemory,
    mut found: impl FnMut(usize, &Placed<'a, C, D, N, S>, &'a JointAxis<D>, S),
) {
    let mut number = 0;
    for joint in joints {
        let first = number;
        number += joint.axes.len();
        if joint.anchors.iter().filter_map(|anchor| anchor.body).all(&is_fixed) {
            continue;
        }
        let placed = Placed::new(joint, &carrier);
        for (number, axis) in (first..).zip(&joint.axes) {
            let mut value = placed.value(&axis.coordinate);
            if axis.coordinate.is_angle() {
                let angle = value.value();
                value += S::constant(memory.turned(number, angle) - angle);
            }
            found(number, &placed, axis, value);
        }
    }
}

/// Writes the rows of `joints` for a step of `dt` s, joint by joint with the number of the axis and the bodies, where `carrier`
/// says how a body is placed. Those between bodies that stay have none.
pub(in crate::world) fn rows<C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real>(
    joints: &[Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    carrier: impl Fn(usize) -> C,
    (memory, dt): (&JointMemory, f64),
    mut found: impl FnMut(usize, &JointAxis<D>, [Option<usize>; 2], JointRow<N, S>),
) {
    each_axis(joints, is_fixed, carrier, memory, |number, placed, axis, value| {
        let size = placed.size(&axis.coordinate);
        let law = axis.law.in_step(memory.time, dt);
        let law = law.and_then(|law| law.with(&law, |number, _| S::constant(number)));
        if let Some(terms) = law.and_then(|law| law.terms(value, size, dt)) {
            let row = JointRow { jacobian: placed.rows(&axis.coordinate), terms };
            found(number, axis, placed.joint.anchors.map(|anchor| anchor.body), row);
        }
    });
}

/// Writes those rows as the links of a step from these velocities, and remembers the angles.
pub(in crate::world) fn links<C: Carrier<D, N, f64>, const D: usize, const N: usize>(
    joints: &[Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    carrier: impl Fn(usize) -> C,
    velocities: &[SVector<f64, N>],
    (memory, dt): (&mut JointMemory, f64),
    links: &mut Vec<Link<N>>,
) {
    links.clear();
    memory.begin(joints);
    if joints.iter().flat_map(|joint| &joint.axes).any(|axis| axis.coordinate.is_angle()) {
        let mut angles = Vec::new();
        each_axis(joints, &is_fixed, &carrier, memory, |number, _, axis, value: f64| {
            if axis.coordinate.is_angle() {
                angles.push((number, value));
            }
        });
        memory.keep_angles(&angles);
    }
    let mut axes = memory.take_links();
    rows(joints, is_fixed, carrier, (memory, dt), |number, axis, bodies, row| {
        let mut link = row.link(bodies);
        let is_of_rotor = matches!(axis.law, AxisLaw::Inertial { .. });
        if is_of_rotor {
            link.bias = -memory.rate(number).unwrap_or_else(|| link.rate(velocities));
            link.terms = link.bias.abs();
        }
        axes.push((number, is_of_rotor));
        links.push(link);
    });
    memory.keep_links(axes);
}

/// Adds the wrenches of motors whose force is given to `loads`, one per body.
pub(in crate::world) fn loads<C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real>(
    joints: &[Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    carrier: impl Fn(usize) -> C,
    memory: &JointMemory,
    loads: &mut [SVector<S, N>],
) {
    each_axis(joints, is_fixed, carrier, memory, |_, placed, axis, _: S| {
        let Some(force) = axis.law.load(memory.time) else { return };
        for (anchor, row) in placed.joint.anchors.iter().zip(placed.rows(&axis.coordinate)) {
            if let Some(body) = anchor.body {
                loads[body] += row * S::constant(force);
            }
        }
    });
}

/// A stop of a joint: a coordinate without friction against an end of its range.
pub(super) struct Stop<const N: usize, S> {
    /// The number of the axis, and which end of its range: 0 the lower, 1 the upper.
    pub of: [usize; 2],
    /// What a unit of the coordinate counts in m, against the upper end with the other sign.
    pub unit: f64,
    /// In m.
    pub gap: S,
    /// How the gap grows with the velocities of the two bodies of the joint.
    pub rows: [SVector<S, N>; 2],
    pub restitution: f64,
}

/// Goes through the stops of `joints`. An angle counts as the way of a point at the larger `reach` in m of the two bodies.
pub(super) fn each_stop<'a, C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real>(
    joints: &'a [Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    reach: impl Fn(usize) -> f64,
    carrier: impl Fn(usize) -> C,
    memory: &JointMemory,
    mut found: impl FnMut(&Placed<'a, C, D, N, S>, Stop<N, S>),
) {
    each_axis(joints, is_fixed, carrier, memory, |number, placed, axis, value: S| {
        let AxisLaw::Stopped { between, restitution } = axis.law else { return };
        let bodies = placed.joint.anchors.iter().filter_map(|anchor| anchor.body);
        let reach = bodies.map(&reach).fold(0.0, f64::max);
        let lever = if axis.coordinate.is_length() || reach == 0.0 { 1.0 } else { reach };
        let rows = placed.rows(&axis.coordinate);
        for (end, sign) in [(0, 1.0), (1, -1.0)] {
            let unit = sign * lever;
            let stop = Stop {
                of: [number, end],
                unit,
                gap: S::constant(unit) * (value - S::constant(between[end])),
                rows: rows.each_ref().map(|row| row * S::constant(unit)),
                restitution,
            };
            found(placed, stop);
        }
    });
}

/// In which order the two ends of a joint are those of a touch, which begins with a body.
pub(super) fn order_of_touch(bodies: [Option<usize>; 2]) -> [usize; 2] {
    if bodies[0].is_some() { [0, 1] } else { [1, 0] }
}

/// Adds the contacts of stops to `touches`.
pub(in crate::world) fn stops<C: Carrier<D, N, f64>, const D: usize, const N: usize>(
    joints: &[Joint<D>],
    (is_fixed, is_still): (impl Fn(usize) -> bool, impl Fn(usize) -> bool),
    reach: impl Fn(usize) -> f64,
    carrier: impl Fn(usize) -> C,
    memory: &JointMemory,
    touches: &mut Vec<Touch<D, N>>,
) {
    each_stop(joints, is_fixed, reach, carrier, memory, |placed, stop: Stop<N, f64>| {
        let bodies = placed.joint.anchors.map(|anchor| anchor.body);
        let order = order_of_touch(bodies);
        let Some(first) = bodies[order[0]] else { return };
        let mut touch = Touch::<D, N>::blank();
        touch.first = first;
        touch.second = Partner::Stop { axis: stop.of[0], end: stop.of[1] };
        touch.bodies = order.map(|end| bodies[end].filter(|body| !is_still(*body)));
        for (jacobian, side) in touch.jacobian.iter_mut().zip(order) {
            jacobian.set_row(0, &stop.rows[side].transpose());
        }
        touch.point = placed.places[order[0]];
        touch.gap = stop.gap;
        touch.reach = stop.unit.abs();
        touch.turns = true;
        touch.surface = Surface { restitution: stop.restitution, ..Surface::default() };
        touches.push(touch);
    });
}

/// Distance of two points, and the direction from the second to the first; upwards where they are in one
/// place.
pub(in crate::world) fn separation<const D: usize, S: Real>(
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
