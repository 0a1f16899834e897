//! Sweeps: a share of the work in this process, and runs for other processes that have none of the files.

use std::{num::NonZeroUsize, ops::ControlFlow, path::PathBuf, sync::Mutex};

use numpy::{IntoPyArray, PyArray1};
use pyo3::{prelude::*, types::PyDict};
use stickslip::sweep::{self, Base, Ending, Row, Shard, collect, execute, parse_sweep_of, read_sweep};

use crate::{error, simulate::Signals};

/// A row as it is passed between processes.
type Cells = Vec<String>;

fn failed(py: Python<'_>, message: &str) -> PyErr {
    error::exception(py, "SweepError", message, &PyDict::new(py))
}

/// A share of a sweep in the folder of its results, held for this process.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Share {
    share: sweep::Share,
}

#[pymethods]
impl Share {
    #[new]
    #[pyo3(signature = (path, *, output, shard="0/1"))]
    fn new(py: Python<'_>, path: PathBuf, output: PathBuf, shard: &str) -> PyResult<Self> {
        let sweep = read_sweep(&path).map_err(|fault| error::invalid_scenario(py, &fault))?;
        let shard: Shard =
            shard.parse().map_err(|fault: sweep::ShardError| error::input(py, &fault.to_string()))?;
        let share = py.detach(|| sweep::Share::take(sweep, &output, shard));
        Ok(Self { share: share.map_err(|fault| failed(py, &fault.to_string()))? })
    }

    /// The numbers of the runs that were missing when the share was taken.
    fn missing<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.share.missing().to_vec().into_pyarray(py)
    }

    /// The parts that were damaged, where they are now and what was wrong.
    #[getter]
    fn damaged(&self) -> Vec<(PathBuf, String)> {
        let damaged = self.share.damaged().iter();
        damaged.map(|(file, damage)| (file.clone(), damage.to_string())).collect()
    }

    /// What [`Sweep`] is made of in another process.
    fn job(&self) -> (String, String, String) {
        let sweep = self.share.sweep();
        (sweep.to_toml(), sweep.base.path().to_owned(), sweep.base.text().to_owned())
    }

    /// Computes and stores what is missing, in this process.
    #[pyo3(signature = (workers=None))]
    fn compute(&self, py: Python<'_>, workers: Option<NonZeroUsize>) -> PyResult<()> {
        let raised = Mutex::new(None);
        let outcome = py.detach(|| {
            self.share.compute(workers, |_| match Python::attach(|py| py.check_signals()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(signal) => {
                    if let Ok(mut raised) = raised.lock() {
                        *raised = Some(signal);
                    }
                    ControlFlow::Break(())
                }
            })
        });
        let (ending, _) = outcome.map_err(|fault| failed(py, &fault.to_string()))?;
        match raised.into_inner() {
            Ok(Some(signal)) if ending == Ending::Interrupted => Err(signal),
            _ => Ok(()),
        }
    }

    /// Stores rows that [`Sweep::compute`] gave.
    fn keep(&self, py: Python<'_>, rows: Vec<Cells>) -> PyResult<()> {
        let keys = self.share.store().keys().len();
        let rows: Option<Vec<Row>> = rows
            .iter()
            .map(|cells| Row::of_cells(&cells.iter().map(String::as_str).collect::<Vec<_>>(), keys))
            .collect();
        let mut rows = rows.ok_or_else(|| error::input(py, "these are no rows of this sweep"))?;
        py.detach(|| self.share.keep(&mut rows)).map_err(|fault| failed(py, &fault.to_string()))
    }

    /// Writes the table of everything that is stored; gives the folder and the manifest as JSON.
    fn collect(&self, py: Python<'_>) -> PyResult<(PathBuf, String)> {
        let store = self.share.store();
        let collection =
            py.detach(|| collect(store, |_| None)).map_err(|fault| failed(py, &fault.to_string()))?;
        Ok((store.folder().to_owned(), collection.written.to_string()))
    }
}

/// A sweep without its files and its folder: it computes runs and stores nothing.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Sweep {
    sweep: sweep::Sweep,
}

#[pymethods]
impl Sweep {
    #[new]
    fn new(py: Python<'_>, text: &str, scenario_path: String, scenario: String) -> PyResult<Self> {
        let base = Base::new(scenario_path, scenario);
        let sweep = parse_sweep_of(&base, text).map_err(|fault| error::invalid_scenario(py, &fault))?;
        Ok(Self { sweep })
    }

    /// The rows of these runs, one after the other.
    fn compute(&self, py: Python<'_>, numbers: Vec<u64>) -> PyResult<Vec<Cells>> {
        let mut signals = Signals::new();
        let runs = self.sweep.runs();
        if let Some(number) = numbers.iter().find(|number| **number >= runs) {
            return Err(error::input(py, &format!("there is no run {number}; the sweep has {runs}")));
        }
        let rows = py.detach(|| {
            let row = |number| execute(&self.sweep, number, || signals.flow()).map(|row| row.cells());
            numbers.into_iter().map_while(row).collect()
        });
        signals.raised.map_or(Ok(rows), Err)
    }
}
