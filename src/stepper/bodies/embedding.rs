use nalgebra::SVector;

use crate::{
    model::State,
    stepper::{Moved, StepInput},
    world::{Motion, Particles, World},
};

/// How the bodies of a scenario are those of a world.
pub trait Embedding<const D: usize, const N: usize>: World<D, N, Pose: Send> + Send {
    /// Reads poses, velocities and wrenches.
    fn load(
        &self,
        input: &StepInput<'_, D>,
        motion: &mut Motion<Self::Pose, N>,
        forces: &mut Vec<SVector<f64, N>>,
    );

    /// Writes poses and velocities.
    fn store(&self, motion: &Motion<Self::Pose, N>, moved: &mut Moved<D>);

    /// Writes the impulses of the contacts of the step from `input`, a wrench per body about its centre of
    /// mass.
    fn store_impulses(&self, input: &StepInput<'_, D>, wrenches: &[SVector<f64, N>], moved: &mut Moved<D>);
}

impl<const D: usize> Embedding<D, D> for Particles<D> {
    fn load(
        &self,
        input: &StepInput<'_, D>,
        motion: &mut Motion<SVector<f64, D>, D>,
        forces: &mut Vec<SVector<f64, D>>,
    ) {
        motion.poses.clear();
        motion.poses.extend(input.states.iter().map(|state| state.position));
        motion.velocities.clear();
        motion.velocities.extend(input.states.iter().map(|state| state.velocity));
        forces.clear();
        forces.extend_from_slice(input.forces);
    }

    fn store(&self, motion: &Motion<SVector<f64, D>, D>, moved: &mut Moved<D>) {
        let bodies = motion.poses.iter().zip(&motion.velocities);
        for (state, (position, velocity)) in moved.states.iter_mut().zip(bodies) {
            *state = State { position: *position, velocity: *velocity };
        }
    }

    fn store_impulses(&self, _input: &StepInput<'_, D>, wrenches: &[SVector<f64, D>], moved: &mut Moved<D>) {
        moved.impulses.copy_from_slice(wrenches);
    }
}
