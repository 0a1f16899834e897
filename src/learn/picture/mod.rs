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
