//! The steppers of a command that runs several.

use clap::Args;
use stickslip::{
    scenario::Scenario,
    stepper::{BuildStepper, StepperName},
};

use super::{error::CliError, stepper_name::parse_stepper};

/// Steppers of a command that runs several.
#[derive(Debug, Args)]
pub struct StepperArguments {
    /// Steppers, separated by commas [default: every family that admits the scenario, in compare with every
    /// formulation of lcp, and exact]
    #[arg(long, alias = "stepper", value_delimiter = ',', value_name = "NAMES", value_parser = parse_stepper)]
    pub steppers: Vec<StepperName>,
}

impl StepperArguments {
    /// The steppers to run, each once, and whether the user named them.
    pub fn names(&self, default: &[StepperName]) -> (Vec<StepperName>, bool) {
        let named = !self.steppers.is_empty();
        let asked = if named { &self.steppers } else { default };
        let mut names = Vec::with_capacity(asked.len());
        for &name in asked {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (names, named)
    }
}

/// Refuses the first of `names` that does not admit `scenario`.
pub fn require_admission<const D: usize>(
    scenario: &Scenario<D>,
    names: &[StepperName],
) -> Result<(), CliError>
where
    Scenario<D>: BuildStepper<D>,
{
    names.iter().try_for_each(|&name| Ok(scenario.stepper(name).map(drop)?))
}
