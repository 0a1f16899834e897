//! Where a result comes from: what is needed to obtain it again, and what differs when it is.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

/// Keys of summaries whose values differ from run to run of one command on one machine, or from machine to
/// machine. What is left without them is the same bit for bit.
///
/// `seconds` and `wall_seconds` are durations, `step_microseconds` is the wall time per step, `started` and
/// `machine` say when and where.
pub const TIMING_KEYS: [&str; 5] = ["wall_seconds", "step_microseconds", "seconds", "started", "machine"];

/// Keys that say whose timings an object holds.
const IDENTIFYING_KEYS: [&str; 4] = ["scenario", "experiment", "study", "stepper"];

/// Where a result comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The whole input with defaults and overrides, as TOML: a scenario file that gives the same result again.
    pub resolved: String,
    /// The overrides, each `KEY=VALUE` as it was given; they are part of `resolved`.
    pub overrides: Vec<String>,
    /// What of the command line differs from the defaults and changes results, by the names of its arguments: every value as it
    /// was given, `true` of a switch.
    pub arguments: BTreeMap<String, Vec<String>>,
    /// The command line.
    pub command: String,
    /// When it was begun, UTC, as RFC 3339 has it.
    pub started: String,
    /// Where it ran.
    pub machine: Machine,
}

/// A computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Operating system, its version and the architecture.
    pub os: String,
    /// Model of the processor.
    pub cpu: String,
    /// Threads that the work is divided among.
    pub threads: usize,
}

impl Provenance {
    /// `summary` with this provenance as further keys.
    ///
    /// # Errors
    /// Those of the serialisation of `summary`, which has to be an object.
    pub fn attach(&self, summary: &impl Serialize) -> serde_json::Result<Value> {
        #[derive(Serialize)]
        struct Attached<'a, S> {
            /// Of the program; summaries that say so themselves say the same.
            version: &'static str,
            #[serde(flatten)]
            summary: &'a S,
            #[serde(flatten)]
            provenance: &'a Provenance,
        }
        serde_json::to_value(Attached { version: env!("CARGO_PKG_VERSION"), summary, provenance: self })
    }
}

/// The part of a summary that [`TIMING_KEYS`] name, with the names of what was timed.
pub fn timings(summary: &Value) -> Value {
    timed(summary).unwrap_or_else(|| Value::Object(Map::new()))
}

fn timed(value: &Value) -> Option<Value> {
    match value {
        Value::Object(map) => {
            let mut found = Map::new();
            let mut has_timing = false;
            for (key, value) in map {
                if TIMING_KEYS.contains(&key.as_str()) {
                    has_timing = true;
                    found.insert(key.clone(), value.clone());
                } else if IDENTIFYING_KEYS.contains(&key.as_str()) && value.is_string() {
                    found.insert(key.clone(), value.clone());
                } else if let Some(part) = timed(value) {
                    has_timing = true;
                    found.insert(key.clone(), part);
                }
            }
            has_timing.then_some(Value::Object(found))
        }
        Value::Array(list) => {
            let parts: Vec<Value> = list.iter().filter_map(timed).collect();
            (!parts.is_empty()).then_some(Value::Array(parts))
        }
        _ => None,
    }
}

/// A summary without what [`TIMING_KEYS`] name: the same bit for bit from run to run.
pub fn without_timings(summary: &Value) -> Value {
    match summary {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| !TIMING_KEYS.contains(&key.as_str()));
            Value::Object(kept.map(|(key, value)| (key.clone(), without_timings(value))).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(without_timings).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{timings, without_timings};

    #[test]
    fn a_summary_is_divided_into_timings_and_the_rest() {
        let summary = json!({
            "scenario": "slide",
            "steps": 3,
            "started": "2026-01-01T00:00:00Z",
            "steppers": [
                { "stepper": "nlp", "wall_seconds": 0.1, "iterations": { "max": 4 } },
                { "stepper": "exact", "wall_seconds": 0.2, "iterations": { "max": 0 } },
            ],
            "refused": [{ "stepper": "convex", "reason": "restitution" }],
        });
        assert_eq!(
            timings(&summary),
            json!({
                "scenario": "slide",
                "started": "2026-01-01T00:00:00Z",
                "steppers": [
                    { "stepper": "nlp", "wall_seconds": 0.1 },
                    { "stepper": "exact", "wall_seconds": 0.2 },
                ],
            })
        );
        assert_eq!(
            without_timings(&summary),
            json!({
                "scenario": "slide",
                "steps": 3,
                "steppers": [
                    { "stepper": "nlp", "iterations": { "max": 4 } },
                    { "stepper": "exact", "iterations": { "max": 0 } },
                ],
                "refused": [{ "stepper": "convex", "reason": "restitution" }],
            })
        );
    }
}
