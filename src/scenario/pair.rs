use std::collections::BTreeSet;

use super::{JointSetup, Scenario, SlidingFriction, TurningLengths};
use crate::world::Partner;

/// What holds between two bodies, or between a body and the ground or a wall, other than between the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The number of a body.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// Friction coefficient; that of the wall or the ground if absent.
    pub friction: Option<f64>,
    /// What else there is to that friction.
    pub sliding: SlidingFriction,
    /// What resists turning between them.
    pub turning: TurningLengths,
    /// Coefficient of restitution; that of the wall or the ground if absent.
    pub restitution: Option<f64>,
    /// Whether the two touch; two bodies that do not pass through each other.
    pub touch: bool,
}

impl Pair {
    /// Of a body and what it touches, with what holds between the two otherwise.
    pub fn between(first: usize, second: Partner) -> Self {
        Self {
            first,
            second,
            friction: None,
            sliding: SlidingFriction::default(),
            turning: TurningLengths::NONE,
            restitution: None,
            touch: true,
        }
    }

    /// The two bodies, the smaller number first, if they never touch.
    pub(super) fn passing(&self) -> Option<(usize, usize)> {
        match self.second {
            Partner::Body(second) if !self.touch => Some((self.first.min(second), self.first.max(second))),
            _ => None,
        }
    }

    /// Whether it is about these two, in whichever order.
    pub(super) fn is_of(&self, first: usize, second: Partner) -> bool {
        let turned = matches!(second, Partner::Body(other) if self.first == other && self.second == Partner::Body(first));
        turned || (self.first == first && self.second == second)
    }
}

impl<const D: usize> Scenario<D> {
    /// Pairs of bodies that never touch, the smaller number first: those that are joined and do not collide, and those that
    /// are said not to touch.
    pub(crate) fn passing(&self) -> BTreeSet<(usize, usize)> {
        let joined = self.joints.iter().filter_map(JointSetup::passing);
        joined.chain(self.pairs.iter().filter_map(Pair::passing)).collect()
    }

    /// What files call it: the name of a body, `ground`, or `wall-0`.
    pub fn partner_name(&self, partner: Partner) -> String {
        match partner {
            Partner::Body(body) => self.body_name(body),
            Partner::Ground => "ground".to_owned(),
            Partner::Wall(wall) => format!("wall-{wall}"),
            Partner::Stop { axis, end } => format!("stop-{axis}-{end}"),
        }
    }
}
