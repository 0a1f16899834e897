//! What happened: the states and forces of a run, and the files that keep them.

mod csv;
mod record;
mod replay;
mod system;

pub(crate) use self::csv::format_number;
pub use self::csv::{write_csv, write_system_csv};
pub use record::{Ending, Failure, Record, Trajectory};
pub use replay::{Replay, ReplayError};
pub use system::{SystemFailure, SystemTrajectory};
