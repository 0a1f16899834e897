//! What is simulated: the bodies, the ground, what joins and pushes them, the time grid and the
//! steppers' settings.
//!
//! A [`Scenario`] is plain data. [`Scenario::check`] holds every rule about its values, so that a
//! scenario written in code and one read from a file are judged alike.

mod any;
mod assembly;
mod body;
mod check;
mod choice;
mod corners;
mod coupling;
mod ground;
mod joint;
pub(crate) mod keys;
mod pair;
mod part;
mod push;
mod push_table;
pub(crate) mod read;
mod settings;
mod shape;
mod surface;
mod time;
mod wall;
mod write;

pub use crate::world::Partner;
pub use any::AnyScenario;
pub(crate) use any::AnyScenarioRef;
pub use body::{Body, Inertia, Moments};
pub use check::Violation;
pub use choice::{Choice, SmoothLawName};
pub use corners::{Corners, RIM};
pub use coupling::{Ends, PairContact, Rod, Spring};
pub use ground::Ground;
pub use joint::{DriveSetup, JointKind, JointPlace, JointSetup, SecondCoordinate};
pub(crate) use keys::STEP;
pub use pair::Pair;
pub use part::Part;
pub use push::Push;
pub use push_table::PushTable;
pub use read::{
    Control, FileError, FileFault, InvalidScenario, Override, OverrideError, Place, Problem, ScenarioError,
    ScenarioText, Setting, controls, explain, explain_word, json_schema, parse_scenario, read_scenario,
    read_scenario_from, unit_of_key,
};
pub use settings::{
    ConvexSettings, ConvexSolver, DelassusNorm, FixedPointStart, LcpSettings, LcpSolverChoice, NlpSettings,
    NlpSolverChoice, Preset, RestitutionLaw, SmoothLaw, SmoothSettings, StepperSettings,
};
pub use shape::Shape;
pub use surface::{GroupedFriction, SlidingFriction, TurningLengths};
pub use time::TimeGrid;
pub(crate) use time::{first_step_at_or_after, last_step_at_or_before};
pub use wall::Wall;

use crate::{
    model::{Attitude, PointMass, Spin, State, Vector},
    world::{Course, Impacts},
};

/// Bodies that may touch the ground and one another, and how long and how finely to follow them.
///
/// `D` is 2 for motion in a vertical plane, positions `(x, z)`, and 3 over a plane, positions
/// `(x, y, z)`. Bodies are numbered from 0 in the order in which they are given; a single point is a
/// scenario of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario<const D: usize> {
    /// Name, `[a-z0-9-]+`; names the output folder.
    pub name: String,
    /// Simulated time in s.
    pub duration: f64,
    /// Length of a step in s; the number of steps is `round(duration/step)`, at least 1.
    pub step: f64,
    /// Gravitational acceleration `g` in m/s^2, at least 0.
    pub gravity: f64,
    /// What moves, at least one.
    pub bodies: Vec<Body<D>>,
    /// The ground under them.
    pub ground: Ground,
    /// Walls that bodies stay in front of.
    pub walls: Vec<Wall<D>>,
    /// What holds between particular partners of contact.
    pub pairs: Vec<Pair>,
    /// External forces; they add up.
    pub pushes: Vec<Push<D>>,
    /// Points of bodies kept at a distance.
    pub rods: Vec<Rod<D>>,
    /// Springs between points of bodies.
    pub springs: Vec<Spring<D>>,
    /// Pairs of points that cannot pass each other.
    pub contacts: Vec<PairContact>,
    /// Hinges, sliders and what else joins bodies to each other and to the world.
    pub joints: Vec<JointSetup<D>>,
    /// Settings of the stepper families.
    pub steppers: StepperSettings,
}

/// How the results of a scenario are laid out in tables, files and words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// One point that moves: places and velocities, without a name and without rotation.
    Point,
    /// Bodies by their names, with rotation.
    Bodies,
}

impl Layout {
    /// Whether it is that of one point.
    pub fn is_point(self) -> bool {
        self == Self::Point
    }
}

impl<const D: usize> Scenario<D> {
    /// A scenario to fill in: a point of 1 kg at rest on frictionless flat ground under 9.81 m/s^2, one
    /// second in steps of 1 ms, no push, every stepper at its defaults.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            duration: 1.0,
            step: 1e-3,
            gravity: 9.81,
            bodies: vec![Body::default()],
            ground: Ground::default(),
            walls: Vec::new(),
            pairs: Vec::new(),
            pushes: Vec::new(),
            rods: Vec::new(),
            springs: Vec::new(),
            contacts: Vec::new(),
            joints: Vec::new(),
            steppers: StepperSettings::default(),
        }
    }

    /// The time grid `t_k = k dt`.
    pub fn time(&self) -> TimeGrid {
        TimeGrid::new(self.duration, self.step)
    }

    /// What body `body` is called in files and pictures.
    pub fn body_name(&self, body: usize) -> String {
        let given = self.bodies.get(body).and_then(|body| body.name.clone());
        given.unwrap_or_else(|| format!("body-{body}"))
    }

    /// State of body `body` at `t = 0`.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn initial_state(&self, body: usize) -> State<D> {
        self.bodies[body].state()
    }

    /// States of all bodies at `t = 0`.
    pub fn initial_states(&self) -> Vec<State<D>> {
        self.bodies.iter().map(Body::state).collect()
    }

    /// Whether any of the bodies is more than a point.
    pub fn has_turning_bodies(&self) -> bool {
        self.bodies.iter().any(|body| body.shape != Shape::Point)
    }

    /// How the bodies are turned at `t = 0`; empty where all of them are points.
    pub fn initial_attitudes(&self) -> Vec<Attitude> {
        if self.has_turning_bodies() { self.bodies.iter().map(Body::attitude).collect() } else { Vec::new() }
    }

    /// What each body has of the mass in kg of all that moves: ramps and anvils stay, whatever their mass. Where nothing
    /// moves, of all.
    pub(crate) fn counted_masses(&self) -> Vec<f64> {
        let all_fixed = self.bodies.iter().all(|body| body.fixed);
        self.bodies.iter().map(|body| if body.fixed && !all_fixed { 0.0 } else { body.mass }).collect()
    }

    /// Whether files give the bodies as particles: nameless points that move.
    pub(crate) fn are_particles(&self) -> bool {
        let particle = |body: &Body<D>| body.shape == Shape::Point && body.name.is_none() && !body.fixed;
        self.bodies.iter().all(particle)
    }

    /// Whether there is one point, and nothing but the ground to touch it, with the ground's own friction and
    /// restitution.
    pub fn is_single_point(&self) -> bool {
        matches!(self.bodies.as_slice(), [body] if body.shape == Shape::Point && !body.fixed)
            && self.walls.is_empty()
            && self.pairs.is_empty()
            && self.rods.is_empty()
            && self.springs.is_empty()
            && self.contacts.is_empty()
            && self.joints.is_empty()
    }

    /// How the steppers of rigid bodies take impacts: as `[stepper] impacts` says, or else followed over the impulse where
    /// bodies turn and friction is a coefficient that is the same in all directions, and whole by the law of Moreau elsewhere.
    pub fn impacts(&self) -> Impacts {
        let is_followed = self.has_turning_bodies() && self.grouped_friction().is_none();
        let unsaid = if is_followed { Impacts::Incremental } else { Impacts::OneStage };
        self.steppers.impacts.unwrap_or(unsaid)
    }

    /// How results are laid out. Walls and what else stands there make no difference.
    pub fn layout(&self) -> Layout {
        match self.bodies.as_slice() {
            [body] if body.shape == Shape::Point && !body.fixed => Layout::Point,
            _ => Layout::Bodies,
        }
    }

    /// Whether there are contacts to be told apart: of more than a point with the ground.
    pub fn has_many_contacts(&self) -> bool {
        self.layout() == Layout::Bodies || !self.walls.is_empty()
    }

    /// The bodies whose motion is given, by their numbers.
    pub fn courses(&self) -> impl Iterator<Item = (usize, Course<D>)> {
        let bodies = self.bodies.iter().enumerate();
        bodies.filter_map(|(index, body)| Some((index, body.motion.clone()?)))
    }

    /// Gravity in ground coordinates in m/s^2.
    pub fn gravity_vector(&self) -> Vector<D> {
        self.ground.gravity(self.gravity)
    }

    /// Body `body` as a point over the ground: what the steppers of a point need to know.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn point(&self, body: usize) -> PointMass<D> {
        let surface = self.surface(body, Partner::Ground);
        PointMass {
            mass: self.bodies[body].mass,
            friction: surface.friction.static_coefficient(),
            restitution: surface.restitution,
            gravity: self.gravity_vector(),
        }
    }

    /// Sum of the pushes on body `body` in N for the step that starts at `t_k = k dt`, sampled at its
    /// left end.
    pub fn push(&self, body: usize, k: usize) -> Vector<D> {
        let acting = self.pushes.iter().filter(|push| push.acts_on(body));
        acting.fold(Vector::zeros(), |sum, push| sum + push.at_step(k, self.step))
    }

    /// Sum of the mean pushes on body `body` in N over the step that starts at `t_k = k dt`.
    pub fn mean_push(&self, body: usize, k: usize) -> Vector<D> {
        let acting = self.pushes.iter().filter(|push| push.acts_on(body));
        acting.fold(Vector::zeros(), |sum, push| sum + push.mean_over_step(k, self.step))
    }

    /// The pushes on all bodies over the step that starts at `t_k = k dt`, sampled at its left end: the
    /// `forces` on the centres of mass in N, and, where bodies turn and are at the moment turned as the
    /// `attitudes` say, the `torques` about them in N m.
    pub fn loads_at(&self, k: usize, attitudes: &[Attitude], forces: &mut [Vector<D>], torques: &mut [Spin]) {
        forces.fill(Vector::zeros());
        torques.fill(Spin::zeros());
        for push in &self.pushes {
            let force = push.at_step(k, self.step);
            match push.body {
                Some(body) => forces[body] += force,
                None => forces.iter_mut().for_each(|sum| *sum += force),
            }
            for (body, (torque, attitude)) in torques.iter_mut().zip(attitudes).enumerate() {
                if push.acts_on(body) {
                    *torque += push.torque_at_step(k, self.step, attitude);
                }
            }
        }
    }

    /// Distance of two points of bodies at `t = 0` in m.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn initial_distance(&self, ends: &Ends<D>) -> f64 {
        let place = |end: usize| {
            let body = &self.bodies[ends.bodies[end]];
            body.position + body.orientation.turn(&ends.points[end])
        };
        (place(0) - place(1)).norm()
    }
}
