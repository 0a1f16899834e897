//! `fit`: the parameters that predict recorded throws best.

use pyo3::{prelude::*, types::PyDict};
use stickslip::{
    fit::{FitError, FitOutcome, FitTask, fit as search, profiles, write_profiles},
    gradient::DifferentiableModels,
    scenario::{AnyScenario, Scenario},
    stepper::StepperName,
};

use crate::{
    compare::watched,
    error,
    recording::{self, Recorded},
    scenario,
};

/// The parameters that predict best.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Fitted {
    scenario: String,
    outcome: FitOutcome,
    result: String,
}

/// Fits parameters of a scenario to recorded throws.
#[pyfunction]
#[pyo3(signature = (recorded, scenario, parameters, stepper="nlp", *, intervals=true, seed=1, set=None))]
#[allow(clippy::too_many_arguments, reason = "those of the Python function")]
pub fn fit(
    py: Python<'_>,
    recorded: Recorded,
    scenario: &Bound<'_, PyAny>,
    parameters: Vec<String>,
    stepper: &str,
    intervals: bool,
    seed: u64,
    set: Option<&Bound<'_, PyAny>>,
) -> PyResult<Fitted> {
    let stepper = scenario::stepper_name(py, stepper)?;
    if parameters.is_empty() {
        return Err(error::input(py, "there is no parameter to fit; name keys such as \"ground.friction\""));
    }
    let any = scenario::read(scenario, set)?;
    let fitting = Fitting { any: &any, parameters, stepper, intervals, seed };
    match &any {
        AnyScenario::InPlane(scenario) => fitting.fitted(py, &recorded, scenario),
        AnyScenario::OverPlane(scenario) => fitting.fitted(py, &recorded, scenario),
    }
}

struct Fitting<'a> {
    any: &'a AnyScenario,
    parameters: Vec<String>,
    stepper: StepperName,
    intervals: bool,
    seed: u64,
}

impl Fitting<'_> {
    fn fitted<const D: usize>(
        &self,
        py: Python<'_>,
        recorded: &Recorded,
        scenario: &Scenario<D>,
    ) -> PyResult<Fitted>
    where
        Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
    {
        let recording = recorded.recording(py, scenario)?;
        let task = FitTask::new(self.any, recording, self.stepper, &self.parameters);
        let (task, _) = task.map_err(|fault| match fault {
            FitError::Parameter(fault) => error::input(py, &format!("{fault}; {}", fault.help)),
            FitError::Scenario(fault) => error::invalid_scenario(py, &fault),
            FitError::Refused(refusal) => error::refusal(py, &refusal),
            FitError::Recording(fault) => recording::refusal(py, &fault),
        })?;
        let outcome = watched(py, |watch| search(&task, self.seed, self.intervals, watch))?;
        let Some(outcome) = outcome else {
            let message = format!(
                "stepper `{}` gets through the throws with none of the parameters that were tried; look at what \
                 `predict` says of them, or give other ranges",
                self.stepper
            );
            return Err(error::exception(py, "LearnError", &message, &PyDict::new(py)));
        };
        let result = outcome.to_json(&task, &scenario.name).to_string();
        Ok(Fitted { scenario: scenario.name.clone(), outcome, result })
    }
}

#[pymethods]
impl Fitted {
    /// What result.json holds, as JSON.
    fn result(&self) -> &str {
        &self.result
    }

    /// The text of profile.csv.
    fn profile_csv(&self) -> PyResult<String> {
        let mut bytes = Vec::new();
        write_profiles(&self.outcome, &mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The picture of the profiles as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let figure = profiles(&self.outcome, &self.scenario);
        py.detach(|| figure.to_svg()).map_err(|fault| error::input(py, &fault.to_string()))
    }
}
