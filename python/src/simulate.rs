//! `simulate`, without the interpreter's lock and open to Ctrl-C.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pyo3::prelude::*;
use stickslip::{
    scenario::{AnyScenario, Scenario},
    simulate::{Beginning, OnFailure, simulate_pushed, takes_pushes},
    stepper::{BuildStepper, StepperName},
};

use crate::{
    error, model,
    push::Push,
    scenario,
    trajectory::{Any, Trajectory},
};

/// How often Python is asked whether a signal came.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Most steps between two looks at the clock.
const MOST_STRIDE: u32 = 64;

/// Asks Python now and then whether to go on.
pub struct Signals {
    last: Instant,
    /// Steps since the last look at the clock.
    calls: u32,
    /// Steps from that look to the next one: few where steps are slow, many where a look would cost as much as they do.
    stride: u32,
    /// What a handler raised.
    pub raised: Option<PyErr>,
}

impl Signals {
    pub fn new() -> Self {
        Self { last: Instant::now(), calls: 0, stride: 1, raised: None }
    }

    /// To be called after every step, without the interpreter's lock.
    pub fn flow(&mut self) -> ControlFlow<()> {
        self.calls += 1;
        if self.calls < self.stride {
            return ControlFlow::Continue(());
        }
        self.calls = 0;
        if self.last.elapsed() < LOOK_EVERY {
            self.stride = (2 * self.stride).min(MOST_STRIDE);
            return ControlFlow::Continue(());
        }
        self.stride = (self.stride / 2).max(1);
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
#[pyo3(signature = (scenario, stepper="nlp", *, set=None, on_failure="stop", push=None))]
pub fn simulate(
    py: Python<'_>,
    scenario: &Bound<'_, PyAny>,
    stepper: &str,
    set: Option<&Bound<'_, PyAny>>,
    on_failure: &str,
    push: Option<&Bound<'_, PyAny>>,
) -> PyResult<Trajectory> {
    let name = scenario::stepper_name(py, stepper)?;
    let on_failure = self::on_failure(py, on_failure)?;
    let trajectory = match scenario::read(scenario, set)? {
        AnyScenario::InPlane(scenario) => run(py, &scenario, name, on_failure, push, Any::InPlane)?,
        AnyScenario::OverPlane(scenario) => run(py, &scenario, name, on_failure, push, Any::OverPlane)?,
    };
    trajectory.raise_if_failed(py).map_err(|failure| model::with_cause(py, failure))?;
    Ok(trajectory)
}

fn run<const D: usize>(
    py: Python<'_>,
    scenario: &Scenario<D>,
    name: StepperName,
    on_failure: OnFailure,
    push: Option<&Bound<'_, PyAny>>,
    any: fn(stickslip::trajectory::Trajectory<D>) -> Any,
) -> PyResult<Trajectory>
where
    Scenario<D>: BuildStepper<D>,
{
    let push = Push::new(push, scenario)?;
    let is_pushed = push.is_given();
    let mut signals = Signals::new();
    model::take_raised();
    let outcome = py.detach(|| {
        let mut stepper = scenario.stepper(name)?;
        if is_pushed {
            takes_pushes(stepper.as_ref())?;
        }
        let add =
            |now: &Beginning<'_, D>, forces: &mut [_], torques: &mut [_]| push.add(now, forces, torques);
        Ok(simulate_pushed(scenario, stepper.as_mut(), on_failure, add, |_| signals.flow()))
    });
    if let Some(raised) = signals.raised.or(push.into_raised()) {
        return Err(raised);
    }
    let trajectory = outcome.map_err(|refusal| error::refusal(py, &refusal))?;
    Ok(Trajectory::new(any(trajectory), is_pushed))
}
