use std::{fmt, str::FromStr};

use super::{
    Associated, DenseSolver, ExactCone, StewartTrinkle, StewartTrinkleSettings, Structured,
    StructuredSettings,
};

/// The solvers of contact problems by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// [`Structured`]
    Nlp,
    /// [`StewartTrinkle`]
    Lcp,
    /// [`ExactCone`]
    Cone,
    /// [`Associated`]
    Convex,
}

impl Method {
    /// Every solver.
    pub const ALL: [Self; 4] = [Self::Nlp, Self::Lcp, Self::Cone, Self::Convex];

    /// The name as it is written in commands and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nlp => "nlp",
            Self::Lcp => "lcp",
            Self::Cone => "cone",
            Self::Convex => "convex",
        }
    }

    /// The solver, with a bound on the residuals of its law; that of `convex` is [`Associated`]'s own at least.
    pub fn solver<const D: usize, const N: usize>(self, tolerance: f64) -> Box<dyn DenseSolver<D>> {
        match self {
            Self::Nlp => {
                Box::new(Structured::<D, N>::new(StructuredSettings { tolerance, ..Default::default() }))
            }
            Self::Lcp => Box::new(StewartTrinkle::<D, N>::new(StewartTrinkleSettings {
                tolerance,
                ..Default::default()
            })),
            Self::Cone => Box::new(ExactCone::<D, N>::new(tolerance)),
            Self::Convex => {
                Box::new(Associated { tolerance: tolerance.max(Associated::default().tolerance) })
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A solver name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver `{given}`; use `nlp`, `lcp`, `cone` or `convex`")]
pub struct UnknownMethod {
    /// What was given.
    pub given: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(given: &str) -> Result<Self, UnknownMethod> {
        let named = Self::ALL.into_iter().find(|method| method.as_str() == given);
        named.ok_or_else(|| UnknownMethod { given: given.to_owned() })
    }
}
