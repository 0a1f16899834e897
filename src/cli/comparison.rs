//! What `compare` and `convergence` have in common.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use stickslip::{
    atomic_file::{create_output_folder, write_atomically},
    plot::Figure,
    scenario::Scenario,
    stepper::{BuildStepper, StepperName},
};

use super::{
    error::CliError,
    figures::{ENDINGS, write_figure},
    session::write_json,
    stepper_name::parse_stepper,
};

/// Steppers of a command that runs several.
#[derive(Debug, Args)]
pub struct StepperArguments {
    /// Steppers, separated by commas [default: every family that admits the scenario, in compare with every
    /// formulation of lcp, and exact]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = parse_stepper)]
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

/// A folder of results, `OUTPUT/<scenario>/<command>/` for most commands.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates it and makes sure that it can be written to, before anything runs.
    pub fn create(output: &Path, scenario: &str, command: &str) -> Result<Self, CliError> {
        Self::at(output.join(scenario).join(command))
    }

    /// The same for any path.
    pub fn at(path: PathBuf) -> Result<Self, CliError> {
        create_output_folder(&path).map_err(|error| CliError::unwritable(&error))?;
        Ok(Self { path })
    }

    /// Where a file of it is.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a text, or whatever `bytes` is.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        Ok(write_atomically(&self.file(name), |out| out.write_all(bytes))?)
    }

    /// Writes JSON for people.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), CliError> {
        write_json(&self.file(name), value)
    }

    /// Writes a figure in all its forms, unless the user interrupted. Gives the SVG.
    pub fn write_figure(&self, name: &str, figure: &Figure) -> Result<String, CliError> {
        if write_figure(&self.path, name, figure)?.len() < ENDINGS.len() {
            return Err(CliError::Interrupted("the results are written, not all pictures are".to_owned()));
        }
        Ok(figure.to_svg()?)
    }
}
