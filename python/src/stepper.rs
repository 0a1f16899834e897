//! One step at a time, driven from Python.

use std::sync::Mutex;

use nalgebra::{Quaternion, UnitQuaternion};
use numpy::{PyArrayDyn, PyReadonlyArrayDyn, ndarray::ArrayD};
use pyo3::{prelude::*, types::PyDict};
use stickslip::{
    model::{Attitude, Orientation, Spin, State, Vector},
    scenario::{AnyScenario, Scenario},
    stepper::{BuildStepper, Moved, StepFailure, StepInput},
};

use crate::{error, scenario};

/// What a call of `step` returns: the states, and the impulses of the contacts.
type Stepped<'py> = (Bound<'py, PyArrayDyn<f64>>, Bound<'py, PyArrayDyn<f64>>);

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
    scenario: Scenario<D>,
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
                Any::InPlane(Mutex::new(Driven::new(scenario, stepper)))
            }
            AnyScenario::OverPlane(scenario) => {
                let stepper = scenario.stepper(name).map_err(refused)?;
                Any::OverPlane(Mutex::new(Driven::new(scenario, stepper)))
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

    /// Takes one step of length `dt` in s, that of the scenario if absent, from `state` under `push` in N.
    /// Gives the next state and the impulse of the contacts on each body in N s.
    #[pyo3(signature = (state, push=None, dt=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        state: PyReadonlyArrayDyn<'py, f64>,
        push: Option<PyReadonlyArrayDyn<'py, f64>>,
        dt: Option<f64>,
    ) -> PyResult<Stepped<'py>> {
        match &self.any {
            Any::InPlane(driven) => lock(py, driven, |driven| driven.step(py, &state, push.as_ref(), dt)),
            Any::OverPlane(driven) => lock(py, driven, |driven| driven.step(py, &state, push.as_ref(), dt)),
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
    fn new(scenario: Scenario<D>, stepper: Box<dyn stickslip::stepper::Stepper<D>>) -> Self {
        let moved = Moved::start(&scenario);
        Self { scenario, stepper, moved, index: 0 }
    }

    fn reset(&mut self) -> PyResult<()> {
        self.stepper.reset();
        self.index = 0;
        Ok(())
    }

    /// Whether bodies turn, and so have orientation and spin.
    fn turns(&self) -> bool {
        !self.scenario.initial_attitudes().is_empty()
    }

    /// Components of a row.
    fn width(&self) -> usize {
        match (self.turns(), D) {
            (false, _) => 2 * D,
            (true, 2) => 6,
            (true, _) => 13,
        }
    }

    fn shape(&self, width: usize) -> Vec<usize> {
        if self.scenario.is_single_point() { vec![width] } else { vec![self.scenario.bodies.len(), width] }
    }

    fn array<'py>(
        &self,
        py: Python<'py>,
        width: usize,
        values: Vec<f64>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let array = ArrayD::from_shape_vec(self.shape(width), values)
            .map_err(|fault| error::input(py, &fault.to_string()))?;
        Ok(PyArrayDyn::from_owned_array(py, array))
    }

    fn initial_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let values = rows(&self.scenario.initial_states(), &self.scenario.initial_attitudes());
        self.array(py, self.width(), values)
    }

    fn step<'py>(
        &mut self,
        py: Python<'py>,
        state: &PyReadonlyArrayDyn<'py, f64>,
        push: Option<&PyReadonlyArrayDyn<'py, f64>>,
        dt: Option<f64>,
    ) -> PyResult<Stepped<'py>> {
        let width = self.width();
        let values = numbers(py, "state", state, &self.shape(width))?;
        let (states, attitudes) = read_rows::<D>(&values, width);
        let forces: Vec<Vector<D>> = match push {
            None => vec![Vector::zeros(); states.len()],
            Some(push) => numbers(py, "push", push, &self.shape(D))?
                .chunks_exact(D)
                .map(Vector::from_column_slice)
                .collect(),
        };
        let dt = dt.unwrap_or(self.scenario.step);
        if !(dt.is_finite() && dt > 0.0) {
            return Err(error::input(py, &format!("dt is {dt}, but must be a positive number of seconds")));
        }
        let torques = vec![Spin::zeros(); attitudes.len()];
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
        if let Err(failure) = self.stepper.step(&input, &mut self.moved) {
            return Err(step_failure(py, self.index, time, &failure));
        }
        self.index += 1;
        let next = self.array(py, width, rows(&self.moved.states, &self.moved.attitudes))?;
        let impulses = self.moved.impulses.iter().flat_map(|impulse| impulse.iter().copied()).collect();
        Ok((next, self.array(py, D, impulses)?))
    }
}

fn step_failure(py: Python<'_>, index: usize, time: f64, failure: &StepFailure) -> PyErr {
    let attributes = PyDict::new(py);
    let fill = || -> PyResult<()> {
        attributes.set_item("step", index)?;
        attributes.set_item("time", time)?;
        attributes.set_item("reason", failure.to_string())
    };
    match fill() {
        Ok(()) => error::exception(py, "StepFailure", &failure.to_string(), &attributes),
        Err(error) => error,
    }
}

/// The finite numbers of an array of that shape.
fn numbers(
    py: Python<'_>,
    name: &str,
    array: &PyReadonlyArrayDyn<'_, f64>,
    shape: &[usize],
) -> PyResult<Vec<f64>> {
    let view = array.as_array();
    if view.shape() != shape {
        let message = format!("{name} has the shape {:?}, but must have {shape:?}", view.shape());
        return Err(error::input(py, &message));
    }
    let values: Vec<f64> = view.iter().copied().collect();
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(values),
        Some(value) => Err(error::input(py, &format!("{name} holds {value}; every number must be finite"))),
    }
}

fn rows<const D: usize>(states: &[State<D>], attitudes: &[Attitude]) -> Vec<f64> {
    let mut values = Vec::new();
    for (body, state) in states.iter().enumerate() {
        values.extend(state.position.iter());
        let attitude = attitudes.get(body);
        match attitude.map(|attitude| attitude.orientation) {
            Some(Orientation::Angle(angle)) => values.push(angle),
            Some(Orientation::Quaternion(turn)) => values.extend([turn.w, turn.i, turn.j, turn.k]),
            None => {}
        }
        values.extend(state.velocity.iter());
        match attitude {
            Some(attitude) if D == 2 => values.push(attitude.spin[0]),
            Some(attitude) => values.extend(attitude.spin.iter()),
            None => {}
        }
    }
    values
}

fn read_rows<const D: usize>(values: &[f64], width: usize) -> (Vec<State<D>>, Vec<Attitude>) {
    let mut states = Vec::new();
    let mut attitudes = Vec::new();
    for row in values.chunks_exact(width) {
        let turning = match width {
            6 if D == 2 => 1,
            13 => 4,
            _ => 0,
        };
        let (position, rest) = row.split_at(D);
        let (orientation, rest) = rest.split_at(turning);
        let (velocity, spin) = rest.split_at(D);
        states.push(State {
            position: Vector::from_column_slice(position),
            velocity: Vector::from_column_slice(velocity),
        });
        match (orientation, spin) {
            ([angle], [spin]) => attitudes
                .push(Attitude { orientation: Orientation::Angle(*angle), spin: Spin::new(*spin, 0.0, 0.0) }),
            ([w, i, j, k], [x, y, z]) => attitudes.push(Attitude {
                orientation: Orientation::Quaternion(UnitQuaternion::new_normalize(Quaternion::new(
                    *w, *i, *j, *k,
                ))),
                spin: Spin::new(*x, *y, *z),
            }),
            _ => {}
        }
    }
    (states, attitudes)
}
