use std::any::Any;

use super::{Scenario, StepperSettings, TimeGrid, Violation};

/// A scenario of either dimension, which the length of the positions in a file decides.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyScenario {
    /// Motion in a vertical plane, positions `(x, z)`.
    InPlane(Scenario<2>),
    /// Motion over a plane, positions `(x, y, z)`.
    OverPlane(Scenario<3>),
}

/// A scenario by reference, its dimension known.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyScenarioRef<'a> {
    /// In a vertical plane.
    InPlane(&'a Scenario<2>),
    /// Over a plane.
    OverPlane(&'a Scenario<3>),
}

impl<const D: usize> Scenario<D> {
    /// This scenario with its dimension known; `None` of other dimensions than 2 and 3.
    pub(crate) fn of_known_dimension(&self) -> Option<AnyScenarioRef<'_>> {
        let any: &dyn Any = self;
        any.downcast_ref()
            .map(AnyScenarioRef::InPlane)
            .or_else(|| any.downcast_ref().map(AnyScenarioRef::OverPlane))
    }
}

/// The same expression for either dimension.
macro_rules! each {
    ($any:expr, $scenario:ident => $value:expr) => {
        match $any {
            Self::InPlane($scenario) => $value,
            Self::OverPlane($scenario) => $value,
        }
    };
}

impl AnyScenario {
    /// Name; names the output folder.
    pub fn name(&self) -> &str {
        each!(self, scenario => &scenario.name)
    }

    /// Number of components of a position, 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Self::InPlane(_) => 2,
            Self::OverPlane(_) => 3,
        }
    }

    /// Number of bodies.
    pub(crate) fn bodies(&self) -> usize {
        each!(self, scenario => scenario.bodies.len())
    }

    /// The time grid `t_k = k dt`.
    pub fn time(&self) -> TimeGrid {
        each!(self, scenario => scenario.time())
    }

    /// Settings of the stepper families.
    pub fn steppers(&self) -> &StepperSettings {
        each!(self, scenario => &scenario.steppers)
    }

    /// Holds every value against the rules, see [`Scenario::check`].
    ///
    /// # Errors
    /// All the violations there are.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        each!(self, scenario => scenario.check())
    }

    /// The text of a scenario file, see [`Scenario::to_toml`].
    pub fn to_toml(&self) -> String {
        each!(self, scenario => scenario.to_toml())
    }
}

impl From<Scenario<2>> for AnyScenario {
    fn from(scenario: Scenario<2>) -> Self {
        Self::InPlane(scenario)
    }
}

impl From<Scenario<3>> for AnyScenario {
    fn from(scenario: Scenario<3>) -> Self {
        Self::OverPlane(scenario)
    }
}

/// The scenario back, if it is not of this dimension.
impl TryFrom<AnyScenario> for Scenario<2> {
    type Error = AnyScenario;

    fn try_from(any: AnyScenario) -> Result<Self, AnyScenario> {
        match any {
            AnyScenario::InPlane(scenario) => Ok(scenario),
            other => Err(other),
        }
    }
}

/// The scenario back, if it is not of this dimension.
impl TryFrom<AnyScenario> for Scenario<3> {
    type Error = AnyScenario;

    fn try_from(any: AnyScenario) -> Result<Self, AnyScenario> {
        match any {
            AnyScenario::OverPlane(scenario) => Ok(scenario),
            other => Err(other),
        }
    }
}
