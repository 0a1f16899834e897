//! The command-line program.

use pyo3::prelude::*;

/// Runs `stickslip ARGUMENTS` and gives its exit status; `arguments` begins with the program's name.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| stickslip::cli::run(arguments))
}
