//! Which contact model gets which phenomenon right.
//!
//! A [`Phenomenon`] is one scenario or a family of them, a number that is read off the motion, and the true
//! value of that number: a closed form, or the motion from event to event. Two [`Thresholds`] say when a model
//! is right, off or wrong. A [`Scorecard`] runs all of them with all models at several steps.
//!
//! A measure sees [`Observed`] motions and cannot tell what made them.

mod artefacts;
mod card;
mod carried;
mod catalogue;
mod elliptic;
mod falling;
mod followed_impacts;
mod heat_map;
mod impacts;
mod mechanisms;
mod observed;
mod phenomenon;
mod rebound;
mod recorded;
mod report;
mod resistance;
mod rolling;
mod routh;
mod run;
mod scenes;
mod sliding;
mod space;
mod spinning;
mod standing;
mod stick_slip;
mod table;
mod tipping;
mod touching;
mod verdict;

pub use card::{DEFAULT_STEPS, Score, Scorecard};
pub use catalogue::{UnknownPhenomenon, named, phenomena};
pub use heat_map::heat_map;
pub use observed::{Observed, onset};
pub use phenomenon::{Adjustment, Experiment, Failing, Group, Phenomenon, Remark, Trial};
pub use recorded::{RecordingError, recorded_programs, write_scenes};
pub use report::report;
pub use run::Outcome;
use run::motion_of_one;
pub use table::{summary, table, write_csv};
pub use verdict::{Thresholds, Verdict};
