//! Bodies and what they touch: poses, velocities, shapes, contact finding.
//!
//! A [`World`] knows its bodies and finds where they touch; [`TimeStepper`] makes the contact
//! problem of a step of what was found, has a [`ContactModel`](crate::contact::ContactModel) solve
//! it, and moves the bodies. Nothing here knows of files. `D` is the number of rows of a contact (2
//! in the plane, 3 in space), `N` the number of velocities of a body (3 in the plane, 6 in space;
//! `D` for a point, which does not rotate).

mod anisotropy;
mod ball_contact;
mod bias;
mod body_part;
mod broad_phase;
mod certainty;
mod certificate;
mod compound;
mod course;
mod crossing_edges;
mod derivative;
mod distance;
mod divided_step;
mod division;
mod energy_cap;
mod frame;
mod friction_passes;
mod impact_rates;
mod impact_report;
mod impact_rounds;
mod incremental_impact;
mod joint;
mod joint_closing;
mod joint_directions;
mod particles;
mod partner;
mod passes;
pub mod planar;
mod plane;
mod rebound;
mod redundant_joints;
mod refill;
mod rigid_body;
mod scene;
mod settling;
mod solid;
pub mod spatial;
mod spatial_impact;
mod step_problem;
mod surface;
mod sweep;
mod thrown;
mod time_stepper;
mod touch;
mod way;

use nalgebra::{SMatrix, SVector};

use crate::contact::Link;

pub use anisotropy::Anisotropy;
pub use bias::{Impacts, impact_speed, is_old_overlap};
pub use body_part::BodyPart;
pub use certificate::Certificate;
pub use course::{Course, CourseRow, OnCourse};
pub use derivative::{AdvanceRates, CarriedRates, DifferentiableWorld, TouchRates};
pub use division::{ContactLaw, Divided, Division};
pub use energy_cap::{HeldImpact, Kept};
pub use frame::contact_frame;
pub use friction_passes::{CREEP, ContactHold, EarlierSolve, FrictionSolves, HELD, Pressed, SLIGHT, SlipOf};
pub use impact_rates::ImpactRates;
pub use impact_report::ImpactReport;
pub use impact_rounds::Blow;
pub use incremental_impact::{ImpactCourse, ImpactFriction, PlanarImpact};
pub use joint::{
    Anchor, AxisLaw, Coordinate, Drive, Joint, JointAxis, JointFrame, JointLawRates, JointMemory, JointRates,
    LinkLawRates, LinkRates, Remembered, Schedule, Target,
};
pub use joint_closing::JointClosing;
pub use joint_directions::JointDirections;
pub use particles::{Bead, Particles};
pub use partner::Partner;
pub use passes::Passage;
pub use plane::Plane;
pub use rebound::Rebound;
pub use redundant_joints::{redundant_links, redundant_rows, soften_links};
pub use rigid_body::{Point, RigidBody};
pub use scene::Scene;
pub use solid::{HalfSpace, Placement, Solid};
use solid::{Pair, seen};
pub use spatial_impact::SpatialImpact;
pub use step_problem::{Demands, StepProblem};
pub use surface::{Surface, Surfaces, TurningLaw};
pub use time_stepper::{StepFailure, StepReport, TimeStepper};
pub use touch::{TOUCHING, Touch, WayPoint};
pub use way::deepest_on_way;

/// Bodies that move and touch.
///
/// A step is semi-implicit: contacts are found at the start, the new velocity takes the pose to the
/// end.
pub trait World<const D: usize, const N: usize> {
    /// Where a body is.
    type Pose: Clone + std::fmt::Debug;

    /// Number of bodies, fixed ones included.
    fn bodies(&self) -> usize;

    /// Whether the motion of a body is given: nothing that acts on it moves it, and it moves all the same.
    fn is_driven(&self, _index: usize) -> bool {
        false
    }

    /// The velocities that take driven bodies through a step of `dt` s that starts at `time` in s, in `free`, one per body;
    /// those of the others are left as they are.
    fn drive(&self, _motion: &Motion<Self::Pose, N>, _time: f64, _dt: f64, _free: &mut [SVector<f64, N>]) {}

    /// By how much in m/s the mean velocity of a place of a driven body, over a step of `dt` s in which it has this velocity,
    /// differs from that at the start, as it goes on an arc: at the centre of mass of another body, which the body carries.
    fn beyond_tangent(
        &self,
        _motion: &Motion<Self::Pose, N>,
        _carrier: (usize, &SVector<f64, N>),
        _carried: usize,
        _dt: f64,
    ) -> SVector<f64, D> {
        SVector::zeros()
    }

    /// Inverse inertia of each body at its pose, in the axes of its velocity; zero for one that is fixed or driven.
    fn inverse_inertia(&self, motion: &Motion<Self::Pose, N>, inverse: &mut Vec<SMatrix<f64, N, N>>);

    /// Velocities that take the bodies through a step of `dt` s without contacts and links, under gravity and the external
    /// `forces` (a wrench about the centre of mass per body, N and N m), in the axes at its start. What turns by itself has
    /// its mean spin of the step; what it is left with is for [`World::carried`] to say.
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
    /// `forces`: no less than the way that it may come closer to others; 0 for one that is fixed or driven. Those of two
    /// bodies add up.
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

    /// How many convex parts body `index` has.
    fn parts(&self, _index: usize) -> usize {
        1
    }

    /// A part of a body as what axes separate from others; `None` where bodies have no shapes, and touch planes alone.
    fn solid(&self, _part: BodyPart) -> Option<Solid<'_, D>> {
        None
    }

    /// Where a body is at a pose.
    fn placement(&self, pose: &Self::Pose) -> Placement<D>;

    /// The velocity that takes a body from one pose to another in `dt` s, straight and evenly turning by no more than half a
    /// turn.
    fn velocity_between(&self, start: &Self::Pose, end: &Self::Pose, dt: f64) -> SVector<f64, N>;

    /// Pairs of bodies without extent that touch at a distance.
    fn beads(&self) -> &[Bead];

    /// How far what touches is from each other at these poses in m, negative where they overlap: two parts, or a body and
    /// a plane.
    fn gap_between(&self, poses: &[Self::Pose], touch: &Touch<D, N>) -> f64 {
        let Some(pair) = touch.pair() else {
            return self.height_over(touch.first, &poses[touch.first], touch.second);
        };
        let bodies = pair.map(|part| part.body);
        let places = bodies.map(|body| self.placement(&poses[body]));
        if let [Some(own), Some(other)] = pair.map(|part| self.solid(part))
            && own.reach() + other.reach() > 0.0
        {
            return Pair([own, other]).distance(&seen(&places));
        }
        let [first, second] = bodies;
        let is_it = |bead: &&Bead| bead.particles == [first, second] || bead.particles == [second, first];
        let distance = self.beads().iter().find(is_it).map_or(0.0, |bead| bead.distance);
        (places[0].position - places[1].position).norm() - distance
    }

    /// The pairs of parts of different bodies with shapes of which the balls around all their points, each larger by the
    /// `margin` of its body in m, meet; the body with the smaller number first.
    fn near_pairs(&self, _poses: &[Self::Pose], _margins: &[f64], pairs: &mut Vec<[BodyPart; 2]>) {
        pairs.clear();
    }

    /// Adds the contacts that two parts would have at these poses of their bodies, as far as `margin` m.
    fn touches_of_pair(
        &self,
        _pair: [BodyPart; 2],
        _poses: [&Self::Pose; 2],
        _margin: f64,
        _facing: Option<&SVector<f64, D>>,
        _touches: &mut Vec<Touch<D, N>>,
    ) {
    }

    /// Adds the contacts that a body at this pose would have with the ground and the walls, as far as `margin` m.
    fn touches_of_planes(
        &self,
        _index: usize,
        _pose: &Self::Pose,
        _margin: f64,
        _touches: &mut Vec<Touch<D, N>>,
    ) {
    }

    /// Adds the contacts that a body has at the first pose with the ground or a wall in those points of its rims that are the
    /// lowest over it at the second pose.
    fn touches_of_rims(
        &self,
        _index: usize,
        _poses: [&Self::Pose; 2],
        _plane: Partner,
        _touches: &mut Vec<Touch<D, N>>,
    ) {
    }

    /// The distance in m of body `index` at this pose from the ground or a wall, negative where it is in it.
    fn height_over(&self, index: usize, pose: &Self::Pose, plane: Partner) -> f64;

    /// The rows of the joints between bodies, for a step of `dt` s; they go by the `memory`, and remember the angles at its
    /// start.
    fn links(
        &self,
        _motion: &Motion<Self::Pose, N>,
        _dt: f64,
        _memory: &mut JointMemory,
        links: &mut Vec<Link<N>>,
    ) {
        links.clear();
    }

    /// Adds the wrenches of the motors in joints whose force is given to `loads`, one per body.
    fn joint_loads(
        &self,
        _motion: &Motion<Self::Pose, N>,
        _memory: &JointMemory,
        _loads: &mut [SVector<f64, N>],
    ) {
    }

    /// Adds the contacts of the stops in joints, by the angles in the `memory`.
    fn stops(&self, _motion: &Motion<Self::Pose, N>, _memory: &JointMemory, _touches: &mut Vec<Touch<D, N>>) {
    }

    /// The pose of body `index` `dt` s on at this `velocity`, straight and evenly turning.
    fn advance(&self, index: usize, pose: &Self::Pose, velocity: &SVector<f64, N>, dt: f64) -> Self::Pose;

    /// The velocity at the end of a step of `dt` s of body `index`, which `moved` took through it, and which is left with
    /// `after` in the axes at its start: in those that [`World::advance`] has brought it to. `before` is the velocity at the
    /// start. The two differ in a step in two stages.
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

/// On which side of each other two parts without thickness are: rods, and points on rods. Where they lie in each
/// other but for rounding, or for the way that a compliant contact gives, nothing else tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facing<const D: usize> {
    /// The two parts.
    pub pair: [BodyPart; 2],
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
