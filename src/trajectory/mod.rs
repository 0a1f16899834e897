//! What happened: the states and forces of a run, and the files that keep them.

mod csv;
mod record;

pub use self::csv::write_csv;
pub use record::{Ending, Failure, Record, Trajectory};
