use super::Scenario;
use crate::world::Partner;

/// What holds between two bodies, or between a body and the ground or a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The number of a body.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// Friction coefficient; that of the wall or the ground if absent.
    pub friction: Option<f64>,
    /// Coefficient of restitution; that of the wall or the ground if absent.
    pub restitution: Option<f64>,
}

impl Pair {
    /// Whether it is about these two, in whichever order.
    pub(super) fn is_of(&self, first: usize, second: Partner) -> bool {
        let turned = matches!(second, Partner::Body(other) if self.first == other && self.second == Partner::Body(first));
        turned || (self.first == first && self.second == second)
    }
}

impl<const D: usize> Scenario<D> {
    /// Friction coefficient between body `first` and what it touches: that of the pair, else that of
    /// the wall, else that of the ground.
    pub fn friction(&self, first: usize, second: Partner) -> f64 {
        let pair = self.pairs.iter().filter(|pair| pair.is_of(first, second)).find_map(|pair| pair.friction);
        pair.or_else(|| self.wall_of(second)?.friction).unwrap_or(self.ground.friction)
    }

    /// Whether there is friction anywhere.
    pub fn has_friction(&self) -> bool {
        let of_walls = self.walls.iter().filter_map(|wall| wall.friction);
        let of_pairs = self.pairs.iter().filter_map(|pair| pair.friction);
        let of_points = self.contacts.iter().filter_map(|contact| contact.friction);
        let own = of_walls.chain(of_pairs).chain(of_points);
        std::iter::once(self.ground.friction).chain(own).any(|friction| friction > 0.0)
    }

    /// Coefficient of restitution between body `first` and what it touches, as [`Scenario::friction`].
    pub fn restitution(&self, first: usize, second: Partner) -> f64 {
        let pair =
            self.pairs.iter().filter(|pair| pair.is_of(first, second)).find_map(|pair| pair.restitution);
        pair.or_else(|| self.wall_of(second)?.restitution).unwrap_or(self.ground.restitution)
    }

    fn wall_of(&self, partner: Partner) -> Option<&super::Wall<D>> {
        match partner {
            Partner::Wall(index) => self.walls.get(index),
            Partner::Body(_) | Partner::Ground => None,
        }
    }

    /// What files call it: the name of a body, `ground`, or `wall-0`.
    pub fn partner_name(&self, partner: Partner) -> String {
        match partner {
            Partner::Body(body) => self.body_name(body),
            Partner::Ground => "ground".to_owned(),
            Partner::Wall(wall) => format!("wall-{wall}"),
        }
    }
}
