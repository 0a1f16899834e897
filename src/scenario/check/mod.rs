//! Every rule about the values of a scenario.

mod bodies;
mod couplings;
mod friction;
mod joints;
mod judge;
mod pushes;
mod settings;

use std::fmt::Display;

pub(super) use self::judge::in_words;
use self::judge::{Judge, list, short};
use super::{
    Choice, Scenario,
    keys::{self, GROUND},
};
use crate::model::Vector;

/// Longest name of a scenario, in characters.
const MAX_NAME: usize = 64;
/// Largest number of steps of a run.
const MAX_STEPS: f64 = 1e8;
/// Largest distance from the origin in m, and largest speed in m/s.
const MAX_DISTANCE: f64 = 1e6;
/// Least size of a body in m: below, what rounding makes of places is no small part of it, and a spin that a slow
/// impact gives it turns it a million times in a step.
const MIN_SIZE: f64 = 1e-9;
const MAX_SPEED: f64 = 1e6;
/// Largest acceleration by one push in m/s^2.
const MAX_PUSH_ACCELERATION: f64 = 1e9;

/// A value that a rule forbids.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is {value}, but must be {allowed}; {remedy}")]
pub struct Violation {
    /// Full key as in a scenario file, for example `particle.mass` or `push[1].force`.
    pub key: String,
    /// The other keys, where the rule is about several values.
    pub others: Vec<String>,
    /// The value.
    pub value: String,
    /// What is allowed, in words that follow "must be".
    pub allowed: String,
    /// What to do about it.
    pub remedy: String,
}

impl<const D: usize> Scenario<D> {
    /// Holds every value against the rules: the one place where they stand, for scenarios written
    /// in code and read from files alike.
    ///
    /// # Errors
    /// All the violations there are, in the order of the keys in a scenario file.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        let mut judge = Judge::default();
        name(&self.name, &mut judge);
        judge.numbers("", keys::top(), self);
        self.check_steps(&mut judge);
        self.check_size(&mut judge);
        let key = self.body_keys();
        for (index, body) in self.bodies.iter().enumerate() {
            body.check(&key(index), &mut judge);
        }
        self.check_names(&mut judge);
        judge.numbers("ground", &GROUND, &self.ground);
        self.ground.sliding.check::<D>("ground", Some(self.ground.friction), &mut judge);
        let up = Vector::<D>::from_fn(|axis, _| f64::from(axis == D - 1));
        self.ground.sliding.check_along("ground", up.as_slice(), &mut judge);
        for (index, wall) in self.walls.iter().enumerate() {
            wall.check(&format!("wall[{index}]"), &mut judge);
        }
        self.check_pairs(&mut judge);
        for (index, push) in self.pushes.iter().enumerate() {
            if self.pushed_exists(index, push.body, &mut judge) {
                let (key, mass) = self.lightest(push.body);
                push.check(index, (&key, mass), &mut judge);
                self.check_turning(index, push, &mut judge);
            }
        }
        self.check_couplings(&mut judge);
        self.check_joints(&mut judge);
        self.steppers.check(&mut judge);
        self.check_closing(&mut judge);
        judge.verdict()
    }

    /// A setting of joints asks for some.
    fn check_closing(&self, judge: &mut Judge) {
        if let Some(closing) = self.steppers.joints.filter(|_| self.joints.is_empty() && self.rods.is_empty())
        {
            judge.refuse(Violation {
                key: "stepper.joints".to_owned(),
                others: Vec::new(),
                value: format!("{:?}", closing.as_str()),
                allowed: "left out where there is no [[joint]] and no [[rod]]".to_owned(),
                remedy: "nothing is joined here, so that it makes no difference".to_owned(),
            });
        }
    }

    /// Holds the number of steps against the rules.
    fn check_steps(&self, judge: &mut Judge) {
        let Self { duration, step, .. } = *self;
        let fits =
            |key: &str, value| keys::top::<D>().typed_key(key).is_some_and(|key| key.row.admits(value));
        let steps = duration / step;
        if fits("duration", duration) && fits("step", step) && steps.round() > MAX_STEPS {
            judge.refuse(Violation {
                key: "step".to_owned(),
                others: vec!["duration".to_owned()],
                value: short(step),
                allowed: format!(
                    "at least {} s for a `duration` of {} s, as a run has at most {} steps",
                    short(duration / MAX_STEPS),
                    short(duration),
                    short(MAX_STEPS)
                ),
                remedy: format!(
                    "this would be {} steps; make it longer, or the duration shorter",
                    short(steps.round())
                ),
            });
        }
    }
}

fn name(name: &str, judge: &mut Judge) {
    let allowed_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let length = name.chars().count();
    if (1..=MAX_NAME).contains(&length) && name.chars().all(allowed_char) {
        return;
    }
    let tidy: String =
        name.to_lowercase().chars().map(|c| if allowed_char(c) { c } else { '-' }).take(MAX_NAME).collect();
    let tidy = tidy.trim_matches('-');
    let example = if tidy.is_empty() { "slide" } else { tidy };
    judge.refuse(Violation {
        key: "name".to_owned(),
        others: Vec::new(),
        value: format!("{name:?}"),
        allowed: format!("1 to {MAX_NAME} characters out of a-z, 0-9 and -"),
        remedy: format!("it becomes a folder under the output; for example {example:?}"),
    });
}

/// Refuses a vector longer than `limit`.
fn within(key: impl Display, components: &[f64], limit: f64, unit: &str, remedy: &str, judge: &mut Judge) {
    let length = components.iter().fold(0.0_f64, |length, &component| length.hypot(component));
    if length > limit {
        judge.refuse(Violation {
            key: key.to_string(),
            others: Vec::new(),
            value: list(components),
            allowed: format!("at most {} {unit} in magnitude", short(limit)),
            remedy: remedy.to_owned(),
        });
    }
}
