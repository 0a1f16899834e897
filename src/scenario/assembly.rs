//! Bodies put where their joints meet at the start.

use nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion, Vector3};

use super::{Inertia, JointPlace, Scenario, Shape};
use crate::{
    model::{Orientation, Vector},
    world::Anchor,
};

/// Steps of Gauss and Newton after which bodies that do not meet are left where they were.
const MOST_STEPS: u32 = 50;

/// How far the points of a joint may stay apart, in units of how far they are from the centres of mass.
const MET: f64 = 1e-12;

/// Singular values of the rows below this part of the largest are none: loops may say the same twice.
const RANK: f64 = 1e-10;

impl<const D: usize> Scenario<D> {
    /// Moves the bodies of joints that are to be assembled so far that the points of all joints meet, by the least change in
    /// the metric of their masses: `dq = -M^-1 J' (J M^-1 J')^+ phi`, repeated until it is none. What is fixed or driven stays.
    /// Where the points cannot meet nothing is changed.
    pub(in crate::scenario) fn assemble(&mut self) {
        let asks = self.joints.iter().any(|joint| joint.assemble);
        let is_sound = |part: &f64| part.is_finite();
        if !asks
            || !self
                .bodies
                .iter()
                .all(|body| body.position.iter().all(is_sound) && body.orientation.is_turn())
        {
            return;
        }
        let anchors: Vec<[Anchor<D>; 2]> = self.joints.iter().map(|joint| joint.anchors(self)).collect();
        let apart = self.separations(&anchors);
        let least = self.rounding(&anchors);
        if apart.iter().any(|part| !part.is_finite()) || apart.amax() <= least {
            return;
        }
        let mut assembled = self.clone();
        for _ in 0..MOST_STEPS {
            let phi = assembled.separations(&anchors);
            if phi.amax() <= least {
                assembled.carry_places(&anchors);
                *self = assembled;
                return;
            }
            assembled.approach(&anchors, &phi);
        }
    }

    /// How far the second points of all joints are from the first, in m, one joint after the other.
    fn separations(&self, anchors: &[[Anchor<D>; 2]]) -> DVector<f64> {
        let gaps = anchors.iter().flat_map(|[first, second]| {
            let gap = self.place(second) - self.place(first);
            gap.iter().copied().collect::<Vec<_>>()
        });
        DVector::from_vec(gaps.collect())
    }

    /// How far apart in m points are that meet, but for rounding.
    fn rounding(&self, anchors: &[[Anchor<D>; 2]]) -> f64 {
        let ends = anchors.iter().flatten();
        let arm = ends.clone().filter(|anchor| anchor.body.is_some()).map(|anchor| anchor.point.norm());
        let place = ends.map(|anchor| self.place(anchor).amax());
        MET * arm.fold(0.0, f64::max) + 8.0 * f64::EPSILON * place.fold(0.0, f64::max)
    }

    fn place(&self, anchor: &Anchor<D>) -> Vector<D> {
        match anchor.body {
            Some(body) => {
                let body = &self.bodies[body];
                body.position + body.orientation.turn(&anchor.point)
            }
            None => anchor.point,
        }
    }

    /// One step towards each other.
    fn approach(&mut self, anchors: &[[Anchor<D>; 2]], phi: &DVector<f64>) {
        let turns = if D == 2 { 1 } else { 3 };
        let freedoms = D + turns;
        let mut rows = DMatrix::zeros(phi.len(), freedoms * self.bodies.len());
        for (joint, ends) in anchors.iter().enumerate() {
            for (anchor, sign) in ends.iter().zip([-1.0, 1.0]) {
                let Some(body) = anchor.body.filter(|body| !self.bodies[*body].fixed) else { continue };
                let arm = self.bodies[body].orientation.turn(&anchor.point);
                for axis in 0..D {
                    rows[(D * joint + axis, freedoms * body + axis)] = sign;
                    for (turn, swept) in swept::<D>(&arm).into_iter().take(turns).enumerate() {
                        rows[(D * joint + axis, freedoms * body + D + turn)] = sign * swept[axis];
                    }
                }
            }
        }
        let mut mobility = DMatrix::zeros(rows.ncols(), rows.ncols());
        for (index, body) in self.bodies.iter().enumerate().filter(|(_, body)| !body.fixed) {
            let first = freedoms * index;
            (0..D).for_each(|axis| mobility[(first + axis, first + axis)] = 1.0 / body.mass);
            let turning = match (body.shape == Shape::Point, body.moment_of_inertia()) {
                (true, _) | (_, None) => Matrix3::zeros(),
                (_, Some(Inertia::Plane(moment))) => Matrix3::from_diagonal_element(1.0 / moment),
                (_, Some(Inertia::Space(tensor))) => match body.orientation {
                    Orientation::Quaternion(turn) => {
                        let turn = turn.to_rotation_matrix().into_inner();
                        turn * tensor.try_inverse().unwrap_or_default() * turn.transpose()
                    }
                    Orientation::Angle(_) => Matrix3::zeros(),
                },
            };
            for row in 0..turns {
                for column in 0..turns {
                    mobility[(first + D + row, first + D + column)] = turning[(row, column)];
                }
            }
        }
        let across = &mobility * rows.transpose();
        let response = &rows * &across;
        let least = RANK * response.amax();
        let Ok(inverse) = response.pseudo_inverse(least.max(f64::MIN_POSITIVE)) else { return };
        let change = -(across * (inverse * phi));
        if change.iter().any(|part| !part.is_finite()) {
            return;
        }
        for (index, body) in self.bodies.iter_mut().enumerate() {
            let own = change.rows(freedoms * index, freedoms);
            body.position += Vector::<D>::from_fn(|axis, _| own[axis]);
            match &mut body.orientation {
                Orientation::Angle(angle) => *angle += own[D],
                Orientation::Quaternion(turn) => {
                    let by = Vector3::from_fn(|axis, _| own[D + axis]);
                    if by != Vector3::zeros() {
                        *turn = UnitQuaternion::from_scaled_axis(by) * *turn;
                    }
                }
            }
        }
    }

    /// Has joints that stand at a point of the world stand where the bodies carried it.
    fn carry_places(&mut self, anchors: &[[Anchor<D>; 2]]) {
        for (joint, ends) in anchors.iter().enumerate() {
            let place = self.place(&ends[0]);
            if let JointPlace::At(point) = &mut self.joints[joint].place {
                *point = place;
            }
        }
    }
}

/// How a point at an arm from the centre of mass moves with each rate of rotation.
fn swept<const D: usize>(arm: &Vector<D>) -> [Vector<D>; 3] {
    let whole = Vector3::from_fn(|axis, _| arm.get(axis).copied().unwrap_or(0.0));
    if D == 2 {
        let mut turned = Vector::<D>::zeros();
        (turned[0], turned[D - 1]) = (-arm[D - 1], arm[0]);
        return [turned, Vector::zeros(), Vector::zeros()];
    }
    [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| {
        let moved = axis.cross(&whole);
        Vector::<D>::from_fn(|row, _| moved.get(row).copied().unwrap_or(0.0))
    })
}
