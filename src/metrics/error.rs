use crate::{model::Vector, trajectory::Track};

/// Largest distance between two trajectories on the same time grid along each axis, in m, over the
/// states that both have.
pub fn max_error<const D: usize>(track: Track<'_, D>, exact: Track<'_, D>) -> Vector<D> {
    track
        .states
        .iter()
        .zip(exact.states)
        .map(|(state, truth)| (state.position - truth.position).abs())
        .fold(Vector::zeros(), |largest, error| largest.sup(&error))
}
