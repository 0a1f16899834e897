//! Contact models written in Python, as steppers beside the built-in ones.

use std::cell::RefCell;

use numpy::{IntoPyArray, PyReadonlyArray1, ToPyArray, ndarray::Array2};
use pyo3::{exceptions::PyException, prelude::*};
use stickslip::{
    contact::{
        Accuracy, ContactModel, ContactProblem, FailureKind, Report, Residuals, Solution, SolveFailure,
    },
    scenario::Scenario,
    stepper::registry::{self, Inadmissible, OwnModel},
};

use crate::error;

thread_local! {
    /// What a model raised last in a run of this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Takes what a model raised in a run of this thread, if one did.
pub fn take_raised() -> Option<PyErr> {
    RAISED.with_borrow_mut(Option::take)
}

/// From now on `name` is a stepper: `make()` gives an object whose `solve(problem)` gives the impulses.
#[pyfunction]
#[pyo3(signature = (name, make, *, summary, coulomb))]
pub fn register(py: Python<'_>, name: &str, make: Py<PyAny>, summary: String, coulomb: bool) -> PyResult<()> {
    registry::register(name, PythonModel { make, summary, coulomb })
        .map(drop)
        .map_err(|refused| error::input(py, &refused.to_string()))
}

struct PythonModel {
    make: Py<PyAny>,
    summary: String,
    coulomb: bool,
}

impl PythonModel {
    fn instance<const D: usize, const N: usize>(&self) -> Result<Box<dyn ContactModel<D, N>>, Inadmissible> {
        let made = Python::attach(|py| {
            self.make.call0(py).map_err(|raised| Inadmissible {
                reason: format!("making it raised {}", in_words(py, &raised)),
                remedy: "correct what makes the model".to_owned(),
            })
        });
        Ok(Box::new(Instance { object: made?, coulomb: self.coulomb }))
    }
}

impl OwnModel for PythonModel {
    fn summary(&self) -> String {
        self.summary.clone()
    }

    fn points_in_plane(&self, _: &Scenario<2>) -> Result<Box<dyn ContactModel<2, 2>>, Inadmissible> {
        self.instance()
    }

    fn bodies_in_plane(&self, _: &Scenario<2>) -> Result<Box<dyn ContactModel<2, 3>>, Inadmissible> {
        self.instance()
    }

    fn points_in_space(&self, _: &Scenario<3>) -> Result<Box<dyn ContactModel<3, 3>>, Inadmissible> {
        self.instance()
    }

    fn bodies_in_space(&self, _: &Scenario<3>) -> Result<Box<dyn ContactModel<3, 6>>, Inadmissible> {
        self.instance()
    }
}

struct Instance {
    object: Py<PyAny>,
    coulomb: bool,
}

impl<const D: usize, const N: usize> ContactModel<D, N> for Instance {
    fn name(&self) -> &str {
        "python"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        solution.prepare(problem.contacts.len(), problem.links.len());
        let mut iterations = 0;
        if !problem.contacts.is_empty() {
            let (impulses, taken) =
                Python::attach(|py| self.ask(py, problem).map_err(|raised| unsolved(py, raised)))?;
            iterations = taken;
            for (impulse, given) in solution.impulses.iter_mut().zip(impulses.chunks_exact(D)) {
                impulse.copy_from_slice(given);
            }
        }
        problem.link_impulses(&solution.impulses, &mut solution.link_impulses);
        let accuracy = if self.coulomb { Accuracy::Certified } else { Accuracy::OwnLaw };
        Ok(Report::unmeasured(accuracy, iterations))
    }
}

impl Instance {
    /// The impulses of all contacts, normal before tangential, and the iterations that the model tells of.
    fn ask<const D: usize, const N: usize>(
        &self,
        py: Python<'_>,
        problem: &ContactProblem<D, N>,
    ) -> PyResult<(Vec<f64>, u32)> {
        let rows = D * problem.contacts.len();
        let dense = problem.delassus();
        let w = Array2::from_shape_fn((rows, rows), |(i, j)| dense.w[(i, j)]);
        let gaps: Vec<f64> = problem.contacts.iter().map(|contact| contact.gap).collect();
        let class = py.import("stickslip._model")?.getattr("ContactProblem")?;
        let given = class.call1((
            D,
            problem.time_step,
            w.into_pyarray(py),
            dense.q.as_slice().to_pyarray(py),
            dense.friction.into_pyarray(py),
            gaps.into_pyarray(py),
        ))?;
        let answer = self.object.bind(py).call_method1("solve", (given,))?;
        let (impulses, iterations) = match answer.extract::<(Bound<'_, PyAny>, u32)>() {
            Ok(both) => both,
            Err(_) => (answer, 0),
        };
        let array = py.import("numpy")?.call_method1("asarray", (&impulses, "float64"))?;
        let array = array.call_method1("reshape", (-1,))?;
        let values: PyReadonlyArray1<'_, f64> = array.extract()?;
        let values = values.as_array().to_vec();
        if values.len() != rows {
            let message = format!(
                "solve gave {} impulses, but must give {rows}: {D} for each of {} contacts, normal first",
                values.len(),
                problem.contacts.len()
            );
            return Err(error::input(py, &message));
        }
        match values.iter().find(|value| !value.is_finite()) {
            Some(value) => Err(error::input(py, &format!("solve gave an impulse of {value}"))),
            None => Ok((values, iterations)),
        }
    }
}

fn unsolved(py: Python<'_>, raised: PyErr) -> SolveFailure {
    let reason = format!("the model raised {}", in_words(py, &raised));
    RAISED.with_borrow_mut(|slot| *slot = Some(raised));
    let (kind, residuals) = (FailureKind::NotConverged, Residuals::INFINITE);
    SolveFailure::Unsolved { kind, reason, iterations: 0, residuals }
}

/// `ValueError: what was said`, on one line.
fn in_words(py: Python<'_>, raised: &PyErr) -> String {
    let kind = raised.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    let said = raised.value(py).to_string();
    format!("{kind}: {}", said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A failure that follows from what a model raised: with that as its cause; what is no mere exception, such as
/// the interruption by Ctrl-C, in its place.
pub fn with_cause(py: Python<'_>, failure: PyErr) -> PyErr {
    caused_by(py, failure, take_raised())
}

/// The same where what was raised is at hand.
pub fn caused_by(py: Python<'_>, failure: PyErr, raised: Option<PyErr>) -> PyErr {
    match raised {
        Some(raised) if !raised.is_instance_of::<PyException>(py) => raised,
        Some(raised) => {
            failure.set_cause(py, Some(raised));
            failure
        }
        None => failure,
    }
}
