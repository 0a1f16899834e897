use std::{fmt, str::FromStr};

use crate::{model::axis_names, scenario::Scenario};

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
    /// `step` in s, at a fixed number of steps.
    Step,
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
                       push.N.frequency, push.N.phase or step";

impl FromStr for Input {
    type Err = InputError;

    fn from_str(key: &str) -> Result<Self, InputError> {
        let parts: Vec<&str> = key.split('.').collect();
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
        let refuse = |reason: String| Err(InputError { key: self.to_string(), reason });
        let Some(value) = self.value(scenario) else {
            return refuse(self.what_is_missing(scenario));
        };
        let start = scenario.bodies.first().map(|body| body.state());
        let (z, vz) = start.map_or((0.0, 0.0), |start| (start.height(), start.velocity[D - 1]));
        let on_the_ground = z <= 0.0;
        match self {
            Self::Friction if value == 0.0 => refuse(at_the_edge("no friction")),
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
            Self::Step => Some(&mut scenario.step),
        }
    }

    /// The size of change that counts as natural: 1 m, 1 m/s, 10 N; of the others, their value.
    pub fn natural_size<const D: usize>(self, scenario: &Scenario<D>) -> f64 {
        match self {
            Self::Position(_) | Self::Velocity(_) | Self::PushFrequency(_) | Self::PushPhase(_) => 1.0,
            Self::PushFrom(_) | Self::PushTo(_) | Self::Slope => 1.0,
            Self::PushForce(..) => 10.0,
            Self::Mass | Self::Friction | Self::Restitution | Self::Gravity | Self::Step => {
                self.value(scenario).map_or(1.0, f64::abs)
            }
        }
    }

    /// Every input that may enter the motion of `scenario`: the start, the ground, gravity, and with
    /// pushes the mass and their forces and windows.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Vec<Self> {
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
        inputs.retain(|input| input.check(scenario).is_ok());
        inputs
    }
}

fn at_the_edge(what: &str) -> String {
    format!(
        "{what} is the edge of its range, where there is a derivative to one side at most; move it a little"
    )
}
