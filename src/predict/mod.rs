//! Recorded throws, and what contact models predict of them.
//!
//! A [`Recording`] holds tosses: the measured states of one body, row by row, each toss from a start of its
//! own. [`Predictor`] starts a stepper where a toss starts, as measured or where a ballistic fit of the rows
//! before the first contact puts it ([`Start`]), follows it without ever looking at the recording again, and
//! says how far apart the two are in every row. A recording may be cut into [`Windows`], which hold one contact each and
//! are predicted like tosses. The error of a toss is the mean over its rows of the distance
//! of the centres, as a fraction of the size of the body, and of the angle between the orientations, as
//! Pfrommer, Halm and Posa have it ("ContactNets: Learning Discontinuous Contact Dynamics with Smooth,
//! Implicit Representations", CoRL 2020, arXiv 2009.11193).

mod angular_momentum;
mod check;
mod check_of_fall;
mod clearance;
mod consistency;
mod doubts;
mod error;
mod even_times;
mod fall;
mod flight;
mod free_flights;
mod kink;
mod line;
mod picture;
mod predictor;
mod read;
mod recording;
mod rows;
mod single_contact;
mod slopes;
mod start;
mod summary;
mod table;
mod tried_law;
mod windows;

pub use check::{Check, check_recording};
pub(crate) use consistency::{Ways, contradictory_velocities};
pub(crate) use error::rotation_between;
pub use error::{PoseError, TossError};
pub use flight::Flight;
pub(crate) use free_flights::{FreeFlights, Thrown};
pub use picture::{error_histograms, error_over_time, toss_poses, typical_toss};
pub(crate) use predictor::the_moving_body;
pub use predictor::{PredictError, Prediction, Predictor, predict};
pub use read::read_recording;
pub use recording::{RecordedState, Recording, Toss};
pub use rows::{Meeting, Place, Spacing};
pub use slopes::{ErrorSlopes, SlopeError, Varied};
pub use start::Start;
pub use summary::{Measure, StepperErrors, missed_by_all, prediction_summary};
pub use table::write_errors;
pub use tried_law::TriedLaw;
pub use windows::{Cut, LeftOut, Window, WindowStart, Windows};
