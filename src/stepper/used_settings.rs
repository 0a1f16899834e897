use serde::Serialize;
use serde_json::{Map, Value};

/// The figures with which a stepper works where a scenario leaves a setting to it, by the keys of scenario files: what
/// was given, or what follows from masses, gravity, step and speeds.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct UsedSettings(Map<String, Value>);

impl UsedSettings {
    /// The same, and the setting `key`: a number in the unit of the key, or words where it differs from contact to
    /// contact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// The keys, and their values as a reader sees them.
    pub fn lines(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|(key, value)| {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (key.as_str(), shown)
        })
    }
}
