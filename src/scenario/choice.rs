use super::{
    ConvexSolver, DelassusNorm, FixedPointStart, LcpSolverChoice, NlpSolverChoice, Preset, RestitutionLaw,
    SmoothLaw,
};
use crate::{
    contact::FrictionPolygon,
    world::{Impacts, JointClosing},
};

/// A setting that is one of a few words.
pub trait Choice: Copy + 'static {
    /// Every choice, the default first.
    const ALL: &'static [Self];

    /// The word that scenario files use.
    fn as_str(self) -> &'static str;

    /// The words of every choice, the default first.
    fn words() -> Vec<&'static str> {
        Self::ALL.iter().map(|choice| choice.as_str()).collect()
    }

    /// The choice of that word.
    fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.as_str() == word)
    }
}

impl Choice for NlpSolverChoice {
    const ALL: &'static [Self] = &[Self::Ipopt, Self::InteriorPoint, Self::Structured];

    fn as_str(self) -> &'static str {
        match self {
            Self::Structured => "structured",
            Self::Ipopt => "ipopt",
            Self::InteriorPoint => "interior-point",
        }
    }
}

impl Choice for Impacts {
    const ALL: &'static [Self] = &[Self::Incremental, Self::OneStage, Self::TwoStage];

    fn as_str(self) -> &'static str {
        match self {
            Self::OneStage => "one-stage",
            Self::TwoStage => "two-stage",
            Self::Incremental => "incremental",
        }
    }
}

impl Choice for JointClosing {
    const ALL: &'static [Self] = &[Self::Linear, Self::Closed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Closed => "closed",
        }
    }
}

impl Choice for LcpSolverChoice {
    const ALL: &'static [Self] = &[Self::Lemke, Self::Enumeration, Self::InteriorPoint];

    fn as_str(self) -> &'static str {
        match self {
            Self::Lemke => "lemke",
            Self::Enumeration => "enumeration",
            Self::InteriorPoint => "interior-point",
        }
    }
}

impl Choice for FrictionPolygon {
    const ALL: &'static [Self] = &[Self::Aligned, Self::Fixed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Aligned => "aligned",
            Self::Fixed => "fixed",
        }
    }
}

impl Choice for RestitutionLaw {
    const ALL: &'static [Self] = &[Self::Newton, Self::Poisson];

    fn as_str(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
        }
    }
}

impl Choice for FixedPointStart {
    const ALL: &'static [Self] = &[Self::FreeVelocity, Self::PreviousVelocity];

    fn as_str(self) -> &'static str {
        match self {
            Self::FreeVelocity => "free-velocity",
            Self::PreviousVelocity => "previous-velocity",
        }
    }
}

impl Choice for ConvexSolver {
    const ALL: &'static [Self] = &[Self::Newton, Self::Dual];

    fn as_str(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Dual => "dual",
        }
    }
}

impl Choice for Preset {
    const ALL: &'static [Self] = &[Self::Scaled, Self::Published];

    fn as_str(self) -> &'static str {
        match self {
            Self::Scaled => "scaled",
            Self::Published => "published",
        }
    }
}

impl Choice for DelassusNorm {
    const ALL: &'static [Self] = &[Self::Planar, Self::Spatial];

    fn as_str(self) -> &'static str {
        match self {
            Self::Planar => "planar",
            Self::Spatial => "spatial",
        }
    }
}

/// The name of a [`SmoothLaw`], without its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmoothLawName {
    /// [`SmoothLaw::KelvinVoigt`]
    KelvinVoigt,
    /// [`SmoothLaw::Tanh`]
    Tanh,
    /// [`SmoothLaw::HuntCrossley`]
    HuntCrossley,
}

impl Choice for SmoothLawName {
    const ALL: &'static [Self] = &[Self::KelvinVoigt, Self::HuntCrossley, Self::Tanh];

    fn as_str(self) -> &'static str {
        match self {
            Self::KelvinVoigt => "kelvin-voigt",
            Self::Tanh => "tanh",
            Self::HuntCrossley => "hunt-crossley",
        }
    }
}

impl SmoothLaw {
    /// Which law this is.
    pub fn name(&self) -> SmoothLawName {
        match self {
            Self::KelvinVoigt { .. } => SmoothLawName::KelvinVoigt,
            Self::Tanh { .. } => SmoothLawName::Tanh,
            Self::HuntCrossley { .. } => SmoothLawName::HuntCrossley,
        }
    }
}
