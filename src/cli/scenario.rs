use std::{io, path::PathBuf};

use clap::{Args, builder::PossibleValuesParser};
use serde_json::Value;
use stickslip::{
    scenario::{
        AnyScenario, Choice, InvalidScenario, NlpSolverChoice, Override, Place, Problem, ScenarioError,
        parse_scenario, read_scenario, read_scenario_from,
    },
    stepper::StepperName,
};

use super::{
    error::{CliError, Fault},
    input_file::{self, InputFile, Kind, is_standard_input},
    session::Session,
};

const SUMMARY: Kind = Kind { name: "summary of a run", extension: "json", max_bytes: 100_000_000 };

/// The scenario of a command, and what is changed in it.
#[derive(Debug, Clone, Args)]
pub struct ScenarioArguments {
    /// Scenario file (TOML), or the summary.json of a run, to repeat it; `-` reads standard input
    #[arg(value_name = "SCENARIO.toml")]
    pub scenario: PathBuf,
    /// Override one key of the scenario, with the same checks; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
    #[arg(long, value_name = "NAME", value_parser = solver_names(), help = solver_help())]
    pub solver: Option<String>,
}

fn solver_help() -> String {
    format!(
        "Solver of every nlp: for a point ipopt, or the crate's own interior-point, thirty times faster; for bodies \
         structured, or ipopt. The same as --set stepper.nlp.solver=NAME [default: {}; bodies: {}]",
        NlpSolverChoice::default_for_point().as_str(),
        NlpSolverChoice::default_for_bodies().as_str()
    )
}

fn solver_names() -> PossibleValuesParser {
    PossibleValuesParser::new(NlpSolverChoice::ALL.iter().map(|solver| solver.as_str()))
}

impl ScenarioArguments {
    /// Reads and checks the scenario.
    ///
    /// # Errors
    /// Bad input, with every fault of the file and the overrides.
    pub fn read(&self) -> Result<AnyScenario, CliError> {
        Ok(self.read_recorded()?.0)
    }

    /// Reads and checks the scenario, and the stepper of the run whose summary was given in the place of one.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_recorded(&self) -> Result<(AnyScenario, Option<StepperName>), CliError> {
        let overrides = overrides(&self.applied())?;
        if is_standard_input(&self.scenario) {
            return Ok((read_scenario_from(io::stdin(), "standard input", &overrides)?, None));
        }
        if self.scenario.extension().is_none_or(|extension| extension != SUMMARY.extension) {
            return Ok((read_scenario(&self.scenario, &overrides)?, None));
        }
        let InputFile { name, text } = input_file::read(&self.scenario, SUMMARY)?;
        let refuse = |message: String| {
            let help = "give the summary.json of a run, or a scenario file (*.toml)";
            CliError::input(format!("{name}: {message}"), help)
        };
        let summary: Value =
            serde_json::from_str(&text).map_err(|error| refuse(format!("this is no JSON: {error}")))?;
        let word = |key: &str| summary.get(key).and_then(Value::as_str);
        let resolved = word("resolved")
            .ok_or_else(|| refuse("there is no scenario in it, under the key `resolved`".to_owned()))?;
        let scenario = parse_scenario(&format!("`resolved` in {name}"), resolved, &overrides)?;
        Ok((scenario, word("stepper").and_then(|stepper| stepper.parse().ok())))
    }

    /// Refuses a solver that none of the steppers `names` has, and warns of settings of which none makes anything: the
    /// file may have them for other runs, but who gives them to this one expects a difference.
    ///
    /// # Errors
    /// Bad input.
    pub fn check_heeded(&self, names: &[StepperName], session: &Session) -> Result<(), CliError> {
        let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if let Some(solver) = &self.solver
            && names.iter().all(|name| name.foreign_family("stepper.nlp.solver").is_some())
        {
            return Err(CliError::input(
                format!("--solver {solver} is for stepper `nlp`, and what runs is {listed}"),
                "leave out --solver, or name `nlp` among the steppers",
            ));
        }
        session.warn("", &replaced(&self.overrides, is_same_or_whole), &[]);
        for setting in &self.overrides {
            let key = key_of(setting);
            let foreign = names.iter().map(|name| name.foreign_family(key)).collect::<Option<Vec<_>>>();
            if let Some(family) = foreign.as_deref().and_then(<[&str]>::first) {
                session.warn(
                    "",
                    &[format!("--set {setting} changes nothing: it is a setting of `{family}`, and what runs is {listed}")],
                    &[],
                );
            }
        }
        Ok(())
    }

    /// The setting of that key, as it was given.
    pub fn set(&self, key: &str) -> Option<&str> {
        self.overrides.iter().map(String::as_str).find(|setting| key_of(setting) == key)
    }

    /// What is changed in the scenario, in the order in which it is: the switches last.
    pub fn applied(&self) -> Vec<String> {
        let solver = self.solver.as_ref().map(|name| format!("stepper.nlp.solver={name}"));
        self.overrides.iter().cloned().chain(solver).collect()
    }
}

/// The key of a setting `KEY=VALUE`, as it is written.
pub fn key_of(setting: &str) -> &str {
    setting.split('=').next().unwrap_or_default().trim()
}

/// The values of `--set`.
///
/// # Errors
/// Bad usage, for the first that has not the form `KEY=VALUE`.
pub fn overrides(settings: &[String]) -> Result<Vec<Override>, CliError> {
    let parsed = settings.iter().map(|text| {
        Override::parse(text).map_err(|error| {
            CliError::input(format!("--set {text}: {error}"), "for example --set ground.friction=0.3")
        })
    });
    parsed.collect()
}

/// Tells of every setting of which a later one leaves nothing, as `replaces` says of the later and the earlier one.
pub fn replaced(settings: &[String], replaces: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let told = |(place, earlier): (usize, &String)| {
        let later = settings[place + 1..].iter().find(|later| replaces(later, earlier))?;
        Some(format!("--set {earlier} changes nothing: --set {later} comes behind it"))
    };
    settings.iter().enumerate().filter_map(told).collect()
}

fn is_same_or_whole(later: &str, earlier: &str) -> bool {
    let [later, earlier] = [later, earlier].map(Override::parse);
    later.is_ok_and(|later| earlier.is_ok_and(|earlier| later.replaces(&earlier)))
}

impl From<ScenarioError> for CliError {
    fn from(error: ScenarioError) -> Self {
        match error {
            ScenarioError::File(error) => {
                Self::input(format!("{}: {}", error.path.display(), error.fault), error.help)
            }
            ScenarioError::Invalid(InvalidScenario { path, text, problems }) => {
                Self::Input(problems.into_iter().map(|problem| fault(problem, &path, &text)).collect())
            }
        }
    }
}

fn fault(problem: Problem, path: &str, text: &str) -> Fault {
    let Problem { place, message, help, .. } = problem;
    match place {
        Place::Text { span, .. } => Fault::new(message, help).at(path, text, span),
        Place::Override(argument) => Fault::new(format!("--set {argument}: {message}"), help),
    }
}
