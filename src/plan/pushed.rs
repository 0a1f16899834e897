//! Pushes that are held over the steps of a plan, and the scenario that they make.

use super::{state::set_start, task::PlanTask};
use crate::{
    model::Spin,
    scenario::{Push, Scenario},
    world::Impacts,
};

/// Pushes over the steps of a task, and the states that they begin from, in SI units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pushed<'a> {
    /// The task, at the number of steps of these pushes.
    pub task: &'a PlanTask,
    /// Duration in s.
    pub duration: f64,
    /// The state of every body at the start, in the order of [`COMPONENTS`](super::COMPONENTS).
    pub start: &'a [[f64; 6]],
    /// Force in N and torque in N m of every control in every step.
    pub pushes: &'a [Vec<[f64; 3]>],
}

impl Pushed<'_> {
    /// The scenario in steps of which `parts` make one of the task's, with the pushes held over the task's steps. Impacts of
    /// bodies that turn are taken in two stages, as plans take them.
    pub fn scenario_in_steps(&self, parts: usize) -> Scenario<2> {
        let h = self.duration / self.task.steps as f64;
        let mut scenario = self.task.scenario.clone();
        scenario.duration = self.duration;
        scenario.step = h / parts as f64;
        for (body, state) in scenario.bodies.iter_mut().zip(self.start) {
            set_start(body, *state);
        }
        let several = scenario.bodies.len() > 1;
        for (k, pushes) in self.pushes.iter().enumerate() {
            for (control, [fx, fz, torque]) in self.task.controls.iter().zip(pushes) {
                if [*fx, *fz, *torque] == [0.0; 3] {
                    continue;
                }
                scenario.pushes.push(Push {
                    body: several.then_some(control.body),
                    torque: Spin::new(*torque, 0.0, 0.0),
                    point: (control.point != [0.0; 2]).then_some(control.point.into()),
                    from: Some(k as f64 * h),
                    to: Some((k + 1) as f64 * h),
                    ..Push::constant([*fx, *fz])
                });
            }
        }
        if scenario.has_turning_bodies() {
            scenario.steppers.impacts = Some(Impacts::TwoStage);
        }
        scenario
    }
}
