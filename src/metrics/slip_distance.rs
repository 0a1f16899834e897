use std::collections::BTreeMap;

use super::{
    Observer,
    contact_slip::{ContactSlip, ContactSlips},
};
use crate::{
    scenario::{Partner, Scenario},
    stepper::{ContactMode, Honours},
    trajectory::Passage,
};

/// The way in m by which two surfaces that press on each other have moved past each other over a run, of the pair that came
/// farthest. Of several contacts of a pair the fastest counts.
#[derive(Debug, Clone)]
pub(super) struct SlipDistance<'a, const D: usize> {
    slips: ContactSlips<'a, D>,
    step: f64,
    pairs: BTreeMap<(usize, Partner), Pair>,
}

/// Two surfaces that press on each other, or did.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    /// The way in m before the last step in which they pressed.
    way: f64,
    /// That step, and their speed in it in m/s.
    last: (usize, f64),
}

impl Pair {
    fn way_after_last(&self, step: f64) -> f64 {
        self.way + self.last.1 * step
    }
}

impl<const D: usize> SlipDistance<'_, D> {
    pub(super) fn observer<'a>(scenario: &'a Scenario<D>, _: Honours) -> Option<Box<dyn Observer<D> + 'a>> {
        Some(Box::new(SlipDistance {
            slips: ContactSlips::in_scenario(scenario),
            step: scenario.step,
            pairs: BTreeMap::new(),
        }))
    }
}

impl<const D: usize> Observer<D> for SlipDistance<'_, D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let presses =
            |slip: &ContactSlip<D>| slip.mode != ContactMode::Open && slip.normal.dot(&slip.force) > 0.0;
        for slip in self.slips.of(passage).filter(presses) {
            let pair = self.pairs.entry(slip.between).or_default();
            let speed = slip.velocity.norm();
            if pair.last.0 == passage.index {
                pair.last.1 = pair.last.1.max(speed);
            } else {
                *pair = Pair { way: pair.way_after_last(self.step), last: (passage.index, speed) };
            }
        }
    }

    /// The way; `None` where nothing touched.
    fn value(&self) -> Option<f64> {
        self.pairs.values().map(|pair| pair.way_after_last(self.step)).reduce(f64::max)
    }
}
