//! A scene that does not tell the shapes of its bodies, so that no step can look along its way.

use nalgebra::{SMatrix, SVector};
use stickslip_contact::world::{
    Bead, BodyPart, Facing, Motion, Partner, Placement, RigidBody, Scene, Touch, World,
};

/// Contacts are those of the start of a step.
pub struct Blind<'a, B, const D: usize>(pub &'a Scene<B, D>);

impl<B: RigidBody<D, N>, const D: usize, const N: usize> World<D, N> for Blind<'_, B, D> {
    type Pose = B::Pose<f64>;

    fn bodies(&self) -> usize {
        self.0.bodies()
    }

    fn inverse_inertia(&self, motion: &Motion<Self::Pose, N>, inverse: &mut Vec<SMatrix<f64, N, N>>) {
        self.0.inverse_inertia(motion, inverse);
    }

    fn free_velocity(
        &self,
        motion: &Motion<Self::Pose, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        free: &mut Vec<SVector<f64, N>>,
    ) {
        self.0.free_velocity(motion, forces, dt, free);
    }

    fn gravity_vector(&self) -> SVector<f64, D> {
        self.0.gravity_vector()
    }

    fn margins(
        &self,
        motion: &Motion<Self::Pose, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        margins: &mut Vec<f64>,
    ) {
        self.0.margins(motion, forces, dt, margins);
    }

    fn top_speed(&self, index: usize, velocity: &SVector<f64, N>) -> f64 {
        self.0.top_speed(index, velocity)
    }

    fn find_touches(
        &self,
        motion: &Motion<Self::Pose, N>,
        margins: &[f64],
        facings: &[Facing<D>],
        touches: &mut Vec<Touch<D, N>>,
    ) {
        self.0.find_touches(motion, margins, facings, touches);
    }

    fn placement(&self, pose: &Self::Pose) -> Placement<D> {
        self.0.placement(pose)
    }

    fn velocity_between(&self, start: &Self::Pose, end: &Self::Pose, dt: f64) -> SVector<f64, N> {
        self.0.velocity_between(start, end, dt)
    }

    fn beads(&self) -> &[Bead] {
        &[]
    }

    fn near_pairs(&self, poses: &[Self::Pose], margins: &[f64], pairs: &mut Vec<[BodyPart; 2]>) {
        self.0.near_pairs(poses, margins, pairs);
    }

    fn height_over(&self, index: usize, pose: &Self::Pose, plane: Partner) -> f64 {
        self.0.height_over(index, pose, plane)
    }

    fn advance(&self, index: usize, pose: &Self::Pose, velocity: &SVector<f64, N>, dt: f64) -> Self::Pose {
        self.0.advance(index, pose, velocity, dt)
    }

    fn carried(
        &self,
        index: usize,
        before: &SVector<f64, N>,
        moved: &SVector<f64, N>,
        after: &SVector<f64, N>,
        dt: f64,
    ) -> SVector<f64, N> {
        self.0.carried(index, before, moved, after, dt)
    }
}
