//! Parameters of a scenario that predict recorded throws best, and how sure the throws make of them.
//!
//! What is made least is what [`predict`](crate::predict) measures: the mean over the throws of the position
//! error in per cent of the size of the body and the rotation error in degrees, added; for a point the position
//! error in metres. It is not smooth in the parameters, since a body that lands a little otherwise ends
//! elsewhere, so it is searched without derivatives from many places of the [`ranges`](FitParameter::range). The motion of
//! a single point mostly is: where the [gradient](crate::gradient) of its steps is right at the
//! start by all parameters, the searches descend along it ([`SearchMethod`]).
//! Intervals come from how the throws differ among themselves ([`Losses`](crate::likelihood::Losses)), not
//! from a law of the noise: they hold for simulated throws, and say of real ones what the parameters are that
//! predict best, however wrong the model is. Friction at rest that only tests of break-away tell of has none of both, but an
//! interval between what held and what slipped ([`BreakAway`]). Of recordings that are cut into [`Windows`](crate::predict::Windows) whole
//! throws are what differs: windows of one throw share its start, its rows and what the model does not know of it.
//!
//! A fit ends: it tries so many sets of parameters at most, and where it is stopped sooner it says the best so far.

mod break_away;
mod budget;
mod conclusions;
mod derivatives;
mod lasting;
mod meanwhile;
mod measured_anew;
mod objective;
mod outcome;
mod parameter;
mod picture;
mod roughness;
mod row_intervals;
mod row_noise;
mod search;

pub use break_away::{BreakAway, Load};
pub use derivatives::SearchMethod;
pub use meanwhile::Meanwhile;
pub use objective::{FitError, FitTask};
pub use outcome::{Basis, Ending, FitOutcome, FittedParameter, write_profiles};
pub use parameter::{FitParameter, GROUND_HEIGHT, ParameterError, given_by_recording};
pub use picture::profiles;
pub use roughness::Roughness;
pub use row_intervals::NotFromRows;
pub use search::{fit, fit_by, fit_keeping};
