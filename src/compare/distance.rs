//! How far a motion gets from the exact one, and how far bodies move at all: what both are measured by.

use crate::{
    model::State,
    trajectory::{Track, Trajectory},
};

/// Distances below this share of what bodies move by are rounding, or the tolerance of a solver.
const NEGLIGIBLE_SHARE: f64 = 1e-7;

/// Where a motion is farthest from the exact one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Farthest {
    /// The number of the body.
    pub body: usize,
    /// The number of the state.
    pub state: usize,
    /// The distance of the centres of mass in m.
    pub distance: f64,
}

impl Farthest {
    /// Over the states that both motions have; `None` if there are none.
    pub fn of<const D: usize>(trajectory: &Trajectory<D>, exact: &Trajectory<D>) -> Option<Self> {
        let of_body = |(track, exact): (Track<'_, D>, Track<'_, D>)| {
            let body = track.body;
            let pairs = track.states.iter().zip(exact.states).enumerate();
            let distances = pairs.map(move |(state, (own, truth))| Self {
                body,
                state,
                distance: (own.position - truth.position).norm(),
            });
            distances.max_by(|a, b| a.distance.total_cmp(&b.distance))
        };
        let bodies = trajectory.tracks().zip(exact.tracks()).filter_map(of_body);
        bodies.max_by(|a, b| a.distance.total_cmp(&b.distance))
    }
}

/// How far any body gets from where it starts, in m; at least what the speed that gravity gives in a step covers
/// over the run, for those that rest.
pub(super) fn extent<const D: usize>(motion: &Trajectory<D>) -> f64 {
    let scenario = &motion.scenario;
    let of_body = |track: Track<'_, D>| {
        let start = track.states.first().map_or_else(|| track.final_state().position, |state| state.position);
        let way = |state: &State<D>| (state.position - start).norm();
        track.states.iter().map(way).fold(0.0, f64::max)
    };
    let at_rest = scenario.gravity * scenario.step * scenario.duration;
    motion.tracks().map(of_body).fold(at_rest, f64::max)
}

/// The length in m below which nothing is worth a word in a `motion`: 0.1 um, and less where bodies move by less
/// than 1 m.
pub(super) fn negligible_length<const D: usize>(motion: &Trajectory<D>) -> f64 {
    NEGLIGIBLE_SHARE * extent(motion).min(1.0)
}
