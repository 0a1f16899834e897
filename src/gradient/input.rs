use std::{fmt, str::FromStr};

use crate::{
    model::{Orientation, axis_names},
    scenario::{Inertia, Scenario, Shape, read::KeyPath},
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
    /// `pair.N.restitution`.
    PairRestitution(usize),
    /// `step` in s, at a fixed number of steps.
    Step,
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

impl fmt::Display for BodyQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(axis) => write!(f, "position.{axis}"),
            Self::Velocity(axis) => write!(f, "velocity.{axis}"),
            Self::Angle => f.write_str("angle"),
            Self::SpinInPlane => f.write_str("spin"),
            Self::Spin(axis) => write!(f, "spin.{axis}"),
            Self::Mass => f.write_str("mass"),
            Self::Inertia => f.write_str("inertia"),
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(axis) => write!(f, "particle.position.{axis}"),
            Self::Velocity(axis) => write!(f, "particle.velocity.{axis}"),
            Self::Mass => f.write_str("particle.mass"),
            Self::Friction => f.write_str("ground.friction"),
            Self::Restitution => f.write_str("ground.restitution"),
            Self::Slope => f.write_str("ground.slope"),
            Self::Gravity => f.write_str("gravity"),
            Self::PushForce(push, axis) => write!(f, "push.{push}.force.{axis}"),
            Self::PushFrom(push) => write!(f, "push.{push}.from"),
            Self::PushTo(push) => write!(f, "push.{push}.to"),
            Self::PushFrequency(push) => write!(f, "push.{push}.frequency"),
            Self::PushPhase(push) => write!(f, "push.{push}.phase"),
            Self::PushTorqueInPlane(push) => write!(f, "push.{push}.torque"),
            Self::PushTorque(push, axis) => write!(f, "push.{push}.torque.{axis}"),
            Self::OfBody(BodyTable::Body, body, quantity) => write!(f, "body.{body}.{quantity}"),
            Self::OfBody(BodyTable::Particle, body, quantity) => write!(f, "particle.{body}.{quantity}"),
            Self::PairFriction(pair) => write!(f, "pair.{pair}.friction"),
            Self::PairRestitution(pair) => write!(f, "pair.{pair}.restitution"),
            Self::Step => f.write_str("step"),
        }
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
                       ground.restitution, ground.slope, gravity, push.N.force.AXIS, push.N.from, push.N.to, \
                       push.N.frequency, push.N.phase or step; of bodies body.N.position.AXIS, \
                       body.N.velocity.AXIS, body.N.angle, body.N.spin, body.N.mass, body.N.inertia, \
                       pair.N.friction, pair.N.restitution, push.N.torque; in space body.N.spin.AXIS, \
                       push.N.torque.AXIS";

impl FromStr for Input {
    type Err = InputError;

    fn from_str(key: &str) -> Result<Self, InputError> {
        // As --set takes it, with places in brackets or after points.
        let path = KeyPath::parse(key).map(|path| path.parts()).unwrap_or_default();
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let number = |text: &str| {
            text.parse::<usize>().map_err(|_| InputError {
                key: key.to_owned(),
                reason: format!("`{text}` is not a number, counted from 0"),
            })
        };
        match parts.as_slice() {
            ["particle", "position", axis] => Ok(Self::Position(number(axis)?)),
            ["particle", "velocity", axis] => Ok(Self::Velocity(number(axis)?)),
            ["particle", "mass"] => Ok(Self::Mass),
            ["ground", "friction"] => Ok(Self::Friction),
            ["ground", "restitution"] => Ok(Self::Restitution),
            ["ground", "slope"] => Ok(Self::Slope),
            ["gravity"] => Ok(Self::Gravity),
            ["push", push, "force", axis] => Ok(Self::PushForce(number(push)?, number(axis)?)),
            ["push", push, "from"] => Ok(Self::PushFrom(number(push)?)),
            ["push", push, "to"] => Ok(Self::PushTo(number(push)?)),
            ["push", push, "frequency"] => Ok(Self::PushFrequency(number(push)?)),
            ["push", push, "phase"] => Ok(Self::PushPhase(number(push)?)),
            ["push", push, "torque"] => Ok(Self::PushTorqueInPlane(number(push)?)),
            ["push", push, "torque", axis] => Ok(Self::PushTorque(number(push)?, number(axis)?)),
            ["pair", pair, "friction"] => Ok(Self::PairFriction(number(pair)?)),
            ["pair", pair, "restitution"] => Ok(Self::PairRestitution(number(pair)?)),
            [table @ ("body" | "particle"), body, rest @ ..] => {
                let table = if *table == "body" { BodyTable::Body } else { BodyTable::Particle };
                let quantity = match rest {
                    ["position", axis] => BodyQuantity::Position(number(axis)?),
                    ["velocity", axis] => BodyQuantity::Velocity(number(axis)?),
                    ["angle"] => BodyQuantity::Angle,
                    ["spin"] => BodyQuantity::SpinInPlane,
                    ["spin", axis] => BodyQuantity::Spin(number(axis)?),
                    ["mass"] => BodyQuantity::Mass,
                    ["inertia"] => BodyQuantity::Inertia,
                    _ => {
                        return Err(InputError {
                            key: key.to_owned(),
                            reason: format!("it takes {ALLOWED}"),
                        });
                    }
                };
                Ok(Self::OfBody(table, number(body)?, quantity))
            }
            ["step"] => Ok(Self::Step),
            _ => Err(InputError { key: key.to_owned(), reason: format!("it takes {ALLOWED}") }),
        }
    }
}

impl Input {
    /// Whether the scenario has this number, and a derivative with respect to it on both sides.
    ///
    /// # Errors
    /// [`InputError`] where it has not: an axis or a push that is not there, or a value at the edge
    /// of its range (no friction, no restitution, a start at rest on the ground), where only one
    /// side exists or both differ.
    pub fn check<const D: usize>(self, scenario: &Scenario<D>) -> Result<(), InputError> {
        let refuse = |reason: String| Err(self.refused(reason));
        if matches!(self, Self::OfBody(..)) && scenario.is_single_point() {
            return refuse("there is a single point; take particle.position.AXIS and the like".to_owned());
        }
        if !scenario.is_single_point() {
            self.check_of_bodies(scenario)?;
        }
        let Some(value) = self.value(scenario) else {
            return refuse(self.what_is_missing(scenario));
        };
        let start = scenario.bodies.first().map(|body| body.state());
        let (z, vz) = start.map_or((0.0, 0.0), |start| (start.height(), start.velocity[D - 1]));
        let on_the_ground = z <= 0.0;
        match self {
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
            Self::Position(_) | Self::Velocity(_) | Self::Mass => {
                refuse("there is more than a single point; say which, as in body.0.position.0")
            }
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
        match self {
            Self::Position(axis) => scenario.bodies.first_mut()?.position.get_mut(axis),
            Self::Velocity(axis) => scenario.bodies.first_mut()?.velocity.get_mut(axis),
            Self::Mass => scenario.bodies.first_mut().map(|body| &mut body.mass),
            Self::Friction => Some(&mut scenario.ground.friction),
            Self::Restitution => Some(&mut scenario.ground.restitution),
            Self::Slope => Some(&mut scenario.ground.slope),
            Self::Gravity => Some(&mut scenario.gravity),
            Self::PushForce(push, axis) => scenario.pushes.get_mut(push)?.force.get_mut(axis),
            Self::PushFrom(push) => scenario.pushes.get_mut(push)?.from.as_mut(),
            Self::PushTo(push) => scenario.pushes.get_mut(push)?.to.as_mut(),
            Self::PushFrequency(push) => scenario.pushes.get_mut(push)?.frequency.as_mut(),
            Self::PushPhase(push) => {
                let push = scenario.pushes.get_mut(push)?;
                push.frequency.is_some().then_some(&mut push.phase)
            }
            Self::PushTorqueInPlane(push) => {
                scenario.pushes.get_mut(push)?.torque.get_mut(0).filter(|_| D == 2)
            }
            Self::PushTorque(push, axis) => {
                scenario.pushes.get_mut(push)?.torque.get_mut(axis).filter(|_| D == 3)
            }
            Self::OfBody(table, body, quantity) => {
                let are_particles = scenario.are_particles();
                let body = scenario
                    .bodies
                    .get_mut(body)
                    .filter(|_| are_particles == (table == BodyTable::Particle))?;
                let turns = body.shape != Shape::Point;
                match quantity {
                    BodyQuantity::Position(axis) => body.position.get_mut(axis),
                    BodyQuantity::Velocity(axis) => body.velocity.get_mut(axis),
                    BodyQuantity::Angle => match &mut body.orientation {
                        Orientation::Angle(angle) if turns => Some(angle),
                        _ => None,
                    },
                    BodyQuantity::SpinInPlane => body.spin.get_mut(0).filter(|_| turns && D == 2),
                    BodyQuantity::Spin(axis) => body.spin.get_mut(axis).filter(|_| turns && D == 3),
                    BodyQuantity::Mass => Some(&mut body.mass),
                    BodyQuantity::Inertia => match &mut body.inertia {
                        Some(Inertia::Plane(inertia)) => Some(inertia),
                        _ => None,
                    },
                }
            }
            Self::PairFriction(pair) => scenario.pairs.get_mut(pair)?.friction.as_mut(),
            Self::PairRestitution(pair) => scenario.pairs.get_mut(pair)?.restitution.as_mut(),
            Self::Step => Some(&mut scenario.step),
        }
    }

    /// Its unit; empty where it has none.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Position(_) | Self::OfBody(_, _, BodyQuantity::Position(_)) => "m",
            Self::Velocity(_) | Self::OfBody(_, _, BodyQuantity::Velocity(_)) => "m/s",
            Self::Mass | Self::OfBody(_, _, BodyQuantity::Mass) => "kg",
            Self::OfBody(_, _, BodyQuantity::Angle) | Self::PushPhase(_) => "rad",
            Self::OfBody(_, _, BodyQuantity::SpinInPlane | BodyQuantity::Spin(_)) => "rad/s",
            Self::Slope => "degrees",
            Self::Gravity => "m/s^2",
            Self::PushForce(..) => "N",
            Self::PushTorqueInPlane(_) | Self::PushTorque(..) => "N m",
            Self::PushFrequency(_) => "Hz",
            Self::PushFrom(_) | Self::PushTo(_) | Self::Step => "s",
            Self::OfBody(_, _, BodyQuantity::Inertia) => "kg m^2",
            Self::Friction | Self::Restitution | Self::PairFriction(_) | Self::PairRestitution(_) => "",
        }
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
            Self::OfBody(..) => 1.0,
            Self::PairFriction(_)
            | Self::PairRestitution(_)
            | Self::Mass
            | Self::Friction
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
        if !scenario.is_single_point() {
            return Self::of_bodies(scenario);
        }
        let start = (0..D).flat_map(|axis| [Self::Position(axis), Self::Velocity(axis)]);
        let mut inputs: Vec<Self> = start.collect();
        inputs.extend([Self::Friction, Self::Restitution, Self::Gravity]);
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
        inputs.extend([Self::Friction, Self::Restitution, Self::Gravity]);
        for pair in 0..scenario.pairs.len() {
            inputs.extend([Self::PairFriction(pair), Self::PairRestitution(pair)]);
        }
        for push in 0..scenario.pushes.len() {
            inputs.extend(axes().map(|axis| Self::PushForce(push, axis)));
        }
        inputs
    }
}

fn at_the_edge(what: &str) -> String {
    format!(
        "{what} is the edge of its range, where there is a derivative to one side at most; move it a little"
    )
}

/// The natural sizes of `inputs`.
pub(super) fn natural_sizes<const D: usize>(scenario: &Scenario<D>, inputs: &[Input]) -> Vec<f64> {
    inputs.iter().map(|input| input.natural_size(scenario)).collect()
}
