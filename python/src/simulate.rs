//! `simulate`, without the interpreter's lock and open to Ctrl-C.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pyo3::prelude::*;
use stickslip::{
    scenario::{AnyScenario, Scenario},
    simulate::{OnFailure, simulate_observed},
    stepper::{BuildStepper, Refusal, StepperName},
};

use crate::{
    error, scenario,
    trajectory::{Any, Trajectory},
};

/// How often Python is asked whether a signal came.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Steps between two looks at the clock.
const STRIDE: u32 = 64;

/// Asks Python now and then whether to go on.
pub struct Signals {
    last: Instant,
    calls: u32,
    /// What a handler raised.
    pub raised: Option<PyErr>,
}

impl Signals {
    pub fn new() -> Self {
        Self { last: Instant::now(), calls: 0, raised: None }
    }

    /// To be called after every step, without the interpreter's lock.
    pub fn flow(&mut self) -> ControlFlow<()> {
        self.calls = self.calls.wrapping_add(1);
        if !self.calls.is_multiple_of(STRIDE) || self.last.elapsed() < LOOK_EVERY {
            return ControlFlow::Continue(());
        }
        self.last = Instant::now();
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// What `on_failure` says.
pub fn on_failure(py: Python<'_>, word: &str) -> PyResult<OnFailure> {
    match word {
        "stop" => Ok(OnFailure::Stop),
        "continue" => Ok(OnFailure::Continue),
        other => {
            Err(error::input(py, &format!("on_failure is {other:?}, but must be \"stop\" or \"continue\"")))
        }
    }
}

/// Simulates a scenario with one stepper.
#[pyfunction]
#[pyo3(signature = (scenario, stepper="nlp", *, set=None, on_failure="stop"))]
pub fn simulate(
    py: Python<'_>,
    scenario: &Bound<'_, PyAny>,
    stepper: &str,
    set: Option<&Bound<'_, PyAny>>,
    on_failure: &str,
) -> PyResult<Trajectory> {
    let name = scenario::stepper_name(py, stepper)?;
    let on_failure = self::on_failure(py, on_failure)?;
    let scenario = scenario::read(scenario, set)?;
    let mut signals = Signals::new();
    let outcome = py.detach(|| match &scenario {
        AnyScenario::InPlane(scenario) => run(scenario, name, on_failure, &mut signals).map(Any::InPlane),
        AnyScenario::OverPlane(scenario) => run(scenario, name, on_failure, &mut signals).map(Any::OverPlane),
    });
    if let Some(raised) = signals.raised {
        return Err(raised);
    }
    let trajectory = Trajectory::new(outcome.map_err(|refusal| error::refusal(py, &refusal))?);
    trajectory.raise_if_failed(py)?;
    Ok(trajectory)
}

fn run<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    on_failure: OnFailure,
    signals: &mut Signals,
) -> Result<stickslip::trajectory::Trajectory<D>, Refusal>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name)?;
    Ok(simulate_observed(scenario, stepper.as_mut(), on_failure, |_| signals.flow()))
}
