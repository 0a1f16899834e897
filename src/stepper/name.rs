use std::{borrow::Cow, fmt, str::FromStr};

use super::{
    StepperDescriptor, built_in,
    registry::{self, registered},
};
use crate::spelling::closest;

/// The name of a stepper, `family` or `family:formulation`: a handle to its row in the table of steppers.
///
/// A bare family name stands for the family's default formulation: `nlp` is `nlp:relaxed` and
/// `lcp` is `lcp:stewart-trinkle`. Names are in the order of the table, those that were registered after it, by letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepperName {
    /// The place in the table; behind it for those that were registered.
    place: usize,
    name: &'static str,
}

impl StepperName {
    /// `nlp`: the well-posed relaxed-complementarity program.
    pub const NLP: Self = Self::built_in("nlp");
    /// `lcp`: gap-level Stewart-Trinkle.
    pub const LCP: Self = Self::built_in("lcp");
    /// `lcp:anitescu`: velocity-level Anitescu-Potra.
    pub const LCP_ANITESCU: Self = Self::built_in("lcp:anitescu");
    /// `cone`: exact Coulomb friction of many contacts by projected Gauss-Seidel.
    pub const CONE: Self = Self::built_in("cone");
    /// `convex`: compliant contact as a convex program.
    pub const CONVEX: Self = Self::built_in("convex");
    /// `hybrid`: guards and resets.
    pub const HYBRID: Self = Self::built_in("hybrid");
    /// `smooth`: penalty forces.
    pub const SMOOTH: Self = Self::built_in("smooth");
    /// `exact`: event-driven closed forms.
    pub const EXACT: Self = Self::built_in("exact");

    /// The stepper at `place` of the table.
    pub(super) const fn at(place: usize, name: &'static str) -> Self {
        Self { place, name }
    }

    /// The name of a model that was registered.
    pub(super) const fn registered(name: &'static str) -> Self {
        Self::at(usize::MAX, name)
    }

    /// What is known of the stepper.
    pub fn descriptor(self) -> Cow<'static, StepperDescriptor> {
        match built_in::row(self.place) {
            Some(row) => Cow::Borrowed(row),
            None => Cow::Owned(registry::descriptor(self.name)),
        }
    }

    /// Whether it is a model of the user's own.
    pub fn is_registered(self) -> bool {
        built_in::row(self.place).is_none()
    }

    /// Whether its motion is the true one, which others are measured against.
    pub fn is_exact(self) -> bool {
        self.descriptor().capabilities.is_exact
    }

    /// Whether it is the name of a motion that was recorded ([`registry::record`](super::registry::record)).
    pub fn is_recorded(self) -> bool {
        self.descriptor().capabilities.is_recorded
    }

    /// Whether its steps of a single point come with slacks and a multiplier
    /// ([`Relaxation`](super::Relaxation)).
    pub fn gives_multipliers(self) -> bool {
        self.descriptor().capabilities.gives_multipliers
    }

    /// What the stepper is, in a sentence or two, with the source that `SOURCES.md` has in full.
    pub fn summary(self) -> Cow<'static, str> {
        match self.descriptor() {
            Cow::Borrowed(row) => Cow::Borrowed(&*row.summary),
            Cow::Owned(row) => row.summary,
        }
    }

    /// The name as it is written in commands and files.
    pub fn as_str(self) -> &'static str {
        self.name
    }

    /// Every stepper there is: the built-in ones, then those that were registered.
    pub fn known() -> Vec<Self> {
        Self::ALL.into_iter().chain(registered()).collect()
    }

    /// The part of the name before the colon, which formulations of one family share.
    pub fn family(self) -> &'static str {
        self.as_str().split(':').next().unwrap_or_default()
    }

    /// Whether its contacts give way.
    pub fn is_compliant(self) -> bool {
        matches!(self.family(), "convex" | "smooth")
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

impl fmt::Debug for StepperName {
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
        let known = Self::known();
        let is_meant = |name: &Self| name.as_str() == given || name.descriptor().aliases.contains(&given);
        known.iter().copied().find(is_meant).ok_or_else(|| {
            let meant = closest(given, known.iter().map(|name| name.as_str()));
            let closest = known.into_iter().find(|name| Some(name.as_str()) == meant);
            UnknownStepper { given: given.to_owned(), closest }
        })
    }
}
