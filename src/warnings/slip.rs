//! What steps of a length make of friction that depends on the slip.

use crate::{
    contact::Friction,
    decimal::rounded,
    scenario::{Body, Scenario, SlidingFriction},
    stepper::Honours,
};

/// Part of a speed that friction may take in a step, beyond which the end of a slide is coarse.
const COARSE: f64 = 0.5;

/// How many times what weight makes of a speed in a step still counts as rest, in coefficients of friction.
const AT_REST: f64 = 2.0;

/// The part `c v_n` of a slip that viscous friction may take in an impact, beyond which what ends it is coarse.
const TAKEN_AT_ONCE: f64 = 1.0;

/// How many times faster than what a step makes of it a slide has to be, to be told from rest for certain.
const APART: f64 = 2.0;

impl<const D: usize> Scenario<D> {
    /// What of friction that depends on the slip changes nothing, and what the step is too long for; what follows the motion
    /// within the steps has none of that.
    pub(super) fn slip_warnings(&self, honours: &Honours) -> Vec<String> {
        let ground = ("ground".to_owned(), Some(self.ground.friction), self.ground.sliding);
        let walls = self.walls.iter().enumerate();
        let walls = walls.map(|(index, wall)| (format!("wall[{index}]"), wall.friction, wall.sliding));
        let pairs = self.pairs.iter().enumerate();
        let pairs = pairs.map(|(index, pair)| (format!("pair[{index}]"), pair.friction, pair.sliding));
        let contacts = self.contacts.iter().enumerate();
        let contacts =
            contacts.map(|(index, contact)| (format!("contact[{index}]"), contact.friction, contact.sliding));
        let tables = std::iter::once(ground).chain(walls).chain(pairs).chain(contacts);
        let follows = honours.push_within_steps;
        let of_table = |(table, friction, sliding): (String, Option<f64>, SlidingFriction)| {
            let law = sliding.law(friction?);
            idle_curve(&table, &law).or_else(|| self.too_coarse_for(&table, &law).filter(|_| !follows))
        };
        tables.filter_map(of_table).chain(self.caught_conveyors().filter(|_| !follows)).collect()
    }

    /// The speed in m/s that weight and a coefficient change by in a step.
    fn per_step(&self, coefficient: f64) -> f64 {
        coefficient * self.gravity * self.step
    }

    fn too_coarse_for(&self, table: &str, friction: &Friction) -> Option<String> {
        let drop = friction.static_coefficient() - friction.kinetic_coefficient();
        let speed = friction.stribeck_velocity();
        // What slips no faster than that counts as at rest where a step begins.
        let change = self.per_step(drop.max(AT_REST * friction.static_coefficient()));
        if speed > 0.0 && speed < change {
            return Some(format!(
                "{table}.stribeck_velocity of {} m/s is less than the {} m/s up to which a slip counts as rest in steps of \
                 this length, and acts as a jump; take a smaller step",
                rounded(speed, 3),
                rounded(change, 3)
            ));
        }
        let taken = self.per_step(friction.viscous_coefficient());
        if taken > COARSE {
            return Some(format!(
                "{table}.viscous_friction takes {} of the speed of a slide in a step, so that slides end coarsely; take a \
                 smaller step",
                rounded(taken, 3)
            ));
        }
        let strikes = self.hardest_landing();
        (friction.viscous_coefficient() * strikes > TAKEN_AT_ONCE).then(|| {
            format!(
                "{table}.viscous_friction takes all of a slip at once where bodies strike faster than {} m/s, and from where they \
                 start they come down at up to {} m/s: such impacts stick whatever the step is",
                rounded(TAKEN_AT_ONCE / friction.viscous_coefficient(), 3),
                rounded(strikes, 3)
            )
        })
    }

    /// The speed in m/s with which the body that comes down fastest from where it starts would reach the ground.
    fn hardest_landing(&self) -> f64 {
        let moving = self.bodies.iter().filter(|body| !body.fixed);
        let speed = |body: &Body<D>| {
            let height = (body.position[D - 1] - body.reach()).max(0.0);
            (body.velocity[D - 1].powi(2) + 2.0 * self.gravity.max(0.0) * height).sqrt()
        };
        moving.map(speed).fold(0.0, f64::max)
    }

    /// Conveyors so slow that what slips on them may be taken for what rests.
    fn caught_conveyors(&self) -> impl Iterator<Item = String> {
        self.walls.iter().enumerate().filter_map(|(index, wall)| {
            let speed = wall.velocity[0].hypot(wall.velocity[1]);
            let friction = wall.surface(&self.ground).friction;
            let drop = friction.static_coefficient() - friction.kinetic_coefficient();
            let caught = self.per_step(drop);
            (speed > 0.0 && speed < APART * caught).then(|| {
                format!(
                    "wall[{index}] moves at {} m/s, and slides slower than {} m/s, (mu_s - mu_k) g dt, are caught: what \
                     slips on it may stick for good; take a smaller step",
                    rounded(speed, 3),
                    rounded(caught, 3)
                )
            })
        })
    }
}

/// A curve from a coefficient to the same.
fn idle_curve(table: &str, friction: &Friction) -> Option<String> {
    (friction.stribeck_velocity() > 0.0 && !friction.has_stribeck_curve()).then(|| {
        format!(
            "{table}.stribeck_velocity changes nothing, as friction in motion is that at rest; give kinetic_friction, or leave \
             it out"
        )
    })
}
