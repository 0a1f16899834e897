use std::fmt;

use crate::{
    model::{PointMass, State, tangential},
    scenario::Partner,
    stepper::{Contact, ContactMode},
    trajectory::Track,
};

/// Share of the load above which a normal force counts as contact.
const CONTACT_SHARE: f64 = 1e-4;

/// Multiple of the load above which it counts as an impact, in tables and pictures.
pub(crate) const IMPACT_LOADS: f64 = 3.0;

/// Share of the speed that gravity gives in a step, below which a point on the ground sticks.
const STICK_SHARE: f64 = 1e-2;

/// The same where no friction can hold it.
const STICK_SHARE_WITHOUT_FRICTION: f64 = 1e-5;

/// What a body does over one step: a point as seen from its force and velocity, a body that turns as its contacts
/// have it, with whatever it touches in place of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodyMode {
    /// Off the ground.
    Flight,
    /// Hitting the ground: pressed by more than three times what weight and push explain.
    Impact,
    /// On the ground and moving along it.
    Sliding,
    /// On the ground and at rest along it.
    Sticking,
    /// In contact, by a model that does not tell contacts apart.
    Touching,
}

impl BodyMode {
    /// The mode of step `k`; `None` if `track` has no such step.
    pub fn of<const D: usize>(track: Track<'_, D>, k: usize) -> Option<Self> {
        let step = track.steps.get(k)?;
        let after: &State<D> = track.states.get(k + 1)?;
        let body = track.point();
        let weight = body.mass * body.gravity_norm();
        let load = (-body.mass * body.gravity[D - 1] - step.push[D - 1]).max(CONTACT_SHARE * weight);
        if !track.attitudes.is_empty() {
            return Some(Self::of_contacts(track, k, CONTACT_SHARE * weight, IMPACT_LOADS * load));
        }
        let force = step.force[D - 1];
        if force <= CONTACT_SHARE * weight {
            return Some(Self::Flight);
        }
        if force > IMPACT_LOADS * load {
            return Some(Self::Impact);
        }
        Some(if is_moving(&body, after, track.scenario.step) { Self::Sliding } else { Self::Sticking })
    }

    /// The mode of step `k` with impacts of a point as what they are along the ground, sliding or sticking; those of a
    /// body that turns stay impacts, since the velocity of its centre does not say whether it slips.
    pub fn along_the_ground<const D: usize>(track: Track<'_, D>, k: usize) -> Option<Self> {
        match Self::of(track, k)? {
            Self::Impact if !track.attitudes.is_empty() => Some(Self::Impact),
            Self::Impact if is_moving(&track.point(), track.states.get(k + 1)?, track.scenario.step) => {
                Some(Self::Sliding)
            }
            Self::Impact => Some(Self::Sticking),
            other => Some(other),
        }
    }

    /// The mode of a body that turns: it slides where one of its contacts does.
    fn of_contacts<const D: usize>(track: Track<'_, D>, k: usize, least: f64, impact: f64) -> Self {
        let force = track.steps[k].force.norm();
        let is_own = |contact: &&Contact<D>| {
            contact.first == track.body || contact.second == Partner::Body(track.body)
        };
        let own = || track.contacts.of_step(k).iter().filter(is_own);
        let pressed = own().map(|contact| contact.force.dot(&contact.normal)).fold(0.0, f64::max);
        let mut modes =
            own().map(|contact| contact.mode).filter(|mode| *mode != ContactMode::Open).peekable();
        if force.max(pressed) <= least {
            Self::Flight
        } else if force.max(pressed) > impact {
            Self::Impact
        } else if modes.peek().is_none() {
            Self::Touching
        } else if modes.any(|mode| mode == ContactMode::Slip) {
            Self::Sliding
        } else {
            Self::Sticking
        }
    }

    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Flight => "flight",
            Self::Impact => "impact",
            Self::Sliding => "sliding",
            Self::Sticking => "sticking",
            Self::Touching => "touching",
        }
    }
}

/// Whether a point moves along the ground after a step of `dt` s.
fn is_moving<const D: usize>(body: &PointMass<D>, after: &State<D>, dt: f64) -> bool {
    let share = if body.friction > 0.0 { STICK_SHARE } else { STICK_SHARE_WITHOUT_FRICTION };
    tangential(&after.velocity).norm() > share * body.gravity_norm() * dt
}

impl fmt::Display for BodyMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
