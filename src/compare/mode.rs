use std::fmt;

use crate::{
    model::{State, tangential},
    trajectory::Track,
};

/// Share of the load above which a normal force counts as contact.
const CONTACT_SHARE: f64 = 1e-4;

/// Multiple of the load above which it counts as an impact.
const IMPACT_LOADS: f64 = 3.0;

/// Share of the speed that gravity gives in a step, below which a point on the ground sticks.
const STICK_SHARE: f64 = 1e-2;

/// What a body does over one step, as seen from its force and velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContactMode {
    /// Off the ground.
    Flight,
    /// Hitting the ground: pressed by more than three times what weight and push explain.
    Impact,
    /// On the ground and moving along it.
    Sliding,
    /// On the ground and at rest along it.
    Sticking,
}

impl ContactMode {
    /// The mode of step `k`; `None` if `track` has no such step.
    pub fn of<const D: usize>(track: Track<'_, D>, k: usize) -> Option<Self> {
        let step = track.steps.get(k)?;
        let after: &State<D> = track.states.get(k + 1)?;
        let body = track.point();
        let weight = body.mass * body.gravity_norm();
        let load = (-body.mass * body.gravity[D - 1] - step.push[D - 1]).max(CONTACT_SHARE * weight);
        let force = step.force[D - 1];
        if force <= CONTACT_SHARE * weight {
            return Some(Self::Flight);
        }
        if force > IMPACT_LOADS * load {
            return Some(Self::Impact);
        }
        let threshold = STICK_SHARE * body.gravity_norm() * track.scenario.step;
        Some(if tangential(&after.velocity).norm() > threshold { Self::Sliding } else { Self::Sticking })
    }

    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Flight => "flight",
            Self::Impact => "impact",
            Self::Sliding => "sliding",
            Self::Sticking => "sticking",
        }
    }
}

impl fmt::Display for ContactMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
