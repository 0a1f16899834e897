//! What happened: the states and forces of a run, and the files that keep them.

mod contacts;
mod csv;
mod fields;
mod passage;
mod record;
mod replay;

pub use self::csv::{RowWriter, write_csv, write_csv_every};
pub use contacts::{ContactWriter, Contacts, write_contacts_csv};
pub use passage::Passage;
pub use record::{Ending, Failure, Motion, Record, StepRecord, Track, Trajectory};
pub use replay::{Replay, ReplayError, ReplayedBody};
