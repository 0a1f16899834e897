use super::{Scenario, SlidingFriction};
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
    /// Coefficient of restitution; that of the wall or the ground if absent.
    pub restitution: Option<f64>,
}

impl Pair {
    /// Of a body and what it touches, with what holds between the two otherwise.
    pub fn between(first: usize, second: Partner) -> Self {
        Self { first, second, friction: None, sliding: SlidingFriction::default(), restitution: None }
    }

    /// Whether it is about these two, in whichever order.
    pub(super) fn is_of(&self, first: usize, second: Partner) -> bool {
        let turned = matches!(second, Partner::Body(other) if self.first == other && self.second == Partner::Body(first));
        turned || (self.first == first && self.second == second)
    }
}

impl<const D: usize> Scenario<D> {
    /// What files call it: the name of a body, `ground`, or `wall-0`.
    pub fn partner_name(&self, partner: Partner) -> String {
        match partner {
            Partner::Body(body) => self.body_name(body),
            Partner::Ground => "ground".to_owned(),
            Partner::Wall(wall) => format!("wall-{wall}"),
        }
    }
}
