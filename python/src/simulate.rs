//! `simulate`, without the interpreter's lock and open to Ctrl-C.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pyo3::{
    exceptions::{PyException, PyRuntimeError},
    prelude::*,
};
use rayon::prelude::*;
use stickslip::{
    scenario::{AnyScenario, Scenario},
    simulate::{Beginning, OnFailure, simulate_pushed, takes_pushes},
    stepper::{BuildStepper, Refusal, StepperName},
    watch::Watch,
};

use crate::{
    compare::watched,
    error, model,
    push::Push,
    scenario,
    trajectory::{Any, Trajectory},
};

/// How often Python is asked whether a signal came.
const ASK_EVERY: Duration = Duration::from_millis(20);
/// Most steps between two looks at the clock.
const MOST_STRIDE: u32 = 64;

/// Asks Python now and then whether to go on.
pub struct Signals {
    asked: Instant,
    looked: Instant,
    /// Steps since the last look at the clock.
    calls: u32,
    /// Steps from that look to the next one: few where steps are slow, many where a look would cost as much as they do.
    stride: u32,
    /// What a handler raised.
    pub raised: Option<PyErr>,
}

impl Signals {
    pub fn new() -> Self {
        let now = Instant::now();
        Self { asked: now, looked: now, calls: 0, stride: 1, raised: None }
    }

    /// To be called after every step, without the interpreter's lock.
    pub fn flow(&mut self) -> ControlFlow<()> {
        self.calls += 1;
        if self.calls < self.stride {
            return ControlFlow::Continue(());
        }
        self.calls = 0;
        let now = Instant::now();
        let took = now - self.looked;
        self.looked = now;
        // By what the steps since the last look took, so that steps of milliseconds are not left alone by the dozen.
        if took < ASK_EVERY / 4 {
            self.stride = (2 * self.stride).min(MOST_STRIDE);
        } else if took > ASK_EVERY / 2 {
            self.stride = (self.stride / 2).max(1);
        }
        if now - self.asked < ASK_EVERY {
            return ControlFlow::Continue(());
        }
        self.asked = now;
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

/// A scenario of many, with what is set in it.
type Job<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

/// A scenario that was read, with what pushes its bodies beside its own pushes.
enum Task {
    InPlane(Scenario<2>, Push<2>),
    OverPlane(Scenario<3>, Push<3>),
}

impl Task {
    fn read(job: &Job<'_>, push: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (scenario, set) = job;
        Ok(match scenario::read(scenario, set.as_ref())? {
            AnyScenario::InPlane(scenario) => {
                let push = Push::new(push, &scenario)?;
                Self::InPlane(scenario, push)
            }
            AnyScenario::OverPlane(scenario) => {
                let push = Push::new(push, &scenario)?;
                Self::OverPlane(scenario, push)
            }
        })
    }

    fn run(&self, name: StepperName, on_failure: OnFailure, watch: &Watch<'_>) -> Ran {
        match self {
            Self::InPlane(scenario, push) => run_one(scenario, push, name, on_failure, watch),
            Self::OverPlane(scenario, push) => run_one(scenario, push, name, on_failure, watch),
        }
    }

    /// The trajectory that the run of it came to.
    fn finished(self, py: Python<'_>, (outcome, of_model): Ran) -> PyResult<Trajectory> {
        let (is_pushed, of_push) = match self {
            Self::InPlane(_, push) => (push.is_given(), push.into_raised()),
            Self::OverPlane(_, push) => (push.is_given(), push.into_raised()),
        };
        if let Some(raised) = of_push {
            return Err(raised);
        }
        let trajectory = outcome.map_err(|refusal| error::refusal(py, &refusal))?;
        let trajectory = Trajectory::new(trajectory, is_pushed);
        trajectory.raise_if_failed(py).map_err(|failure| model::caused_by(py, failure, of_model))?;
        Ok(trajectory)
    }
}

/// A run of many: the trajectory, or why there is none, and what a model of Python raised on the way.
type Ran = (Result<Any, Refusal>, Option<PyErr>);

/// Simulates many scenarios with one stepper, on so many threads: a trajectory or an exception for each. All are read before any
/// is run. A push acts on all of them.
#[pyfunction]
#[pyo3(signature = (scenarios, stepper="nlp", *, on_failure="stop", push=None, workers=None))]
pub fn simulate_many<'py>(
    py: Python<'py>,
    scenarios: Vec<Job<'py>>,
    stepper: &str,
    on_failure: &str,
    push: Option<&Bound<'py, PyAny>>,
    workers: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let name = scenario::stepper_name(py, stepper)?;
    let on_failure = self::on_failure(py, on_failure)?;
    let tasks: Vec<PyResult<Task>> = scenarios.iter().map(|job| Task::read(job, push)).collect();
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(workers.unwrap_or(0))
        .build()
        .map_err(|fault| PyRuntimeError::new_err(format!("no threads to run on: {fault}")))?;
    let runs: Vec<Option<Ran>> = watched(py, |watch| {
        let run = |task: &PyResult<Task>| task.as_ref().ok().map(|task| task.run(name, on_failure, watch));
        threads.install(|| tasks.par_iter().map(run).collect())
    })?;
    let result = |(index, (task, ran)): (usize, (PyResult<Task>, Option<Ran>))| {
        let trajectory = match (task, ran) {
            (Err(fault), _) => Err(fault),
            (Ok(task), Some(ran)) => task.finished(py, ran),
            (Ok(_), None) => Err(PyRuntimeError::new_err("a scenario that was read did not run")),
        };
        match trajectory {
            Ok(trajectory) => Ok(Bound::new(py, trajectory)?.into_any()),
            Err(fault) if fault.is_instance_of::<PyException>(py) => {
                let fault = fault.into_value(py).into_bound(py).into_any();
                fault.setattr("index", index)?;
                Ok(fault)
            }
            Err(fault) => Err(fault),
        }
    };
    tasks.into_iter().zip(runs).enumerate().map(result).collect()
}

fn run_one<const D: usize>(
    scenario: &Scenario<D>,
    push: &Push<D>,
    name: StepperName,
    on_failure: OnFailure,
    watch: &Watch<'_>,
) -> Ran
where
    Scenario<D>: BuildStepper<D>,
    Any: From<stickslip::trajectory::Trajectory<D>>,
{
    model::take_raised();
    let add = |now: &Beginning<'_, D>, forces: &mut [_], torques: &mut [_]| push.add(now, forces, torques);
    let outcome = scenario.stepper(name).and_then(|mut stepper| {
        if push.is_given() {
            takes_pushes(stepper.as_ref())?;
        }
        let trajectory = simulate_pushed(scenario, stepper.as_mut(), on_failure, add, |_| watch.advance(1));
        Ok(Any::from(trajectory))
    });
    (outcome, model::take_raised())
}
