//! Pictures that several experiments have, from what they found.

mod coefficients;
mod contour;
mod learning_curve;
mod prediction_error;
mod relaxation_path;
mod sticking;

pub use coefficients::coefficients;
pub use contour::contour;
pub use learning_curve::{COUNTS, ErrorOf, Learner, SEEDS, learners_by_selection, learning_curve};
pub use prediction_error::prediction_error;
pub use relaxation_path::relaxation_path;
pub use sticking::{sticking_by_entry, sticking_by_noise};

/// Smallest error that is drawn: the rounding of numbers of the size one.
const ROUNDING: f64 = 1e-17;

/// The size of an error on a logarithmic axis; `None`, a gap, if it is not a finite number.
fn drawable(error: f64) -> Option<f64> {
    error.is_finite().then(|| error.abs().max(ROUNDING))
}
