use crate::{model::Vector, trajectory::Track};

/// How far a body gets from the exact motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyError<const D: usize> {
    /// The largest distance along each axis in m.
    pub position: Vector<D>,
    /// The largest angle in rad; `None` where all bodies are points.
    pub angle: Option<f64>,
}

impl<const D: usize> BodyError<D> {
    /// Of a body over the states that both motions have.
    pub fn of(track: Track<'_, D>, exact: Track<'_, D>) -> Self {
        Self { position: max_error(track, exact), angle: max_turn_error(track, exact) }
    }
}

/// Largest angle in rad between how a body is turned in two trajectories on the same time grid, over the states
/// that both have; `None` for a point.
pub fn max_turn_error<const D: usize>(track: Track<'_, D>, exact: Track<'_, D>) -> Option<f64> {
    let pairs = track.attitudes.iter().zip(exact.attitudes);
    pairs.map(|(attitude, truth)| attitude.orientation.angle_to(&truth.orientation)).reduce(f64::max)
}

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
