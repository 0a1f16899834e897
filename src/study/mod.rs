//! The studies of the LCP notes, made repeatable: what the notes measured or claimed of their
//! formulations, measured again, beside the value that theory or the notes give.

mod anisotropy;
mod antisymmetric;
mod convergence_report;
mod perturbation;
mod pyramid;
mod sliding_block;
mod small_bias;
mod sticking_noise;
mod table;

use std::{fmt, str::FromStr};

use serde_json::{Value, json};
pub use table::{Cell, Table};

use crate::plot::Figure;

/// A study by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Study {
    /// Lemma 2.1, the summed-velocity identity and the agreement of the sliding-block formulations
    /// over random steps.
    SlidingBlock,
    /// How often a block still sticks when the numbers of its problem are noisy (notes 3.2).
    StickingNoise,
    /// A small error in one entry of `q` (notes 3.2.1).
    SmallBias,
    /// Different weights of the push in the two friction rows (notes 3.2.2).
    Antisymmetric,
    /// Pyramid and fixed point against the friction cone over a plane (notes 2.4).
    Anisotropy,
}

impl Study {
    /// Every study.
    pub const ALL: [Self; 5] =
        [Self::SlidingBlock, Self::StickingNoise, Self::SmallBias, Self::Antisymmetric, Self::Anisotropy];

    /// The name as it is written in commands and folders.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SlidingBlock => "sliding-block",
            Self::StickingNoise => "sticking-noise",
            Self::SmallBias => "small-bias",
            Self::Antisymmetric => "antisymmetric",
            Self::Anisotropy => "anisotropy",
        }
    }

    /// Makes the study; everything random in it follows from `seed`.
    pub fn run(self, seed: u64) -> Report {
        match self {
            Self::SlidingBlock => sliding_block::run(seed),
            Self::StickingNoise => sticking_noise::run(seed),
            Self::SmallBias => small_bias::run(),
            Self::Antisymmetric => antisymmetric::run(),
            Self::Anisotropy => anisotropy::run(seed),
        }
    }
}

impl fmt::Display for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A study name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no study `{given}`; the studies are sliding-block, sticking-noise, small-bias, antisymmetric and anisotropy"
)]
pub struct UnknownStudy {
    /// What was given.
    pub given: String,
}

impl FromStr for Study {
    type Err = UnknownStudy;

    fn from_str(given: &str) -> Result<Self, UnknownStudy> {
        let named = Self::ALL.into_iter().find(|study| study.as_str() == given);
        named.ok_or_else(|| UnknownStudy { given: given.to_owned() })
    }
}

/// What a study found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What the numbers say, in sentences.
    pub findings: Vec<String>,
    /// The numbers.
    pub table: Table,
    /// Pictures, each with the name of its file.
    pub figures: Vec<(String, Figure)>,
}

impl Report {
    /// The report as written to `summary.json`: what it says, and the numbers, an object per row.
    pub fn summary(&self, study: Study, seed: u64) -> Value {
        json!({
            "study": study.as_str(),
            "version": env!("CARGO_PKG_VERSION"),
            "seed": seed,
            "findings": self.findings,
            "table": self.table.to_json(),
        })
    }
}
