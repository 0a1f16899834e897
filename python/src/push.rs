//! Pushes that Python gives: a function of time and state, one push for all steps, or an array with a row per step.

use std::{ops::ControlFlow, sync::Mutex};

use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use stickslip::{
    model::{Spin, Vector},
    scenario::Scenario,
    simulate::Beginning,
};

use crate::{error, layout::Layout};

/// What pushes the bodies beyond the pushes of the scenario.
pub struct Push<const D: usize> {
    given: Given,
    layout: Layout<D>,
    /// What the function raised first, or what is wrong with what it gave.
    raised: Mutex<Option<PyErr>>,
}

enum Given {
    Nothing,
    Function(Py<PyAny>),
    /// Of all steps one after the other, or of one for all of them.
    Steps {
        values: Vec<f64>,
        of_step: usize,
    },
}

impl<const D: usize> Push<D> {
    /// Takes what was passed: `None`, something to call, a push that stays the same, or an array with a row per step.
    pub fn new(push: Option<&Bound<'_, PyAny>>, scenario: &Scenario<D>) -> PyResult<Self> {
        let layout = Layout::of(scenario);
        let given = match push {
            None => Given::Nothing,
            Some(push) if push.is_callable() => Given::Function(push.clone().unbind()),
            Some(push) => {
                let py = push.py();
                let array = as_array(push, "a push")?;
                let (values, of_step) = layout.read_push(py, &array, Some(scenario.time().steps))?;
                Given::Steps { values, of_step }
            }
        };
        Ok(Self { given, layout, raised: Mutex::new(None) })
    }

    /// What the function raised first.
    pub fn into_raised(self) -> Option<PyErr> {
        self.raised.into_inner().ok().flatten()
    }

    /// Whether it pushes at all.
    pub fn is_given(&self) -> bool {
        !matches!(self.given, Given::Nothing)
    }

    /// Adds the push of a step; called without the interpreter's lock, by several runs at a time.
    pub fn add(
        &self,
        now: &Beginning<'_, D>,
        forces: &mut [Vector<D>],
        torques: &mut [Spin],
    ) -> ControlFlow<()> {
        match &self.given {
            Given::Nothing => {}
            Given::Steps { values, of_step } => {
                let from = now.index * of_step % values.len().max(1);
                self.layout.add_push(&values[from..from + of_step], forces, torques);
            }
            Given::Function(function) => match Python::attach(|py| self.ask(function.bind(py), now)) {
                Ok(values) => self.layout.add_push(&values, forces, torques),
                Err(raised) => {
                    if let Ok(mut first) = self.raised.lock() {
                        first.get_or_insert(raised);
                    }
                    return ControlFlow::Break(());
                }
            },
        }
        ControlFlow::Continue(())
    }

    fn ask(&self, function: &Bound<'_, PyAny>, now: &Beginning<'_, D>) -> PyResult<Vec<f64>> {
        let py = function.py();
        let state = self.layout.states(py, now.states, now.attitudes)?;
        let push = function.call1((now.time, state))?;
        if push.is_none() {
            // What a function gives that forgets its `return`.
            let message = format!("at t = {} s, the push gives None; give zeros for no push", now.time);
            return Err(error::input(py, &message));
        }
        let read = || Ok(self.layout.read_push(py, &as_array(&push, "a push")?, None)?.0);
        read().map_err(|fault: PyErr| {
            let message = format!("at t = {} s, {}", now.time, fault.value(py));
            error::input(py, &message)
        })
    }
}

/// Anything that NumPy takes, as an array of doubles; `what` it is to be.
pub fn as_array<'py>(given: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Ok(array) = given.extract() {
        return Ok(array);
    }
    let py = given.py();
    let array = py.import("numpy")?.call_method1("asarray", (given, "float64"));
    let array = array.map_err(|fault| error::input(py, &format!("{what} must be numbers: {fault}")))?;
    array.extract()
}
