//! How many components vectors have: the first of them decides.

use crate::model::Vector;

/// The vector that decides on the dimension: its full key, and its length.
pub(super) type Decider = Option<(String, usize)>;

/// The vector at its full length; zero if it has another one, which has been reported.
pub(super) fn fixed<const D: usize>(vector: Option<Vec<f64>>) -> Vector<D> {
    vector
        .and_then(|components| <[f64; D]>::try_from(components).ok())
        .map_or_else(Vector::zeros, Vector::from)
}
