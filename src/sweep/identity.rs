//! What a sweep, a run and a part are called, so that equals are known as such: digests.

use super::plan::Sweep;
use crate::{scenario::AnyScenario, stepper::StepperName};

/// A digest of 128 bits (BLAKE3) as 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(String);

impl Identity {
    /// Version of this crate, which every identity contains: another version may compute something else.
    pub const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The digest of `pieces`, of which none runs into the next.
    fn of(pieces: &[&str]) -> Self {
        let mut hasher = Self::digest();
        for piece in pieces {
            hasher.update(&(piece.len() as u64).to_le_bytes());
            hasher.update(piece.as_bytes());
        }
        Self(Self::finish(&hasher))
    }

    /// A digest to be fed piece by piece.
    pub(super) fn digest() -> blake3::Hasher {
        blake3::Hasher::new()
    }

    /// The 32 digits of what was fed.
    pub(super) fn finish(hasher: &blake3::Hasher) -> String {
        let mut digest = [0; 16];
        hasher.finalize_xof().fill(&mut digest);
        let digits =
            |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
        digest.into_iter().flat_map(digits).collect()
    }

    /// The identity of one run: of the version, the stepper and the whole scenario with its defaults.
    pub fn of_run(stepper: StepperName, scenario: &AnyScenario) -> Self {
        Self::of(&["run", Self::VERSION, &stepper.to_string(), &scenario.to_toml()])
    }

    /// The identity of a run whose scenario is not valid.
    pub fn of_invalid_run(sweep: &Sweep, number: u64) -> Self {
        let run = format!("{:?}", sweep.run(number));
        Self::of(&["invalid", Self::VERSION, &sweep.base.keys_and_values(), &run])
    }

    /// The identity of a sweep: of the version and of everything that its runs and columns depend on, the contents of
    /// the files that it names among them.
    pub fn of_sweep(sweep: &Sweep) -> Self {
        let scenarios: Vec<String> =
            sweep.base.resolved(&sweep.grid).map(|text| Self::of_text(&text).0).collect();
        let steppers: Vec<String> = sweep.steppers.iter().map(ToString::to_string).collect();
        let sample = sweep.sample.as_ref().map(|sample| format!("{sample:?}"));
        Self::of(&[
            "sweep",
            Self::VERSION,
            &sweep.base.keys_and_values(),
            &scenarios.join(","),
            &steppers.join(","),
            &format!("{:?}", sweep.grid),
            &sample.unwrap_or_default(),
            &sweep.metrics.join(","),
        ])
    }

    /// The identity of a sweep as its folder has it written down.
    pub(super) fn of_plan(written: &str) -> Self {
        Self(written.to_owned())
    }

    /// The checksum of a text.
    pub fn of_text(text: &str) -> Self {
        Self::of(&["text", text])
    }

    /// The 32 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
