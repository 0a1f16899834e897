use std::collections::BTreeMap;

use super::{Anisotropy, Partner};
use crate::contact::Friction;

/// The law between two surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Surface {
    /// Friction along them.
    pub friction: Friction,
    /// How that differs across an axis, in space.
    pub anisotropy: Option<Anisotropy>,
    /// Friction against turning at the contact.
    pub turning: TurningLaw,
    /// Coefficient of restitution `e`, 0 to 1.
    pub restitution: f64,
}

/// How much of the normal force of a contact resists turning, as lengths: what a force is at most multiplied by.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TurningLaw {
    /// `rho_t >= 0` in m: drilling, about the normal. In the plane nothing drills.
    pub torsional: f64,
    /// `rho_r >= 0` in m: rolling, about the tangents.
    pub rolling: f64,
}

impl TurningLaw {
    /// Whether it resists anything in `D` dimensions.
    pub fn acts<const D: usize>(&self) -> bool {
        self.rolling > 0.0 || (D == 3 && self.torsional > 0.0)
    }
}

impl Surface {
    /// Coulomb friction with the coefficient `mu`, and the restitution `e`.
    pub fn new(mu: f64, e: f64) -> Self {
        Self { friction: Friction::coulomb(mu), restitution: e, ..Self::default() }
    }
}

/// The law between every two surfaces of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Surfaces {
    common: Surface,
    walls: Vec<Surface>,
    /// By their [`key`].
    pairs: BTreeMap<(usize, Partner), Surface>,
}

impl Surfaces {
    /// The same law `common` to all, but for bodies on `walls`, one law each.
    pub fn new(common: Surface, walls: Vec<Surface>) -> Self {
        Self { common, walls, pairs: BTreeMap::new() }
    }

    /// The same law for all.
    pub fn uniform(common: Surface) -> Self {
        Self::new(common, Vec::new())
    }

    /// Sets the law between body `first` and what it touches, in whichever order the two are named.
    pub fn set(&mut self, first: usize, second: Partner, surface: Surface) {
        self.pairs.insert(key(first, second), surface);
    }

    /// These surfaces with the law of one pair set, as by [`Surfaces::set`].
    #[must_use]
    pub fn with(mut self, first: usize, second: Partner, surface: Surface) -> Self {
        self.set(first, second, surface);
        self
    }

    /// The law between body `first` and what it touches.
    #[inline]
    pub fn between(&self, first: usize, second: Partner) -> Surface {
        let particular = || match second {
            Partner::Wall(wall) => self.walls.get(wall).copied(),
            Partner::Body(_) | Partner::Ground | Partner::Stop { .. } => None,
        };
        self.pairs.get(&key(first, second)).copied().or_else(particular).unwrap_or(self.common)
    }

    /// All laws that hold between something.
    pub fn laws(&self) -> impl Iterator<Item = Surface> {
        std::iter::once(&self.common).chain(&self.walls).chain(self.pairs.values()).copied()
    }
}

/// A pair whichever way it is named: of two bodies that of the smaller number first.
fn key(first: usize, second: Partner) -> (usize, Partner) {
    match second {
        Partner::Body(other) if other < first => (other, Partner::Body(first)),
        _ => (first, second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_goes_before_its_wall_and_a_wall_before_the_rest() {
        let [common, wall, pair] = [0.1, 0.2, 0.3].map(|mu| Surface::new(mu, 0.0));
        let surfaces = Surfaces::new(common, vec![wall])
            .with(2, Partner::Body(1), pair)
            .with(0, Partner::Wall(0), common)
            .with(0, Partner::Wall(0), pair);
        assert_eq!(surfaces.between(1, Partner::Body(2)), pair);
        assert_eq!(surfaces.between(2, Partner::Body(1)), pair);
        assert_eq!(surfaces.between(0, Partner::Wall(0)), pair);
        assert_eq!(surfaces.between(1, Partner::Wall(0)), wall);
        assert_eq!(surfaces.between(1, Partner::Wall(1)), common);
        assert_eq!(surfaces.between(1, Partner::Ground), common);
        assert_eq!(surfaces.between(0, Partner::Body(1)), common);
        assert_eq!(surfaces.laws().count(), 4);
    }
}
