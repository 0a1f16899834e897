use crate::{model::Vector, trajectory::Trajectory};

/// Largest distance between two trajectories on the same time grid along each axis, in m, over the
/// states that both have.
pub fn max_error<const D: usize>(trajectory: &Trajectory<D>, exact: &Trajectory<D>) -> Vector<D> {
    trajectory
        .states
        .iter()
        .zip(&exact.states)
        .map(|(state, truth)| (state.position - truth.position).abs())
        .fold(Vector::zeros(), |largest, error| largest.sup(&error))
}
