use crate::learn::data::{PointSample, Throw};

/// What happened at the ground between two states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contact {
    /// The point came down and went up again, with the velocity before.
    Rebound {
        /// Speed downwards before.
        speed: f64,
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
    /// `vx` before.
    pub slip: f64,
    /// `vx` after.
    pub next_slip: f64,
    /// `vz` after.
    pub next_rise: f64,
}

/// Where the contacts of a throw are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contacts {
    /// From the flags of the data.
    Known,
    /// From the velocities: the ground acts where `vz` changes otherwise than by gravity.
    Detected,
}

impl Contacts {
    /// The name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Detected => "detected",
        }
    }
}

/// The steps of a throw in which the point touches the ground, for gravity `g`.
///
/// `g dt` separates motion along the ground from motion off it: a rebound leaves the ground with
/// more than `2 g dt` (slower ones end in contact), and a resting point is measured at zero but for
/// noise, so that its normal impulse is better taken as `g dt` than from the measured `vz`.
pub fn contact_steps(throw: &Throw, source: Contacts, gravity: f64) -> Vec<ContactStep> {
    let pairs = throw.windows(2).filter_map(|pair| <&[PointSample; 2]>::try_from(pair).ok());
    let steps = pairs.filter_map(|[before, after]| {
        let fall = gravity * (after.time - before.time);
        let (rise, next_rise) = (before.velocity.y, after.velocity.y);
        let touches = match source {
            Contacts::Known => before.contact?,
            Contacts::Detected => next_rise - rise + fall > 0.5 * fall,
        };
        let contact = if !touches {
            return None;
        } else if rise < 0.0 && next_rise > fall {
            Contact::Rebound { speed: -rise }
        } else {
            let speed = if rise < -fall { -rise } else { 0.0 };
            Contact::Press { impulse: speed + fall }
        };
        Some(ContactStep { contact, slip: before.velocity.x, next_slip: after.velocity.x, next_rise })
    });
    steps.collect()
}
