use super::{Scenario, StepperSettings, TimeGrid, Violation};

/// A scenario of either dimension, as files hold them: the length of `particle.position` decides.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyScenario {
    /// Motion in a vertical plane, positions `(x, z)`.
    InPlane(Scenario<2>),
    /// A point over a plane, positions `(x, y, z)`.
    OverPlane(Scenario<3>),
}

impl AnyScenario {
    /// Name; names the output folder.
    pub fn name(&self) -> &str {
        match self {
            Self::InPlane(scenario) => &scenario.name,
            Self::OverPlane(scenario) => &scenario.name,
        }
    }

    /// Number of components of a position, 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Self::InPlane(_) => 2,
            Self::OverPlane(_) => 3,
        }
    }

    /// The time grid `t_k = k dt`.
    pub fn time(&self) -> TimeGrid {
        match self {
            Self::InPlane(scenario) => scenario.time(),
            Self::OverPlane(scenario) => scenario.time(),
        }
    }

    /// Settings of the stepper families.
    pub fn steppers(&self) -> &StepperSettings {
        match self {
            Self::InPlane(scenario) => &scenario.steppers,
            Self::OverPlane(scenario) => &scenario.steppers,
        }
    }

    /// Holds every value against the rules, see [`Scenario::check`].
    ///
    /// # Errors
    /// All the violations there are.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        match self {
            Self::InPlane(scenario) => scenario.check(),
            Self::OverPlane(scenario) => scenario.check(),
        }
    }

    /// The text of a scenario file, see [`Scenario::to_toml`].
    pub fn to_toml(&self) -> String {
        match self {
            Self::InPlane(scenario) => scenario.to_toml(),
            Self::OverPlane(scenario) => scenario.to_toml(),
        }
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
