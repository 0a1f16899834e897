use std::collections::HashMap;

use super::{Observer, contact_slip::ContactSlips};
use crate::{
    scenario::{Partner, Scenario},
    stepper::Honours,
    trajectory::Passage,
};

/// The way in m by which two surfaces that press on each other have moved past each other over a run, of the pair that came
/// farthest. Of several contacts of a pair the fastest counts.
#[derive(Debug, Clone)]
pub(super) struct SlipDistance<'a, const D: usize> {
    slips: ContactSlips<'a, D>,
    step: f64,
    ways: HashMap<(usize, Partner), f64>,
    /// Speeds of the pairs in the step that is taken in, kept for its storage.
    speeds: HashMap<(usize, Partner), f64>,
}

impl<const D: usize> SlipDistance<'_, D> {
    pub(super) fn observer<'a>(scenario: &'a Scenario<D>, _: Honours) -> Option<Box<dyn Observer<D> + 'a>> {
        Some(Box::new(SlipDistance {
            slips: ContactSlips::in_scenario(scenario),
            step: scenario.step,
            ways: HashMap::new(),
            speeds: HashMap::new(),
        }))
    }
}

impl<const D: usize> Observer<D> for SlipDistance<'_, D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        for slip in self.slips.of(passage).filter(|slip| slip.normal.dot(&slip.force) > 0.0) {
            let speed = self.speeds.entry(slip.between).or_default();
            *speed = speed.max(slip.velocity.norm());
        }
        for (between, speed) in self.speeds.drain() {
            *self.ways.entry(between).or_default() += speed * self.step;
        }
    }

    /// The way; `None` where nothing touched.
    fn value(&self) -> Option<f64> {
        self.ways.values().copied().reduce(f64::max)
    }
}
