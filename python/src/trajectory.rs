//! Trajectories: columns for NumPy, metrics, pictures.

use numpy::IntoPyArray;
use pyo3::{prelude::*, types::PyDict};
use stickslip::{
    metrics::{Metrics, Summary},
    model::{Attitude, Orientation, Spin, axis_names},
    plot,
    scenario::{Moments, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, Relaxation, StepperName},
    trajectory::{self, Ending, Replay, write_contacts_csv, write_csv},
};

use crate::error;

/// A trajectory of either dimension.
pub enum Any {
    InPlane(trajectory::Trajectory<2>),
    OverPlane(trajectory::Trajectory<3>),
}

/// The same expression for both dimensions.
macro_rules! each {
    ($any:expr, $trajectory:ident => $value:expr) => {
        match $any {
            Any::InPlane($trajectory) => $value,
            Any::OverPlane($trajectory) => $value,
        }
    };
}

/// The motion of one scenario under one stepper.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Trajectory {
    any: Any,
    /// Whether it was pushed by what its scenario does not have, so that the exact motion of the scenario is
    /// not what it should have been.
    is_pushed: bool,
}

impl Trajectory {
    pub fn new(any: Any, is_pushed: bool) -> Self {
        Self { any, is_pushed }
    }

    /// `StepFailure` where the run ended early because of a failed step.
    pub fn raise_if_failed(&self, py: Python<'_>) -> PyResult<()> {
        let (failed, replay) = each!(&self.any, t => (t.ending == Ending::Failed, Replay::of(t)));
        let Some(replay) = replay.filter(|_| failed) else { return Ok(()) };
        let attributes = PyDict::new(py);
        attributes.set_item("step", replay.index)?;
        attributes.set_item("time", replay.time)?;
        attributes.set_item("kind", replay.kind.map(|kind| kind.as_str()))?;
        attributes.set_item("iterations", replay.iterations)?;
        attributes.set_item("residual", replay.residual)?;
        attributes.set_item("reason", &replay.reason)?;
        attributes.set_item("replay", serde_json::to_string_pretty(&replay).unwrap_or_default())?;
        attributes.set_item(
            "trajectory",
            Self { any: each!(&self.any, t => t.clone().into()), is_pushed: self.is_pushed },
        )?;
        let message = format!(
            "step {} at t = {} s failed under stepper `{}`: {}",
            replay.index, replay.time, replay.stepper, replay.reason
        );
        Err(error::exception(py, "StepFailure", &message, &attributes))
    }
}

impl From<trajectory::Trajectory<2>> for Any {
    fn from(trajectory: trajectory::Trajectory<2>) -> Self {
        Self::InPlane(trajectory)
    }
}

impl From<trajectory::Trajectory<3>> for Any {
    fn from(trajectory: trajectory::Trajectory<3>) -> Self {
        Self::OverPlane(trajectory)
    }
}

#[pymethods]
impl Trajectory {
    /// Name of the stepper.
    #[getter]
    fn stepper(&self) -> String {
        each!(&self.any, t => t.stepper.to_string())
    }

    /// Names of the bodies.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        each!(&self.any, t => (0..t.bodies.len()).map(|body| t.scenario.body_name(body)).collect())
    }

    /// Number of the first body that moves by itself, neither fixed nor driven; 0 where there is none.
    #[getter]
    fn first_moving(&self) -> usize {
        each!(&self.any, t => t.scenario.bodies.iter().position(|body| !body.fixed).unwrap_or(0))
    }

    /// The whole scenario as the text of a scenario file.
    #[getter]
    fn scenario(&self) -> String {
        each!(&self.any, t => t.scenario.to_toml())
    }

    /// Number of steps taken.
    fn __len__(&self) -> usize {
        each!(&self.any, t => t.steps.len())
    }

    /// The columns of one body by the names of trajectory.csv: a value per state, so one more than steps.
    /// Columns of steps have no last value; it is not a number, -1 or an empty string.
    fn columns<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyDict>> {
        let count = each!(&self.any, t => t.bodies.len());
        if body >= count {
            return Err(error::input(py, &format!("there is no body {body}; there are {count}")));
        }
        let columns = py.detach(|| each!(&self.any, t => columns(t, body)));
        let dict = PyDict::new(py);
        for (name, column) in columns {
            match column {
                Column::Numbers(values) => dict.set_item(name, values.into_pyarray(py))?,
                Column::Counts(values) => dict.set_item(name, values.into_pyarray(py))?,
                Column::Words(values) => dict.set_item(name, values)?,
            }
        }
        Ok(dict)
    }

    /// Whether it was pushed by what its scenario does not have.
    #[getter]
    fn is_pushed(&self) -> bool {
        self.is_pushed
    }

    /// The summary of the run as JSON, as in summary.json.
    fn summary(&self, py: Python<'_>) -> String {
        py.detach(|| each!(&self.any, t => summary(t, self.is_pushed)))
    }

    /// The text of trajectory.csv.
    fn csv(&self, py: Python<'_>) -> PyResult<String> {
        let mut bytes = Vec::new();
        py.detach(|| each!(&self.any, t => write_csv(t, &mut bytes)))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The text of contacts.csv; empty for a single point.
    fn contacts_csv(&self, py: Python<'_>) -> PyResult<String> {
        let mut bytes = Vec::new();
        py.detach(|| {
            each!(&self.any, t => match t.scenario.layout().is_point() {
                false => write_contacts_csv(t, &mut bytes),
                true => Ok(()),
            })
        })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A picture as SVG: `history` or `path`.
    fn svg(&self, py: Python<'_>, kind: &str) -> PyResult<String> {
        let figure = match kind {
            "history" => each!(&self.any, t => plot::history(t)),
            "path" => each!(&self.any, t => plot::path(t)),
            other => {
                let message = format!("there is no picture {other:?}; there are \"history\" and \"path\"");
                return Err(error::input(py, &message));
            }
        };
        py.detach(|| figure.to_svg()).map_err(|fault| error::input(py, &fault.to_string()))
    }
}

enum Column {
    Numbers(Vec<f64>),
    Counts(Vec<i64>),
    Words(Vec<&'static str>),
}

fn columns<const D: usize>(trajectory: &trajectory::Trajectory<D>, body: usize) -> Vec<(String, Column)> {
    let track = trajectory.track(body);
    let states = track.states;
    let mut columns = Vec::new();
    let numbers = |name: String, values: Vec<f64>| (name, Column::Numbers(values));
    let last = |values: &mut Vec<f64>| values.resize(states.len(), f64::NAN);
    columns.push(numbers("t".into(), (0..states.len()).map(|k| track.time(k)).collect()));
    let axes = axis_names::<D>();
    for (i, axis) in axes.iter().enumerate() {
        columns.push(numbers((*axis).into(), states.iter().map(|state| state.position[i]).collect()));
    }
    // As in the file: what does not turn among bodies is upright.
    let turns = !trajectory.scenario.layout().is_point();
    let attitudes: Vec<Attitude> = match track.attitudes {
        [] if turns => {
            vec![Attitude { orientation: Orientation::upright::<D>(), spin: Spin::zeros() }; states.len()]
        }
        attitudes => attitudes.to_vec(),
    };
    if turns {
        let part = |i: usize| {
            attitudes.iter().map(move |attitude| match attitude.orientation {
                Orientation::Angle(angle) => angle,
                Orientation::Quaternion(turn) => [turn.w, turn.i, turn.j, turn.k][i],
            })
        };
        let names: &[&str] = if D == 2 { &["angle"] } else { &["qw", "qx", "qy", "qz"] };
        columns.extend(names.iter().enumerate().map(|(i, name)| numbers((*name).into(), part(i).collect())));
    }
    for (i, axis) in axes.iter().enumerate() {
        columns.push(numbers(format!("v{axis}"), states.iter().map(|state| state.velocity[i]).collect()));
    }
    let spin_names: &[&str] = if D == 2 { &["spin"] } else { &["wx", "wy", "wz"] };
    let torque_names: &[&str] = if D == 2 { &["torque"] } else { &["tx", "ty", "tz"] };
    if turns {
        for (i, name) in spin_names.iter().enumerate() {
            let spins = attitudes.iter().map(|attitude| attitude.spin[i]).collect();
            columns.push(numbers((*name).into(), spins));
        }
    }
    for (i, axis) in axes.iter().enumerate() {
        let mut forces: Vec<f64> = track.steps.iter().map(|step| step.force[i]).collect();
        last(&mut forces);
        columns.push(numbers(format!("f{axis}"), forces));
    }
    if turns {
        for (i, name) in torque_names.iter().enumerate() {
            let torque = |step: usize| track.torques.get(step).map_or(0.0, |torque| torque[i]);
            let mut torques: Vec<f64> = (0..track.steps.len()).map(torque).collect();
            last(&mut torques);
            columns.push(numbers((*name).into(), torques));
        }
    }
    for (i, axis) in axes.iter().enumerate() {
        let mut pushes: Vec<f64> = track.steps.iter().map(|step| step.push[i]).collect();
        last(&mut pushes);
        columns.push(numbers(format!("u{axis}"), pushes));
    }
    let (point, moments) = (track.point(), Moments::of(&track.scenario.bodies));
    let energy = |k: usize| {
        let turning = track.attitudes.get(k).map_or(0.0, |attitude| moments.energy(body, attitude));
        point.energy(&states[k]) + turning
    };
    columns.push(numbers("energy".into(), (0..states.len()).map(energy).collect()));
    let reports = || track.reports.iter().map(|step| &step.report);
    let words = reports().map(|report| report.status.as_str()).chain([""]).collect();
    columns.push(("status".into(), Column::Words(words)));
    let counts = reports().map(|report| i64::from(report.iterations)).chain([-1]).collect();
    columns.push(("iterations".into(), Column::Counts(counts)));
    columns.push(numbers(
        "residual".into(),
        reports().map(|report| report.residual).chain([f64::NAN]).collect(),
    ));
    if !turns && trajectory.stepper.gives_multipliers() {
        let multiplier = |of: fn(&Relaxation) -> f64| {
            let values = reports().map(|report| report.nlp.as_ref().map_or(f64::NAN, of));
            values.chain([f64::NAN]).collect::<Vec<f64>>()
        };
        columns.push(numbers("s1".into(), multiplier(|nlp| nlp.s1)));
        columns.push(numbers("s2".into(), multiplier(|nlp| nlp.s2)));
        columns.push(numbers("lambda".into(), multiplier(|nlp| nlp.lambda)));
    }
    columns
}

fn summary<const D: usize>(trajectory: &trajectory::Trajectory<D>, is_pushed: bool) -> String
where
    Scenario<D>: BuildStepper<D>,
{
    let exact = (!trajectory.stepper.is_exact() && !is_pushed)
        .then(|| trajectory.scenario.stepper(StepperName::EXACT).ok())
        .flatten()
        .map(|mut stepper| simulate(&trajectory.scenario, stepper.as_mut()))
        .filter(|exact| exact.ending == Ending::Complete);
    let metrics = Metrics::of(trajectory, exact.as_ref());
    serde_json::to_string(&Summary::of(trajectory, metrics)).unwrap_or_default()
}
