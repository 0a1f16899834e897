//! Bodies that a step throws at what was out of their reach.

use nalgebra::SVector;

use super::{BodyPart, Demands, Motion, Partner, StepProblem, Touch, World, bias::CLOSED};
use crate::contact::Solution;

/// The way of a step on which a body would pass into what its problem did not look for.
///
/// The contacts of a step are looked for as far as velocities and forces at its start may take the bodies. A blow
/// from another body, a rod or a spring may take one further. Such contacts bound the way of that step, and nothing
/// else: the body ends where they close, at the velocity that it was thrown with, and hits in the step after, with
/// the speed and the rebound of an impact.
#[derive(Default)]
pub(super) struct Thrown<const D: usize, const N: usize> {
    /// The problem of the step with the contacts that bodies are thrown at.
    pub problem: StepProblem<D, N>,
    /// What moves the bodies.
    pub solution: Solution<D, N>,
    found: Vec<Touch<D, N>>,
    margins: Vec<f64>,
}

impl<const D: usize, const N: usize> StepProblem<D, N> {
    /// Whether a body at these velocities goes further in the step than its contacts were looked for.
    pub(super) fn is_outrun<W: World<D, N> + ?Sized>(
        &self,
        world: &W,
        velocities: &[SVector<f64, N>],
    ) -> bool {
        let dt = self.contact.time_step;
        let mut bodies = velocities.iter().zip(&self.margins).enumerate();
        bodies.any(|(index, (velocity, margin))| dt * world.top_speed(index, velocity) > *margin)
    }
}

impl<const D: usize, const N: usize> Thrown<D, N> {
    /// Looks as far as these velocities take the bodies. Where they would pass into something new, it becomes part
    /// of the problem, and the answer is yes. Where the way of the step `is_swept`, it has found all but points
    /// that touch at a distance.
    pub fn reaches<W: World<D, N> + ?Sized>(
        &mut self,
        world: &W,
        motion: &Motion<W::Pose, N>,
        velocities: &[SVector<f64, N>],
        demands: Demands,
        is_swept: bool,
    ) -> bool {
        let Self { problem, found, margins, .. } = self;
        if !problem.is_outrun(world, velocities) {
            return false;
        }
        let dt = problem.contact.time_step;
        let ways =
            velocities.iter().enumerate().map(|(index, velocity)| dt * world.top_speed(index, velocity));
        margins.clear();
        margins.extend(problem.margins.iter().zip(ways).map(|(margin, way)| margin.max(way)));
        world.find_touches(motion, margins, &problem.facings, found);
        let was_looked_for = |touch: &Touch<D, N>| {
            let other = if let Partner::Body(other) = touch.second { problem.margins[other] } else { 0.0 };
            touch.gap <= problem.margins[touch.first] + other
        };
        let passes = |touch: &Touch<D, N>| touch.gap + dt * touch.normal_velocity(velocities) < -CLOSED;
        if is_swept {
            // The way has found the others.
            let has_shape = |part: BodyPart| world.solid(part).is_some_and(|solid| solid.reach() > 0.0);
            found.retain(|touch| touch.pair().is_some_and(|pair| !pair.into_iter().any(has_shape)));
        }
        if !found.iter().any(|touch| !was_looked_for(touch) && passes(touch)) {
            return false;
        }
        if is_swept {
            problem.touches.extend(found.drain(..).filter(|touch| !was_looked_for(touch)));
        } else {
            found.extend(
                problem.touches.drain(..).filter(|touch| matches!(touch.second, Partner::Stop { .. })),
            );
            std::mem::swap(&mut problem.touches, found);
        }
        std::mem::swap(&mut problem.margins, margins);
        problem.pose_contacts(world, motion, demands);
        true
    }
}
