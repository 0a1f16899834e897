use std::{fmt, str::FromStr};

use super::{JointQuantity, Subject};
use crate::{
    model::axis_names,
    scenario::{
        Scenario, Shape,
        keys::NumberKey,
        read::{KeyPath, Segment},
    },
};

/// A number of a scenario that a gradient is taken with respect to, named by its key in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// `particle.position.AXIS` in m.
    Position(usize),
    /// `particle.velocity.AXIS` in m/s.
    Velocity(usize),
    /// `particle.mass` in kg.
    Mass,
    /// `ground.friction`.
    Friction,
    /// `ground.KEY`, of friction beside its coefficient at rest.
    FrictionBeside(FrictionQuantity),
    /// `ground.restitution`.
    Restitution,
    /// `ground.slope` in degrees.
    Slope,
    /// `gravity` in m/s^2.
    Gravity,
    /// `push.N.force.AXIS` in N.
    PushForce(usize, usize),
    /// `push.N.from` in s.
    PushFrom(usize),
    /// `push.N.to` in s.
    PushTo(usize),
    /// `push.N.frequency` in Hz.
    PushFrequency(usize),
    /// `push.N.phase` in rad.
    PushPhase(usize),
    /// `push.N.torque` in N m, in the plane.
    PushTorqueInPlane(usize),
    /// `push.N.torque.AXIS` in N m, in space.
    PushTorque(usize, usize),
    /// `body.N.KEY` or `particle.N.KEY`, of one of several.
    OfBody(BodyTable, usize, BodyQuantity),
    /// `pair.N.friction`.
    PairFriction(usize),
    /// `pair.N.KEY`, of friction beside its coefficient at rest.
    PairFrictionBeside(usize, FrictionQuantity),
    /// `pair.N.restitution`.
    PairRestitution(usize),
    /// `rod.N.length`, `spring.N.KEY`, `joint.N.KEY` or `joint.N.drive.KEY`.
    OfJoint(usize, JointQuantity),
    /// `step` in s, at a fixed number of steps.
    Step,
}

/// A number of friction beside its coefficient at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrictionQuantity {
    /// `kinetic_friction`.
    Kinetic,
    /// `stribeck_velocity` in m/s.
    StribeckVelocity,
    /// `viscous_friction` in s/m.
    Viscous,
    /// `friction_across`, in space.
    Across,
    /// `torsional_friction` in m, in space.
    Torsional,
    /// `rolling_friction` in m.
    Rolling,
}

impl FrictionQuantity {
    const ALL: [Self; 6] =
        [Self::Kinetic, Self::StribeckVelocity, Self::Viscous, Self::Across, Self::Torsional, Self::Rolling];

    fn key(self) -> &'static str {
        match self {
            Self::Kinetic => "kinetic_friction",
            Self::StribeckVelocity => "stribeck_velocity",
            Self::Viscous => "viscous_friction",
            Self::Across => "friction_across",
            Self::Torsional => "torsional_friction",
            Self::Rolling => "rolling_friction",
        }
    }

    fn of_key(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quantity| quantity.key() == name)
    }

    /// What zero of it is.
    fn without(self) -> &'static str {
        match self {
            Self::Kinetic => "no friction in motion",
            Self::StribeckVelocity => "friction that jumps",
            Self::Viscous => "no friction that grows with the slip",
            Self::Across => "no friction across the axis",
            Self::Torsional => "nothing that resists drilling",
            Self::Rolling => "nothing that resists rolling",
        }
    }

    /// Why it makes no difference in a scenario, where it makes none.
    fn idle<const D: usize>(self, scenario: &Scenario<D>) -> Option<&'static str> {
        match self {
            Self::Kinetic | Self::StribeckVelocity | Self::Viscous => None,
            Self::Across => (D == 2).then_some("in a vertical plane nothing slips across an axis"),
            Self::Torsional if D == 2 => Some("in a vertical plane nothing drills"),
            Self::Torsional | Self::Rolling => {
                (!scenario.has_turning_bodies()).then_some("points do not turn")
            }
        }
    }
}

/// Which list of a scenario file a body stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodyTable {
    /// `[[body]]`
    Body,
    /// `[[particle]]`
    Particle,
}

/// A number of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodyQuantity {
    /// `position.AXIS` in m.
    Position(usize),
    /// `velocity.AXIS` in m/s.
    Velocity(usize),
    /// `angle` in rad, in the plane.
    Angle,
    /// `spin` in rad/s, in the plane.
    SpinInPlane,
    /// `spin.AXIS` in rad/s, in space.
    Spin(usize),
    /// `mass` in kg; an inertia that is not given grows with it.
    Mass,
    /// `inertia` in kg m^2 where it is given, in the plane.
    Inertia,
}

impl BodyTable {
    /// The path of the table.
    fn path(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Particle => "particle",
        }
    }
}

impl BodyQuantity {
    /// The key of the body, and the place in its value.
    fn key(self) -> (&'static str, Option<usize>) {
        match self {
            Self::Position(axis) => ("position", Some(axis)),
            Self::Velocity(axis) => ("velocity", Some(axis)),
            Self::Angle => ("angle", None),
            Self::SpinInPlane => ("spin", None),
            Self::Spin(axis) => ("spin", Some(axis)),
            Self::Mass => ("mass", None),
            Self::Inertia => ("inertia", None),
        }
    }

    fn of_key(name: &str, place: Option<usize>) -> Option<Self> {
        Some(match (name, place) {
            ("position", Some(axis)) => Self::Position(axis),
            ("velocity", Some(axis)) => Self::Velocity(axis),
            ("angle", None) => Self::Angle,
            ("spin", None) => Self::SpinInPlane,
            ("spin", Some(axis)) => Self::Spin(axis),
            ("mass", None) => Self::Mass,
            ("inertia", None) => Self::Inertia,
            _ => return None,
        })
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key().write_dotted(f)
    }
}

/// A key that no gradient can be taken with respect to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no gradient with respect to `{key}`: {reason}")]
pub struct InputError {
    /// The key as given.
    pub key: String,
    /// What is wrong with it, and what is allowed.
    pub reason: String,
}

/// What may be asked for.
const ALLOWED: &str = "particle.position.AXIS, particle.velocity.AXIS, particle.mass, ground.friction, \
                       ground.kinetic_friction, ground.stribeck_velocity, ground.viscous_friction, \
                       ground.friction_across, ground.torsional_friction, ground.rolling_friction, \
                       ground.restitution, ground.slope, gravity, push.N.force.AXIS, push.N.from, push.N.to, \
                       push.N.frequency, push.N.phase or step; of bodies body.N.position.AXIS, \
                       body.N.velocity.AXIS, body.N.angle, body.N.spin, body.N.mass, body.N.inertia, \
                       pair.N.friction, pair.N.kinetic_friction and the others of ground, pair.N.restitution, push.N.torque; in space body.N.spin.AXIS, \
                       push.N.torque.AXIS; rod.N.length, spring.N.length, spring.N.stiffness, spring.N.damping; \
                       joint.N.stiffness, joint.N.rest, joint.N.damping, joint.N.friction, joint.N.armature, joint.N.limits.END, \
                       joint.N.restitution, joint.N.drive.force, joint.N.drive.position, joint.N.drive.velocity, \
                       joint.N.drive.kp, joint.N.drive.kv, joint.N.drive.limit";

impl FromStr for Input {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        // As --set takes it, with places in brackets or after points.
        let path = KeyPath::parse(text);
        let found = path.as_ref().and_then(NumberKey::of).and_then(Self::of_key);
        found.ok_or_else(|| {
            let reason = match path.as_ref().and_then(no_place) {
                Some(part) => format!("`{part}` is not a number, counted from 0"),
                None => format!("it takes {ALLOWED}"),
            };
            InputError { key: text.to_owned(), reason }
        })
    }
}

/// What stands in the place of a number in a path that would name an input otherwise.
fn no_place(path: &KeyPath) -> Option<&str> {
    path.0.iter().enumerate().find_map(|(place, segment)| {
        let Segment::Key(part) = segment else { return None };
        let mut mended = path.clone();
        mended.0[place] = Segment::Index(0);
        NumberKey::of(&mended).and_then(Input::of_key).map(|_| part.as_str())
    })
}

impl Input {
    /// Its key in scenario files; what is said of a point alone is that of a `[particle]`.
    fn key(self) -> NumberKey {
        let of = NumberKey::new;
        match self {
            Self::Position(axis) => of("particle", None, "position", Some(axis)),
            Self::Velocity(axis) => of("particle", None, "velocity", Some(axis)),
            Self::Mass => of("particle", None, "mass", None),
            Self::Friction => of("ground", None, "friction", None),
            Self::FrictionBeside(quantity) => of("ground", None, quantity.key(), None),
            Self::Restitution => of("ground", None, "restitution", None),
            Self::Slope => of("ground", None, "slope", None),
            Self::Gravity => of("", None, "gravity", None),
            Self::PushForce(push, axis) => of("push", Some(push), "force", Some(axis)),
            Self::PushFrom(push) => of("push", Some(push), "from", None),
            Self::PushTo(push) => of("push", Some(push), "to", None),
            Self::PushFrequency(push) => of("push", Some(push), "frequency", None),
            Self::PushPhase(push) => of("push", Some(push), "phase", None),
            Self::PushTorqueInPlane(push) => of("push", Some(push), "torque", None),
            Self::PushTorque(push, axis) => of("push", Some(push), "torque", Some(axis)),
            Self::OfBody(table, body, quantity) => {
                let (name, place) = quantity.key();
                of(table.path(), Some(body), name, place)
            }
            Self::PairFriction(pair) => of("pair", Some(pair), "friction", None),
            Self::PairFrictionBeside(pair, quantity) => of("pair", Some(pair), quantity.key(), None),
            Self::PairRestitution(pair) => of("pair", Some(pair), "restitution", None),
            Self::OfJoint(joint, quantity) => {
                let (table, name, places) = quantity.key();
                NumberKey { table, index: Some(joint), name, places }
            }
            Self::Step => of("", None, "step", None),
        }
    }

    /// The input of that key, where it is one.
    fn of_key(key: NumberKey) -> Option<Self> {
        if let ("rod" | "spring" | "joint" | "joint.drive", Some(joint)) = (key.table, key.index) {
            return Some(Self::OfJoint(joint, JointQuantity::of_key(key.table, key.name, key.places)?));
        }
        let [place, None] = key.places else { return None };
        Some(match (key.table, key.index, key.name, place) {
            ("particle", None, "position", Some(axis)) => Self::Position(axis),
            ("particle", None, "velocity", Some(axis)) => Self::Velocity(axis),
            ("particle", None, "mass", None) => Self::Mass,
            ("ground", None, "friction", None) => Self::Friction,
            ("ground", None, "restitution", None) => Self::Restitution,
            ("ground", None, "slope", None) => Self::Slope,
            ("ground", None, name, None) => Self::FrictionBeside(FrictionQuantity::of_key(name)?),
            ("", None, "gravity", None) => Self::Gravity,
            ("push", Some(push), "force", Some(axis)) => Self::PushForce(push, axis),
            ("push", Some(push), "from", None) => Self::PushFrom(push),
            ("push", Some(push), "to", None) => Self::PushTo(push),
            ("push", Some(push), "frequency", None) => Self::PushFrequency(push),
            ("push", Some(push), "phase", None) => Self::PushPhase(push),
            ("push", Some(push), "torque", None) => Self::PushTorqueInPlane(push),
            ("push", Some(push), "torque", Some(axis)) => Self::PushTorque(push, axis),
            ("body", Some(body), name, place) => {
                Self::OfBody(BodyTable::Body, body, BodyQuantity::of_key(name, place)?)
            }
            ("particle", Some(body), name, place) => {
                Self::OfBody(BodyTable::Particle, body, BodyQuantity::of_key(name, place)?)
            }
            ("pair", Some(pair), "friction", None) => Self::PairFriction(pair),
            ("pair", Some(pair), "restitution", None) => Self::PairRestitution(pair),
            ("pair", Some(pair), name, None) => {
                Self::PairFrictionBeside(pair, FrictionQuantity::of_key(name)?)
            }
            ("", None, "step", None) => Self::Step,
            _ => return None,
        })
    }

    /// Whether the scenario has this number, and a derivative with respect to it on both sides.
    ///
    /// # Errors
    /// [`InputError`] where it has not: an axis or a push that is not there, or a value at the edge
    /// of its range (no friction, no restitution, a start at rest on the ground), where only one
    /// side exists or both differ.
    pub fn check<const D: usize>(self, scenario: &Scenario<D>) -> Result<(), InputError> {
        let refuse = |reason: String| Err(self.refused(reason));
        match Subject::of(scenario) {
            Subject::Point if matches!(self, Self::OfBody(..)) => {
                return refuse(
                    "there is a single point; take particle.position.AXIS and the like".to_owned(),
                );
            }
            Subject::Point => {}
            Subject::Bodies => self.check_of_bodies(scenario)?,
        }
        let Some(value) = self.value(scenario) else {
            return refuse(self.what_is_missing(scenario));
        };
        if let Self::FrictionBeside(quantity) | Self::PairFrictionBeside(_, quantity) = self
            && let Some(reason) = quantity.idle(scenario)
        {
            return refuse(reason.to_owned());
        }
        let start = scenario.bodies.first().map(|body| body.state());
        let (z, vz) = start.map_or((0.0, 0.0), |start| (start.height(), start.velocity[D - 1]));
        let on_the_ground = z <= 0.0;
        match self {
            Self::OfJoint(_, quantity) if value == 0.0 && quantity.begins_at_zero() => {
                refuse(at_the_edge("zero"))
            }
            Self::OfJoint(_, JointQuantity::Restitution) if value == 1.0 => {
                refuse(at_the_edge("no loss at all"))
            }
            Self::OfJoint(joint, JointQuantity::Limit(_)) if scenario.joints[joint].is_locked() => refuse(
                "both limits are the same, and hold the coordinate; leave room between them".to_owned(),
            ),
            Self::FrictionBeside(quantity) | Self::PairFrictionBeside(_, quantity) if value == 0.0 => {
                refuse(at_the_edge(quantity.without()))
            }
            // Friction in motion is at most that at rest.
            Self::Friction | Self::FrictionBeside(FrictionQuantity::Kinetic)
                if scenario.ground.sliding.kinetic_friction == Some(scenario.ground.friction) =>
            {
                refuse(at_the_edge(SAME_FRICTION))
            }
            Self::PairFriction(pair) | Self::PairFrictionBeside(pair, FrictionQuantity::Kinetic)
                if scenario.pairs.get(pair).is_some_and(|pair| {
                    pair.friction.is_some() && pair.sliding.kinetic_friction == pair.friction
                }) =>
            {
                refuse(at_the_edge(SAME_FRICTION))
            }
            Self::PairFriction(_) if value == 0.0 => refuse(at_the_edge("no friction")),
            Self::PairRestitution(_) if value == 0.0 => refuse(at_the_edge("no rebound at all")),
            Self::PairRestitution(_) if value == 1.0 => refuse(at_the_edge("no loss at all")),
            Self::Friction if value == 0.0 => refuse(at_the_edge("no friction")),
            Self::Gravity if value == 0.0 => refuse(at_the_edge("no gravity")),
            Self::Restitution if value == 0.0 => refuse(at_the_edge("no rebound at all")),
            Self::Restitution if value == 1.0 => refuse(at_the_edge("no loss at all")),
            Self::Position(axis) if axis == D - 1 && on_the_ground => {
                refuse(at_the_edge("a start on the ground"))
            }
            Self::Velocity(axis) if axis == D - 1 && on_the_ground && vz == 0.0 => {
                refuse(at_the_edge("a start at rest on the ground"))
            }
            _ => Ok(()),
        }
    }

    /// What of several bodies, or one that turns, has no derivative.
    fn check_of_bodies<const D: usize>(self, scenario: &Scenario<D>) -> Result<(), InputError> {
        let refuse = |reason: &str| Err(self.refused(reason.to_owned()));
        match self {
            Self::Position(_) | Self::Velocity(_) | Self::Mass => refuse(
                "it is that of one of the bodies here; say which, as in body.0.position.0 or particle.0.position.0",
            ),
            Self::PushFrom(_)
            | Self::PushTo(_)
            | Self::PushFrequency(_)
            | Self::PushPhase(_)
            | Self::Step => refuse(
                "bodies have none with respect to it; take position, velocity, angle, spin, mass, inertia, \
                     friction, restitution, gravity, slope, or the force or torque of a push",
            ),
            Self::OfBody(BodyTable::Particle, body, BodyQuantity::Position(axis))
                if axis == D - 1
                    && scenario
                        .bodies
                        .get(body)
                        .is_some_and(|body| !body.fixed && body.position[axis] <= 0.0) =>
            {
                refuse(&at_the_edge("a start on the ground"))
            }
            Self::OfBody(_, body, BodyQuantity::Position(_) | BodyQuantity::Angle) => {
                if scenario.joints.iter().any(|joint| joint.bodies.contains(&Some(body))) {
                    return refuse("a joint holds this body where it starts, which cannot be moved alone");
                }
                let rods = scenario.rods.iter().map(|rod| (rod.ends.bodies, rod.length));
                let springs = scenario.springs.iter().map(|spring| (spring.ends.bodies, spring.length));
                if rods.chain(springs).any(|(bodies, length)| bodies.contains(&body) && length.is_none()) {
                    return refuse(
                        "a rod or spring at this body takes its length from where the bodies start; give it a `length`",
                    );
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The refusal of this input.
    pub(super) fn refused(self, reason: String) -> InputError {
        InputError { key: self.to_string(), reason }
    }

    fn what_is_missing<const D: usize>(self, scenario: &Scenario<D>) -> String {
        let axes = axis_names::<D>().join(", ");
        match self {
            Self::Position(axis) | Self::Velocity(axis) => {
                format!("there is no axis {axis}; the axes are {axes}, counted from 0")
            }
            Self::PushForce(push, axis) if push < scenario.pushes.len() => {
                format!("there is no axis {axis}; the axes are {axes}, counted from 0")
            }
            Self::PushForce(push, _)
            | Self::PushFrom(push)
            | Self::PushTo(push)
            | Self::PushFrequency(push)
            | Self::PushPhase(push)
                if push >= scenario.pushes.len() =>
            {
                format!("there is no push {push}; the scenario has {}, counted from 0", scenario.pushes.len())
            }
            Self::OfBody(_, _, BodyQuantity::Spin(_)) | Self::PushTorque(..) if D == 2 => {
                "in a vertical plane it is a single number; leave the axis out".to_owned()
            }
            Self::OfBody(_, _, BodyQuantity::SpinInPlane) | Self::PushTorqueInPlane(_) if D == 3 => {
                format!("in space there are three; say which, counted from 0, as in {self}.2")
            }
            Self::OfJoint(joint, quantity) => {
                let (what, count) = match quantity.key().0 {
                    "rod" => ("rod", scenario.rods.len()),
                    "spring" => ("spring", scenario.springs.len()),
                    _ => ("joint", scenario.joints.len()),
                };
                if joint < count {
                    "the scenario does not give it a value".to_owned()
                } else {
                    format!("there is no {what} {joint}; the scenario has {count}, counted from 0")
                }
            }
            _ => "the scenario does not give it a value".to_owned(),
        }
    }

    /// The value in the scenario; `None` if it has none.
    pub fn value<const D: usize>(self, scenario: &Scenario<D>) -> Option<f64> {
        self.place(&mut scenario.clone()).map(|value| *value)
    }

    /// The scenario with this number changed by `change`; unchanged if it has none.
    pub fn shifted<const D: usize>(self, scenario: &Scenario<D>, change: f64) -> Scenario<D> {
        let mut shifted = scenario.clone();
        if self == Self::Step {
            // At a fixed number of steps.
            shifted.duration = scenario.time().steps as f64 * (scenario.step + change);
        }
        if let Some(value) = self.place(&mut shifted) {
            *value += change;
        }
        shifted
    }

    /// The scenario with this number set to `value`; unchanged if it has none.
    pub fn set<const D: usize>(self, scenario: &Scenario<D>, value: f64) -> Scenario<D> {
        let change = self.value(scenario).map_or(0.0, |old| value - old);
        let mut changed = self.shifted(scenario, change);
        // To the last digit.
        if let Some(place) = self.place(&mut changed) {
            *place = value;
        }
        changed
    }

    fn place<const D: usize>(self, scenario: &mut Scenario<D>) -> Option<&mut f64> {
        let key = match self {
            Self::PushPhase(push) if scenario.pushes.get(push)?.frequency.is_none() => return None,
            // A point alone may be given as a body.
            Self::Position(_) | Self::Velocity(_) | Self::Mass if !scenario.are_particles() => {
                NumberKey { table: "body", index: Some(0), ..self.key() }
            }
            _ => self.key(),
        };
        scenario.number_mut(key)
    }

    /// Its unit; empty where it has none.
    pub fn unit(self) -> &'static str {
        self.key().unit()
    }

    /// The size of change that counts as natural: 1 m, 1 m/s, 10 N; of the others, their value.
    pub fn natural_size<const D: usize>(self, scenario: &Scenario<D>) -> f64 {
        match self {
            Self::Position(_) | Self::Velocity(_) | Self::PushFrequency(_) | Self::PushPhase(_) => 1.0,
            Self::PushFrom(_) | Self::PushTo(_) | Self::Slope => 1.0,
            Self::PushForce(..) | Self::PushTorqueInPlane(_) | Self::PushTorque(..) => 10.0,
            Self::OfBody(_, _, BodyQuantity::Mass | BodyQuantity::Inertia) => {
                self.value(scenario).map_or(1.0, f64::abs)
            }
            Self::OfJoint(..) => {
                self.value(scenario).map(f64::abs).filter(|value| *value > 0.0).unwrap_or(1.0)
            }
            Self::OfBody(..) => 1.0,
            Self::PairFriction(_)
            | Self::PairFrictionBeside(..)
            | Self::PairRestitution(_)
            | Self::Mass
            | Self::Friction
            | Self::FrictionBeside(_)
            | Self::Restitution
            | Self::Gravity
            | Self::Step => self.value(scenario).filter(|value| *value > 0.0).unwrap_or(1.0),
        }
    }

    /// Every input that may enter the motion of `scenario`: the start, the ground, gravity, and with
    /// pushes the mass and their forces and windows.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Vec<Self> {
        let mut inputs = Self::candidates(scenario);
        inputs.retain(|input| input.check(scenario).is_ok());
        inputs
    }

    /// Those that [`Input::of`] leaves out, each with the reason.
    pub fn left_out<const D: usize>(scenario: &Scenario<D>) -> Vec<(Self, InputError)> {
        let refused = |input: Self| Some((input, input.check(scenario).err()?));
        let has_value = |input: &Self| input.value(scenario).is_some();
        Self::candidates(scenario).into_iter().filter(has_value).filter_map(refused).collect()
    }

    fn candidates<const D: usize>(scenario: &Scenario<D>) -> Vec<Self> {
        if Subject::of(scenario) == Subject::Bodies {
            return Self::of_bodies(scenario);
        }
        let start = (0..D).flat_map(|axis| [Self::Position(axis), Self::Velocity(axis)]);
        let mut inputs: Vec<Self> = start.collect();
        inputs.extend(Self::of_ground());
        if scenario.ground.slope != 0.0 {
            inputs.push(Self::Slope);
        }
        if !scenario.pushes.is_empty() {
            inputs.push(Self::Mass);
        }
        for push in 0..scenario.pushes.len() {
            inputs.extend((0..D).map(|axis| Self::PushForce(push, axis)));
            inputs.extend([Self::PushFrom(push), Self::PushTo(push)]);
        }
        inputs
    }
}

impl Input {
    /// The numbers of the ground and gravity.
    fn of_ground() -> impl Iterator<Item = Self> {
        let beside = FrictionQuantity::ALL.map(Self::FrictionBeside);
        [Self::Friction].into_iter().chain(beside).chain([Self::Restitution, Self::Gravity])
    }

    /// Every input of several bodies, or of one that turns: their starts, the ground, gravity, pairs and pushes.
    fn of_bodies<const D: usize>(scenario: &Scenario<D>) -> Vec<Self> {
        let table = if scenario.are_particles() { BodyTable::Particle } else { BodyTable::Body };
        let axes = || 0..D;
        let mut inputs = Vec::new();
        for (index, body) in scenario.bodies.iter().enumerate().filter(|(_, body)| !body.fixed) {
            let mut quantities: Vec<BodyQuantity> = axes().map(BodyQuantity::Position).collect();
            quantities.extend(axes().map(BodyQuantity::Velocity));
            if body.shape != Shape::Point {
                quantities.push(BodyQuantity::Angle);
                match D {
                    2 => quantities.push(BodyQuantity::SpinInPlane),
                    _ => quantities.extend((0..3).map(BodyQuantity::Spin)),
                }
            }
            quantities.push(BodyQuantity::Mass);
            inputs.extend(quantities.into_iter().map(|quantity| Self::OfBody(table, index, quantity)));
        }
        inputs.extend(Self::of_ground());
        for pair in 0..scenario.pairs.len() {
            inputs.push(Self::PairFriction(pair));
            inputs.extend(FrictionQuantity::ALL.map(|quantity| Self::PairFrictionBeside(pair, quantity)));
            inputs.push(Self::PairRestitution(pair));
        }
        for push in 0..scenario.pushes.len() {
            inputs.extend(axes().map(|axis| Self::PushForce(push, axis)));
        }
        inputs.extend(Self::of_joints(scenario));
        inputs
    }

    /// The numbers of rods, springs and joints, but for those that are absent or act on nothing.
    fn of_joints<const D: usize>(scenario: &Scenario<D>) -> impl Iterator<Item = Self> + '_ {
        let tables = [
            ("rod", scenario.rods.len()),
            ("spring", scenario.springs.len()),
            ("joint", scenario.joints.len()),
        ];
        let all = tables.into_iter().flat_map(|(table, count)| {
            (0..count).flat_map(move |index| {
                JointQuantity::of_table(table).map(move |quantity| Self::OfJoint(index, quantity))
            })
        });
        all.filter(move |input| {
            let Self::OfJoint(index, quantity) = *input else { return false };
            match quantity {
                JointQuantity::Rest => scenario.joints[index].stiffness > 0.0,
                JointQuantity::Restitution if !scenario.joints[index].has_stops() => false,
                _ => input.value(scenario).is_some_and(|value| value != 0.0 || !quantity.begins_at_zero()),
            }
        })
    }
}

/// Friction in motion and at rest that are one number.
const SAME_FRICTION: &str = "friction in motion that is that at rest";

fn at_the_edge(what: &str) -> String {
    format!(
        "{what} is the edge of its range, where there is a derivative to one side at most; move it a little"
    )
}

/// The natural sizes of `inputs`.
pub(super) fn natural_sizes<const D: usize>(scenario: &Scenario<D>, inputs: &[Input]) -> Vec<f64> {
    inputs.iter().map(|input| input.natural_size(scenario)).collect()
}
