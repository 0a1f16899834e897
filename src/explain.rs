//! What there is to know about keys of scenario files, steppers, and what files of results hold.

use crate::{results, scenario, stepper::StepperName};

/// A name that nothing has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is neither a key nor a stepper `{given}`, nor a file, column, figure or printed word of results"
)]
pub struct Unknown {
    /// The name.
    pub given: String,
    /// The closest name that there is.
    pub closest: Option<String>,
}

/// What a key or table of scenario files means, what a stepper is, or what a file, column or figure of results holds and a word
/// of printed tables says, or what there is for a word of other programs; all keys and steppers for an empty name, all results for `results`. The last part of a key is enough.
///
/// # Errors
/// [`Unknown`] where there is neither.
pub fn explain(subject: &str) -> Result<String, Unknown> {
    if subject.is_empty() {
        let keys = scenario::explain("").unwrap_or_default();
        let steppers = StepperName::known().into_iter().map(of_stepper).collect::<Vec<_>>().join("\n");
        return Ok(format!("{keys}\nSteppers\n\n{steppers}"));
    }
    if let Ok(stepper) = subject.trim().parse::<StepperName>() {
        return Ok(of_stepper(stepper));
    }
    if subject.trim() == "results" {
        return Ok(results::page());
    }
    // A word may be a key, or the last part of some, and a column: both are told.
    match (scenario::explain(subject), results::explain(subject.trim())) {
        (Ok(key), Some(results)) => Ok(format!("{key}\n{results}")),
        (Ok(text), None) | (Err(_), Some(text)) => Ok(text),
        (Err(closest), None) => {
            scenario::explain_word(subject).or_else(|| results::explain_like(subject.trim())).ok_or_else(
                || Unknown { given: subject.to_owned(), closest: closest_name(subject.trim(), closest) },
            )
        }
    }
}

/// The name that is spelt most alike, of keys (of which the closest is given), steppers and results.
fn closest_name(given: &str, key: Option<String>) -> Option<String> {
    let steppers = StepperName::known().into_iter().map(|stepper| stepper.to_string());
    let names: Vec<String> = key.into_iter().chain(steppers).chain(results::names()).collect();
    scenario::read::closest(given, names.iter().map(String::as_str)).map(str::to_owned)
}

fn of_stepper(stepper: StepperName) -> String {
    let family = stepper.family();
    let settings = if scenario::explain(&format!("stepper.{family}")).is_ok() {
        format!("\n  settings in [stepper.{family}]: stickslip explain stepper.{family}")
    } else {
        String::new()
    };
    format!("{stepper}: {}{settings}\n", stepper.summary())
}
