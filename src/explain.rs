//! What there is to know about keys of scenario files and about steppers.

use crate::{scenario, stepper::StepperName};

/// A name that nothing has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is neither a key nor a stepper `{given}`")]
pub struct Unknown {
    /// The name.
    pub given: String,
    /// The closest key that there is.
    pub closest: Option<String>,
}

/// What a key or table of scenario files means, or what a stepper is; everything for an empty name.
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
    scenario::explain(subject).map_err(|closest| Unknown { given: subject.to_owned(), closest })
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
