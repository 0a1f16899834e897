//! What models of bodies do that rigid bodies do not, measured against a reference motion.

use super::Comparison;
use crate::{
    scenario::Partner,
    stepper::{Contact, Roster, StepperName},
    trajectory::{Ending, Track, Trajectory},
};

/// Share of a body's weight below which it is not in contact.
const NO_CONTACT: f64 = 1e-6;

/// Share of a body's weight above which the reference holds it.
const HELD: f64 = 1e-3;

/// Steps that a body has to be off everything in a row, to hop rather than to come late.
const HOP_STEPS: usize = 5;

/// Height of a hop worth a word, in units of the way `g dt^2` that gravity makes in a step from rest.
const HOP_HEIGHT: f64 = 10.0;

/// Steps of rest that a creep is measured over, at least.
const REST_STEPS: usize = 20;

/// Speed of rest, and of a creep worth a word, in units of the speed `g dt` that gravity makes in a step.
const REST_SPEED: f64 = 1e-2;
const CREEP_SPEED: f64 = 1e-4;

/// Difference of two states, in units of `g dt^2` and `g dt`, up to which their motions are the same.
const SAME_MOTION: f64 = 1e-3;

/// Share of a body's weight from which two forces differ.
const OTHER_FORCE: f64 = 1e-2;

/// What sets a motion of bodies apart from that of a reference of rigid bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Conduct {
    /// Whom it is measured against.
    pub reference: StepperName,
    /// A body that is off everything where the reference keeps it in contact, and rises above it.
    pub hop: Option<Hop>,
    /// A body that moves on where it is at rest by the reference.
    pub creep: Option<Creep>,
    /// A contact whose force differs where the motions do not.
    pub open_force: Option<OpenForce>,
}

/// The highest hop of a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hop {
    /// The body.
    pub body: usize,
    /// How far it rises above where the reference has it, in m.
    pub height: f64,
    /// Time in s at which it is highest.
    pub time: f64,
}

/// The fastest creep of a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Creep {
    /// The body.
    pub body: usize,
    /// Its mean speed in m/s.
    pub speed: f64,
}

/// The largest difference of a contact force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenForce {
    /// The body that is pushed.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// By how much the normal forces differ, in N.
    pub difference: f64,
    /// Time in s at the start of the step.
    pub time: f64,
}

impl<const D: usize> Comparison<D> {
    /// What each entry does against the exact motion or, where there is none, another model of rigid bodies; `None`
    /// for a single point, which has measures of its own, for what was recorded, and for runs that did not reach the end.
    pub(super) fn conducts(&self) -> Vec<Option<Conduct>> {
        let complete = |trajectory: &&Trajectory<D>| trajectory.ending == Ending::Complete;
        let references = Roster::RigidReference.steppers();
        let rigid = || {
            references.iter().filter_map(|name| {
                self.trajectories().into_iter().filter(complete).find(|one| one.stepper == *name)
            })
        };
        let truth = self.truth.as_ref().map(|truth| &truth.trajectory);
        let conduct = |trajectory: &Trajectory<D>| {
            let other = |reference: &&Trajectory<D>| reference.stepper != trajectory.stepper;
            let reference = truth.filter(other).or_else(|| rigid().find(other))?;
            let is_rigid = references.contains(&trajectory.stepper);
            let same_law = is_rigid.then(|| rigid().find(other)).flatten();
            // Of what was recorded nobody knows what touched.
            let is_known = complete(&trajectory) && !trajectory.stepper.is_recorded();
            (is_known && !self.scenario.layout().is_point())
                .then(|| Conduct::of(trajectory, reference, same_law))
        };
        self.trajectories().into_iter().map(conduct).collect()
    }
}

impl Conduct {
    /// Measures `trajectory` against `reference`, and its forces against those of `same_law`, another model of the
    /// same law.
    fn of<const D: usize>(
        trajectory: &Trajectory<D>,
        reference: &Trajectory<D>,
        same_law: Option<&Trajectory<D>>,
    ) -> Self {
        let tracks = || trajectory.tracks().zip(reference.tracks());
        let free = |(track, _): &(Track<'_, D>, Track<'_, D>)| !track.scenario.bodies[track.body].fixed;
        let hops = tracks().filter(free).filter_map(|(track, reference)| Hop::of(track, reference));
        let creeps = tracks().filter(free).filter_map(|(track, reference)| Creep::of(track, reference));
        Self {
            reference: reference.stepper,
            hop: hops.max_by(|a, b| a.height.total_cmp(&b.height)),
            creep: creeps.max_by(|a, b| a.speed.total_cmp(&b.speed)),
            open_force: same_law.and_then(|other| OpenForce::of(trajectory, other)),
        }
    }
}

/// `g dt` in m/s; without gravity what 1 m/s^2 makes.
fn speed_unit<const D: usize>(track: &Track<'_, D>) -> f64 {
    let gravity = track.scenario.gravity;
    track.scenario.step * if gravity > 0.0 { gravity } else { 1.0 }
}

fn weight<const D: usize>(track: &Track<'_, D>) -> f64 {
    track.scenario.bodies[track.body].mass * speed_unit(track) / track.scenario.step
}

impl Hop {
    fn of<const D: usize>(track: Track<'_, D>, reference: Track<'_, D>) -> Option<Self> {
        let weight = weight(&track);
        let least = HOP_HEIGHT * speed_unit(&track) * track.scenario.step;
        let reach = track.scenario.bodies[track.body].reach();
        let mut highest: Option<Self> = None;
        let mut airborne = 0;
        for k in 0..track.steps.len().min(reference.steps.len()) {
            let off = track.steps[k].force.norm() <= NO_CONTACT * weight;
            let held = reference.steps[k].force.norm() > HELD * weight;
            airborne = if off && held { airborne + 1 } else { 0 };
            let apart = track.states[k + 1].position - reference.states[k + 1].position;
            let height = apart[D - 1];
            // Bodies that went another way altogether do not hop.
            let same_way = apart.norm() <= reach.max(least);
            let is_higher = highest.is_none_or(|hop| height > hop.height);
            if airborne >= HOP_STEPS && same_way && height > least && is_higher {
                highest = Some(Self { body: track.body, height, time: track.time(k + 1) });
            }
        }
        highest
    }
}

impl Creep {
    fn of<const D: usize>(track: Track<'_, D>, reference: Track<'_, D>) -> Option<Self> {
        let unit = speed_unit(&track);
        let reach = track.scenario.bodies[track.body].reach();
        let speed = |track: &Track<'_, D>, k: usize| {
            let turning = track.attitudes.get(k).map_or(0.0, |attitude| reach * attitude.spin.norm());
            track.states[k].velocity.norm().max(turning)
        };
        let count = track.states.len().min(reference.states.len());
        let rests = |k: &usize| speed(&reference, *k) <= REST_SPEED * unit;
        let rest = (0..count).rev().take_while(rests).count();
        // The first half of the rest is for what comes late.
        let (from, to) = (count - rest / 2, count - 1);
        if rest < 2 * REST_STEPS || (from..count).any(|k| speed(&track, k) > unit) {
            return None;
        }
        let turned = |track: &Track<'_, D>| {
            let ends = track.attitudes.get(from).zip(track.attitudes.get(to));
            ends.map_or(0.0, |(a, b)| reach * a.orientation.angle_to(&b.orientation))
        };
        // The reference may creep as well, if by less than counts as moving.
        let moved = |track: &Track<'_, D>| track.states[to].position - track.states[from].position;
        let turn = turned(&track) - turned(&reference);
        let way = (moved(&track) - moved(&reference)).norm().max(turn);
        let mean = way / (track.time(to) - track.time(from));
        (mean > CREEP_SPEED * unit).then_some(Self { body: track.body, speed: mean })
    }
}

impl OpenForce {
    fn of<const D: usize>(trajectory: &Trajectory<D>, other: &Trajectory<D>) -> Option<Self> {
        let mut largest: Option<Self> = None;
        for k in 0..trajectory.steps.len().min(other.steps.len()) {
            let same = trajectory
                .tracks()
                .zip(other.tracks())
                .all(|(a, b)| [k, k + 1].into_iter().all(|k| is_same_motion(&a, &b, k)));
            let [mine, others] = [trajectory, other].map(|trajectory| trajectory.contacts.of_step(k));
            if !same || mine.len() != others.len() {
                continue;
            }
            for (a, b) in mine.iter().zip(others) {
                if (a.first, a.second) != (b.first, b.second) {
                    continue;
                }
                let normal = |contact: &Contact<D>| contact.force.dot(&contact.normal);
                let difference = (normal(a) - normal(b)).abs();
                let worth_a_word = OTHER_FORCE * weight(&trajectory.track(a.first));
                if difference > largest.map_or(worth_a_word, |largest| largest.difference) {
                    let time = trajectory.time(k);
                    largest = Some(Self { first: a.first, second: a.second, difference, time });
                }
            }
        }
        largest
    }
}

fn is_same_motion<const D: usize>(a: &Track<'_, D>, b: &Track<'_, D>, k: usize) -> bool {
    let unit = SAME_MOTION * speed_unit(a);
    let reach = a.scenario.bodies[a.body].reach();
    let (x, y) = (a.states[k], b.states[k]);
    let turned = a.attitudes.get(k).zip(b.attitudes.get(k)).is_none_or(|(x, y)| {
        reach * x.orientation.angle_to(&y.orientation) <= unit * a.scenario.step
            && reach * (x.spin - y.spin).norm() <= unit
    });
    turned
        && (x.velocity - y.velocity).norm() <= unit
        && (x.position - y.position).norm() <= unit * a.scenario.step
}
