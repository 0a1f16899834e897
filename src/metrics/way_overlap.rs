use std::{any::Any, fmt};

use super::Observer;
use crate::{
    model::{Attitude, State},
    scenario::{AnyScenarioRef, Scenario},
    stepper::{Embedding, Honours, StepInput, StepperName, planar_scene, spatial_scene},
    trajectory::Passage,
    world::{Motion, deepest_on_way},
};

/// Bodies at one instant.
type Bodies<'a, const D: usize> = (&'a [State<D>], &'a [Attitude]);

/// The deepest overlap on the way between two instants in m, or that given where none is deeper.
type Deepest<const D: usize> = Box<dyn FnMut([Bodies<'_, D>; 2], f64) -> f64 + Send>;

/// The deepest overlap of two bodies at the ends of steps and on the straight way between them, from their poses alone,
/// whatever moved them: what flies through a thin plate in one step is in it there.
pub(super) struct WayOverlap<const D: usize> {
    deepest: Deepest<D>,
    so_far: f64,
}

impl<const D: usize> fmt::Debug for WayOverlap<D> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("WayOverlap").field("so_far", &self.so_far).finish_non_exhaustive()
    }
}

impl<const D: usize> WayOverlap<D> {
    pub(super) fn observer<'a>(scenario: &'a Scenario<D>, _: Honours) -> Option<Box<dyn Observer<D> + 'a>> {
        if scenario.bodies.len() < 2 || !scenario.has_turning_bodies() {
            return None;
        }
        let name = StepperName::NLP;
        // One of the two is the scenario itself.
        let deepest: Box<dyn Any> = match scenario.of_known_dimension()? {
            AnyScenarioRef::InPlane(scenario) => {
                Box::new(in_world(planar_scene(scenario, name).ok()?, scenario.step))
            }
            AnyScenarioRef::OverPlane(scenario) => {
                Box::new(in_world(spatial_scene(scenario, name).ok()?, scenario.step))
            }
        };
        let deepest = *deepest.downcast::<Deepest<D>>().ok()?;
        Some(Box::new(Self { deepest, so_far: 0.0 }))
    }
}

fn in_world<W: Embedding<D, N> + 'static, const D: usize, const N: usize>(world: W, dt: f64) -> Deepest<D> {
    let empty = || Motion { poses: Vec::new(), velocities: Vec::new() };
    let (mut motions, mut wrenches) = ([empty(), empty()], Vec::new());
    Box::new(move |instants, least| {
        for ((states, attitudes), motion) in instants.into_iter().zip(&mut motions) {
            let input = StepInput { index: 0, time: 0.0, dt, states, attitudes, forces: &[], torques: &[] };
            world.load(&input, motion, &mut wrenches);
        }
        deepest_on_way(&world, [&motions[0].poses, &motions[1].poses], dt, least)
    })
}

impl<const D: usize> Observer<D> for WayOverlap<D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let ends = [0, 1].map(|end| (passage.states[end], passage.attitudes[end]));
        self.so_far = (self.deepest)(ends, self.so_far);
    }

    fn value(&self) -> Option<f64> {
        Some(self.so_far)
    }
}
