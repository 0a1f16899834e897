//! What can be searched for its minimum and profiled, whatever it is made of.

use super::{Bound, search::Interrupted};

/// A function of parameters, and how sure it makes of them.
pub trait Landscape {
    /// A place in it, with what is known there.
    type Place: Clone;

    /// The values that each parameter may have.
    fn bounds(&self) -> &[Bound];

    /// The minimum that is reached from `start`, with the parameter that is `held` as it is there; `near` is
    /// a place whose knowledge helps.
    ///
    /// # Errors
    /// [`Interrupted`].
    fn minimise(
        &mut self,
        start: &[f64],
        held: Option<usize>,
        near: Option<&Self::Place>,
    ) -> Result<Self::Place, Interrupted>;

    /// The parameters of a place.
    fn parameters(place: &Self::Place) -> &[f64];

    /// The function there.
    fn value(place: &Self::Place) -> f64;

    /// Whether a minimum is one; otherwise the evaluations ran out.
    fn converged(place: &Self::Place) -> bool;

    /// How much worse than the best a place is, on the scale on which the square of a standard normal
    /// variable is distributed if it is the truth; the minimum for that value of the parameter that was
    /// `held`, if one was.
    ///
    /// # Errors
    /// [`Interrupted`].
    fn rise(
        &mut self,
        best: &Self::Place,
        place: &Self::Place,
        held: Option<usize>,
    ) -> Result<f64, Interrupted>;

    /// Whether a place is so much better that it has to replace the best.
    fn is_better(best: &Self::Place, place: &Self::Place) -> bool;

    /// Standard deviation that is expected of a parameter, where something is.
    fn deviation(&self, best: &Self::Place, index: usize) -> Option<f64>;

    /// The rise that rules a value out beyond doubt, where one of `rise` ends the interval.
    fn beyond_doubt(&self, rise: f64) -> f64;
}
