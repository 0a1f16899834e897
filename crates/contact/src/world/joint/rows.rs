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
        Link { bodies, jacobian, bias, terms: size, compliance, bounds: [-most, most] }
    }
}

/// A joint between its bodies as they are placed, `None` being the world.
struct Placed<'a, C, const D: usize, const N: usize, S: Real> {
    joint: &'a Joint<D>,
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

    fn rows(&self, coordinate: &Coordinate<D>) -> [SVector<S, N>; 2] {
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
    fn size(&self, coordinate: &Coordinate<D>) -> f64 {
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
fn each_axis<'a, C: Carrier<D, N, S>, const D: usize, const N: usize, S: Real>(
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
        if let Some(terms) = axis.law.terms(value, size, memory.time, dt) {
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
pub(in crate::world) fn loads<C: Carrier<D, N, f64>, const D: usize, const N: usize>(
    joints: &[Joint<D>],
    is_fixed: impl Fn(usize) -> bool,
    carrier: impl Fn(usize) -> C,
    memory: &JointMemory,
    loads: &mut [SVector<f64, N>],
) {
    each_axis(joints, is_fixed, carrier, memory, |_, placed, axis, _: f64| {
        let Some(force) = axis.law.load(memory.time) else { return };
        for (anchor, row) in placed.joint.anchors.iter().zip(placed.rows(&axis.coordinate)) {
            if let Some(body) = anchor.body {
                loads[body] += row * force;
            }
        }
    });
}

/// Adds the contacts of stops to `touches`: the coordinate without friction against each end of its range. An angle counts as
/// the way of a point at the larger `reach` in m of the two bodies.
pub(in crate::world) fn stops<C: Carrier<D, N, f64>, const D: usize, const N: usize>(
    joints: &[Joint<D>],
    (is_fixed, is_still): (impl Fn(usize) -> bool, impl Fn(usize) -> bool),
    reach: impl Fn(usize) -> f64,
    carrier: impl Fn(usize) -> C,
    memory: &JointMemory,
    touches: &mut Vec<Touch<D, N>>,
) {
    each_axis(
        joints,
        &is_fixed,
        carrier,
        memory,
        |number, placed: &Placed<'_, C, D, N, f64>, axis, value| {
            let AxisLaw::Stopped { between, restitution } = axis.law else { return };
            let bodies = placed.joint.anchors.map(|anchor| anchor.body);
            let reach = bodies.iter().flatten().map(|body| reach(*body)).fold(0.0, f64::max);
            let lever = if axis.coordinate.is_length() || reach == 0.0 { 1.0 } else { reach };
            let rows = placed.rows(&axis.coordinate);
            // A touch begins with a body.
            let order = if bodies[0].is_some() { [0, 1] } else { [1, 0] };
            let Some(first) = bodies[order[0]] else { return };
            for (end, sign) in [(0, 1.0), (1, -1.0)] {
                let mut touch = Touch::<D, N>::blank();
                touch.first = first;
                touch.second = Partner::Stop { axis: number, end };
                touch.bodies = order.map(|end| bodies[end].filter(|body| !is_still(*body)));
                for (jacobian, side) in touch.jacobian.iter_mut().zip(order) {
                    let row: SVector<f64, N> = rows[side] * (sign * lever);
                    jacobian.set_row(0, &row.transpose());
                }
                touch.point = placed.places[order[0]];
                touch.gap = sign * lever * (value - between[end]);
                touch.reach = lever;
                touch.turns = true;
                touch.surface = Surface { restitution, ..Surface::default() };
                touches.push(touch);
            }
        },
    );
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
