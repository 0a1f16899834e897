//! How far a motion gets from the exact one, and how far bodies move at all: what both are measured by.

use nalgebra::Vector3;

use crate::{
    model::{Orientation, State, Vector},
    scenario::Corners,
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

/// How far apart in m a point of a body is at most in state `k` of two of its motions: of a corner the distance of its
/// two places, of a round body the largest of any point of its rim.
pub(super) fn apart<const D: usize>(a: Track<'_, D>, b: Track<'_, D>, k: usize, corners: &Corners<D>) -> f64 {
    let centres = b.states[k].position - a.states[k].position;
    let Some((from, to)) = a.attitudes.get(k).zip(b.attitudes.get(k)) else { return centres.norm() };
    let (from, to) = (from.orientation, to.orientation);
    let ways = corners.as_slice().iter().map(|corner| (centres + to.turn(corner) - from.turn(corner)).norm());
    let of_rim = way_of_rim(&centres, &from, &to, corners.radius());
    ways.fold(of_rim, f64::max)
}

/// How far a point of a disc or a ball of this `radius` moves at most where its centre moves and it turns: a turn by
/// `theta` moves the rim across the axis by up to `2 r sin(theta/2)`, in every direction across it.
fn way_of_rim<const D: usize>(centres: &Vector<D>, from: &Orientation, to: &Orientation, radius: f64) -> f64 {
    let chord = |angle: f64| 2.0 * radius * (0.5 * angle).sin().abs();
    match (from, to) {
        (Orientation::Angle(from), Orientation::Angle(to)) => centres.norm() + chord(to - from),
        (Orientation::Quaternion(from), Orientation::Quaternion(to)) => {
            let centres = Vector3::from_fn(|axis, _| centres.get(axis).copied().unwrap_or(0.0));
            let along = from.rotation_to(to).axis().map_or(0.0, |axis| centres.dot(&axis));
            let across = (centres.norm_squared() - along * along).max(0.0).sqrt();
            along.hypot(across + chord(from.angle_to(to)))
        }
        _ => centres.norm(),
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

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::*;

    /// The largest of the ways of many points of the rim, by hand.
    #[test]
    fn a_point_of_the_rim_goes_as_far_as_the_farthest_of_many() {
        let (from, to) = (UnitQuaternion::identity(), UnitQuaternion::from_euler_angles(0.4, -0.7, 1.1));
        let centres = Vector3::new(0.2, -0.1, 0.3);
        let points = (0..200_000).map(|place| {
            // Points that are spread evenly (the golden spiral).
            let z = 1.0 - (2 * place + 1) as f64 / 200_000.0;
            let turn = 2.399_963_229_728_653 * f64::from(place);
            0.5 * Vector3::new((1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z)
        });
        let most = points.map(|point| (centres + to * point - point).norm()).fold(0.0, f64::max);
        let found = way_of_rim(&centres, &Orientation::Quaternion(from), &Orientation::Quaternion(to), 0.5);
        assert!((found - most).abs() < 1e-4 && found >= most - 1e-12, "{found} {most}");
        let full = way_of_rim(
            &Vector::<2>::new(0.3, 0.4),
            &Orientation::Angle(0.0),
            &Orientation::Angle(std::f64::consts::TAU),
            2.0,
        );
        assert!((full - 0.5).abs() < 1e-12, "a full turn brings every point back: {full}");
    }
}
