//! Steppers as they are named on the command line and in files.

use stickslip::stepper::{StepperName, UnknownStepper};

/// A stepper name, or an error that names the closest one.
pub fn parse_stepper(text: &str) -> Result<StepperName, String> {
    text.trim().parse().map_err(|error: UnknownStepper| error.to_string())
}
