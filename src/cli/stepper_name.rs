//! Steppers as they are named on the command line and in files.

use stickslip::stepper::{StepperName, UnknownStepper};

/// The only stepper of a command, or an error that names the command for several.
pub fn parse_only_stepper(text: &str) -> Result<StepperName, String> {
    if text.contains(',') {
        return Err("it takes one stepper; `stickslip compare` runs several side by side".to_owned());
    }
    parse_stepper(text)
}

/// A stepper name, or an error that names the closest one.
pub fn parse_stepper(text: &str) -> Result<StepperName, String> {
    text.trim().parse().map_err(|error: UnknownStepper| error.to_string())
}
