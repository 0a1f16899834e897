//! The rules about several bodies and what joins them.

use std::collections::{BTreeMap, btree_map::Entry};

use super::{
    MAX_DISTANCE, Violation,
    judge::{Judge, list},
    short, within,
};
use crate::{
    model::Vector,
    scenario::{
        Ends, Rod, Scenario, Shape, Spring,
        keys::{self, CONTACT},
    },
};

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
        let mut of_points = BTreeMap::new();
        for (index, contact) in self.contacts.iter().enumerate() {
            let key = format!("contact[{index}]");
            if self.pair(&key, contact.bodies, judge) {
                self.shapeless(&key, contact.bodies, judge);
                let mut points = contact.bodies;
                points.sort_unstable();
                match of_points.entry(points) {
                    Entry::Vacant(place) => _ = place.insert(index),
                    Entry::Occupied(earlier) => self.contact_again([*earlier.get(), index], judge),
                }
            }
            judge.numbers(key.as_str(), &CONTACT, contact);
            contact.sliding.check::<D>(&key, contact.friction, judge);
        }
    }

    pub(super) fn check_size(&self, judge: &mut Judge) {
        let count = self.bodies.len();
        let (key, them) = if self.are_particles() { ("particle", "particles") } else { ("body", "bodies") };
        if !(1..=MAX_BODIES).contains(&count) {
            judge.refuse(Violation {
                key: key.to_owned(),
                others: Vec::new(),
                value: format!("{count} {them}"),
                allowed: format!("1 to {MAX_BODIES} {them}"),
                remedy: format!("open each with [[{key}]] on a line of its own"),
            });
        }
        let rows = count as f64 * (self.duration / self.step).round();
        if count > 1 && rows > MAX_ROWS {
            judge.refuse(Violation {
                key: "step".to_owned(),
                others: vec!["duration".to_owned(), key.to_owned()],
                value: short(self.step),
                allowed: format!(
                    "at least {} s for {count} {them}, as their trajectories have at most {} rows",
                    short(self.duration * count as f64 / MAX_ROWS),
                    short(MAX_ROWS)
                ),
                remedy: format!("make the step longer, the duration shorter, or the {them} fewer"),
            });
        }
    }

    fn check_rod(&self, key: &str, rod: &Rod<D>, judge: &mut Judge) {
        let fits = self.check_ends(key, &rod.ends, judge);
        judge.numbers(key, keys::rod(), rod);
        if rod.length.is_none() && fits {
            self.apart(key, &rod.ends, judge);
        }
    }

    fn check_spring(&self, key: &str, spring: &Spring<D>, judge: &mut Judge) {
        self.check_ends(key, &spring.ends, judge);
        judge.numbers(key, keys::spring(), spring);
    }

    /// Holds what a rod or a spring joins against the rules; whether these are points of two bodies.
    fn check_ends(&self, key: &str, ends: &Ends<D>, judge: &mut Judge) -> bool {
        let mut fits = self.pair(key, ends.bodies, judge);
        for (place, (point, body)) in ends.points.iter().zip(ends.bodies).enumerate() {
            let key = format!("{key}.points[{place}]");
            if !judge.finite(&key, point.as_slice(), "give the place in metres, in the axes of the body") {
                fits = false;
                continue;
            }
            within(&key, point.as_slice(), MAX_DISTANCE, "m", "give the place in metres", judge);
            let body = self.bodies.get(body);
            if *point != Vector::<D>::zeros() && body.is_some_and(|body| body.shape == Shape::Point) {
                judge.refuse(Violation {
                    key,
                    others: Vec::new(),
                    value: list(point.as_slice()),
                    allowed: "zero, as this body is a point".to_owned(),
                    remedy: "leave `points` out, or give the body another shape".to_owned(),
                });
            }
        }
        fits
    }

    /// Refuses a contact at a distance between bodies that touch where their shapes do.
    fn shapeless(&self, key: &str, bodies: [usize; 2], judge: &mut Judge) {
        if bodies.iter().all(|&body| self.bodies[body].shape == Shape::Point) {
            return;
        }
        judge.refuse(Violation {
            key: self.ends_key(key),
            others: Vec::new(),
            value: format!("{} and {}", self.body_name(bodies[0]), self.body_name(bodies[1])),
            allowed: "two bodies of shape \"point\"".to_owned(),
            remedy: "bodies with a shape touch where their shapes do; their friction and restitution are those of \
                     a [[pair]]"
                .to_owned(),
        });
    }

    /// Refuses a second contact of two points: only that at the larger distance would ever push, and which friction holds
    /// between the two would be open.
    fn contact_again(&self, [earlier, index]: [usize; 2], judge: &mut Judge) {
        let [first, second] = self.contacts[index].bodies;
        judge.refuse(Violation {
            key: self.ends_key(&format!("contact[{index}]")),
            others: vec![self.ends_key(&format!("contact[{earlier}]"))],
            value: format!("{} and {}", self.body_name(first), self.body_name(second)),
            allowed: format!("two of which there is no other contact, as `contact[{earlier}]` is"),
            remedy: "give the distance and the friction of the two in one table".to_owned(),
        });
    }

    /// Holds the numbers of two particles against the rules; whether they name two particles.
    fn pair(&self, key: &str, particles: [usize; 2], judge: &mut Judge) -> bool {
        let [first, second] = particles;
        let count = self.bodies.len();
        let fits = first != second && first < count && second < count;
        if !fits {
            let violation = |value, allowed, remedy: &str| Violation {
                key: self.ends_key(key),
                others: Vec::new(),
                value,
                allowed,
                remedy: remedy.to_owned(),
            };
            judge.refuse(if self.are_particles() || first != second || first >= count {
                violation(
                    format!("[{first}, {second}]"),
                    format!("two different numbers from 0 to {}", count.saturating_sub(1)),
                    "particles are counted from 0 in the order of the file",
                )
            } else {
                let name = self.body_name(first);
                violation(
                    format!("{name} twice"),
                    "two different bodies".to_owned(),
                    "join it to another one",
                )
            });
        }
        fits
    }

    /// Whether the body that push number `index` names exists.
    pub(super) fn pushed_exists(&self, index: usize, pushed: Option<usize>, judge: &mut Judge) -> bool {
        let Some(body) = pushed.filter(|&body| body >= self.bodies.len()) else { return true };
        judge.refuse(Violation {
            key: format!("push[{index}].{}", if self.are_particles() { "particle" } else { "body" }),
            others: Vec::new(),
            value: body.to_string(),
            allowed: format!("a number from 0 to {}", self.bodies.len().saturating_sub(1)),
            remedy: "particles are counted from 0; leave the key out to push every particle".to_owned(),
        });
        false
    }

    /// Refuses a rod that takes its length from two points in one place.
    fn apart(&self, key: &str, ends: &Ends<D>, judge: &mut Judge) {
        let distance = self.initial_distance(ends);
        if distance == 0.0 {
            judge.refuse(Violation {
                key: self.ends_key(key),
                others: ends.bodies.map(|body| format!("{}.position", self.body_keys()(body))).to_vec(),
                value: format!("{:?}", ends.bodies),
                allowed: "two in different places".to_owned(),
                remedy: "a rod without `length` is as long as its ends are apart".to_owned(),
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
        (format!("{}.mass", self.body_keys()(index)), mass)
    }

    /// The full key of the ends of a rod, a spring or a contact.
    fn ends_key(&self, key: &str) -> String {
        format!("{key}.{}", if self.are_particles() { "particles" } else { "bodies" })
    }

    /// The full keys of the bodies in a scenario file, by their numbers. All bodies are looked at once for all
    /// keys: there may be 100,000.
    pub(super) fn body_keys(&self) -> impl Fn(usize) -> String + use<D> {
        let (particles, bodies) = (self.are_particles(), self.bodies.len());
        move |index| match (particles, bodies) {
            (true, 1) => "particle".to_owned(),
            (true, _) => format!("particle[{index}]"),
            (false, _) => format!("body[{index}]"),
        }
    }
}
