//! What is known of a stepper, as data: a row of the table of steppers.

use std::{borrow::Cow, fmt, sync::Arc};

use super::{PointStepper, Refusal, Stepper, StepperName, bodies::ContactModels, registry::OwnModel};
use crate::scenario::{GroupedFriction, Scenario};

/// A stepper, as data: its name, what it is, what it can do, where it runs unasked, and how it is made.
///
/// Whoever needs to know something of a stepper asks its descriptor ([`StepperName::descriptor`]) and compares no
/// names: so a row of the table is all that a new stepper has to say of itself.
#[derive(Debug, Clone)]
pub struct StepperDescriptor {
    /// The name, `family` or `family:formulation`.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// What the stepper is, in a sentence or two, with the source that `SOURCES.md` has in full.
    pub summary: Cow<'static, str>,
    /// What it can do, and what it needs.
    pub capabilities: Capabilities,
    /// The lists that it stands in.
    pub rosters: &'static [Roster],
    /// How it is made for a scenario.
    pub(crate) build: Build,
}

impl StepperDescriptor {
    /// Whether it is a contact model: what steps points and bodies, however many.
    pub fn is_contact_model(&self) -> bool {
        matches!(self.build, Build::Model { .. } | Build::Registered(_))
    }

    /// Whether it stands in a list.
    pub fn is_in(&self, roster: Roster) -> bool {
        self.rosters.contains(&roster)
    }
}

/// What a stepper can do, and what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// Its motion is the true one, which follows from the scenario alone: others are measured against it, its gradient
    /// is that of the motion itself, and it takes no pushes beyond the scenario's.
    pub is_exact: bool,
    /// The law that its contacts follow.
    pub law: ContactLaw,
    /// Its steps of a single point come with slacks and a multiplier ([`Relaxation`](super::Relaxation)).
    pub gives_multipliers: bool,
    /// Nothing but IPOPT solves it.
    pub needs_ipopt: bool,
    /// It takes the impacts of a point in the plane at the level of the gap, so that their gradients can be corrected.
    pub corrects_gradients: bool,
    /// Its steps of bodies have derivatives.
    pub differentiates_bodies: bool,
    /// What it knows of friction beyond a coefficient that is the same in all directions.
    pub grouped_friction: KnownGroups,
    /// Whether its steps have derivatives with such friction.
    pub differentiates_groups: DifferentiatedGroups,
    /// It is no stepper, but the name of a motion that was recorded.
    pub is_recorded: bool,
}

impl Capabilities {
    /// Rigid contact by Coulomb's law, and nothing else.
    pub const PLAIN: Self = Self {
        is_exact: false,
        law: ContactLaw::Rigid,
        gives_multipliers: false,
        needs_ipopt: false,
        corrects_gradients: false,
        differentiates_bodies: false,
        grouped_friction: KnownGroups::Nothing,
        differentiates_groups: DifferentiatedGroups::Nowhere,
        is_recorded: false,
    };
}

/// What a stepper knows of friction beyond a coefficient that is the same in all directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownGroups {
    /// Sliding alone, in all directions alike.
    Nothing,
    /// That friction resists drilling and rolling.
    Turning,
    /// That, and that friction differs across an axis.
    All,
}

/// Where steps have derivatives with friction against turning, or that differs across an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferentiatedGroups {
    /// Nowhere.
    Nowhere,
    /// In a vertical plane, where what resists turning has one axis.
    InPlane,
    /// In a plane and in space.
    Everywhere,
}

impl DifferentiatedGroups {
    /// Whether in `D` dimensions.
    pub const fn holds<const D: usize>(self) -> bool {
        match self {
            Self::Nowhere => false,
            Self::InPlane => D == 2,
            Self::Everywhere => true,
        }
    }
}

impl KnownGroups {
    /// Whether it knows that.
    pub fn knows(self, beyond: GroupedFriction) -> bool {
        match beyond {
            GroupedFriction::Turning => self != Self::Nothing,
            GroupedFriction::Anisotropic => self == Self::All,
        }
    }
}

/// The law that the contacts of a stepper follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactLaw {
    /// Rigid bodies, and friction by Coulomb's law.
    Rigid,
    /// Compliant contact as a convex problem: what slides glides on a layer, what sticks creeps.
    Convex,
    /// Forces of springs and dampers.
    Penalty,
}

impl ContactLaw {
    /// Whether what is compressed holds energy that the states of the bodies do not tell.
    pub fn stores_energy(self) -> bool {
        self != Self::Rigid
    }
}

/// A list of steppers, in the order of the table: those that run where none is named, or that others are held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Roster {
    /// What a comparison of a single point runs.
    ComparisonOfPoint,
    /// What a comparison of several points or of bodies runs.
    ComparisonOfBodies,
    /// One stepper of every family, in the formulation for a point in a vertical plane.
    FamiliesInPlane,
    /// One stepper of every family, in the formulation for a point over a plane.
    FamiliesOverPlane,
    /// What a study of the gradients of a single point takes.
    GradientsOfPoint,
    /// What a study of the gradients of several points or of bodies takes.
    GradientsOfBodies,
    /// The models of a scorecard, one of every kind.
    Scorecard,
    /// The models of rigid bodies that others are held against where no exact motion is known, the first that there is.
    RigidReference,
}

impl Roster {
    /// The list for a scenario: `of_point` where steppers of a single point take it, `of_bodies` elsewhere.
    pub fn of_kind<const D: usize>(scenario: &Scenario<D>, of_point: Self, of_bodies: Self) -> Self {
        if scenario.is_single_point() { of_point } else { of_bodies }
    }

    /// Who stands in the list: the built-in steppers, then those that were registered.
    pub fn steppers(self) -> Vec<StepperName> {
        StepperName::known().into_iter().filter(|name| self.has(*name)).collect()
    }

    /// Whether a stepper stands in the list.
    pub fn has(self, stepper: StepperName) -> bool {
        stepper.descriptor().is_in(self)
    }
}

/// How a stepper is made for a scenario.
#[derive(Clone)]
pub(crate) enum Build {
    /// A contact model, for a world of any kind of bodies; a single point may have a form of its own.
    Model {
        /// For the worlds there are.
        models: ContactModels,
        /// For a single point; as one of many bodies if it has no form of its own.
        point: Option<PointForms>,
    },
    /// A contact model of the user's own, under the name that it was registered by.
    Registered(Arc<dyn OwnModel>),
    /// A stepper of its own, of a single point and of nothing else.
    OfPoint(PointForms),
    /// A stepper of its own for every scenario, which says for itself what it takes.
    Whole {
        /// For whatever there is.
        whole: WholeForms,
        /// For a single point, to callers that push it by hand.
        point: PointForms,
    },
    /// Nothing has the name any more.
    Gone,
}

impl Build {
    /// The forms of a single point, where it has them.
    pub fn point(&self) -> Option<&PointForms> {
        match self {
            Self::Model { point, .. } => point.as_ref(),
            Self::OfPoint(point) | Self::Whole { point, .. } => Some(point),
            Self::Registered(_) | Self::Gone => None,
        }
    }
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Model { .. } => "Model",
            Self::Registered(_) => "Registered",
            Self::OfPoint(_) => "OfPoint",
            Self::Whole { .. } => "Whole",
            Self::Gone => "Gone",
        })
    }
}

/// How a stepper of a single point is made, in both dimensions.
#[derive(Clone)]
pub(crate) struct PointForms {
    pub plane: PointForm<2>,
    pub space: PointForm<3>,
}

/// How a stepper of a single point is made.
#[derive(Clone)]
pub(crate) enum PointForm<const D: usize> {
    /// By this.
    By(fn(&Scenario<D>) -> Result<Box<dyn PointStepper<D>>, Refusal>),
    /// There is none in this dimension; the stepper of this name is near.
    Instead(&'static str),
}

/// How a stepper of its own is made for a whole scenario, in both dimensions.
#[derive(Clone)]
pub(crate) struct WholeForms {
    pub plane: fn(&Scenario<2>) -> Result<Box<dyn Stepper<2>>, Refusal>,
    pub space: fn(&Scenario<3>) -> Result<Box<dyn Stepper<3>>, Refusal>,
}
