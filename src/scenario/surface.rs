//! The law between two surfaces of a scenario: the one place that reads it out of its tables.

use super::{Ground, Pair, PairContact, Partner, Scenario, Wall};
use crate::{
    contact::{Friction, STRIBECK_EXPONENT},
    world::{Anisotropy, Surface, Surfaces, TurningLaw},
};

/// What a table says of friction beside its `friction`, the coefficient at rest: with it one law.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SlidingFriction {
    /// The coefficient `mu_k` in motion, 0 to that at rest; the same if absent.
    pub kinetic_friction: Option<f64>,
    /// The slip `v_s` in m/s about which the coefficient falls from rest to motion; if absent it jumps.
    pub stribeck_velocity: Option<f64>,
    /// The exponent `delta` of Stribeck's curve; 2 if absent.
    pub stribeck_exponent: Option<f64>,
    /// The growth `c` of the coefficient with the slip in s/m; none if absent.
    pub viscous_friction: Option<f64>,
    /// The coefficient `mu_2` across `friction_axis`, in space; the same in all directions if absent.
    pub friction_across: Option<f64>,
    /// Along which friction has the coefficient `friction`, in the axes of the first body of a pair, else of the world; x if
    /// absent.
    pub friction_axis: Option<[f64; 3]>,
}

impl SlidingFriction {
    /// Nothing: friction has one coefficient.
    pub const NONE: Self = Self {
        kinetic_friction: None,
        stribeck_velocity: None,
        stribeck_exponent: None,
        viscous_friction: None,
        friction_across: None,
        friction_axis: None,
    };

    /// The keys by which friction depends on the slip, as they are listed in a sentence.
    pub const KEYS: &str = "kinetic_friction, stribeck_velocity, stribeck_exponent and viscous_friction";

    /// The keys of numbers that are given, with their values.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let keys = [
            ("kinetic_friction", self.kinetic_friction),
            ("stribeck_velocity", self.stribeck_velocity),
            ("stribeck_exponent", self.stribeck_exponent),
            ("viscous_friction", self.viscous_friction),
            ("friction_across", self.friction_across),
        ];
        keys.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }

    /// The law with the coefficient `at_rest`.
    pub fn law(&self, at_rest: f64) -> Friction {
        Friction::static_and_kinetic(at_rest, self.kinetic_friction.unwrap_or(at_rest))
            .with_speed(self.stribeck_velocity.unwrap_or(0.0), self.viscous_friction.unwrap_or(0.0))
            .with_stribeck_exponent(self.stribeck_exponent.unwrap_or(STRIBECK_EXPONENT))
    }

    /// The axis along which friction has the coefficient `friction`, where it differs across it.
    pub(crate) fn axis(&self) -> [f64; 3] {
        self.friction_axis.unwrap_or([1.0, 0.0, 0.0])
    }

    /// How the friction with the coefficient `at_rest` differs across an axis that `carrier` has in its axes.
    fn anisotropy(&self, at_rest: f64, carrier: Option<usize>) -> Option<Anisotropy> {
        let ratio = self.friction_across? / at_rest;
        Some(Anisotropy { ratio, axis: self.axis().into(), carrier })
    }
}

/// What friction has beyond a coefficient that is the same in all directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupedFriction {
    /// It resists drilling or rolling.
    Turning,
    /// It differs across an axis.
    Anisotropic,
}

impl GroupedFriction {
    /// What it does, of some friction, in a sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Turning => "some of it resists drilling or rolling",
            Self::Anisotropic => "some of it differs across an axis",
        }
    }

    /// The keys that ask for it.
    pub const fn keys(self) -> &'static str {
        match self {
            Self::Turning => TurningLengths::KEYS,
            Self::Anisotropic => "friction_across and friction_axis",
        }
    }
}

/// What a table says of friction against turning. Each length is inherited by itself, and needs no `friction` beside it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TurningLengths {
    /// `rho_t` in m: drilling takes up at most this times the normal force; that of the outer table if absent.
    pub torsional_friction: Option<f64>,
    /// `rho_r` in m: rolling takes up at most this times the normal force; that of the outer table if absent.
    pub rolling_friction: Option<f64>,
}

impl TurningLengths {
    /// Nothing of its own.
    pub const NONE: Self = Self { torsional_friction: None, rolling_friction: None };

    /// The keys, as they are listed in a sentence.
    pub const KEYS: &str = "torsional_friction and rolling_friction";

    /// The keys that are given, with their values.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let keys =
            [("torsional_friction", self.torsional_friction), ("rolling_friction", self.rolling_friction)];
        keys.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }

    /// These lengths, those of `outer` where they are not given.
    fn within(&self, outer: TurningLaw) -> TurningLaw {
        TurningLaw {
            torsional: self.torsional_friction.unwrap_or(outer.torsional),
            rolling: self.rolling_friction.unwrap_or(outer.rolling),
        }
    }
}

impl Ground {
    /// The law on the ground, and between bodies, where no other table says more.
    pub fn surface(&self) -> Surface {
        Surface {
            friction: self.sliding.law(self.friction),
            anisotropy: self.sliding.anisotropy(self.friction, None),
            turning: self.turning.within(TurningLaw::default()),
            restitution: self.restitution,
        }
    }
}

/// The law `outer` with what an inner table gives instead: friction as a whole, its axis that of a `carrier`, or not at all, and
/// lengths singly.
fn within(
    outer: Surface,
    (friction, sliding, carrier): (Option<f64>, &SlidingFriction, Option<usize>),
    turning: &TurningLengths,
    restitution: Option<f64>,
) -> Surface {
    Surface {
        friction: friction.map_or(outer.friction, |at_rest| sliding.law(at_rest)),
        anisotropy: friction.map_or(outer.anisotropy, |at_rest| sliding.anisotropy(at_rest, carrier)),
        turning: turning.within(outer.turning),
        restitution: restitution.unwrap_or(outer.restitution),
    }
}

impl<const D: usize> Wall<D> {
    /// The law on the wall, over `ground`.
    pub fn surface(&self, ground: &Ground) -> Surface {
        within(ground.surface(), (self.friction, &self.sliding, None), &self.turning, self.restitution)
    }
}

impl Pair {
    fn within(&self, outer: Surface) -> Surface {
        within(outer, (self.friction, &self.sliding, Some(self.first)), &self.turning, self.restitution)
    }
}

impl PairContact {
    fn within(&self, outer: Surface) -> Surface {
        let carrier = Some(self.bodies[0]);
        within(outer, (self.friction, &self.sliding, carrier), &TurningLengths::NONE, None)
    }
}

impl<const D: usize> Scenario<D> {
    /// The law between body `first` and what it touches: friction and restitution each from the innermost table that
    /// gives it, `[[contact]]`, `[[pair]]`, `[[wall]]`, `[ground]`.
    pub fn surface(&self, first: usize, second: Partner) -> Surface {
        let ground = self.ground.surface();
        let outer = match second {
            Partner::Stop { .. } => Surface::default(),
            Partner::Wall(wall) => self.walls.get(wall).map_or(ground, |wall| wall.surface(&self.ground)),
            Partner::Body(_) | Partner::Ground => ground,
        };
        let pair = self.pairs.iter().find(|pair| pair.is_of(first, second));
        let outer = pair.map_or(outer, |pair| pair.within(outer));
        let Partner::Body(second) = second else { return outer };
        let contact = self.contacts.iter().find(|contact| contact.is_of(first, second));
        contact.map_or(outer, |contact| contact.within(outer))
    }

    /// Whether any contact has a restitution.
    pub fn bounces(&self) -> bool {
        self.surfaces().laws().any(|surface| surface.restitution > 0.0)
    }

    /// Whether anything may rebound from anything, joints from their stops among them.
    pub fn may_rebound(&self) -> bool {
        self.bounces() || self.joints.iter().any(|joint| joint.restitution > 0.0)
    }

    /// The laws between all that may touch, as [`Scenario::surface`] gives them, in a table for looking them up often.
    pub fn surfaces(&self) -> Surfaces {
        let walls = self.walls.iter().map(|wall| wall.surface(&self.ground)).collect();
        let mut surfaces = Surfaces::new(self.ground.surface(), walls);
        for pair in &self.pairs {
            surfaces.set(pair.first, pair.second, pair.within(surfaces.between(pair.first, pair.second)));
        }
        for contact in &self.contacts {
            let (first, second) = (contact.bodies[0], Partner::Body(contact.bodies[1]));
            surfaces.set(first, second, contact.within(surfaces.between(first, second)));
        }
        surfaces
    }

    /// Whether there is friction anywhere.
    pub fn has_friction(&self) -> bool {
        let is_rough =
            |friction: Friction| friction.static_coefficient() > 0.0 || friction.viscous_coefficient() > 0.0;
        self.surfaces().laws().any(|surface| is_rough(surface.friction))
    }

    /// Whether something that turns is anywhere resisted in it. Points do not turn, and in the plane nothing drills.
    pub fn resists_turning(&self) -> bool {
        self.has_turning_bodies() && self.surfaces().laws().any(|surface| surface.turning.acts::<D>())
    }

    /// What friction has anywhere beyond a coefficient that is the same in all directions; nothing where it acts on nothing.
    pub fn grouped_friction(&self) -> Option<GroupedFriction> {
        if self.resists_turning() {
            return Some(GroupedFriction::Turning);
        }
        let differs = self.surfaces().laws().any(|surface| surface.anisotropy.is_some());
        differs.then_some(GroupedFriction::Anisotropic)
    }

    /// Whether friction depends anywhere on how fast something slips.
    pub fn friction_depends_on_slip(&self) -> bool {
        self.surfaces().laws().any(|surface| surface.friction.depends_on_slip())
    }
}
