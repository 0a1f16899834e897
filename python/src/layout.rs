//! How states and pushes of bodies are laid out in arrays: a row per body, or one row for a single point.

use nalgebra::{Quaternion, UnitQuaternion};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods, ndarray::ArrayD};
use pyo3::prelude::*;
use stickslip::{
    model::{Attitude, Orientation, Spin, State, Vector, axis_names},
    scenario::Scenario,
};

use crate::error;

/// Length of a quaternion below which it says nothing about a rotation.
const LEAST_QUATERNION: f64 = 1e-3;

/// The arrays of one scenario of `D` coordinates.
#[derive(Debug, Clone, Copy)]
pub struct Layout<const D: usize> {
    bodies: usize,
    /// Whether it is one point, whose arrays are flat.
    alone: bool,
    /// Whether bodies turn, and so have orientation and spin.
    turning: bool,
}

impl<const D: usize> Layout<D> {
    pub fn of(scenario: &Scenario<D>) -> Self {
        Self {
            bodies: scenario.bodies.len(),
            alone: scenario.layout().is_point(),
            turning: !scenario.initial_attitudes().is_empty(),
        }
    }

    /// Components of a torque.
    fn torque(&self) -> usize {
        match (self.turning, D) {
            (false, _) => 0,
            (true, 2) => 1,
            (true, _) => 3,
        }
    }

    /// Components of a state: position and velocity; of a body that turns, its angle or quaternion after the
    /// position and its spin after the velocity.
    fn state(&self) -> usize {
        match (self.turning, D) {
            (false, _) => 2 * D,
            (true, 2) => 6,
            (true, _) => 13,
        }
    }

    fn shape(&self, width: usize) -> Vec<usize> {
        if self.alone { vec![width] } else { vec![self.bodies, width] }
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

    /// The states of all bodies as an array.
    pub fn states<'py>(
        &self,
        py: Python<'py>,
        states: &[State<D>],
        attitudes: &[Attitude],
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.array(py, self.state(), rows(states, attitudes))
    }

    /// The array that the states of all bodies can be written to.
    pub fn writable<'py>(
        &self,
        py: Python<'py>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let shape = self.shape(self.state());
        let array = out.cast::<PyArrayDyn<f64>>().ok();
        match array.filter(|array| array.shape() == shape && array.try_readwrite().is_ok()) {
            Some(array) => Ok(array.clone()),
            None => {
                let message =
                    format!("out must be an array of float64 of the shape {shape:?} that can be written to");
                Err(error::input(py, &message))
            }
        }
    }

    /// The states of all bodies in an array that is [`Layout::writable`].
    pub fn write_states<'py>(
        &self,
        py: Python<'py>,
        out: Bound<'py, PyArrayDyn<f64>>,
        states: &[State<D>],
        attitudes: &[Attitude],
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let mut places = out.try_readwrite().map_err(|fault| error::input(py, &fault.to_string()))?;
        let numbers = rows(states, attitudes);
        places.as_array_mut().iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
        drop(places);
        Ok(out)
    }

    /// A vector per body as an array.
    pub fn vectors<'py>(
        &self,
        py: Python<'py>,
        vectors: &[Vector<D>],
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.array(py, D, vectors.iter().flat_map(|vector| vector.iter().copied()).collect())
    }

    /// The states that an array holds.
    pub fn read_states(
        &self,
        py: Python<'_>,
        array: &PyReadonlyArrayDyn<'_, f64>,
    ) -> PyResult<(Vec<State<D>>, Vec<Attitude>)> {
        let values = numbers(py, "state", array, &[self.shape(self.state())])?;
        read_rows::<D>(py, &values, self.state())
    }

    /// The shapes that a push may have: a force per body, with a torque behind it where bodies turn. With a
    /// length before them, a push per step.
    fn push_shapes(&self, steps: Option<usize>) -> Vec<Vec<usize>> {
        let mut widths = vec![D];
        widths.extend((self.torque() > 0).then_some(D + self.torque()));
        widths.into_iter().map(|width| steps.into_iter().chain(self.shape(width)).collect()).collect()
    }

    /// The numbers of a push, of one step or, where there are so many, also of each of them, and how many belong to a step.
    pub fn read_push(
        &self,
        py: Python<'_>,
        array: &PyReadonlyArrayDyn<'_, f64>,
        steps: Option<usize>,
    ) -> PyResult<(Vec<f64>, usize)> {
        let mut shapes = self.push_shapes(None);
        let one = shapes.first().map_or(0, Vec::len);
        if steps.is_some() {
            shapes.extend(self.push_shapes(steps));
        }
        let values = numbers(py, "push", array, &shapes)?;
        let parts = if array.as_array().ndim() > one { steps.unwrap_or(1).max(1) } else { 1 };
        let of_step = values.len() / parts;
        Ok((values, of_step))
    }

    /// Adds the numbers of the push of a step to forces and torques.
    pub fn add_push(&self, push: &[f64], forces: &mut [Vector<D>], torques: &mut [Spin]) {
        let width = push.len() / self.bodies.max(1);
        for (body, row) in push.chunks_exact(width.max(1)).enumerate() {
            let (force, torque) = row.split_at(D.min(row.len()));
            forces[body] += Vector::from_column_slice(force);
            for (place, value) in torque.iter().enumerate() {
                torques[body][place] += value;
            }
        }
    }
}

/// The finite numbers of an array of one of these shapes.
fn numbers(
    py: Python<'_>,
    name: &str,
    array: &PyReadonlyArrayDyn<'_, f64>,
    shapes: &[Vec<usize>],
) -> PyResult<Vec<f64>> {
    let view = array.as_array();
    if !shapes.iter().any(|shape| view.shape() == shape) {
        let shapes: Vec<String> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
        let shapes = shapes.join(" or ");
        let message = format!("{name} has the shape {:?}, but must have {shapes}", view.shape());
        return Err(error::input(py, &message));
    }
    let values: Vec<f64> = view.iter().copied().collect();
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(values),
        Some(value) => Err(error::input(py, &format!("{name} holds {value}; every number must be finite"))),
    }
}

/// The columns of a row of [`rows`], by the names of trajectory.csv.
pub fn state_columns<const D: usize>(turns: bool) -> impl Iterator<Item = String> {
    let (orientation, spin): (&[&str], &[&str]) = match (turns, D) {
        (false, _) => (&[], &[]),
        (true, 2) => (&["angle"], &["spin"]),
        (true, _) => (&["qw", "qx", "qy", "qz"], &["wx", "wy", "wz"]),
    };
    let named = |names: &'static [&'static str]| names.iter().map(|name| (*name).to_owned());
    let axes = axis_names::<D>();
    (axes.iter().map(|axis| (*axis).to_owned()))
        .chain(named(orientation))
        .chain(axes.iter().map(|axis| format!("v{axis}")))
        .chain(named(spin))
}

/// The numbers of bodies, one body after the other.
pub fn rows<const D: usize>(states: &[State<D>], attitudes: &[Attitude]) -> Vec<f64> {
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

fn read_rows<const D: usize>(
    py: Python<'_>,
    values: &[f64],
    width: usize,
) -> PyResult<(Vec<State<D>>, Vec<Attitude>)> {
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
                orientation: Orientation::Quaternion(rotation(py, Quaternion::new(*w, *i, *j, *k))?),
                spin: Spin::new(*x, *y, *z),
            }),
            _ => {}
        }
    }
    Ok((states, attitudes))
}

/// The rotation that a quaternion of nearly any length stands for.
fn rotation(py: Python<'_>, quaternion: Quaternion<f64>) -> PyResult<UnitQuaternion<f64>> {
    // The length of one with huge components overflows.
    let rotation = Some(quaternion).filter(|quaternion| quaternion.norm().is_finite());
    rotation.and_then(|quaternion| UnitQuaternion::try_new(quaternion, LEAST_QUATERNION)).ok_or_else(|| {
        let [i, j, k, w]: [f64; 4] = quaternion.coords.into();
        error::input(py, &format!("state holds the quaternion [{w}, {i}, {j}, {k}], which is no rotation"))
    })
}
