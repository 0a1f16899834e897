//! Contact problems without bodies as text: JSON of the house, and the files of Siconos' own tests.
//!
//! Both are read by one function, [`AnyDenseProblem::from_text`], which tells them apart by how they begin, and written by
//! [`AnyDenseProblem::to_text`] so that what is read back is the same to the last bit.

mod json;
mod matrix;
mod siconos;
mod words;

use std::{fmt, str::FromStr};

pub use words::TextFault;

use super::{AnyDenseProblem, AnyDenseProblemError};
use crate::json_fault::JsonFault;

/// How a problem is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemFormat {
    /// `{"dimension": 2|3, "W": [[...]], "q": [...], "mu": [...]}`, with `"rolling": [...]` where contacts resist rolling.
    Json,
    /// The text files that Siconos reads and writes (`frictionContact_newFromFile`, `rollingFrictionContact_newFromFile`).
    Siconos(MatrixStorage),
}

/// How a matrix stands in a file of Siconos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatrixStorage {
    /// All entries, column after column.
    Dense,
    /// The blocks of pairs of contacts that are not zero.
    SparseBlock,
    /// Row, column and value of the entries that are not zero.
    Triplet,
}

impl ProblemFormat {
    /// Every format; the first of those of Siconos is the one that is meant by its name alone.
    pub const ALL: [Self; 4] = [
        Self::Json,
        Self::Siconos(MatrixStorage::SparseBlock),
        Self::Siconos(MatrixStorage::Dense),
        Self::Siconos(MatrixStorage::Triplet),
    ];

    /// The name as it is written in commands.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Siconos(MatrixStorage::SparseBlock) => "siconos",
            Self::Siconos(MatrixStorage::Dense) => "siconos:dense",
            Self::Siconos(MatrixStorage::Triplet) => "siconos:triplet",
        }
    }
}

impl fmt::Display for ProblemFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name of a format that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{given}`; use `json`, `siconos`, `siconos:dense` or `siconos:triplet`")]
pub struct UnknownFormat {
    /// What was given.
    pub given: String,
}

impl FromStr for ProblemFormat {
    type Err = UnknownFormat;

    fn from_str(given: &str) -> Result<Self, UnknownFormat> {
        let named = Self::ALL.into_iter().find(|format| format.as_str() == given);
        named.ok_or_else(|| UnknownFormat { given: given.to_owned() })
    }
}

/// Why a text is not a contact problem.
#[derive(Debug, thiserror::Error)]
pub enum ProblemTextError {
    /// Not JSON, or JSON of another shape.
    #[error(
        "{0}; expected {{\"dimension\": 2 or 3, \"W\": [[...], ...], \"q\": [...], \"mu\": [...]}} of finite numbers"
    )]
    Json(JsonFault),
    /// Good JSON, but no problem.
    #[error(transparent)]
    Problem(#[from] AnyDenseProblemError),
    /// A word of a file of Siconos that does not belong.
    #[error(transparent)]
    Siconos(#[from] TextFault),
    /// A file of Siconos whose numbers are no problem.
    #[error("the problem whose matrix begins in line {line}: {fault}")]
    SiconosProblem {
        /// The line of the matrix.
        line: usize,
        /// What is wrong.
        fault: AnyDenseProblemError,
    },
}

impl ProblemTextError {
    /// What to do about it.
    pub fn remedy(&self) -> &str {
        match self {
            Self::Json(_) | Self::Problem(_) => {
                r#"for example {"dimension": 2, "W": [[1, 0], [0, 1]], "q": [-1, 2], "mu": [0.5]}, or a text file of Siconos"#
            }
            Self::Siconos(fault) => fault.remedy,
            Self::SiconosProblem { .. } => "check the numbers of W, q and mu in the file",
        }
    }
}

impl AnyDenseProblem {
    /// Reads a problem: a text of Siconos begins with its dimension, 2, 3 or 5, all else is JSON.
    ///
    /// # Errors
    /// [`ProblemTextError`] with the line of what does not belong, and with rows and sizes for numbers that are no contact
    /// problem.
    pub fn from_text(text: &str) -> Result<Self, ProblemTextError> {
        if text.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
            siconos::read(text)
        } else {
            json::read(text)
        }
    }

    /// The problem as text. Numbers have the shortest decimals that read back as the same.
    pub fn to_text(&self, format: ProblemFormat) -> String {
        match format {
            ProblemFormat::Json => json::write(self),
            ProblemFormat::Siconos(storage) => siconos::write(self, storage),
        }
    }
}
