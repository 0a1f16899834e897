use std::fmt;

use crate::note::Place;

/// Why a file gives no scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    /// The file, and the line in it where there is one.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

impl ImportError {
    pub(crate) fn new(place: &Place, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place: place.clone(), message: message.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ImportError {}
