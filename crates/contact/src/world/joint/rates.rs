//! How the rows of joints, their stops and the loads of their motors change: with the poses of the bodies, and with the numbers
//! of their laws.

use nalgebra::{Const, SMatrix, SVector, U1};
use num_dual::{Derivative, DualSVec64};

use super::{
    super::{
        derivative::{TouchRates, matrix_of},
        rigid_body::rows_of,
    },
    AxisLaw, Joint, JointMemory,
    rows::{Carrier, JointRow, Stop, each_axis, each_stop, loads, order_of_touch, rows},
};

/// The change of what joints do in a step with the displacement of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct JointRates<const D: usize, const N: usize> {
    /// Per link, in the order of [`World::links`](super::super::World::links).
    pub links: Vec<LinkRates<N>>,
    /// Per stop, the axis and the end of its range, and the change of its contact.
    pub stops: Vec<([usize; 2], TouchRates<D, N>)>,
    /// Per body, `d load_i / d displacement_k` of the motors whose force is given; empty where there are none.
    pub loads: Vec<SMatrix<f64, N, N>>,
}

/// The change of a link with the displacement of one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkRates<const N: usize> {
    /// `d bias / d displacement_k`, in m/s per m or rad.
    pub bias: SVector<f64, N>,
    /// `rows[end][(i, k)]`: `d J_end,i / d displacement_k` of the rows for the two bodies.
    pub rows: [SMatrix<f64, N, N>; 2],
}

/// The change of what joints do in a step with the numbers of their laws, along one direction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JointLawRates<const N: usize> {
    /// Per link, in the order of [`World::links`](super::super::World::links).
    pub links: Vec<LinkLawRates>,
    /// Per stop, the axis and the end of its range, and the change of gap and restitution.
    pub stops: Vec<([usize; 2], [f64; 2])>,
    /// Of the loads, per body.
    pub loads: Vec<SVector<f64, N>>,
}

/// The change of the numbers of a link.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LinkLawRates {
    /// Of its bias in m/s.
    pub bias: f64,
    /// Of its compliance in m/s per N s.
    pub compliance: f64,
    /// Of its largest impulse in N s.
    pub most: f64,
}

/// With the poses, where `carrier` has them in dual numbers of one displacement.
pub(in crate::world) fn rates<C: Carrier<D, N, DualSVec64<N>>, const D: usize, const N: usize>(
    joints: &[Joint<D>],
    (bodies, is_fixed): (usize, impl Fn(usize) -> bool),
    reach: impl Fn(usize) -> f64,
    carrier: impl Fn(usize) -> C,
    (memory, dt): (&JointMemory, f64),
) -> JointRates<D, N> {
    let mut found = JointRates { links: Vec::new(), stops: Vec::new(), loads: Vec::new() };
    rows(joints, &is_fixed, &carrier, (memory, dt), |_, _, _, row| found.links.push(link_rates(&row)));
    each_stop(joints, &is_fixed, reach, &carrier, memory, |placed, stop: Stop<N, DualSVec64<N>>| {
        let rows = order_of_touch(placed.joint.anchors.map(|anchor| anchor.body)).map(|side| {
            let mut rows = SMatrix::<DualSVec64<N>, D, N>::zeros();
            rows.set_row(0, &stop.rows[side].transpose());
            rows
        });
        found.stops.push((stop.of, TouchRates::of(stop.gap, rows)));
    });
    let has_load = |law: &AxisLaw| law.load(memory.time).is_some();
    if joints.iter().flat_map(|joint| &joint.axes).any(|axis| has_load(&axis.law)) {
        let mut wrenches = vec![SVector::<DualSVec64<N>, N>::zeros(); bodies];
        loads(joints, is_fixed, carrier, memory, &mut wrenches);
        found.loads = wrenches.iter().map(matrix_of).collect();
    }
    found
}

/// With the numbers of the laws, which are those of `grown` after a change that is linear.
pub(in crate::world) fn law_rates<C: Carrier<D, N, f64>, const D: usize, const N: usize>(
    joints: &[Joint<D>],
    grown: &[Joint<D>],
    (bodies, is_fixed): (usize, impl Fn(usize) -> bool),
    reach: impl Fn(usize) -> f64,
    carrier: impl Fn(usize) -> C,
    (memory, dt): (&JointMemory, f64),
) -> JointLawRates<N> {
    let grown: Vec<&AxisLaw> = grown.iter().flat_map(|joint| &joint.axes).map(|axis| &axis.law).collect();
    let mut found =
        JointLawRates { links: Vec::new(), stops: Vec::new(), loads: vec![SVector::zeros(); bodies] };
    let growing = |before: f64, after: f64| {
        let change = Derivative::some(SVector::<f64, 1>::new(after - before));
        DualSVec64::<1>::new(before, change)
    };
    each_axis(joints, &is_fixed, &carrier, memory, |number, placed, axis, value: f64| {
        let after = grown.get(number).copied().unwrap_or(&axis.law);
        if let (Some(law), Some(after)) = (axis.law.in_step(memory.time, dt), after.in_step(memory.time, dt))
        {
            let (value, size) = (DualSVec64::<1>::from_re(value), placed.size(&axis.coordinate));
            let terms = law.with(&after, growing).and_then(|law| law.terms(value, size, dt));
            let rate = |number: DualSVec64<1>| number.eps.unwrap_generic(Const::<1>, U1)[0];
            found.links.extend(terms.map(|terms| LinkLawRates {
                bias: rate(terms.bias),
                compliance: rate(terms.compliance),
                most: terms.most.map_or(0.0, rate),
            }));
        }
        if let (Some(before), Some(after)) = (axis.law.load(memory.time), after.load(memory.time)) {
            for (anchor, row) in placed.joint.anchors.iter().zip(placed.rows(&axis.coordinate)) {
                if let Some(body) = anchor.body {
                    found.loads[body] += row * (after - before);
                }
            }
        }
    });
    let laws: Vec<&AxisLaw> = joints.iter().flat_map(|joint| &joint.axes).map(|axis| &axis.law).collect();
    each_stop(joints, is_fixed, reach, carrier, memory, |_, stop: Stop<N, f64>| {
        let [number, end] = stop.of;
        let mut change = [0.0; 2];
        if let (
            AxisLaw::Stopped { between, restitution },
            Some(AxisLaw::Stopped { between: after, restitution: rebound }),
        ) = (laws[number], grown.get(number))
        {
            change = [-stop.unit * (after[end] - between[end]), rebound - restitution];
        }
        found.stops.push((stop.of, change));
    });
    found
}

fn link_rates<const N: usize>(row: &JointRow<N, DualSVec64<N>>) -> LinkRates<N> {
    LinkRates { bias: rows_of([*row.bias()]).transpose(), rows: row.jacobian.each_ref().map(matrix_of) }
}
