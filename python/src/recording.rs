//! Recorded throws as Python hands them over, for `predict` and `fit`.

use pyo3::prelude::*;
use stickslip::{
    predict::{PredictError, Predictor, Recording, Start, Windows, read_recording},
    scenario::Scenario,
    stepper::BuildStepper,
};

use crate::error;

/// A recording, and how it is read.
#[derive(FromPyObject)]
pub struct Recorded {
    /// What it is called in messages.
    name: String,
    /// The text of a CSV file.
    text: String,
    start: String,
    /// Seconds of every throw that are left out.
    from_time: f64,
    /// Height of the ground in the coordinates of the recording, m.
    ground_height: f64,
    /// `whole`, `flights` or a number of seconds: what is predicted from one start.
    windows: String,
}

impl Recorded {
    /// What is recorded, of the body that moves in `scenario`, and where its throws start.
    pub fn recording<const D: usize>(
        &self,
        py: Python<'_>,
        scenario: &Scenario<D>,
    ) -> PyResult<(Recording<D>, Start)> {
        let start = match self.start.as_str() {
            "raw" => Start::Raw,
            "fit" => Start::Fit,
            other => {
                return Err(error::input(py, &format!("start is {other:?}, but must be \"raw\" or \"fit\"")));
            }
        };
        if !(0.0..=1e9).contains(&self.from_time) {
            return Err(error::input(
                py,
                &format!("from_time is {}, but has to be in 0..1e9 s", self.from_time),
            ));
        }
        if !(-1e6..=1e6).contains(&self.ground_height) {
            let message = format!("ground_height is {}, but has to be in -1e6..1e6 m", self.ground_height);
            return Err(error::input(py, &message));
        }
        let read = py.detach(|| read_recording(&self.name, &self.text, scenario.has_turning_bodies()));
        let recording = read.map_err(|invalid| refusal(py, &invalid.into()))?;
        let windows: Windows = self
            .windows
            .parse()
            .map_err(|fault| error::input(py, &format!("windows {:?} {fault}", self.windows)))?;
        let recording = recording.with_ground_at(self.ground_height).from_time(self.from_time);
        let recording = py.detach(|| recording.in_windows(windows, scenario));
        Ok((recording.map_err(|fault| refusal(py, &fault))?, start))
    }

    /// Predictions of what is recorded.
    pub fn predictor<const D: usize>(&self, py: Python<'_>, scenario: &Scenario<D>) -> PyResult<Predictor<D>>
    where
        Scenario<D>: BuildStepper<D>,
    {
        let (recording, start) = self.recording(py, scenario)?;
        py.detach(|| Predictor::new(scenario, recording, start)).map_err(|fault| refusal(py, &fault))
    }
}

/// What cannot be predicted, as an exception.
pub fn refusal(py: Python<'_>, fault: &PredictError) -> PyErr {
    match fault {
        PredictError::Data(invalid) => error::input(py, &invalid.to_string()),
        PredictError::Refused(refusal) => error::refusal(py, refusal),
        PredictError::Unsuited { message, help } => error::input(py, &format!("{message}; {help}")),
    }
}
