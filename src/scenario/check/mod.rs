//! Every rule about the values of a scenario.

mod couplings;
mod judge;
mod settings;

use std::ops::Bound::{Excluded, Included};

use self::judge::{Judge, list, short};
use super::{Body, Ground, Push, Scenario};

/// Longest name of a scenario, in characters.
const MAX_NAME: usize = 64;
/// Largest number of steps of a run.
const MAX_STEPS: f64 = 1e8;
/// Largest distance from the origin in m, and largest speed in m/s.
const MAX_DISTANCE: f64 = 1e6;
const MAX_SPEED: f64 = 1e6;
/// Largest acceleration by one push in m/s^2.
const MAX_PUSH_ACCELERATION: f64 = 1e9;
/// Largest distance in s of the edges of a push's window from the start.
const MAX_TIME: f64 = 1e12;

/// A value that a rule forbids.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is {value}, but must be {allowed}; {remedy}")]
pub struct Violation {
    /// Full key as in a scenario file, for example `particle.mass` or `push[1].force`.
    pub key: String,
    /// The other key, where the rule is about two values.
    pub other: Option<String>,
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
        time(self.duration, self.step, &mut judge);
        self.check_size(&mut judge);
        gravity(self.gravity, &mut judge);
        for (index, body) in self.bodies.iter().enumerate() {
            body.check(&self.body_key(index), &mut judge);
        }
        self.ground.check(&mut judge);
        for (index, push) in self.pushes.iter().enumerate() {
            if self.pushed_exists(index, push.body, &mut judge) {
                let (key, mass) = self.lightest(push.body);
                push.check(index, (&key, mass), &mut judge);
            }
        }
        self.check_couplings(&mut judge);
        self.steppers.check(&mut judge);
        judge.verdict()
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
        other: None,
        value: format!("{name:?}"),
        allowed: format!("1 to {MAX_NAME} characters out of a-z, 0-9 and -"),
        remedy: format!("it becomes a folder under the output; for example {example:?}"),
    });
}

fn time(duration: f64, step: f64, judge: &mut Judge) {
    let duration_fits = judge.range(
        "duration",
        duration,
        (Excluded(0.0), Included(1e11)),
        "s",
        "give the simulated time in seconds",
    );
    let step_fits = judge.range(
        "step",
        step,
        1e-9..=1e3,
        "s",
        "1e-3 is a good value; the error of a run is proportional to it",
    );
    let steps = duration / step;
    if duration_fits && step_fits && steps.round() > MAX_STEPS {
        judge.refuse(Violation {
            key: "step".to_owned(),
            other: Some("duration".to_owned()),
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

fn gravity(gravity: f64, judge: &mut Judge) {
    let remedy = "it pulls downwards when positive: 9.81 on Earth, 0 for none";
    judge.range("gravity", gravity, 0.0..=1e6, "m/s^2", remedy);
}

fn friction(key: String, friction: f64, judge: &mut Judge) {
    let remedy =
        "it is the ratio of friction to normal force: 0 for ice, 0.1 to 1 for most pairs of materials";
    judge.range(key, friction, 0.0..=1e6, "", remedy);
}

impl<const D: usize> Body<D> {
    /// Holds the values of the body called `name` against the rules.
    fn check(&self, name: &str, judge: &mut Judge) {
        let key = |key: &str| format!("{name}.{key}");
        judge.range(key("mass"), self.mass, 1e-12..=1e12, "kg", "give the mass in kilograms");
        let position = self.position.as_slice();
        if judge.finite(&key("position"), position, "give the place in metres, the height last") {
            let remedy = "move the origin closer to the point";
            within(&key("position"), position, MAX_DISTANCE, "m", remedy, judge);
            judge.range(
                format!("{name}.position[{}]", D - 1),
                self.position[D - 1],
                0.0..,
                "m",
                "the last component is the height over the ground, which is at 0",
            );
        }
        let velocity = self.velocity.as_slice();
        if judge.finite(&key("velocity"), velocity, "give the velocity in metres per second") {
            within(&key("velocity"), velocity, MAX_SPEED, "m/s", "check the units, they are m/s", judge);
        }
    }
}

impl Ground {
    fn check(&self, judge: &mut Judge) {
        friction("ground.friction".to_owned(), self.friction, judge);
        judge.range(
            "ground.restitution",
            self.restitution,
            0.0..=1.0,
            "",
            "0 does not bounce at all, 1 bounces for ever",
        );
        judge.range(
            "ground.slope",
            self.slope,
            (Excluded(-90.0), Excluded(90.0)),
            "degrees",
            "0 is flat ground, a positive slope goes down towards +x",
        );
    }
}

impl<const D: usize> Push<D> {
    /// Holds push number `index` against the rules; `mass` is what it pushes, with its key.
    fn check(&self, index: usize, (mass_key, mass): (&str, f64), judge: &mut Judge) {
        let key = |name: &str| format!("push[{index}].{name}");
        let force = self.force.as_slice();
        let force_finite = judge.finite(&key("force"), force, "give the force in newtons");
        if force_finite && mass > 0.0 && self.force.norm() / mass > MAX_PUSH_ACCELERATION {
            judge.refuse(Violation {
                key: key("force"),
                other: Some(mass_key.to_owned()),
                value: list(force),
                allowed: format!(
                    "at most {} N for a `{mass_key}` of {} kg, an acceleration of {} m/s^2",
                    short(MAX_PUSH_ACCELERATION * mass),
                    short(mass),
                    short(MAX_PUSH_ACCELERATION)
                ),
                remedy: "make the force smaller, or the particle heavier".to_owned(),
            });
        }
        let edge = "leave the key out for a push without this end";
        let from_fits =
            self.from.is_none_or(|from| judge.range(key("from"), from, -MAX_TIME..=MAX_TIME, "s", edge));
        let to_fits = self.to.is_none_or(|to| judge.range(key("to"), to, -MAX_TIME..=MAX_TIME, "s", edge));
        if let (Some(from), Some(to), true) = (self.from, self.to, from_fits && to_fits)
            && to <= from
        {
            judge.refuse(Violation {
                key: key("to"),
                other: Some(key("from")),
                value: short(to),
                allowed: format!("greater than `{}` = {} s", key("from"), short(from)),
                remedy: "the push acts for from <= t < to; swap the two if they are reversed".to_owned(),
            });
        }
        if let Some(frequency) = self.frequency {
            judge.range(
                key("frequency"),
                frequency,
                0.0..=1e9,
                "Hz",
                "leave the key out for a constant push",
            );
        }
        let phase_fits = judge.range(key("phase"), self.phase, -1e6..=1e6, "rad", "2 pi is a full turn");
        if phase_fits && self.frequency.is_none() && self.phase != 0.0 {
            judge.refuse(Violation {
                key: key("phase"),
                other: Some(key("frequency")),
                value: short(self.phase),
                allowed: format!("absent where there is no `{}`", key("frequency")),
                remedy: "add a frequency, or remove the phase: it only shifts a sinusoidal push".to_owned(),
            });
        }
    }
}

/// Refuses a vector longer than `limit`.
fn within(key: &str, components: &[f64], limit: f64, unit: &str, remedy: &str, judge: &mut Judge) {
    let length = components.iter().fold(0.0_f64, |length, &component| length.hypot(component));
    if length > limit {
        judge.refuse(Violation {
            key: key.to_owned(),
            other: None,
            value: list(components),
            allowed: format!("at most {} {unit} in magnitude", short(limit)),
            remedy: remedy.to_owned(),
        });
    }
}
