use super::{Observer, penetration::raise};
use crate::{
    model::{Attitude, Orientation, PointMass, Spin, State, Vector, unwrapped},
    scenario::{Moments, Partner, Push, Scenario, Wall},
    stepper::{Contact, Honours},
    trajectory::{Passage, Track, Trajectory},
    world::{AxisLaw, Coordinate, Joint},
};

/// Largest energy that a body gained in a step beyond the work `U.(x+ - x)` of the push and that of moving walls and driven
/// bodies, the impulse of the contact times the velocity of the surface, in J; 0 if it never did. What other bodies and springs do
/// to it counts as gain. One that is driven has no energy of its own.
///
/// A passive ground never gives: semi-implicit Euler itself loses `m |a|^2 dt^2/2` per step under
/// a constant acceleration `a`.
///
/// Steps in which a stepper follows pushes that change within the step, as `exact` does, are left out: the mean
/// push of such a step does not tell its work.
pub fn max_energy_gain<const D: usize>(track: Track<'_, D>) -> f64 {
    if track.scenario.bodies[track.body].fixed {
        return 0.0;
    }
    let point = track.point();
    let walls = MovingWalls::of(track.scenario);
    let moments = Moments::of(&track.scenario.bodies[track.body..=track.body]);
    let known = |k: &usize| work_is_known(track.scenario, &track.honours, *k);
    let gains = (0..track.steps.len()).filter(known).map(|k| {
        let states = [&track.states[k], &track.states[k + 1]];
        let turning = match (track.attitudes.get(k..k + 2), track.push_torques.get(k)) {
            (Some([before, after]), Some(torque)) => {
                turning_gain((&moments, 0), [before, after], torque, track.scenario.step)
            }
            _ => 0.0,
        };
        let by_walls = walls.work(track.contacts.of_step(k), track.body, track.scenario.step);
        let step = &track.steps[k];
        moving_gain(&point, states, &step.push) + turning - by_walls - step.driven_work
    });
    gains.fold(0.0, f64::max)
}

/// Most energy that all bodies and springs of a run together ever had beyond what they started with and the work of
/// the pushes, the moving walls and the driven bodies, in J; at least 0. Contacts that are compressed at the start have more.
pub fn max_energy_created<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let mut gains = EnergyGains::new(&trajectory.scenario, trajectory.honours);
    let (mut created, mut most) = (0.0, 0.0_f64);
    trajectory.for_each_passage(|passage| {
        created += gains.add(passage);
        most = most.max(created);
    });
    most
}

/// The number of the step in which all bodies and springs of a run together gain most energy beyond the work of the
/// pushes and the moving walls; `None` if they never gain any.
pub fn step_of_max_energy_gain<const D: usize>(trajectory: &Trajectory<D>) -> Option<usize> {
    let mut gains = EnergyGains::new(&trajectory.scenario, trajectory.honours);
    let (mut step, mut most) = (None, 0.0);
    trajectory.for_each_passage(|passage| {
        let gained = gains.add(passage);
        if gained > most {
            (step, most) = (Some(passage.index), gained);
        }
    });
    step
}

/// Whether the push that is recorded of step `k` tells the work of the pushes in it.
#[inline]
fn work_is_known<const D: usize>(scenario: &Scenario<D>, honours: &Honours, k: usize) -> bool {
    let is_constant = |push: &Push<D>| push.is_constant_over_step(k, scenario.step);
    !honours.push_within_steps || scenario.pushes.iter().all(is_constant)
}

/// The largest energies that the bodies of a run gained in a step beyond the work of the pushes and of moving
/// walls, in J, so far.
#[derive(Debug, Clone)]
pub(super) struct EnergyGains<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    honours: Honours,
    /// Each body as a mass, with what it gained.
    bodies: Vec<(PointMass<D>, f64)>,
    moments: Moments,
    springs: Springs<D>,
    moving_walls: MovingWalls<D>,
    of_all: f64,
}

impl<'a, const D: usize> EnergyGains<'a, D> {
    pub(super) fn new(scenario: &'a Scenario<D>, honours: Honours) -> Self {
        Self {
            bodies: (0..scenario.bodies.len()).map(|body| (scenario.point(body), 0.0)).collect(),
            moments: Moments::of(&scenario.bodies),
            springs: Springs::of(scenario),
            moving_walls: MovingWalls::of(scenario),
            of_all: 0.0,
            scenario,
            honours,
        }
    }

    /// Adds the next step, and returns what all bodies and springs together gained in it.
    #[inline(always)]
    pub(super) fn add(&mut self, passage: &Passage<'_, D>) -> f64 {
        if !work_is_known(self.scenario, &self.honours, passage.index) {
            return 0.0;
        }
        let mut gained = 0.0;
        let moved = passage.states[0].iter().zip(passage.states[1]).zip(passage.records).enumerate();
        let bodies = self.bodies[..passage.records.len()].iter_mut();
        for ((point, largest), (index, ((before, after), record))) in bodies.zip(moved) {
            if self.scenario.bodies[index].fixed {
                continue;
            }
            let mut own = moving_gain(point, [before, after], &record.push) - record.driven_work;
            let turning = passage.attitudes.map(|attitudes| attitudes.get(index));
            if let ([Some(before), Some(after)], Some(torque)) = (turning, passage.push_torques.get(index)) {
                own += turning_gain((&self.moments, index), [before, after], torque, self.scenario.step);
            }
            if !self.moving_walls.0.is_empty() {
                own -= self.moving_walls.work(passage.contacts, index, self.scenario.step);
            }
            gained += own;
            raise(largest, own);
        }
        if !self.springs.coordinates.is_empty() {
            gained += self.springs.stored(passage);
        }
        raise(&mut self.of_all, gained);
        gained
    }

    /// What a body gained.
    pub(super) fn of(&self, body: usize) -> f64 {
        self.bodies[body].1
    }

    /// What all bodies and springs gained together.
    pub(super) fn of_all(&self) -> f64 {
        self.of_all
    }
}

/// Of the energy that a motion has, what may come from nowhere before it is worth a word.
const MADE: f64 = 0.1;

/// In words, that a run has more energy than it may have, where `share` is the most of it over what its motion has.
pub(super) fn made(share: Option<f64>) -> Option<String> {
    let share = share.filter(|share| *share > MADE)?;
    Some(format!(
        "{:.0} % of what the motion has comes from nowhere, beyond what there was at the start and the work of pushes, conveyors and \
         drives: do not trust it; take shorter steps",
        100.0 * share
    ))
}

/// The most energy that bodies and springs had beyond what they started with and the work of the pushes, the moving walls and
/// the driven bodies, over the largest kinetic energy of the run, so far.
#[derive(Debug, Clone)]
pub(super) struct EnergyMade<'a, const D: usize> {
    gains: EnergyGains<'a, D>,
    made: f64,
    most: f64,
    /// Largest kinetic energy in J; at least what bodies have that fall over, or whose places are rounded.
    largest: f64,
}

impl<const D: usize> EnergyMade<'_, D> {
    pub(super) fn observer<'s>(
        scenario: &'s Scenario<D>,
        honours: Honours,
    ) -> Option<Box<dyn Observer<D> + 's>> {
        /// Of a body's size, what rounding may move it by in a step.
        const ROUNDING: f64 = 1e-6;
        if scenario.layout().is_point() {
            return None;
        }
        let moving = scenario.bodies.iter().filter(|body| !body.fixed);
        let least = moving.map(|body| {
            let speed = ROUNDING * body.reach() / scenario.step;
            body.mass * (scenario.gravity * body.reach() + speed * speed)
        });
        let gains = EnergyGains::new(scenario, honours);
        Some(Box::new(EnergyMade { gains, made: 0.0, most: 0.0, largest: least.sum() }))
    }

    fn kinetic(&self, passage: &Passage<'_, D>) -> f64 {
        let model = (self.gains.scenario, &self.gains.moments);
        let of_body = |(index, state): (usize, &State<D>)| {
            let energy = Energy::of_body(model, index, state, passage.attitudes[1].get(index));
            energy.translation + energy.rotation
        };
        passage.states[1].iter().enumerate().map(of_body).sum()
    }
}

impl<const D: usize> Observer<D> for EnergyMade<'_, D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        self.made += self.gains.add(passage);
        raise(&mut self.most, self.made);
        let kinetic = self.kinetic(passage);
        raise(&mut self.largest, kinetic);
    }

    fn value(&self) -> Option<f64> {
        (self.largest > 0.0).then(|| self.most / self.largest)
    }
}

/// Work of the pushes on a body in step `k` in J: of the force along the way of the centre of mass, and of the torque
/// along the turn.
pub fn work_of_pushes<const D: usize>(track: Track<'_, D>, k: usize) -> f64 {
    let (Some([before, after]), Some(step)) = (track.states.get(k..k + 2), track.steps.get(k)) else {
        return 0.0;
    };
    let turning = match (track.attitudes.get(k..k + 2), track.push_torques.get(k)) {
        (Some([before, after]), Some(torque)) => turning_work([before, after], torque, track.scenario.step),
        _ => 0.0,
    };
    step.push.dot(&(after.position - before.position)) + turning
}

/// Kinds of energy of several bodies together, and of the springs between them, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Kinetic, of the centres of mass.
    pub translation: f64,
    /// Kinetic, of the turning about them, and of rotors in joints.
    pub rotation: f64,
    /// Of the height.
    pub height: f64,
    /// Of the stretched springs.
    pub springs: f64,
}

impl Energy {
    /// Of one body in a state, with the moments of all, none if it stays where it is.
    pub fn of_body<const D: usize>(
        (scenario, moments): (&Scenario<D>, &Moments),
        index: usize,
        state: &State<D>,
        attitude: Option<&Attitude>,
    ) -> Self {
        let body = &scenario.bodies[index];
        if body.fixed {
            return Self::default();
        }
        Self {
            translation: 0.5 * body.mass * state.velocity.norm_squared(),
            rotation: attitude.map_or(0.0, |attitude| moments.energy(index, attitude)),
            height: -body.mass * scenario.gravity_vector().dot(&state.position),
            springs: 0.0,
        }
    }

    /// Of bodies of one trajectory at all its states, in the order of their numbers; springs to other bodies, and
    /// states that a run does not have, do not count.
    pub fn over_time<const D: usize>(
        tracks: &[Track<'_, D>],
        states: impl Iterator<Item = usize>,
    ) -> Vec<Self> {
        let Some(scenario) = tracks.first().map(|track| track.scenario) else {
            return states.map(|_| Self::default()).collect();
        };
        let (moments, mut springs) = (Moments::of(&scenario.bodies), Springs::of(scenario));
        states.map(|k| Self::of((scenario, &moments), &mut springs, tracks, k)).collect()
    }

    fn of<const D: usize>(
        model: (&Scenario<D>, &Moments),
        springs: &mut Springs<D>,
        tracks: &[Track<'_, D>],
        k: usize,
    ) -> Self {
        let mut sum = Self::default();
        for track in tracks {
            let Some(state) = track.states.get(k) else { continue };
            let own = Self::of_body(model, track.body, state, track.attitudes.get(k));
            sum.translation += own.translation;
            sum.rotation += own.rotation;
            sum.height += own.height;
        }
        let [springs, rotors] = springs.held(tracks, k);
        sum.springs = springs;
        sum.rotation += rotors;
        sum
    }

    /// All of it.
    pub fn total(&self) -> f64 {
        self.translation + self.rotation + self.height + self.springs
    }
}

/// What its centre of mass gained.
#[inline]
fn moving_gain<const D: usize>(
    point: &PointMass<D>,
    [before, after]: [&State<D>; 2],
    push: &Vector<D>,
) -> f64 {
    let work = push.dot(&(after.position - before.position));
    // The difference of energies written so that large common parts do not cancel.
    let mean_velocity = (before.velocity + after.velocity) * 0.5;
    let kinetic = point.mass * mean_velocity.dot(&(after.velocity - before.velocity));
    let potential = -point.mass * point.gravity.dot(&(after.position - before.position));
    kinetic + potential - work
}

/// What its rotation gained beyond the work of the pushes' torque, in J.
fn turning_gain(
    (moments, body): (&Moments, usize),
    [before, after]: [&Attitude; 2],
    torque: &Spin,
    dt: f64,
) -> f64 {
    let energy = |attitude| moments.energy(body, attitude);
    energy(after) - energy(before) - turning_work([before, after], torque, dt)
}

/// Work of a torque along the turn of `dt` s, in J.
fn turning_work([before, after]: [&Attitude; 2], torque: &Spin, dt: f64) -> f64 {
    let turned = match (&before.orientation, &after.orientation) {
        (Orientation::Angle(before), Orientation::Angle(after)) => Spin::new(after - before, 0.0, 0.0),
        (_, Orientation::Quaternion(turn)) => turn * after.spin * dt,
        (Orientation::Quaternion(_), Orientation::Angle(_)) => Spin::zeros(),
    };
    torque.dot(&turned)
}

/// The velocities in m/s of the surfaces of the walls, in the axes of the world; empty where none moves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MovingWalls<const D: usize>(Vec<Vector<D>>);

impl<const D: usize> MovingWalls<D> {
    /// Those of `scenario`.
    pub fn of(scenario: &Scenario<D>) -> Self {
        if scenario.walls.iter().all(|wall| wall.velocity == [0.0; 2]) {
            return Self(Vec::new());
        }
        Self(scenario.walls.iter().map(Wall::surface_velocity).collect())
    }

    /// What they did on a body over a step of `dt` s, in J.
    pub fn work(&self, contacts: &[Contact<D>], body: usize, dt: f64) -> f64 {
        let own = contacts.iter().filter(|contact| contact.first == body);
        let of_contact = |contact: &Contact<D>| match contact.second {
            Partner::Wall(wall) => self.0.get(wall).map_or(0.0, |velocity| dt * contact.force.dot(velocity)),
            Partner::Body(_) | Partner::Ground | Partner::Stop { .. } => 0.0,
        };
        own.map(of_contact).sum()
    }
}

/// What of a scenario's joints has energy of its own or does work: springs, rotors and drives.
#[derive(Debug, Clone, PartialEq)]
struct Springs<const D: usize> {
    coordinates: Vec<Energetic<D>>,
}

/// A coordinate of a joint with laws that have energy or do work.
#[derive(Debug, Clone, PartialEq)]
struct Energetic<const D: usize> {
    joint: Joint<D>,
    coordinate: Coordinate<D>,
    /// Its number among the `[[joint]]`s, if it is one, and which of the coordinates that it leaves free this is.
    place: Option<(usize, usize)>,
    /// The last value of the coordinate, full turns counted.
    last: f64,
}

impl<const D: usize> Energetic<D> {
    /// The laws along the coordinate that have energy or do work.
    fn laws(&self) -> impl Iterator<Item = &AxisLaw> {
        let axes = self.joint.axes.iter().filter(|axis| axis.coordinate == self.coordinate);
        axes.map(|axis| &axis.law).filter(|law| has_energy(law))
    }

    /// The value of the coordinate, which becomes the last one.
    fn follow<'s>(
        &mut self,
        body: impl Fn(usize) -> Option<(&'s State<D>, Option<&'s Attitude>)>,
    ) -> Option<f64> {
        let mut value = self.joint.value(&self.coordinate, body)?;
        if self.coordinate.is_angle() {
            value = unwrapped(value, self.last);
        }
        self.last = value;
        Some(value)
    }
}

fn has_energy(law: &AxisLaw) -> bool {
    matches!(law, AxisLaw::Sprung { .. } | AxisLaw::Inertial { .. } | AxisLaw::Driven(_))
}

impl<const D: usize> Springs<D> {
    fn of(scenario: &Scenario<D>) -> Self {
        let first = scenario.first_joint();
        let mut coordinates: Vec<Energetic<D>> = Vec::new();
        for (index, joint) in scenario.world_joints().into_iter().enumerate() {
            let before = coordinates.len();
            for axis in joint.axes.iter().filter(|axis| has_energy(&axis.law)) {
                let coordinate = axis.coordinate;
                if coordinates[before..].iter().any(|own| own.coordinate == coordinate) {
                    continue;
                }
                let free = joint.free.iter().position(|free| *free == coordinate);
                let place = index.checked_sub(first).zip(free);
                coordinates.push(Energetic { joint: joint.clone(), coordinate, place, last: 0.0 });
            }
        }
        Self { coordinates }
    }

    /// Energy that springs and rotors took up in a step beyond the work of drives, in J.
    #[inline]
    fn stored(&mut self, passage: &Passage<'_, D>) -> f64 {
        let mut stored = 0.0;
        for own in &mut self.coordinates {
            let body = |end: usize| {
                move |body: usize| Some((&passage.states[end][body], passage.attitudes[end].get(body)))
            };
            let [Some(before), Some(after)] = [0, 1].map(|end| own.follow(body(end))) else {
                continue;
            };
            let drive = own.place.and_then(|(joint, free)| passage.joints.get(joint)?.along.get(free));
            let drive = drive.map_or(0.0, |along| along.drive);
            for law in own.laws() {
                stored += match law {
                    AxisLaw::Sprung { rest, stiffness, .. } => {
                        0.5 * stiffness * ((after - rest).powi(2) - (before - rest).powi(2))
                    }
                    AxisLaw::Inertial { inertia } => {
                        let rates =
                            [0, 1].map(|end| own.joint.rate(&own.coordinate, body(end)).unwrap_or(0.0));
                        0.5 * inertia * (rates[1].powi(2) - rates[0].powi(2))
                    }
                    AxisLaw::Driven(_) => -drive * (after - before),
                    _ => 0.0,
                };
            }
        }
        stored
    }

    /// The energy in J that springs, and that rotors hold between bodies that are among these, at state `k`.
    fn held(&mut self, tracks: &[Track<'_, D>], k: usize) -> [f64; 2] {
        let body = |body: usize| {
            let track = &tracks[tracks.binary_search_by_key(&body, |track| track.body).ok()?];
            Some((track.states.get(k)?, track.attitudes.get(k)))
        };
        let mut held = [0.0; 2];
        for own in &mut self.coordinates {
            let Some(value) = own.follow(body) else { continue };
            for law in own.laws() {
                match law {
                    AxisLaw::Sprung { rest, stiffness, .. } => {
                        held[0] += 0.5 * stiffness * (value - rest).powi(2)
                    }
                    AxisLaw::Inertial { inertia } => {
                        held[1] +=
                            0.5 * inertia * own.joint.rate(&own.coordinate, body).unwrap_or(0.0).powi(2);
                    }
                    _ => {}
                }
            }
        }
        held
    }
}

impl<'a, const D: usize> EnergyGains<'a, D> {
    pub(super) fn observer<'s>(
        scenario: &'s Scenario<D>,
        honours: Honours,
    ) -> Option<Box<dyn Observer<D> + 's>> {
        Some(Box::new(EnergyGains::new(scenario, honours)))
    }
}

impl<const D: usize> Observer<D> for EnergyGains<'_, D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        self.add(passage);
    }

    fn value(&self) -> Option<f64> {
        Some(self.of_all())
    }

    fn of_body(&self, body: usize) -> Option<f64> {
        Some(self.of(body))
    }
}
