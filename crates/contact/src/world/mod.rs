//! Bodies and what they touch: poses, velocities, shapes, contact finding.
//!
//! A [`World`] knows its bodies and finds where they touch; [`TimeStepper`] makes the contact
//! problem of a step of what was found, has a [`ContactModel`](crate::contact::ContactModel) solve
//! it, and moves the bodies. Nothing here knows of files. `D` is the number of rows of a contact (2
//! in the plane, 3 in space), `N` the number of velocities of a body (3 in the plane, 6 in space;
//! `D` for a point, which does not rotate).

mod ball_contact;
mod bias;
mod broad_phase;
mod derivative;
mod divided_step;
mod division;
mod frame;
mod friction_passes;
mod joint;
mod particles;
mod partner;
pub mod planar;
mod plane;
mod rebound;
mod refill;
mod rigid_body;
mod scene;
pub mod spatial;
mod step_problem;
mod surface;
mod thrown;
mod time_stepper;
mod touch;

use nalgebra::{SMatrix, SVector};

use crate::contact::Link;

pub use bias::{Impacts, is_old_overlap};
pub use derivative::{AdvanceRates, CarriedRates, DifferentiableWorld, LinkRates, TouchRates};
pub use division::{ContactLaw, Divided, Division};
pub use frame::contact_frame;
pub use friction_passes::{CREEP, HELD, Pressed, SLIGHT};
pub use joint::{Anchor, AxisLaw, Coordinate, Joint, JointAxis};
pub use particles::{Bead, Particles};
pub use partner::Partner;
pub use plane::Plane;
pub use rebound::Rebound;
pub use rigid_body::{Point, RigidBody};
pub use scene::Scene;
pub use step_problem::{Demands, StepProblem};
pub use surface::{Surface, Surfaces};
pub use time_stepper::{StepFailure, StepReport, TimeStepper};
pub use touch::{TOUCHING, Touch};

/// Bodies that move and touch.
///
/// A step is semi-implicit: contacts are found at the start, the new velocity takes the pose to the
/// end.
pub trait World<const D: usize, const N: usize> {
    /// Where a body is.
    type Pose: Clone + std::fmt::Debug;

    /// Number of bodies, fixed ones included.
    fn bodies(&self) -> usize;

    /// Inverse inertia of each body at its pose, in the axes of its velocity; zero for a fixed body.
    fn inverse_inertia(&self, motion: &Motion<Self::Pose, N>, inverse: &mut Vec<SMatrix<f64, N, N>>);

    /// Velocities after `dt` s without contacts and links, under gravity and the external `forces` (a
    /// wrench about the centre of mass per body, N and N m).
    fn free_velocity(
        &self,
        motion: &Motion<Self::Pose, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        free: &mut Vec<SVector<f64, N>>,
    );

    /// Gravitational acceleration in m/s^2.
    fn gravity_vector(&self) -> SVector<f64, D>;

    /// Its magnitude.
    fn gravity(&self) -> f64 {
        self.gravity_vector().norm()
    }

    /// The gap in m of each body up to which its contacts take part in a step of `dt` s under the external
    /// `forces`: no less than the way that it may come closer to others. Those of two bodies add up.
    fn margins(
        &self,
        motion: &Motion<Self::Pose, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        margins: &mut Vec<f64>,
    );

    /// No point of body `index` is faster in m/s at this `velocity`; 0 for a fixed body.
    fn top_speed(&self, index: usize, velocity: &SVector<f64, N>) -> f64;

    /// Finds the contacts that a step may close, within the [`World::margins`] of the bodies; `facings` are those of
    /// the step before.
    fn find_touches(
        &self,
        motion: &Motion<Self::Pose, N>,
        margins: &[f64],
        facings: &[Facing<D>],
        touches: &mut Vec<Touch<D, N>>,
    );

    /// What of the `touches` is to be known in the next step.
    fn facings(&self, _touches: &[Touch<D, N>], facings: &mut Vec<Facing<D>>) {
        facings.clear();
    }

    /// The rows of the joints between bodies, for a step of `dt` s.
    fn links(&self, _motion: &Motion<Self::Pose, N>, _dt: f64, links: &mut Vec<Link<N>>) {
        links.clear();
    }

    /// The pose of body `index` after a step of `dt` s that took its velocity from `before` to `after`.
    fn advance(
        &self,
        index: usize,
        pose: &Self::Pose,
        before: &SVector<f64, N>,
        after: &SVector<f64, N>,
        dt: f64,
    ) -> Self::Pose;

    /// The velocity of body `index` after a step of `dt` s that `moved` it, but left it with the velocity `after`: in the
    /// axes that [`World::advance`] has brought it to. `before` is that at the start.
    fn carried(
        &self,
        _index: usize,
        _before: &SVector<f64, N>,
        _moved: &SVector<f64, N>,
        after: &SVector<f64, N>,
        _dt: f64,
    ) -> SVector<f64, N> {
        *after
    }
}

/// On which side of each other two bodies without thickness are: rods, and points on rods. Where they lie in each
/// other but for rounding, or for the way that a compliant contact gives, nothing else tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facing<const D: usize> {
    /// The two bodies.
    pub pair: (usize, usize),
    /// The normal of their contact, from the second into the first.
    pub normal: SVector<f64, D>,
}

/// Poses and velocities of all bodies at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion<P, const N: usize> {
    /// A pose per body.
    pub poses: Vec<P>,
    /// A velocity per body.
    pub velocities: Vec<SVector<f64, N>>,
}
