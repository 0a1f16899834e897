use super::Observer;
use crate::{
    decimal::rounded,
    model::{Attitude, State},
    scenario::Scenario,
    stepper::Honours,
    trajectory::{Passage, Trajectory},
    world::{AxisLaw, Coordinate, Joint},
};

/// Largest deviation over the run of a rod from its length, or along an axis of the points of a joint from each other, in m; 0 if
/// there are none.
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
        let mut rods = Self { joints: scenario.world_joints(), worst: 0.0 };
        rods.add(&scenario.initial_states(), &scenario.initial_attitudes());
        rods
    }

    pub(super) fn add(&mut self, states: &[State<D>], attitudes: &[Attitude]) {
        for joint in &self.joints {
            for axis in &joint.axes {
                if let (AxisLaw::Locked { at }, true) = (&axis.law, axis.coordinate.is_length()) {
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
        (!(scenario.rods.is_empty() && scenario.joints.is_empty()))
            .then(|| Box::new(Self::of(scenario)) as Box<dyn Observer<D>>)
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

/// Part of its length by which a rod may be off before its motion is no longer that of a rod.
const STRETCHED: f64 = 1e-2;

/// In words, that a rod is far from its length, where `strain` is the largest deviation as a part of it.
pub(super) fn stretched<const D: usize>(scenario: &Scenario<D>, strain: Option<f64>) -> Option<String> {
    let strain = strain.filter(|strain| *strain > STRETCHED)?;
    let lengths =
        scenario.rods.iter().map(|rod| rod.length.unwrap_or_else(|| scenario.initial_distance(&rod.ends)));
    let shortest = lengths.fold(f64::INFINITY, f64::min);
    Some(format!(
        "a rod is off by up to {:.0} % of its length, the shortest is {} m long: it turns too far in a step; take shorter \
         steps, or a [[joint]] where it stands for a hinge",
        100.0 * strain,
        rounded(shortest, 3)
    ))
}

/// The rods of a scenario, and the largest deviation of one from its length as a part of it so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RodStrain<const D: usize> {
    rods: Vec<(Joint<D>, f64)>,
    worst: f64,
}

impl<const D: usize> RodStrain<D> {
    pub(super) fn observer<'a>(scenario: &'a Scenario<D>, _: Honours) -> Option<Box<dyn Observer<D> + 'a>> {
        let length = |joint: &Joint<D>| {
            joint.axes.iter().find_map(|axis| match (&axis.coordinate, &axis.law) {
                (Coordinate::Distance, AxisLaw::Locked { at }) => Some(*at),
                _ => None,
            })
        };
        let joints = scenario.world_joints().into_iter();
        let rods: Vec<_> = joints.filter_map(|joint| length(&joint).map(|length| (joint, length))).collect();
        let is_there = !rods.is_empty();
        is_there.then(|| Box::new(Self { rods, worst: 0.0 }) as Box<dyn Observer<D>>)
    }
}

impl<const D: usize> Observer<D> for RodStrain<D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let [_, states] = passage.states;
        for (rod, length) in &self.rods {
            let value = rod
                .value(&Coordinate::Distance, |body| Some((&states[body], passage.attitudes[1].get(body))));
            self.worst = self.worst.max(value.map_or(0.0, |value| (value - length).abs() / length));
        }
    }

    fn value(&self) -> Option<f64> {
        Some(self.worst)
    }
}
