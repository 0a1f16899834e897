//! Keys of a scenario in a sweep file.

use super::Reader;
use crate::scenario::{
    Override, OverrideError,
    read::{Source, related},
};

impl Reader<'_> {
    /// The key of a scenario, which a sweep writes in one way; reports what has no such form, and what is `known` already.
    pub(super) fn key_of<'k>(
        &mut self,
        key: &str,
        source: &Source,
        mut known: impl Iterator<Item = &'k str>,
    ) -> Option<String> {
        match spelled(key) {
            Ok(key) => {
                if let Some(known) = known.find(|known| related(known, &key)) {
                    let message = match known == key {
                        true => format!("`{key}` is given twice"),
                        false => format!("`{key}` and `{known}` set the same numbers"),
                    };
                    self.fault(source, &key, message, "give all values of a number in one place");
                    return None;
                }
                Some(key)
            }
            Err(error) => {
                self.fault(source, key, error.to_string(), "keys are written as for --set");
                None
            }
        }
    }
}

/// A key of a scenario in the one spelling of several that a sweep goes by.
///
/// # Errors
/// What has no such form.
pub(super) fn spelled(key: &str) -> Result<String, OverrideError> {
    Ok(Override::parse(&format!("{key}=0"))?.key().to_string())
}
