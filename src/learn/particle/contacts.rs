use crate::learn::data::{PointSample, Throw};

/// Velocities along the ground up to so many standard deviations of the noise count as rest.
const REST: f64 = 4.0;

/// What happened at the ground between two states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contact {
    /// The point came down and went up again.
    Rebound {
        /// Speed downwards before, m/s.
        speed: f64,
        /// Speed upwards after, m/s.
        rise: f64,
    },
    /// It pressed on the ground without going up.
    Press {
        /// Normal impulse over mass, m/s.
        impulse: f64,
    },
}

/// One step in contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactStep {
    /// What happened.
    pub contact: Contact,
    /// `vx` before, m/s.
    pub slip: f64,
    /// `vx` after, m/s.
    pub next_slip: f64,
    /// `g dt` of the step, m/s: the intervals of two throws may differ.
    pub fall: f64,
}

/// Where the contacts of a throw are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contacts {
    /// From the flags of the data.
    Known,
    /// From the heights: the free motion would reach the ground within the step.
    Height,
    /// From the velocities: `vz` changes otherwise than by gravity. Noise is mistaken for contacts.
    Velocity,
}

impl Contacts {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Known, Self::Height, Self::Velocity];

    /// The name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Height => "height",
            Self::Velocity => "velocity",
        }
    }

    /// Whether the point touches the ground between two states; `fall` is `g dt`.
    fn touches(self, before: &PointSample, after: &PointSample, fall: f64) -> Option<bool> {
        let interval = after.time - before.time;
        let free = before.velocity.y - fall;
        match self {
            Self::Known => before.contact,
            // Half a step's fall is above the noise of a resting point's velocity.
            Self::Height => Some(before.position.y + interval * (free + 0.5 * fall) <= 0.0),
            Self::Velocity => Some(after.velocity.y - free > 0.5 * fall),
        }
    }
}

/// The contacts of some throws.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactData {
    /// Steps that touch the ground and in which the point does not just stay at rest.
    pub steps: Vec<ContactStep>,
    /// Standard deviation of the noise on velocities, m/s, estimated from the steps in flight,
    /// where `vx` stays and `vz` falls by `g dt`.
    pub noise: f64,
}

impl ContactData {
    /// The contacts of `throws` under gravity `g`, m/s^2.
    ///
    /// `g dt` separates motion along the ground from motion off it: a rebound leaves the ground
    /// with more than `2 g dt` (slower ones end in contact), and a point that stays on it is
    /// measured at zero but for noise, so that its normal impulse is better taken as `g dt` than
    /// from the measured `vz`; while it lands, that of `vz` is all there is. Steps that stay at rest
    /// sideways say nothing about friction, and their noise would be taken for slip.
    pub fn new(throws: &[Throw], source: Contacts, gravity: f64) -> Self {
        let mut touching = Vec::new();
        let (mut squares, mut count) = (0.0, 0);
        for pair in throws.iter().flat_map(|throw| throw.windows(2)) {
            let (before, after) = (&pair[0], &pair[1]);
            let fall = gravity * (after.time - before.time);
            match source.touches(before, after, fall) {
                Some(true) => touching.push((before.velocity, after.velocity, fall)),
                Some(false) => {
                    let change = after.velocity - before.velocity;
                    squares += change.x.powi(2) + (change.y + fall).powi(2);
                    count += 2;
                }
                None => {}
            }
        }
        // A difference of two measurements has twice the variance of one.
        let noise = (0.5 * squares / f64::from(count.max(1))).sqrt();
        let steps = touching.into_iter().map(|(before, after, fall)| {
            let contact = if before.y < 0.0 && after.y > fall {
                Contact::Rebound { speed: -before.y, rise: after.y }
            } else {
                let lands = before.y < -(REST * noise).min(fall);
                let change = if lands { after.y - before.y } else { 0.0 };
                // Noise may outweigh both, but the ground does not pull.
                Contact::Press { impulse: (change + fall).max(0.0) }
            };
            ContactStep { contact, slip: before.x, next_slip: after.x, fall }
        });
        let moves = |step: &ContactStep| {
            matches!(step.contact, Contact::Rebound { .. })
                || step.slip.abs().max(step.next_slip.abs()) > REST * noise
        };
        Self { steps: steps.filter(moves).collect(), noise }
    }

    /// Number of rebounds.
    pub fn rebounds(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step.contact, Contact::Rebound { .. })).count()
    }

    /// A friction that no step needs more than: the largest loss of slip over normal impulse.
    pub fn largest_friction_used(&self) -> f64 {
        let used = self.steps.iter().filter_map(|step| {
            let impulse = match step.contact {
                Contact::Rebound { speed, rise } => speed + rise + step.fall,
                Contact::Press { impulse } => impulse,
            };
            (impulse > 0.0).then(|| (step.slip - step.next_slip).abs() / impulse)
        });
        used.fold(0.0, f64::max)
    }
}
