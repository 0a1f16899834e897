//! The bias `c` of the contact condition `c + J_n v+ >= 0`: how fast a gap may close, and how fast an
//! impact bounces.

use super::{Surface, Touch};

/// How impacts are taken.
///
/// The condition at gap level alone, `c = phi/dt`, splits an impact over two steps in a ratio that
/// depends on its phase in the step; where slip would reverse in the impact, the result does not
/// converge. In one stage the whole impulse acts in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Impacts {
    /// The whole impulse of an impact in the step in which it begins (Moreau's impact).
    OneStage,
    /// The gap condition alone, and Newton's law on a rebound.
    TwoStage,
    /// The whole impulse of an impact in the step in which it begins, followed over the normal impulse where bodies turn
    /// ([`PlanarImpact`](super::PlanarImpact), [`SpatialImpact`](super::SpatialImpact)), one pair of bodies after the other.
    #[default]
    Incremental,
}

impl Impacts {
    /// Whether an impact is taken whole in the step in which it begins.
    pub fn is_whole(self) -> bool {
        self != Self::TwoStage
    }
}

/// Normal velocity below which a closing contact is an impact, in units of `g dt`.
pub(super) const IMPACT: f64 = 2.0;
/// The same in units of the largest velocity of a body: without gravity a contact at rest is no impact for its rounding.
/// It is no larger than rounding, since what slips fast may bounce slowly all the same.
const GRAZING: f64 = 1e-9;

/// Part of the speed of closing by which something has to part to bounce: less is within what solves leave open, and would have
/// rounding decide by which velocity the bodies move.
const SLIGHT_REBOUND: f64 = 1e-6;

/// Gap in m up to which a contact counts as closed after the first stage, and the same as a part of the way in a step at the
/// velocity with which it closes, that solvers leave of it.
pub(super) const CLOSED: f64 = 1e-9;
const CLOSED_OF_WAY: f64 = 1e-7;

/// How fast in m/s a contact has to close to hit, under `gravity` in m/s^2 in a step of `dt` s, where no body moves
/// faster than `fastest` in m/s along an axis.
pub fn impact_speed(gravity: f64, dt: f64, fastest: f64) -> f64 {
    (IMPACT * gravity * dt).max(GRAZING * fastest)
}

/// Whether an overlap was there before the last step, rather than made by it: its depth is more than
/// what the linearised gap of a closing contact can miss. Such a contact is kept from closing further
/// and is not pushed apart, which would throw bodies.
///
/// `normal_velocity` in m/s is that of the start of the step.
pub fn is_old_overlap(gap: f64, normal_velocity: f64, reach: f64, dt: f64) -> bool {
    gap < old_overlap(normal_velocity, reach, dt)
}

/// The gap in m below which it is one.
fn old_overlap(normal_velocity: f64, reach: f64, dt: f64) -> f64 {
    -1e-6 * reach + 2.0 * dt * normal_velocity.min(0.0)
}

/// What the rules need to know of a contact in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Closing {
    gap: f64,
    /// `J_n v` at the start of the step.
    normal_velocity: f64,
    /// Whether it is an overlap that was there before.
    is_old: bool,
    restitution: f64,
    reach: f64,
    /// Whether either of the bodies can turn.
    turns: bool,
    /// How fast it has to close to hit: faster than gravity makes it within two steps, and more than it grazes.
    impact_speed: f64,
}

impl Closing {
    /// A contact whose `gap` changes by `normal_velocity` at the start of a step of `dt` s; what is slower than
    /// `impact_speed` does not hit.
    pub fn new<const D: usize, const N: usize>(
        touch: &Touch<D, N>,
        (gap, normal_velocity): (f64, f64),
        impact_speed: f64,
        dt: f64,
    ) -> Self {
        let Touch { reach, turns, surface: Surface { restitution, .. }, .. } = *touch;
        let is_old = is_old_overlap(gap, normal_velocity, reach, dt);
        Self { gap, normal_velocity, is_old, restitution, turns, reach, impact_speed }
    }

    /// Whether it hits.
    pub fn hits(&self) -> bool {
        self.normal_velocity < -self.impact_speed
    }

    /// Whether it touches, and neither hits nor parts: what rests is off by what the linearised gap of a body that
    /// turns misses, which is less than gravity makes in two steps.
    pub fn rests(&self, dt: f64) -> bool {
        self.gap <= self.impact_speed * dt && !self.hits() && !self.parts(self.normal_velocity)
    }

    /// Whether it opens at this normal velocity by more than that.
    pub fn parts(&self, normal_velocity: f64) -> bool {
        normal_velocity > self.impact_speed
    }

    /// What the signs of decide whether it is an old overlap, in m, and whether it hits, in m/s.
    pub fn margins(&self, dt: f64) -> [f64; 2] {
        let old = old_overlap(self.normal_velocity, self.reach, dt);
        [self.gap - old, -self.normal_velocity - self.impact_speed]
    }

    /// Whether the contact would close under the normal velocity `free`, in an impact that is taken whole.
    pub fn is_impact(&self, free: f64, dt: f64) -> bool {
        self.is_taken_whole() && self.hits() && self.gap + dt * free <= 0.0
    }

    /// Whether an impact of it has a stage of its own. One between bodies that do not turn has none unless it throws them
    /// apart faster than gravity makes them in two steps: its slip keeps its direction, so that the gap condition shares the
    /// impulse out between two steps without changing what it does.
    fn is_taken_whole(&self) -> bool {
        self.turns || self.restitution * self.normal_velocity < -self.impact_speed
    }

    /// The bias of the gap condition: how fast the gap may close.
    pub fn of_gap(&self) -> BiasSource {
        if self.is_old { BiasSource::Nothing } else { BiasSource::Gap }
    }

    /// The bias of the second stage, when the first gave the normal velocity `first`: contacts that
    /// it closed bounce by Newton's law, or stay closed.
    pub fn of_impact(&self, first: f64, dt: f64) -> BiasSource {
        let stays_at_gap_level = !self.is_taken_whole() || !self.is_closed_by(first, dt);
        if stays_at_gap_level { self.of_gap() } else { self.of_rebound() }
    }

    /// Whether it closes faster than what rests, at this normal velocity in m/s.
    pub fn strikes_at(&self, normal_velocity: f64) -> bool {
        normal_velocity < -self.impact_speed
    }

    /// Has it rebound by this part of what it would.
    pub fn reduce(&mut self, share: f64) {
        self.restitution *= share;
    }

    /// Has it rebound as it did that left with this normal velocity in m/s; what did not hit does not rebound.
    pub fn leave_with(&mut self, normal_velocity: f64) {
        let share = if self.hits() { normal_velocity / -self.normal_velocity } else { 0.0 };
        self.restitution = if share > SLIGHT_REBOUND { share } else { 0.0 };
    }

    /// Whether it closes at the same time as another contact, under these normal velocities.
    pub fn closes_with(&self, free: f64, other: &Self, of_other: f64) -> bool {
        (self.gap - other.gap * (free / of_other)).abs() <= CLOSED
    }

    /// The bias of a contact that is closed: Newton's law where it hits, or it stays closed.
    pub fn of_rebound(&self) -> BiasSource {
        if self.hits() && self.is_taken_whole() { BiasSource::Rebound } else { BiasSource::Nothing }
    }

    /// The bias where one solve has to do: Newton's law where the contact hits, the gap elsewhere.
    pub fn of_two_stages(&self, free: f64, dt: f64) -> BiasSource {
        if self.restitution > 0.0 && self.is_impact(free, dt) { BiasSource::Rebound } else { self.of_gap() }
    }

    /// The gap in m after a step in which it bounces, see [`Rebound`](super::Rebound).
    pub fn gap_after_rebound(&self, dt: f64) -> f64 {
        let Self { restitution: e, normal_velocity, gap, .. } = *self;
        e * e * gap - 0.5 * e * (1.0 + e) * dt * normal_velocity
    }

    /// Its derivatives with respect to the gap, the normal velocity at the start and the restitution.
    pub fn slopes_of_gap_after_rebound(&self, dt: f64) -> [f64; 3] {
        let Self { restitution: e, normal_velocity, gap, .. } = *self;
        [e * e, -0.5 * e * (1.0 + e) * dt, 2.0 * e * gap - (0.5 + e) * dt * normal_velocity]
    }

    /// Whether it has a restitution.
    pub fn is_elastic(&self) -> bool {
        self.restitution > 0.0
    }

    /// Whether the gap is closed at the end of a step by this normal velocity.
    pub fn is_closed_by(&self, normal_velocity: f64, dt: f64) -> bool {
        self.gap_after(normal_velocity, dt) <= CLOSED.max(CLOSED_OF_WAY * dt * self.normal_velocity.abs())
    }

    /// The gap at the end of a step by this normal velocity, in m.
    pub fn gap_after(&self, normal_velocity: f64, dt: f64) -> f64 {
        self.gap + dt * normal_velocity
    }

    /// The bias in m/s.
    pub fn bias(&self, source: BiasSource, dt: f64) -> f64 {
        match source {
            BiasSource::Gap => self.gap / dt,
            BiasSource::Rebound => self.restitution * self.normal_velocity,
            BiasSource::Nothing => 0.0,
        }
    }

    /// Its derivatives with respect to the gap, the normal velocity at the start and the restitution.
    pub fn slopes(&self, source: BiasSource, dt: f64) -> [f64; 3] {
        match source {
            BiasSource::Gap => [1.0 / dt, 0.0, 0.0],
            BiasSource::Rebound => [0.0, self.restitution, self.normal_velocity],
            BiasSource::Nothing => [0.0; 3],
        }
    }
}

/// Where the bias of a contact comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BiasSource {
    /// The gap that may close, `phi/dt`.
    Gap,
    /// Newton's rebound, `e` times the approach.
    Rebound,
    /// It stays closed, or is left alone.
    Nothing,
}
