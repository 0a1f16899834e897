use std::path::PathBuf;

use clap::{Args, ValueEnum};
use stickslip::{
    decimal::shortest,
    fit::given_by_recording,
    predict::{PredictError, Predictor, Recording, Start, Windows, read_recording, the_moving_body},
    scenario::{AnyScenario, Scenario},
    stepper::{BuildStepper, StepperName},
};

use super::{
    error::CliError,
    input_file::{self, InputFile, is_standard_input},
    measurements::{self, DATA_FILE},
    scenario::{ScenarioArguments, key_of},
    session::Session,
};

/// A recording, and the scenario that says of what.
#[derive(Debug, Args)]
pub struct RecordedArguments {
    /// Recorded throws, as CSV; `-` reads standard input
    #[arg(value_name = "DATA.csv")]
    data: PathBuf,
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Leave out the first T seconds of every throw
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = parse_time)]
    from: f64,
    /// Height of the ground in the coordinates of the recording, in m; where a fit varies it, where the search begins
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = parse_height)]
    ground_height: f64,
}

/// A recording, and what of it is predicted.
#[derive(Debug, Args)]
pub struct RecordingArguments {
    #[command(flatten)]
    recorded: RecordedArguments,
    /// What is predicted from one start: whole throws; windows from a flight through a contact to the end of the next
    /// flight; or windows of so many seconds, for what slides or rests
    #[arg(long, value_name = "whole|flights|SECONDS", default_value = "whole")]
    windows: Windows,
    /// Where a throw or a window starts
    #[arg(long, value_enum, default_value = "fit")]
    start: StartArgument,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum StartArgument {
    /// As measured in its first row
    Raw,
    /// Where the flight that fits the rows before the first contact best has the body; a window of SECONDS where a smooth
    /// path through the rows about its first has it
    Fit,
}

fn parse_time(text: &str) -> Result<f64, String> {
    let time: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1e9).contains(&time) { Ok(time) } else { Err("has to be in 0..1e9 s".to_owned()) }
}

fn parse_height(text: &str) -> Result<f64, String> {
    let height: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if height.abs() <= 1e6 { Ok(height) } else { Err("has to be in -1e6..1e6 m".to_owned()) }
}

impl RecordedArguments {
    /// Reads the scenario.
    ///
    /// # Errors
    /// Bad input.
    pub fn scenario(&self) -> Result<AnyScenario, CliError> {
        if is_standard_input(&self.data) && is_standard_input(&self.scenario.scenario) {
            return Err(CliError::input(
                "both the data and the scenario are to come from standard input",
                "give one of them as a file",
            ));
        }
        self.scenario.read()
    }

    /// What is changed in the scenario.
    pub fn overrides(&self) -> Vec<String> {
        self.scenario.applied()
    }

    /// As [`ScenarioArguments::check_heeded`].
    ///
    /// # Errors
    /// Bad input.
    pub fn check_heeded(&self, names: &[StepperName], session: &Session) -> Result<(), CliError> {
        self.scenario.check_heeded(names, session)
    }

    /// Reads the recording, of the body that moves in `scenario`.
    ///
    /// # Errors
    /// Bad input.
    pub fn read<const D: usize>(
        &self,
        scenario: &Scenario<D>,
    ) -> Result<(Recording<D>, InputFile), CliError> {
        self.refuse_what_the_recording_gives(scenario)?;
        let data = input_file::read(&self.data, DATA_FILE)?;
        let recording = read_recording(&data.name, &data.text, scenario.has_turning_bodies())
            .map_err(|invalid| measurements::refusal(invalid, &data.text))?;
        Ok((recording.with_ground_at(self.ground_height).from_time(self.from), data))
    }

    /// Refuses settings that nothing depends on.
    fn refuse_what_the_recording_gives<const D: usize>(
        &self,
        scenario: &Scenario<D>,
    ) -> Result<(), CliError> {
        // What is wrong with the scenario is told where the recording is held against it.
        let Ok(moving) = the_moving_body(scenario) else { return Ok(()) };
        let why = |setting: &'_ String| Some((setting.clone(), given_by_recording(key_of(setting), moving)?));
        match self.scenario.overrides.iter().find_map(why) {
            None => Ok(()),
            Some((setting, why)) => {
                Err(CliError::input(format!("--set {setting} has no effect: {why}"), "leave it out"))
            }
        }
    }

    /// Refuses a beginning that leaves nothing of a throw to look at.
    ///
    /// # Errors
    /// Bad input.
    pub fn require_rows_left<const D: usize>(&self, recording: &Recording<D>) -> Result<(), CliError> {
        match recording.tosses.iter().find(|toss| self.from > 0.0 && toss.states.len() < 2) {
            None => Ok(()),
            Some(toss) => Err(CliError::input(
                format!("--from {}: toss {} has fewer than two rows left", shortest(self.from), toss.number),
                "begin earlier with --from, or leave the toss out",
            )),
        }
    }
}

impl RecordingArguments {
    /// As [`RecordedArguments::scenario`].
    ///
    /// # Errors
    /// Bad input.
    pub fn scenario(&self) -> Result<AnyScenario, CliError> {
        self.recorded.scenario()
    }

    /// What is changed in the scenario.
    pub fn overrides(&self) -> Vec<String> {
        self.recorded.overrides()
    }

    /// As [`ScenarioArguments::check_heeded`].
    ///
    /// # Errors
    /// Bad input.
    pub fn check_heeded(&self, names: &[StepperName], session: &Session) -> Result<(), CliError> {
        self.recorded.check_heeded(names, session)
    }

    /// Reads the recording, of the body that moves in `scenario`, cut as it is to be predicted, and where that starts.
    ///
    /// # Errors
    /// Bad input.
    pub fn recording<const D: usize>(
        &self,
        scenario: &Scenario<D>,
    ) -> Result<(Recording<D>, Start, InputFile), CliError> {
        let (recording, data) = self.recorded.read(scenario)?;
        let recording =
            recording.in_windows(self.windows, scenario).map_err(|error| refusal(error, &data))?;
        let start = match self.start {
            StartArgument::Raw => Start::Raw,
            StartArgument::Fit => Start::Fit,
        };
        Ok((recording, start, data))
    }

    /// What predicts the recording.
    ///
    /// # Errors
    /// Bad input.
    pub fn predictor<const D: usize>(
        &self,
        scenario: &Scenario<D>,
        session: &Session,
    ) -> Result<(Predictor<D>, InputFile), CliError>
    where
        Scenario<D>: BuildStepper<D>,
    {
        let (recording, start, data) = self.recording(scenario)?;
        let predictor = Predictor::new(scenario, recording, start).map_err(|error| refusal(error, &data))?;
        session.warn("", &predictor.doubts(), &[]);
        Ok((predictor, data))
    }
}

/// What is wrong with the input.
pub fn refusal(error: PredictError, data: &InputFile) -> CliError {
    match error {
        PredictError::Data(invalid) => measurements::refusal(invalid, &data.text),
        PredictError::Refused(refusal) => refusal.into(),
        PredictError::Unsuited { message, help } => CliError::input(message, help),
    }
}
