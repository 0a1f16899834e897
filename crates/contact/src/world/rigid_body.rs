use nalgebra::{SMatrix, SVector};
use num_dual::DualSVec64;

use super::{
    Course, Plane,
    solid::{Placement, Solid},
};
use crate::model::{Orientation, Real};

/// A point in which two bodies, or a body and a plane, come close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<const D: usize, S = f64> {
    /// Where, in the axes of the world, m.
    pub position: SVector<S, D>,
    /// Unit normal, from the second into the first.
    pub normal: SVector<S, D>,
    /// Gap in m, negative in an overlap.
    pub gap: S,
}

impl<const D: usize, S: Real> Point<D, S> {
    /// The same point as the second body sees it.
    pub fn turned(self) -> Self {
        Self { normal: -self.normal, ..self }
    }
}

/// A body as a [`Scene`](super::Scene) needs it: how it moves by itself, and where it comes close to others.
///
/// Its velocity begins with that of the centre of mass in m/s. Wrenches have the same order and axes as
/// velocities: a force in N, then a torque about the centre of mass in N m.
///
/// Where it is and where it touches can be had in dual numbers, which carry derivatives with respect to a
/// displacement: `N` numbers in the order and axes of velocities.
pub trait RigidBody<const D: usize, const N: usize> {
    /// Where a body is.
    type Pose<S: Real>: Clone + std::fmt::Debug;
    /// A part of a body at the pose of the body.
    type Outline<'a, S: Real>
    where
        Self: 'a;

    /// Pose and velocity at the start.
    fn start(&self) -> (Self::Pose<f64>, SVector<f64, N>);

    /// Whether nothing that acts on it moves it: it stays where it is, or is driven.
    fn is_fixed(&self) -> bool;

    /// How it moves, where that is given.
    fn course(&self) -> Option<&Course<D>> {
        None
    }

    /// Its pose where its centre of mass and its orientation are given.
    fn pose_at(position: &SVector<f64, D>, orientation: &Orientation) -> Self::Pose<f64>;

    /// Largest distance `rho` in m of a point of the body from its centre of mass.
    fn reach(&self) -> f64;

    /// How many convex parts it has.
    fn parts(&self) -> usize {
        1
    }

    /// A ball around a part at a pose: its centre and its radius in m.
    fn ball(&self, part: usize, pose: &Self::Pose<f64>) -> (SVector<f64, D>, f64);

    /// Whether a part has no thickness: a rod or a point.
    fn is_thin(&self, _part: usize) -> bool {
        false
    }

    /// A part as what axes separate from others.
    fn solid(&self, part: usize) -> Solid<'_, D>;

    /// Where it is at a pose.
    fn placement(pose: &Self::Pose<f64>) -> Placement<D>;

    /// The velocity that takes it from one pose to another in `dt` s, straight and evenly turning by no more than half a
    /// turn.
    fn velocity_between(start: &Self::Pose<f64>, end: &Self::Pose<f64>, dt: f64) -> SVector<f64, N>;

    /// The centre of mass at a pose, in m.
    fn position<S: Real>(pose: &Self::Pose<S>) -> SVector<S, D>;

    /// The pose after a small displacement, to first order.
    fn displaced<S: Real>(pose: &Self::Pose<f64>, by: &SVector<S, N>) -> Self::Pose<S>;

    /// The displacement per unit of each direction that a pose carries.
    fn displacement<const M: usize>(pose: &Self::Pose<DualSVec64<M>>) -> SMatrix<f64, N, M>;

    /// Inverse inertia in the axes of the velocity.
    fn inverse_inertia(&self) -> SMatrix<f64, N, N>;

    /// The velocity that takes it through a step of `dt` s under `gravity` in m/s^2 and a `wrench`, without contacts, in the
    /// axes at its start ([`World::free_velocity`](super::World::free_velocity)).
    fn free_velocity<S: Real>(
        &self,
        velocity: &SVector<S, N>,
        wrench: &SVector<f64, N>,
        gravity: &SVector<f64, D>,
        dt: f64,
    ) -> SVector<S, N>;

    /// The pose `dt` s on at this `velocity`, straight and evenly turning.
    fn advance<S: Real>(&self, pose: &Self::Pose<S>, velocity: &SVector<S, N>, dt: f64) -> Self::Pose<S>;

    /// The velocity at the end of a step of `dt` s through which `moved` took it, and which left it with `after` in the axes
    /// at its start, in those at its end ([`World::carried`](super::World::carried)). `before` is that at the start.
    fn carried<S: Real>(
        &self,
        _before: &SVector<S, N>,
        _moved: &SVector<S, N>,
        after: &SVector<S, N>,
        _dt: f64,
    ) -> SVector<S, N> {
        after.clone_owned()
    }

    /// Gap in m up to which a contact takes part in a step of `dt` s under the gravity `g` in m/s^2 and a `wrench`.
    fn activation(&self, velocity: &SVector<f64, N>, wrench: &SVector<f64, N>, g: f64, dt: f64) -> f64;

    /// No point of the body is faster in m/s at this velocity.
    fn top_speed(&self, velocity: &SVector<f64, N>) -> f64;

    /// A vector of the axes of the body in those of the world.
    fn turn<S: Real>(pose: &Self::Pose<S>, vector: &SVector<f64, D>) -> SVector<S, D>;

    /// The map from the velocity of the body to that of its point at the `arm` in m from the centre of
    /// mass, both in the axes of the world.
    fn velocity_at<S: Real>(pose: &Self::Pose<S>, arm: &SVector<S, D>) -> SMatrix<S, D, N>;

    /// The rows of a contact at the `arm` in m from the centre of mass, for its axes as the rows of `frame`: the map
    /// from the velocity of the body to that of its point in these axes. The outline is that of a part of the body at `pose`.
    fn contact_rows(
        frame: &SMatrix<f64, D, D>,
        (pose, _outline): (&Self::Pose<f64>, &Self::Outline<'_, f64>),
        arm: &SVector<f64, D>,
    ) -> SMatrix<f64, D, N> {
        frame * Self::velocity_at(pose, arm)
    }

    /// A part of the body at a pose.
    fn outline<S: Real>(&self, part: usize, pose: &Self::Pose<S>) -> Self::Outline<'_, S>;

    /// Finds the points of an outline within `margin` m of a plane.
    fn plane_points<S: Real>(
        outline: &Self::Outline<'_, S>,
        plane: &Plane<D>,
        margin: f64,
        found: impl FnMut(Point<D, S>),
    );

    /// Finds the points in which two outlines come within `margin` m of each other; `reach` is that of
    /// the smaller body. `facing` is the normal that bodies without thickness had in the step before.
    fn body_points<S: Real>(
        first: &Self::Outline<'_, S>,
        second: &Self::Outline<'_, S>,
        reach: f64,
        margin: f64,
        facing: Option<&SVector<f64, D>>,
        found: impl FnMut(Point<D, S>),
    );
}

/// The derivatives that numbers carry, a row per number.
pub(super) fn rows_of<const R: usize, const M: usize>(numbers: [DualSVec64<M>; R]) -> SMatrix<f64, R, M> {
    let mut rows = SMatrix::<f64, R, M>::zeros();
    for (i, number) in numbers.iter().enumerate() {
        let eps = number.eps.unwrap_generic(nalgebra::Const::<M>, nalgebra::U1);
        rows.set_row(i, &eps.transpose());
    }
    rows
}
