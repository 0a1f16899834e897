//! What happened: the states and forces of a run, and the files that keep them.

mod contacts;
mod csv;
mod fields;
mod joints;
mod passage;
mod record;
mod replay;
mod writer;

pub(crate) use self::csv::turning_columns;
pub use self::csv::{RowWriter, StateColumns, write_csv, write_csv_every};
pub use contacts::{ContactColumns, ContactWriter, Contacts, write_contacts_csv};
pub use joints::{JointColumns, JointWriter, write_joints_csv};
pub use passage::Passage;
pub use record::{Ending, Failure, Motion, Record, StepRecord, Track, Trajectory};
pub use replay::{Replay, ReplayError, ReplayedBody};
pub use writer::CsvWriter;
