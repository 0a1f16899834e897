//! The rules about several particles and what joins them.

use std::ops::Bound::{Excluded, Included};

use super::{MAX_DISTANCE, Violation, judge::Judge, name, short, time};
use crate::scenario::{ParticleSystem, Rod, Spring};

/// Largest number of particles.
const MAX_PARTICLES: usize = 100_000;
/// Largest number of rows of a trajectory, steps times particles.
const MAX_ROWS: f64 = 1e7;

impl<const D: usize> ParticleSystem<D> {
    /// Holds every value against the rules, as [`Scenario::check`](crate::scenario::Scenario::check)
    /// does for a single point.
    ///
    /// # Errors
    /// All the violations there are, in the order of the keys in a scenario file.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        let mut judge = Judge::default();
        name(&self.name, &mut judge);
        time(self.duration, self.step, &mut judge);
        self.check_size(&mut judge);
        super::gravity(self.gravity, &mut judge);
        for (index, particle) in self.particles.iter().enumerate() {
            particle.check(&format!("particle[{index}]"), &mut judge);
        }
        self.ground.check(&mut judge);
        for (index, push) in self.pushes.iter().enumerate() {
            let exists = push.particle.is_none_or(|particle| {
                self.existing(&format!("push[{index}].particle"), particle, &mut judge)
            });
            if exists {
                let (key, mass) = self.lightest(push.particle);
                push.push.check(index, (&key, mass), &mut judge);
            }
        }
        for (index, rod) in self.rods.iter().enumerate() {
            self.check_rod(&format!("rod[{index}]"), rod, &mut judge);
        }
        for (index, spring) in self.springs.iter().enumerate() {
            self.check_spring(&format!("spring[{index}]"), spring, &mut judge);
        }
        for (index, contact) in self.contacts.iter().enumerate() {
            let key = format!("contact[{index}]");
            self.pair(&key, contact.particles, &mut judge);
            length(format!("{key}.distance"), contact.distance, &mut judge);
            if let Some(friction) = contact.friction {
                super::friction(format!("{key}.friction"), friction, &mut judge);
            }
        }
        self.steppers.check(&mut judge);
        judge.verdict()
    }

    fn check_size(&self, judge: &mut Judge) {
        let count = self.particles.len();
        if !(1..=MAX_PARTICLES).contains(&count) {
            judge.refuse(Violation {
                key: "particle".to_owned(),
                other: None,
                value: format!("{count} particles"),
                allowed: format!("1 to {MAX_PARTICLES} particles"),
                remedy: "open each with [[particle]] on a line of its own".to_owned(),
            });
        }
        let rows = count as f64 * (self.duration / self.step).round();
        if rows > MAX_ROWS {
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
        let fits = self.pair(key, rod.particles, judge);
        match rod.length {
            Some(value) => length(format!("{key}.length"), value, judge),
            None if fits => self.apart(key, rod.particles, judge),
            None => {}
        }
    }

    fn check_spring(&self, key: &str, spring: &Spring, judge: &mut Judge) {
        self.pair(key, spring.particles, judge);
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
        let count = self.particles.len();
        let fits = first != second && first < count && second < count;
        if !fits {
            judge.refuse(Violation {
                key: format!("{key}.particles"),
                other: None,
                value: format!("[{first}, {second}]"),
                allowed: format!("two different numbers from 0 to {}", count.saturating_sub(1)),
                remedy: "particles are counted from 0 in the order of the file".to_owned(),
            });
        }
        fits
    }

    fn existing(&self, key: &str, particle: usize, judge: &mut Judge) -> bool {
        let exists = particle < self.particles.len();
        if !exists {
            judge.refuse(Violation {
                key: key.to_owned(),
                other: None,
                value: particle.to_string(),
                allowed: format!("a number from 0 to {}", self.particles.len().saturating_sub(1)),
                remedy: "particles are counted from 0; leave the key out to push every particle".to_owned(),
            });
        }
        exists
    }

    /// Refuses a rod that takes its length from two particles in one place.
    fn apart(&self, key: &str, particles: [usize; 2], judge: &mut Judge) {
        let distance = self.initial_distance(particles);
        if distance == 0.0 {
            judge.refuse(Violation {
                key: format!("{key}.particles"),
                other: None,
                value: format!("{particles:?}"),
                allowed: "two particles in different places".to_owned(),
                remedy: "a rod without `length` is as long as its particles are apart".to_owned(),
            });
        }
    }

    /// The lightest of the particles that a push acts on, with the key of its mass.
    fn lightest(&self, particle: Option<usize>) -> (String, f64) {
        let mut masses = self.particles.iter().map(|particle| particle.mass).enumerate();
        let lightest = match particle {
            Some(particle) => masses.nth(particle),
            None => masses.min_by(|a, b| a.1.total_cmp(&b.1)),
        };
        let (index, mass) = lightest.unwrap_or((0, 0.0));
        (format!("particle[{index}].mass"), mass)
    }
}

/// Holds a length of a rod or a contact against the rules.
fn length(key: String, value: f64, judge: &mut Judge) {
    judge.range(key, value, (Excluded(0.0), Included(MAX_DISTANCE)), "m", "give the length in metres");
}
