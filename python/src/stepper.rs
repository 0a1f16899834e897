//! One step at a time, driven from Python.

use std::sync::Mutex;

use numpy::{PyArrayDyn, PyReadonlyArrayDyn};
use pyo3::{
    prelude::*,
    types::{PyDict, PyType},
};
use stickslip::{
    model::{Spin, Vector},
    scenario::{AnyScenario, Scenario},
    stepper::{BuildStepper, Moved, StepFailure, StepInput, StepperName},
};

use crate::{error, layout::Layout, push::as_array, scenario};

/// What a call of `step` returns: the states, and the impulses of the contacts.
type Stepped<'py> = (Bound<'py, PyArrayDyn<f64>>, Bound<'py, PyArrayDyn<f64>>);

/// The text of the whole scenario, and the name of the stepper.
type Origin = (String, String);
/// The number of the next step, and what the model remembers of those before.
type Kept = (usize, Vec<f64>);
/// A stepper as a pickle has it.
type Reduced<'py> = (Bound<'py, PyType>, Origin, Kept);

/// A contact model of one scenario, of which every step is asked for.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Stepper {
    any: Any,
}

enum Any {
    InPlane(Mutex<Driven<2>>),
    OverPlane(Mutex<Driven<3>>),
}

struct Driven<const D: usize> {
    name: StepperName,
    scenario: Scenario<D>,
    layout: Layout<D>,
    stepper: Box<dyn stickslip::stepper::Stepper<D>>,
    moved: Moved<D>,
    index: usize,
}

#[pymethods]
impl Stepper {
    #[new]
    #[pyo3(signature = (scenario, stepper="nlp", *, set=None))]
    fn new(
        py: Python<'_>,
        scenario: &Bound<'_, PyAny>,
        stepper: &str,
        set: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let name = scenario::stepper_name(py, stepper)?;
        let refused = |refusal| error::refusal(py, &refusal);
        let any = match scenario::read(scenario, set)? {
            AnyScenario::InPlane(scenario) => {
                let stepper = scenario.stepper(name).map_err(refused)?;
                Any::InPlane(Mutex::new(Driven::new(name, scenario, stepper)))
            }
            AnyScenario::OverPlane(scenario) => {
                let stepper = scenario.stepper(name).map_err(refused)?;
                Any::OverPlane(Mutex::new(Driven::new(name, scenario, stepper)))
            }
        };
        Ok(Self { any })
    }

    /// The state at the start of the scenario: a row per body, or one row for a single point. A row holds
    /// position and velocity; a body that turns has its angle or quaternion after the position, its spin
    /// after the velocity.
    fn initial_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        match &self.any {
            Any::InPlane(driven) => lock(py, driven, |driven| driven.initial_state(py)),
            Any::OverPlane(driven) => lock(py, driven, |driven| driven.initial_state(py)),
        }
    }

    /// Takes one step of length `dt` in s, that of the scenario if absent, from `state` under `push` in N, with a torque
    /// in N m behind each force if bodies turn and it is wanted. Without one the pushes of the scenario act, as in the
    /// step of that number since the start or the last `reset`, where all are of this length.
    /// Gives the next state and the impulse of the contacts on each body in N s. The state is written to the array `out`
    /// where one is given, which may be `state` itself.
    #[pyo3(signature = (state, push=None, dt=None, out=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, PyAny>,
        push: Option<&Bound<'py, PyAny>>,
        dt: Option<f64>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Stepped<'py>> {
        let state = as_array(state, "a state")?;
        let push = push.map(|push| as_array(push, "a push")).transpose()?;
        match &self.any {
            Any::InPlane(driven) => lock(py, driven, |driven| driven.step(py, state, push.as_ref(), dt, out)),
            Any::OverPlane(driven) => {
                lock(py, driven, |driven| driven.step(py, state, push.as_ref(), dt, out))
            }
        }
    }

    /// What a pickle is made of: the whole scenario and the name, and what was kept of earlier steps.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let py = slf.py();
        let class = slf.get_type();
        match &slf.get().any {
            Any::InPlane(driven) => lock(py, driven, |driven| Ok((class, driven.origin(), driven.kept()))),
            Any::OverPlane(driven) => lock(py, driven, |driven| Ok((class, driven.origin(), driven.kept()))),
        }
    }

    /// Takes over what was kept of earlier steps: the number of the next one, and the memory of the model.
    fn __setstate__(&self, py: Python<'_>, kept: Kept) -> PyResult<()> {
        match &self.any {
            Any::InPlane(driven) => lock(py, driven, |driven| driven.restore(&kept)),
            Any::OverPlane(driven) => lock(py, driven, |driven| driven.restore(&kept)),
        }
    }

    /// Forgets every earlier step.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        match &self.any {
            Any::InPlane(driven) => lock(py, driven, |driven| driven.reset()),
            Any::OverPlane(driven) => lock(py, driven, |driven| driven.reset()),
        }
    }
}

fn lock<const D: usize, T>(
    py: Python<'_>,
    driven: &Mutex<Driven<D>>,
    action: impl FnOnce(&mut Driven<D>) -> PyResult<T>,
) -> PyResult<T> {
    match driven.try_lock() {
        Ok(mut driven) => action(&mut driven),
        Err(_) => Err(error::input(py, "this stepper is taking a step in another thread")),
    }
}

impl<const D: usize> Driven<D> {
    fn new(
        name: StepperName,
        scenario: Scenario<D>,
        stepper: Box<dyn stickslip::stepper::Stepper<D>>,
    ) -> Self {
        let (moved, layout) = (Moved::start(&scenario), Layout::of(&scenario));
        Self { name, scenario, layout, stepper, moved, index: 0 }
    }

    fn origin(&self) -> Origin {
        (self.scenario.to_toml(), self.name.to_string())
    }

    fn kept(&self) -> Kept {
        (self.index, self.stepper.memory())
    }

    fn restore(&mut self, (index, memory): &Kept) -> PyResult<()> {
        self.stepper.restore(memory);
        self.index = *index;
        Ok(())
    }

    fn reset(&mut self) -> PyResult<()> {
        self.stepper.reset();
        self.index = 0;
        Ok(())
    }

    fn initial_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.layout.states(py, &self.scenario.initial_states(), &self.scenario.initial_attitudes())
    }

    fn step<'py>(
        &mut self,
        py: Python<'py>,
        state: PyReadonlyArrayDyn<'py, f64>,
        push: Option<&PyReadonlyArrayDyn<'py, f64>>,
        dt: Option<f64>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Stepped<'py>> {
        let (states, attitudes) = self.layout.read_states(py, &state)?;
        // It may be the array that is written to.
        drop(state);
        let out = out.map(|out| self.layout.writable(py, out)).transpose()?;
        let dt = dt.unwrap_or(self.scenario.step);
        if !(dt.is_finite() && dt > 0.0) {
            return Err(error::input(py, &format!("dt is {dt}, but must be a positive number of seconds")));
        }
        let mut forces = vec![Vector::zeros(); states.len()];
        let mut torques = vec![Spin::zeros(); attitudes.len()];
        match push {
            Some(push) => {
                let (push, _) = self.layout.read_push(py, push, None)?;
                self.layout.add_push(&push, &mut forces, &mut torques);
            }
            None if self.scenario.pushes.is_empty() => {}
            None => {
                // The pushes of a step are those over its length, which the next one need not have.
                let own = std::mem::replace(&mut self.scenario.step, dt);
                self.scenario.loads_at(self.index, &attitudes, &mut forces, &mut torques);
                self.scenario.step = own;
            }
        }
        let time = self.index as f64 * dt;
        let input = StepInput {
            index: self.index,
            time,
            dt,
            states: &states,
            attitudes: &attitudes,
            forces: &forces,
            torques: &torques,
        };
        self.moved.contacts.clear();
        let outcome = self.stepper.step(&input, &mut self.moved).and_then(|_| self.moved.check());
        if let Err(failure) = outcome {
            return Err(step_failure(py, self.index, time, &failure));
        }
        self.index += 1;
        let next = match out {
            Some(out) => self.layout.write_states(py, out, &self.moved.states, &self.moved.attitudes)?,
            None => self.layout.states(py, &self.moved.states, &self.moved.attitudes)?,
        };
        Ok((next, self.layout.vectors(py, &self.moved.impulses)?))
    }
}

fn step_failure(py: Python<'_>, index: usize, time: f64, failure: &StepFailure) -> PyErr {
    let attributes = PyDict::new(py);
    let fill = || -> PyResult<()> {
        attributes.set_item("step", index)?;
        attributes.set_item("time", time)?;
        attributes.set_item("kind", failure.kind.as_str())?;
        attributes.set_item("iterations", failure.iterations)?;
        attributes.set_item("residual", failure.residual)?;
        attributes.set_item("reason", failure.to_string())
    };
    match fill() {
        Ok(()) => error::exception(py, "StepFailure", &failure.to_string(), &attributes),
        Err(error) => error,
    }
}
