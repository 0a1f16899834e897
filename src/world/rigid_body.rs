use nalgebra::{SMatrix, SVector};

use super::Plane;

/// A point in which two bodies, or a body and a plane, come close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<const D: usize> {
    /// Where, in the axes of the world, m.
    pub position: SVector<f64, D>,
    /// Unit normal, from the second into the first.
    pub normal: SVector<f64, D>,
    /// Gap in m, negative in an overlap.
    pub gap: f64,
}

impl<const D: usize> Point<D> {
    /// The same point as the second body sees it.
    pub fn turned(self) -> Self {
        Self { normal: -self.normal, ..self }
    }
}

/// A body as a [`Scene`](super::Scene) needs it: how it moves by itself, and where it comes close to others.
///
/// Its velocity begins with that of the centre of mass in m/s. Wrenches have the same order and axes as
/// velocities: a force in N, then a torque about the centre of mass in N m.
pub trait RigidBody<const D: usize, const N: usize> {
    /// Where a body is.
    type Pose: Clone + std::fmt::Debug;
    /// A body at its pose.
    type Outline<'a>
    where
        Self: 'a;

    /// Pose and velocity at the start.
    fn start(&self) -> (Self::Pose, SVector<f64, N>);

    /// Whether it stays where it is.
    fn is_fixed(&self) -> bool;

    /// Largest distance `rho` in m of a point of the body from its centre of mass.
    fn reach(&self) -> f64;

    /// The centre of mass at a pose, in m.
    fn position(pose: &Self::Pose) -> SVector<f64, D>;

    /// Inverse inertia in the axes of the velocity.
    fn inverse_inertia(&self) -> SMatrix<f64, N, N>;

    /// The velocity after `dt` s under `gravity` in m/s^2 and a `wrench`, without contacts.
    fn free_velocity(
        &self,
        velocity: &SVector<f64, N>,
        wrench: &SVector<f64, N>,
        gravity: &SVector<f64, D>,
        dt: f64,
    ) -> SVector<f64, N>;

    /// The pose `dt` s later, when a step took the velocity `before` to `after`.
    fn advance(
        &self,
        pose: &Self::Pose,
        before: &SVector<f64, N>,
        after: &SVector<f64, N>,
        dt: f64,
    ) -> Self::Pose;

    /// Gap in m up to which a contact takes part in a step of `dt` s under the gravity `g` in m/s^2.
    fn activation(&self, velocity: &SVector<f64, N>, g: f64, dt: f64) -> f64;

    /// A vector of the axes of the body in those of the world.
    fn turn(pose: &Self::Pose, vector: &SVector<f64, D>) -> SVector<f64, D>;

    /// The map from the velocity of the body to that of its point at the `arm` in m from the centre of
    /// mass, both in the axes of the world.
    fn velocity_at(pose: &Self::Pose, arm: &SVector<f64, D>) -> SMatrix<f64, D, N>;

    /// The body at a pose.
    fn outline(&self, pose: &Self::Pose) -> Self::Outline<'_>;

    /// Finds the points of an outline within `margin` m of a plane.
    fn plane_points(outline: &Self::Outline<'_>, plane: &Plane<D>, margin: f64, found: impl FnMut(Point<D>));

    /// Finds the points in which two outlines come within `margin` m of each other; `reach` is that of
    /// the smaller body.
    fn body_points(
        first: &Self::Outline<'_>,
        second: &Self::Outline<'_>,
        reach: f64,
        margin: f64,
        found: impl FnMut(Point<D>),
    );
}
