//! The rules about several bodies and what joins them.

use std::ops::Bound::{Excluded, Included};

use super::{MAX_DISTANCE, Violation, judge::Judge, short};
use crate::scenario::{Rod, Scenario, Spring};

/// Largest number of bodies.
const MAX_BODIES: usize = 100_000;
/// Largest number of rows of the trajectory of several bodies, steps times bodies.
const MAX_ROWS: f64 = 1e7;

impl<const D: usize> Scenario<D> {
    pub(super) fn check_couplings(&self, judge: &mut Judge) {
        for (index, rod) in self.rods.iter().enumerate() {
            self.check_rod(&format!("rod[{index}]"), rod, judge);
        }
        for (index, spring) in self.springs.iter().enumerate() {
            self.check_spring(&format!("spring[{index}]"), spring, judge);
        }
        for (index, contact) in self.contacts.iter().enumerate() {
            let key = format!("contact[{index}]");
            self.pair(&key, contact.bodies, judge);
            length(format!("{key}.distance"), contact.distance, judge);
            if let Some(friction) = contact.friction {
                super::friction(format!("{key}.friction"), friction, judge);
            }
        }
    }

    pub(super) fn check_size(&self, judge: &mut Judge) {
        let count = self.bodies.len();
        if !(1..=MAX_BODIES).contains(&count) {
            judge.refuse(Violation {
                key: "particle".to_owned(),
                other: None,
                value: format!("{count} particles"),
                allowed: format!("1 to {MAX_BODIES} particles"),
                remedy: "open each with [[particle]] on a line of its own".to_owned(),
            });
        }
        let rows = count as f64 * (self.duration / self.step).round();
        if count > 1 && rows > MAX_ROWS {
            judge.refuse(Violation {
                key: "step".to_owned(),
                other: Some("particle".to_owned()),
                value: short(self.step),
                allowed: format!(
                    "at least {} s for {count} particles, as their trajectories have at most {} rows",
                    short(self.duration * count as f64 / MAX_ROWS),
                    short(MAX_ROWS)
                ),
                remedy: "make the step longer, the duration shorter, or the particles fewer".to_owned(),
            });
        }
    }

    fn check_rod(&self, key: &str, rod: &Rod, judge: &mut Judge) {
        let fits = self.pair(key, rod.bodies, judge);
        match rod.length {
            Some(value) => length(format!("{key}.length"), value, judge),
            None if fits => self.apart(key, rod.bodies, judge),
            None => {}
        }
    }

    fn check_spring(&self, key: &str, spring: &Spring, judge: &mut Judge) {
        self.pair(key, spring.bodies, judge);
        judge.range(
            format!("{key}.stiffness"),
            spring.stiffness,
            0.0..=1e18,
            "N/m",
            "for a rigid connection use [[rod]]",
        );
        judge.range(
            format!("{key}.damping"),
            spring.damping,
            0.0..=1e18,
            "N s/m",
            "leave the key out for a spring without a damper",
        );
        if let Some(value) = spring.length {
            judge.range(
                format!("{key}.length"),
                value,
                0.0..=MAX_DISTANCE,
                "m",
                "leave the key out for the distance at the start",
            );
        }
    }

    /// Holds the numbers of two particles against the rules; whether they name two particles.
    fn pair(&self, key: &str, particles: [usize; 2], judge: &mut Judge) -> bool {
        let [first, second] = particles;
        let count = self.bodies.len();
        let fits = first != second && first < count && second < count;
        if !fits {
            judge.refuse(Violation {
                key: self.ends_key(key),
                other: None,
                value: format!("[{first}, {second}]"),
                allowed: format!("two different numbers from 0 to {}", count.saturating_sub(1)),
                remedy: "particles are counted from 0 in the order of the file".to_owned(),
            });
        }
        fits
    }

    /// Whether the body that push number `index` names exists.
    pub(super) fn pushed_exists(&self, index: usize, pushed: Option<usize>, judge: &mut Judge) -> bool {
        let Some(body) = pushed.filter(|&body| body >= self.bodies.len()) else { return true };
        judge.refuse(Violation {
            key: format!("push[{index}].{}", if self.are_particles() { "particle" } else { "body" }),
            other: None,
            value: body.to_string(),
            allowed: format!("a number from 0 to {}", self.bodies.len().saturating_sub(1)),
            remedy: "particles are counted from 0; leave the key out to push every particle".to_owned(),
        });
        false
    }

    /// Refuses a rod that takes its length from two particles in one place.
    fn apart(&self, key: &str, particles: [usize; 2], judge: &mut Judge) {
        let distance = self.initial_distance(particles);
        if distance == 0.0 {
            judge.refuse(Violation {
                key: self.ends_key(key),
                other: None,
                value: format!("{particles:?}"),
                allowed: "two particles in different places".to_owned(),
                remedy: "a rod without `length` is as long as its particles are apart".to_owned(),
            });
        }
    }

    /// The lightest of the bodies that a push acts on, with the key of its mass.
    pub(super) fn lightest(&self, pushed: Option<usize>) -> (String, f64) {
        let mut masses = self.bodies.iter().map(|body| body.mass).enumerate();
        let lightest = match pushed {
            Some(body) => masses.nth(body),
            None => masses.min_by(|a, b| a.1.total_cmp(&b.1)),
        };
        let (index, mass) = lightest.unwrap_or((0, 0.0));
        (format!("{}.mass", self.body_key(index)), mass)
    }

    /// The full key of the ends of a rod, a spring or a contact.
    fn ends_key(&self, key: &str) -> String {
        format!("{key}.{}", if self.are_particles() { "particles" } else { "bodies" })
    }

    /// The full key of body `index` in a scenario file.
    pub(super) fn body_key(&self, index: usize) -> String {
        match (self.are_particles(), self.bodies.len()) {
            (true, 1) => "particle".to_owned(),
            (true, _) => format!("particle[{index}]"),
            (false, _) => format!("body[{index}]"),
        }
    }
}

/// Holds a length of a rod or a contact against the rules.
fn length(key: String, value: f64, judge: &mut Judge) {
    judge.range(key, value, (Excluded(0.0), Included(MAX_DISTANCE)), "m", "give the length in metres");
}
