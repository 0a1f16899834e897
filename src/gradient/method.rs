use std::{fmt, str::FromStr};

/// How a gradient is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// The derivative of the stepper's own formulas.
    Raw,
    /// With the derivative of the motion at its events; see [`DerivativeRule::Corrected`](super::DerivativeRule::Corrected).
    Corrected,
    /// The derivative of a smoothed stepper, on its own, shifted motion.
    Smoothed,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Raw => "raw",
            Self::Corrected => "corrected",
            Self::Smoothed => "smoothed",
        })
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        [Self::Raw, Self::Corrected, Self::Smoothed]
            .into_iter()
            .find(|method| method.to_string() == given)
            .ok_or_else(|| format!("there is no method `{given}`; choose raw, corrected or smoothed"))
    }
}
