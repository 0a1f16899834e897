//! Sweeps: many runs over a grid and a sample of scenario keys, stored so that nothing is lost.
//!
//! A [`Sweep`] is read from a file. Its runs are numbered; the number of a run alone says which
//! stepper it is and what its keys are set to ([`Sweep::run`]), so that any number of processes can
//! share the work without talking to each other: shard `I/N` takes every `N`th run or so, all steppers
//! and values alike ([`Shard`]). A [`Share`] computes what a folder lacks and stores it in *parts*,
//! files that are written whole and never touched again ([`Store`]). [`collect`] sorts the rows of
//! all parts into one table, which is the same bit for bit whatever the shards, the workers and the
//! interruptions were.

mod collect;
mod columns;
mod design;
mod identity;
mod ignored;
mod lock;
mod measure;
mod part;
mod pictures;
mod plan;
mod read;
mod row;
mod sample;
mod share;
mod store;
mod stored;
mod value;
mod work;
mod write;

pub use collect::{Collection, CollectionError, Manifest, collect};
pub use columns::{Columns, Key};
pub use identity::Identity;
pub use lock::{ShardLock, Taken};
pub use measure::{execute, metric_names};
pub use part::{Damage, Part};
pub use pictures::{SweepPicture, pictures};
pub use plan::{Axis, Base, Border, Run, Shard, ShardError, Sweep};
pub use read::{parse_sweep, parse_sweep_of, read_sweep, read_sweep_from};
pub use row::{Row, RunStatus};
pub use sample::{Method, Range, Sample, Scaling};
pub use share::{Share, ShareError};
pub use store::{Store, StoreError};
pub use stored::Stored;
pub use value::as_cell;
pub use work::{Ending, Progress, WorkError};
