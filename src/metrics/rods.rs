use super::Observer;
use crate::{
    model::{Attitude, State},
    scenario::Scenario,
    stepper::Honours,
    trajectory::{Passage, Trajectory},
    world::{AxisLaw, Joint},
};

/// Largest deviation of a rod from its length over the run, in m; 0 if there is no rod.
pub fn max_rod_error<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let mut rods = Rods::of(&trajectory.scenario);
    trajectory.for_each_passage(|passage| rods.add(passage.states[1], passage.attitudes[1]));
    rods.worst
}

/// What the joints of a scenario hold rigidly, and the largest error so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rods<const D: usize> {
    joints: Vec<Joint<D>>,
    worst: f64,
}

impl<const D: usize> Rods<D> {
    pub(super) fn of(scenario: &Scenario<D>) -> Self {
        let mut rods = Self { joints: scenario.joints(), worst: 0.0 };
        rods.add(&scenario.initial_states(), &scenario.initial_attitudes());
        rods
    }

    pub(super) fn add(&mut self, states: &[State<D>], attitudes: &[Attitude]) {
        for joint in &self.joints {
            for axis in &joint.axes {
                if let AxisLaw::Locked { at } = axis.law {
                    let value =
                        joint.value(&axis.coordinate, |body| Some((&states[body], attitudes.get(body))));
                    self.worst = self.worst.max(value.map_or(0.0, |value| (value - at).abs()));
                }
            }
        }
    }
}

impl<const D: usize> Rods<D> {
    pub(super) fn observer<'a>(scenario: &'a Scenario<D>, _: Honours) -> Option<Box<dyn Observer<D> + 'a>> {
        (!scenario.rods.is_empty()).then(|| Box::new(Self::of(scenario)) as Box<dyn Observer<D>>)
    }
}

impl<const D: usize> Observer<D> for Rods<D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        self.add(passage.states[1], passage.attitudes[1]);
    }

    fn value(&self) -> Option<f64> {
        Some(self.worst)
    }
}
