//! How what a step finds changes when a body is displaced: by dual numbers through the geometry.

use nalgebra::{SMatrix, SVector};
use num_dual::{Derivative, DualSVec64};

use super::{
    Joint, JointLawRates, JointMemory, JointRates, Motion, Particles, Partner, Point, RigidBody, Scene,
    Touch, World,
    frame::contact_frame,
    joint::{self, Posed},
    rigid_body::rows_of,
    scene::rows_at,
};
use crate::model::Real;

/// The change of a contact with the displacement of one body, a matrix per component of it.
///
/// A displacement has the components of a velocity, in the same axes, in m and rad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchRates<const D: usize, const N: usize> {
    /// The gap itself in m.
    pub value: f64,
    /// `d gap / d displacement_k`, in m per m or rad.
    pub gap: SVector<f64, N>,
    /// `jacobian[end][k]`: `d J_end / d displacement_k` of the rows for the two bodies.
    pub jacobian: [[SMatrix<f64, D, N>; N]; 2],
}

/// The change of the displacement at the end of a step, in m and rad: entry `(i, k)` is that of component `i` with `k`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdvanceRates<const N: usize> {
    /// Per displacement at its start.
    pub pose: SMatrix<f64, N, N>,
    /// Per velocity that moved the body.
    pub velocity: SMatrix<f64, N, N>,
}

/// The change of the velocity at the end of a step through which one velocity moved a body, and which another one left it
/// with: entry `(i, k)` is that of component `i` with `k`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CarriedRates<const N: usize> {
    /// Per velocity at the start.
    pub before: SMatrix<f64, N, N>,
    /// Per velocity that moved the body.
    pub moved: SMatrix<f64, N, N>,
    /// Per velocity that it was left with.
    pub after: SMatrix<f64, N, N>,
}

/// A world that knows how what it finds changes with its bodies.
pub trait DifferentiableWorld<const D: usize, const N: usize>: World<D, N> {
    /// Finds the contacts of the two parts, or of the part and the plane, of which `like` is one, as [`World::find_touches`]
    /// does, in the same order, with their change when body `moved` of the two is displaced. Parts without thickness face
    /// each other as in `like`.
    fn touch_rates(
        &self,
        motion: &Motion<Self::Pose, N>,
        margins: &[f64],
        like: &Touch<D, N>,
        moved: usize,
        found: &mut Vec<TouchRates<D, N>>,
    );

    /// The joints of the world.
    fn joints(&self) -> &[Joint<D>];

    /// The change of what joints do in a step of `dt` s when body `moved` is displaced; they go by the `memory` as it was before
    /// the step.
    fn joint_rates(
        &self,
        motion: &Motion<Self::Pose, N>,
        step: (&JointMemory, f64),
        moved: usize,
    ) -> JointRates<D, N>;

    /// The change of what joints do in a step when their laws become those of the joints `grown`, numbers being linear in it.
    fn joint_law_rates(
        &self,
        grown: &[Joint<D>],
        motion: &Motion<Self::Pose, N>,
        step: (&JointMemory, f64),
    ) -> JointLawRates<N>;

    /// How [`World::free_velocity`] changes with the velocity at the start.
    fn free_rates(&self, _body: usize, _velocity: &SVector<f64, N>, _dt: f64) -> SMatrix<f64, N, N> {
        SMatrix::identity()
    }

    /// How the displacement of a body at the end of a step comes about.
    fn advance_rates(
        &self,
        body: usize,
        pose: &Self::Pose,
        velocity: &SVector<f64, N>,
        dt: f64,
    ) -> AdvanceRates<N>;

    /// How the velocity that [`World::carried`] gives comes about.
    fn carried_rates(
        &self,
        _body: usize,
        _before: &SVector<f64, N>,
        _moved: &SVector<f64, N>,
        _after: &SVector<f64, N>,
        _dt: f64,
    ) -> CarriedRates<N> {
        CarriedRates { before: SMatrix::zeros(), moved: SMatrix::zeros(), after: SMatrix::identity() }
    }
}

/// The `N` unit changes.
fn unit_changes<const N: usize>() -> SVector<DualSVec64<N>, N> {
    SVector::from_fn(|i, _| {
        DualSVec64::new(0.0, Derivative::derivative_generic(nalgebra::Const, nalgebra::U1, i))
    })
}

impl<const D: usize, const N: usize> TouchRates<D, N> {
    /// Of a gap and rows in dual numbers of a displacement.
    pub(super) fn of(gap: DualSVec64<N>, rows: [SMatrix<DualSVec64<N>, D, N>; 2]) -> Self {
        let part = |value: &DualSVec64<N>, k: usize| rows_of([*value])[k];
        Self {
            value: gap.re,
            gap: rows_of([gap]).transpose(),
            jacobian: rows.map(|rows| std::array::from_fn(|k| rows.map(|value| part(&value, k)))),
        }
    }
}

/// The pose of a body in dual numbers of its displacement, if it is the one that is `moved`.
fn lifted<B: RigidBody<D, N>, const D: usize, const N: usize>(
    motion: &Motion<B::Pose<f64>, N>,
    body: usize,
    moved: usize,
) -> B::Pose<DualSVec64<N>> {
    let by = if body == moved { unit_changes() } else { SVector::zeros() };
    B::displaced(&motion.poses[body], &by)
}

impl<B: RigidBody<D, N>, const D: usize, const N: usize> DifferentiableWorld<D, N> for Scene<B, D> {
    fn touch_rates(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        margins: &[f64],
        like: &Touch<D, N>,
        moved: usize,
        found: &mut Vec<TouchRates<D, N>>,
    ) {
        found.clear();
        let (first, parts) = (like.first, like.parts);
        let pose = lifted::<B, D, N>(motion, first, moved);
        let outline = self.bodies[first].outline(parts[0], &pose);
        let plane = match like.second {
            Partner::Body(other) => {
                let other_pose = lifted::<B, D, N>(motion, other, moved);
                let margin = margins[first] + margins[other];
                let rows = |point: &Point<D, DualSVec64<N>>| {
                    [rows_at::<B, D, N, _>(point, &pose), -rows_at::<B, D, N, _>(point, &other_pose)]
                };
                // Two points touch at a distance, or not at all.
                if self.bodies[first].reach() == 0.0 && self.bodies[other].reach() == 0.0 {
                    for bead in self.beads.iter().filter(|bead| bead.particles == [first, other]) {
                        let point = bead.point([B::position(&pose), B::position(&other_pose)]);
                        if point.gap.re <= margin {
                            found.push(TouchRates::of(point.gap, rows(&point)));
                        }
                    }
                    return;
                }
                let reach = self.bodies[first].reach().min(self.bodies[other].reach());
                // The others were found without.
                let are_thin = self.bodies[first].is_thin(parts[0]) && self.bodies[other].is_thin(parts[1]);
                let facing = are_thin.then_some(&like.normal);
                let other_outline = self.bodies[other].outline(parts[1], &other_pose);
                B::body_points(&outline, &other_outline, reach, margin, facing, |point| {
                    if point.gap.value() <= margin {
                        found.push(TouchRates::of(point.gap, rows(&point)));
                    }
                });
                return;
            }
            Partner::Ground => self.ground.as_ref(),
            Partner::Wall(wall) => self.walls.get(wall),
            Partner::Stop { .. } => None,
        };
        if let Some(plane) = plane {
            B::plane_points(&outline, plane, margins[first], |point| {
                let rows = [rows_at::<B, D, N, _>(&point, &pose), SMatrix::zeros()];
                found.push(TouchRates::of(point.gap, rows));
            });
        }
    }

    fn joints(&self) -> &[Joint<D>] {
        &self.joints
    }

    fn joint_rates(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        step: (&JointMemory, f64),
        moved: usize,
    ) -> JointRates<D, N> {
        let carrier = |body: usize| Posed::<B, D, N, _>(lifted::<B, D, N>(motion, body, moved));
        let stays = |body: usize| self.bodies[body].is_fixed();
        let reach = |body: usize| self.bodies[body].reach();
        joint::rates(&self.joints, (self.bodies.len(), stays), reach, carrier, step)
    }

    fn joint_law_rates(
        &self,
        grown: &[Joint<D>],
        motion: &Motion<B::Pose<f64>, N>,
        step: (&JointMemory, f64),
    ) -> JointLawRates<N> {
        let carrier = |body: usize| Posed::<B, D, N, f64>(motion.poses[body].clone());
        let stays = |body: usize| self.bodies[body].is_fixed();
        let reach = |body: usize| self.bodies[body].reach();
        joint::law_rates(&self.joints, grown, (self.bodies.len(), stays), reach, carrier, step)
    }

    fn free_rates(&self, body: usize, velocity: &SVector<f64, N>, dt: f64) -> SMatrix<f64, N, N> {
        let body = &self.bodies[body];
        if body.is_fixed() {
            return SMatrix::zeros();
        }
        let velocity = velocity.map(DualSVec64::<N>::constant) + unit_changes();
        let free = body.free_velocity(&velocity, &SVector::zeros(), &SVector::zeros(), dt);
        matrix_of(&free)
    }

    fn advance_rates(
        &self,
        index: usize,
        pose: &B::Pose<f64>,
        velocity: &SVector<f64, N>,
        dt: f64,
    ) -> AdvanceRates<N> {
        let body = &self.bodies[index];
        if body.is_fixed() {
            return AdvanceRates { pose: SMatrix::identity(), velocity: SMatrix::zeros() };
        }
        let zero = SVector::<DualSVec64<N>, N>::zeros();
        let along = |by: [&SVector<DualSVec64<N>, N>; 2]| {
            let velocity = velocity.map(DualSVec64::<N>::constant) + by[1];
            B::displacement(&body.advance(&B::displaced(pose, by[0]), &velocity, dt))
        };
        let unit = unit_changes();
        AdvanceRates { pose: along([&unit, &zero]), velocity: along([&zero, &unit]) }
    }

    fn carried_rates(
        &self,
        index: usize,
        before: &SVector<f64, N>,
        moved: &SVector<f64, N>,
        after: &SVector<f64, N>,
        dt: f64,
    ) -> CarriedRates<N> {
        let body = &self.bodies[index];
        if body.is_fixed() {
            return CarriedRates {
                before: SMatrix::zeros(),
                moved: SMatrix::zeros(),
                after: SMatrix::identity(),
            };
        }
        let zero = SVector::<DualSVec64<N>, N>::zeros();
        let along = |by: [&SVector<DualSVec64<N>, N>; 3]| {
            let lift = |velocity: &SVector<f64, N>| velocity.map(DualSVec64::<N>::constant);
            matrix_of(&body.carried(
                &(lift(before) + by[0]),
                &(lift(moved) + by[1]),
                &(lift(after) + by[2]),
                dt,
            ))
        };
        let unit = unit_changes();
        CarriedRates {
            before: along([&unit, &zero, &zero]),
            moved: along([&zero, &unit, &zero]),
            after: along([&zero, &zero, &unit]),
        }
    }
}

/// Row `i` is the derivative of number `i`.
pub(super) fn matrix_of<const N: usize>(vector: &SVector<DualSVec64<N>, N>) -> SMatrix<f64, N, N> {
    let rows: [DualSVec64<N>; N] = std::array::from_fn(|i| vector[i]);
    rows_of(rows)
}

impl<const D: usize> DifferentiableWorld<D, D> for Particles<D> {
    fn touch_rates(
        &self,
        motion: &Motion<Self::Pose, D>,
        margins: &[f64],
        like: &Touch<D, D>,
        moved: usize,
        found: &mut Vec<TouchRates<D, D>>,
    ) {
        found.clear();
        let (first, second) = (like.first, like.second);
        let nothing = [[SMatrix::zeros(); D]; 2];
        let Partner::Body(other) = second else {
            let touching = |plane: &&(Partner, super::Plane<D>)| plane.0 == second;
            for (_, plane) in self.planes.iter().filter(touching) {
                let gap = plane.normal.dot(&motion.poses[first]) - plane.offset;
                if gap <= margins[first] {
                    found.push(TouchRates { value: gap, gap: plane.normal, jacobian: nothing });
                }
            }
            return;
        };
        let lift = |body: usize| {
            let by = if body == moved { unit_changes() } else { SVector::zeros() };
            motion.poses[body].map(DualSVec64::<D>::constant) + by
        };
        for bead in self.beads.iter().filter(|bead| bead.particles == [first, other]) {
            let Point { normal, gap, .. } = bead.point([lift(first), lift(other)]);
            if gap.re <= margins[first] + margins[other] {
                let frame = contact_frame(&normal);
                found.push(TouchRates::of(gap, [frame, -frame]));
            }
        }
    }

    fn joints(&self) -> &[Joint<D>] {
        &self.joints
    }

    fn joint_rates(
        &self,
        motion: &Motion<Self::Pose, D>,
        step: (&JointMemory, f64),
        moved: usize,
    ) -> JointRates<D, D> {
        let carrier = |body: usize| {
            let by = if body == moved { unit_changes() } else { SVector::zeros() };
            motion.poses[body].map(DualSVec64::<D>::constant) + by
        };
        let stays = |body: usize| self.masses[body].is_none();
        joint::rates(&self.joints, (self.masses.len(), stays), |_| 0.0, carrier, step)
    }

    fn joint_law_rates(
        &self,
        grown: &[Joint<D>],
        motion: &Motion<Self::Pose, D>,
        step: (&JointMemory, f64),
    ) -> JointLawRates<D> {
        let stays = |body: usize| self.masses[body].is_none();
        joint::law_rates(
            &self.joints,
            grown,
            (self.masses.len(), stays),
            |_| 0.0,
            |body| motion.poses[body],
            step,
        )
    }

    fn free_rates(&self, body: usize, _: &SVector<f64, D>, _: f64) -> SMatrix<f64, D, D> {
        if self.masses[body].is_some() { SMatrix::identity() } else { SMatrix::zeros() }
    }

    fn advance_rates(&self, index: usize, _: &Self::Pose, _: &SVector<f64, D>, dt: f64) -> AdvanceRates<D> {
        let velocity = if self.masses[index].is_some() { dt } else { 0.0 };
        AdvanceRates { pose: SMatrix::identity(), velocity: SMatrix::from_diagonal_element(velocity) }
    }
}
