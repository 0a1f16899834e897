use super::{ParticleSystem, Scenario, StepperSettings, TimeGrid, Violation};

/// A scenario of either kind and dimension, as files hold them: `[particle]` makes a single point
/// and `[[particle]]` a system of them, the length of the positions decides the dimension.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyScenario {
    /// Motion in a vertical plane, positions `(x, z)`.
    InPlane(Scenario<2>),
    /// A point over a plane, positions `(x, y, z)`.
    OverPlane(Scenario<3>),
    /// Several particles in a vertical plane.
    SystemInPlane(ParticleSystem<2>),
    /// Several particles over a plane.
    SystemOverPlane(ParticleSystem<3>),
}

/// The same expression for every kind.
macro_rules! each {
    ($any:expr, $scenario:ident => $value:expr) => {
        match $any {
            Self::InPlane($scenario) => $value,
            Self::OverPlane($scenario) => $value,
            Self::SystemInPlane($scenario) => $value,
            Self::SystemOverPlane($scenario) => $value,
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
            Self::InPlane(_) | Self::SystemInPlane(_) => 2,
            Self::OverPlane(_) | Self::SystemOverPlane(_) => 3,
        }
    }

    /// Number of particles of a system; `None` for the scenario of a single point.
    pub fn system_size(&self) -> Option<usize> {
        match self {
            Self::InPlane(_) | Self::OverPlane(_) => None,
            Self::SystemInPlane(system) => Some(system.particles.len()),
            Self::SystemOverPlane(system) => Some(system.particles.len()),
        }
    }

    /// The time grid `t_k = k dt`.
    pub fn time(&self) -> TimeGrid {
        each!(self, scenario => scenario.time())
    }

    /// Settings of the stepper families.
    pub fn steppers(&self) -> &StepperSettings {
        each!(self, scenario => &scenario.steppers)
    }

    /// Holds every value against the rules, see [`Scenario::check`] and [`ParticleSystem::check`].
    ///
    /// # Errors
    /// All the violations there are.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        each!(self, scenario => scenario.check())
    }

    /// The text of a scenario file, see [`Scenario::to_toml`] and [`ParticleSystem::to_toml`].
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

impl From<ParticleSystem<2>> for AnyScenario {
    fn from(system: ParticleSystem<2>) -> Self {
        Self::SystemInPlane(system)
    }
}

impl From<ParticleSystem<3>> for AnyScenario {
    fn from(system: ParticleSystem<3>) -> Self {
        Self::SystemOverPlane(system)
    }
}
