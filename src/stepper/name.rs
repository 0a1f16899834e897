use std::{fmt, str::FromStr};

use super::registry::{OwnName, registered};

/// The name of a stepper, `family` or `family:formulation`.
///
/// A bare family name stands for the family's default formulation: `nlp` is `nlp:relaxed` and
/// `lcp` is `lcp:stewart-trinkle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepperName {
    /// `nlp`: the well-posed relaxed-complementarity program.
    NlpRelaxed,
    /// `nlp:seed`: the program of the blog post, as published.
    NlpSeed,
    /// `lcp`: gap-level Stewart-Trinkle.
    LcpStewartTrinkle,
    /// `lcp:anitescu`: velocity-level Anitescu-Potra.
    LcpAnitescu,
    /// `lcp:falling-block`: normal contact only.
    LcpFallingBlock,
    /// `lcp:forward`: block sliding forward only.
    LcpForward,
    /// `lcp:direct`: bidirectional block with slack friction.
    LcpDirect,
    /// `lcp:direct2`: the formulation that the notes found infeasible.
    LcpDirect2,
    /// `lcp:traditional`: Stewart-Trinkle friction for the sliding block.
    LcpTraditional,
    /// `lcp:mixed`: the same with the velocity kept as an unknown.
    LcpMixed,
    /// `lcp:belbute-peres`: the form of Belbute-Peres and others.
    LcpBelbutePeres,
    /// `lcp:polyhedral`: friction polygon over a plane.
    LcpPolyhedral,
    /// `lcp:fixed-point`: the notes' fixed-point iteration over a plane.
    LcpFixedPoint,
    /// `cone`: exact Coulomb friction of many contacts by projected Gauss-Seidel.
    Cone,
    /// `convex`: compliant contact as a convex program.
    Convex,
    /// `hybrid`: guards and resets.
    Hybrid,
    /// `smooth`: penalty forces.
    Smooth,
    /// `exact`: event-driven closed forms.
    Exact,
    /// A model of the user's own, under the name that it was registered by.
    Own(OwnName),
}

impl StepperName {
    /// Every built-in stepper, in the order in which they are listed and compared.
    pub const ALL: [Self; 18] = [
        Self::NlpRelaxed,
        Self::NlpSeed,
        Self::LcpStewartTrinkle,
        Self::LcpAnitescu,
        Self::LcpFallingBlock,
        Self::LcpForward,
        Self::LcpDirect,
        Self::LcpDirect2,
        Self::LcpTraditional,
        Self::LcpMixed,
        Self::LcpBelbutePeres,
        Self::LcpPolyhedral,
        Self::LcpFixedPoint,
        Self::Cone,
        Self::Convex,
        Self::Hybrid,
        Self::Smooth,
        Self::Exact,
    ];

    /// Whether it knows a point alone over the ground and nothing else.
    pub(crate) fn is_of_a_point(self) -> bool {
        match self {
            Self::NlpSeed
            | Self::LcpFallingBlock
            | Self::LcpForward
            | Self::LcpDirect
            | Self::LcpDirect2
            | Self::LcpTraditional
            | Self::LcpMixed
            | Self::LcpBelbutePeres
            | Self::LcpPolyhedral
            | Self::LcpFixedPoint
            | Self::Hybrid => true,
            Self::NlpRelaxed
            | Self::LcpStewartTrinkle
            | Self::LcpAnitescu
            | Self::Cone
            | Self::Convex
            | Self::Smooth
            | Self::Exact
            | Self::Own(_) => false,
        }
    }

    /// Whether its steps of a single point come with slacks and a multiplier
    /// ([`Relaxation`](super::Relaxation)).
    pub fn gives_multipliers(self) -> bool {
        matches!(self, Self::NlpRelaxed | Self::NlpSeed)
    }

    /// The name as it is written in commands and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NlpRelaxed => "nlp",
            Self::NlpSeed => "nlp:seed",
            Self::LcpStewartTrinkle => "lcp",
            Self::LcpAnitescu => "lcp:anitescu",
            Self::LcpFallingBlock => "lcp:falling-block",
            Self::LcpForward => "lcp:forward",
            Self::LcpDirect => "lcp:direct",
            Self::LcpDirect2 => "lcp:direct2",
            Self::LcpTraditional => "lcp:traditional",
            Self::LcpMixed => "lcp:mixed",
            Self::LcpBelbutePeres => "lcp:belbute-peres",
            Self::LcpPolyhedral => "lcp:polyhedral",
            Self::LcpFixedPoint => "lcp:fixed-point",
            Self::Cone => "cone",
            Self::Convex => "convex",
            Self::Hybrid => "hybrid",
            Self::Smooth => "smooth",
            Self::Exact => "exact",
            Self::Own(own) => own.as_str(),
        }
    }

    /// Every stepper there is: the built-in ones, then those that were registered.
    pub fn known() -> Vec<Self> {
        Self::ALL.into_iter().chain(registered()).collect()
    }

    /// The part of the name before the colon, which formulations of one family share.
    pub fn family(self) -> &'static str {
        self.as_str().split(':').next().unwrap_or_default()
    }

    /// The other family whose setting `key` of a scenario file is; this stepper makes nothing of it.
    pub fn foreign_family(self, key: &str) -> Option<&str> {
        let (family, _) = key.strip_prefix("stepper.")?.split_once('.')?;
        (self.family() != family).then_some(family)
    }
}

impl fmt::Display for StepperName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A stepper name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no stepper `{given}`; {}", self.remedy())]
pub struct UnknownStepper {
    /// What was given.
    pub given: String,
    /// The closest name there is, if one is close.
    pub closest: Option<StepperName>,
}

impl UnknownStepper {
    fn remedy(&self) -> String {
        match self.closest {
            Some(name) => format!("did you mean `{name}`?"),
            None => {
                let names: Vec<_> = StepperName::known().into_iter().map(StepperName::as_str).collect();
                format!("choose one of {}", names.join(", "))
            }
        }
    }
}

impl FromStr for StepperName {
    type Err = UnknownStepper;

    fn from_str(given: &str) -> Result<Self, UnknownStepper> {
        match given {
            "nlp:relaxed" => return Ok(Self::NlpRelaxed),
            "lcp:stewart-trinkle" => return Ok(Self::LcpStewartTrinkle),
            _ => {}
        }
        let known = Self::known();
        known.iter().copied().find(|name| name.as_str() == given).ok_or_else(|| {
            let closest = known
                .into_iter()
                .map(|name| (strsim::jaro_winkler(name.as_str(), given), name))
                .filter(|(similarity, _)| *similarity > 0.7)
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, name)| name);
            UnknownStepper { given: given.to_owned(), closest }
        })
    }
}
