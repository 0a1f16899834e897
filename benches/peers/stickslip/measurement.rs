//! What every row gives.

use serde::Serialize;
use serde_json::Value;

use crate::clock::Samples;

/// What a measurement gives.
#[derive(Debug, Serialize)]
pub struct Measurement {
    /// The times.
    #[serde(flatten)]
    pub samples: Samples,
    /// What was computed, so that the session can compare it with the other programs.
    pub result: Value,
}
