//! Parameters from noisy data, with intervals that hold: profile likelihood.
//!
//! The data come in blocks (throws, tosses, steps). All blocks share a few *parameters*, which are
//! wanted; each may have *unknowns* of its own (where it started), which are not. The residuals of a
//! [`Problem`] are in units of their standard deviation, so that their sum of squares is minus twice
//! the logarithm of the likelihood, but for a constant. Every evaluation takes the unknowns of the
//! blocks at their best ([`Reduced`]), and what is left is a function `D` of the parameters alone:
//! the profile likelihood. A [`Search`] minimises it from several starts; the
//! interval of a parameter holds the values at which `D`, with all other
//! parameters at their best, is above its least value by no more than the quantile of chi squared
//! (Wilks 1938; Venzon and Moolgavkar 1988). Unlike `estimate +- 1.96 standard errors` it follows a
//! likelihood that is lopsided, flat on one side or cut off at a bound of the parameter.
//!
//! Where there is no likelihood but a loss for each of many independent throws, as where predictions of a
//! motion with contacts are held against what happened, [`Losses`] takes the place of a [`Search`]: it
//! minimises the mean loss without derivatives, or with those that a [`Loss`] hands out, and the spread of the
//! throws tells how sure that is.
//! Both are a [`Landscape`], and what follows from profiles is the same for both.
//!
//! An interval is no verdict. [`Doubt`] names what speaks against a parameter being determined: a
//! likelihood that is flat, open to one side, with a second minimum, or with a kink.

mod block;
mod damped_step;
mod descent;
mod interval;
mod landscape;
mod losses;
mod robust_deviation;
mod search;
mod sign_flips;
mod simplex;
mod verdict;

pub use block::Normal;
pub use descent::Slopes;
pub use interval::{End, Interval, quantile};
pub use landscape::Landscape;
pub use losses::{Loss, Losses, Scale, Tried};
pub(crate) use robust_deviation::robust_deviation;
pub use search::{Interrupted, Minimum, Problem, Reduced, Search, settled};
pub use verdict::{Doubt, Estimate, Fit};

/// The probability that the intervals are made for.
pub const LEVEL: f64 = 0.95;

/// The values that a parameter may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// The least.
    pub lower: f64,
    /// The largest; infinite where there is none.
    pub upper: f64,
    /// A value so large that larger ones make no difference; `upper` where that is finite.
    pub far: f64,
    /// A change that is worth seeing near zero: the scale of the first steps where the data say
    /// nothing.
    pub scale: f64,
}

impl Bound {
    /// From `lower` to `upper`.
    pub fn between(lower: f64, upper: f64) -> Self {
        Self { lower, upper, far: upper, scale: 0.01 * (upper - lower) }
    }

    /// `lower` and all above it, where no value beyond `far` is told from it.
    pub fn above(lower: f64, far: f64, scale: f64) -> Self {
        Self { lower, upper: f64::INFINITY, far, scale }
    }

    fn clamp(&self, value: f64) -> f64 {
        value.max(self.lower).min(self.far)
    }
}
