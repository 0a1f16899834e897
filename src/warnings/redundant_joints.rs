//! Joints that hold the same twice.

use crate::{
    scenario::{AnyScenarioRef, Scenario},
    stepper::{StepperName, planar_scene, spatial_scene},
    world::redundant_rows,
};

impl<const D: usize> Scenario<D> {
    /// A sentence where joints close a loop of which some rows follow from the others, so that motion does not tell what
    /// each of them carries.
    pub(super) fn redundant_joints(&self) -> Option<String> {
        if self.joints.is_empty() {
            return None;
        }
        let name = StepperName::NLP;
        let rows = match self.of_known_dimension()? {
            AnyScenarioRef::InPlane(scenario) => {
                let scene = planar_scene(scenario, name).ok()?;
                redundant_rows(&scene, &scene.initial_motion(), self.step)
            }
            AnyScenarioRef::OverPlane(scenario) => {
                let scene = spatial_scene(scenario, name).ok()?;
                redundant_rows(&scene, &scene.initial_motion(), self.step)
            }
        };
        let count = rows.iter().filter(|is_redundant| **is_redundant).count();
        (count > 0).then(|| {
            format!(
                "joints close a loop whose {count} rows hold some motion twice: they give way by 1e-4 of what they answer with, and \
                 the forces of joints.csv are one choice of many; leave out what is held twice, a ball joint in the place of a \
                 hinge for example"
            )
        })
    }
}
