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

/// Part of its length by which a rod may be off before its motion is no longer that of a rod; of a joint part of the size of the
/// larger of its bodies.
const STRETCHED: f64 = 1e-2;

/// In words, that a rod is far from its length or that the points of a joint are far from each other, where `strain` is the
/// largest deviation as a part of the size.
pub(super) fn stretched<const D: usize>(scenario: &Scenario<D>, strain: Option<f64>) -> Option<String> {
    let strain = strain.filter(|strain| *strain > STRETCHED)?;
    let part = format!("{:.0} %", 100.0 * strain);
    if scenario.rods.is_empty() {
        return Some(format!(
            "a joint comes apart by up to {part} of the size of its larger body: it turns too far in a step, or carries too much \
             for how light it is; take shorter steps"
        ));
    }
    let lengths =
        scenario.rods.iter().map(|rod| rod.length.unwrap_or_else(|| scenario.initial_distance(&rod.ends)));
    let shortest = lengths.fold(f64::INFINITY, f64::min);
    Some(format!(
        "a rod is off by up to {part} of its length, the shortest is {} m long: it turns too far in a step; take shorter \
         steps, or a [[joint]] where it stands for a hinge",
        rounded(shortest, 3)
    ))
}

/// The rods and joints of a scenario, each with the length that its error is a part of, and the largest such part so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RodStrain<const D: usize> {
    joints: Vec<(Joint<D>, f64)>,
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
        let size = |index: usize| {
            let setup =
                index.checked_sub(scenario.first_joint()).and_then(|joint| scenario.joints.get(joint))?;
            let reaches = setup.bodies.iter().flatten().map(|body| scenario.bodies[*body].reach());
            reaches.reduce(f64::max).filter(|reach| *reach > 0.0)
        };
        let joints = scenario.world_joints().into_iter().enumerate();
        let sized =
            joints.filter_map(|(index, joint)| Some((length(&joint).or_else(|| size(index))?, joint)));
        let joints: Vec<_> = sized.map(|(length, joint)| (joint, length)).collect();
        let is_there = !joints.is_empty();
        is_there.then(|| Box::new(Self { joints, worst: 0.0 }) as Box<dyn Observer<D>>)
    }
}

impl<const D: usize> Observer<D> for RodStrain<D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let [_, states] = passage.states;
        for (joint, length) in &self.joints {
            for axis in joint.axes.iter().filter(|axis| axis.coordinate.is_length()) {
                let AxisLaw::Locked { at } = &axis.law else { continue };
                let value = joint
                    .value(&axis.coordinate, |body| Some((&states[body], passage.attitudes[1].get(body))));
                self.worst = self.worst.max(value.map_or(0.0, |value| (value - at).abs() / length));
            }
        }
    }

    fn value(&self) -> Option<f64> {
        Some(self.worst)
    }
}
