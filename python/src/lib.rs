//! The Python package: scenarios in, NumPy columns out. Everything is computed by the crate; what is here
//! translates.

mod compare;
mod error;
mod fit;
mod gradient;
mod layout;
mod learn;
mod model;
mod plan;
mod predict;
mod problems;
mod program;
mod push;
mod recording;
mod scenario;
mod simulate;
mod stepper;
mod sweep;
mod toml_text;
mod trajectory;

use pyo3::prelude::*;

#[pymodule]
fn _stickslip(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<trajectory::Trajectory>()?;
    module.add_class::<stepper::Stepper>()?;
    module.add_function(wrap_pyfunction!(simulate::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::simulate_many, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(compare::convergence, module)?)?;
    module.add_function(wrap_pyfunction!(learn::learn, module)?)?;
    module.add_class::<predict::Predictions>()?;
    module.add_function(wrap_pyfunction!(predict::predict, module)?)?;
    module.add_class::<fit::Fitted>()?;
    module.add_function(wrap_pyfunction!(fit::fit, module)?)?;
    module.add_class::<plan::Planned>()?;
    module.add_function(wrap_pyfunction!(plan::plan, module)?)?;
    module.add_function(wrap_pyfunction!(problems::read_contact, module)?)?;
    module.add_function(wrap_pyfunction!(problems::solve_contact, module)?)?;
    module.add_function(wrap_pyfunction!(problems::solve_lcp, module)?)?;
    module.add_function(wrap_pyfunction!(problems::write_contact, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::steppers, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::resolve, module)?)?;
    module.add_class::<sweep::Share>()?;
    module.add_class::<sweep::Sweep>()?;
    module.add_class::<gradient::Differentiable>()?;
    module.add_function(wrap_pyfunction!(gradient::gradient, module)?)?;
    module.add_function(wrap_pyfunction!(model::register, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::explain, module)?)?;
    module.add_function(wrap_pyfunction!(program::main, module)?)
}
