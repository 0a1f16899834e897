//! `sweep`, in this process.

use std::{ops::ControlFlow, path::PathBuf, sync::Mutex};

use pyo3::{prelude::*, types::PyDict};
use stickslip::sweep::{Ending, Manifest, Shard, ShardLock, Store, collect, read_sweep, work};

use crate::error;

/// Computes what the folder of a sweep lacks, collects it, and gives the folder and its manifest as JSON.
#[pyfunction]
#[pyo3(signature = (path, *, output, shard="0/1", workers=None))]
pub fn sweep(
    py: Python<'_>,
    path: PathBuf,
    output: PathBuf,
    shard: &str,
    workers: Option<usize>,
) -> PyResult<(PathBuf, String)> {
    let failed = |message: String| error::exception(py, "SweepError", &message, &PyDict::new(py));
    let sweep = read_sweep(&path).map_err(|fault| error::invalid_scenario(py, &fault))?;
    let shard: Shard =
        shard.parse().map_err(|fault: stickslip::sweep::ShardError| error::input(py, &fault.to_string()))?;
    let folder = output.join(&sweep.name);
    let store = Store::create(&folder, &sweep).map_err(|fault| failed(fault.to_string()))?;
    let _lock = ShardLock::take(&folder, shard).map_err(|fault| failed(fault.to_string()))?;
    let stored = store.read().map_err(|fault| failed(fault.to_string()))?;
    let missing: Vec<u64> =
        shard.numbers(sweep.runs()).filter(|number| !stored.rows.contains_key(number)).collect();
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    let workers = workers.unwrap_or(processors).clamp(1, missing.len().max(1));
    if !missing.is_empty() {
        let raised = Mutex::new(None);
        let outcome = py.detach(|| {
            work(&sweep, &store, shard, &missing, workers, |_| {
                match Python::attach(|py| py.check_signals()) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(signal) => {
                        if let Ok(mut raised) = raised.lock() {
                            *raised = Some(signal);
                        }
                        ControlFlow::Break(())
                    }
                }
            })
        });
        let (ending, _) = outcome.map_err(|fault| failed(fault.to_string()))?;
        if let (Ending::Interrupted, Ok(Some(signal))) = (ending, raised.into_inner()) {
            return Err(signal);
        }
    }
    let (manifest, _): (Manifest, _) =
        py.detach(|| collect(&store)).map_err(|fault| failed(fault.to_string()))?;
    let text = serde_json::to_string(&manifest).map_err(|fault| failed(fault.to_string()))?;
    Ok((folder, text))
}
