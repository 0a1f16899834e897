//! Whether the recorded velocities lead along the recorded positions, and the spins along the orientations.

use nalgebra::Vector3;

use super::{
    Toss,
    error::{turn, wrapped},
};
use crate::model::{Attitude, Orientation, Vector};

/// How far ways come apart, as a share of the longer one, from which on they contradict each other.
const SHARE: f64 = 0.5;
/// Rotation in rad over which a spin is held against the orientations at once: beyond the noise of a row, and small enough for
/// rotations to add up.
const TURN: f64 = 0.3;

/// How far two ways lead from where they start, and how far they come apart, all in m or in rad.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Ways {
    /// By the positions, or the orientations.
    pub measured: f64,
    /// By the velocities, or the spins.
    pub added_up: f64,
    /// The largest distance between them.
    pub apart: f64,
}

impl Ways {
    /// Whether they come further apart than the share of the longer one that impacts between rows may make, and than what
    /// counts as nothing.
    pub fn contradict(&self, nothing: f64) -> bool {
        self.apart > (SHARE * self.measured.max(self.added_up)).max(nothing)
    }
}

/// The ways of the centre of mass from the first row on: that of the positions, and that which the velocities, averaged from row to
/// row, add up to.
pub(super) fn ways<const D: usize>(toss: &Toss<D>) -> Ways {
    let mut ways = Ways::default();
    let Some(first) = toss.states.first() else { return ways };
    let mut sum = Vector::<D>::zeros();
    for pair in toss.states.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        sum += (before.state.velocity + after.state.velocity) * (0.5 * (after.time - before.time));
        let measured = after.state.position - first.state.position;
        ways.measured = ways.measured.max(measured.norm());
        ways.added_up = ways.added_up.max(sum.norm());
        ways.apart = ways.apart.max((measured - sum).norm());
    }
    ways
}

/// The same of the rotation, over pieces of a third of a radian, and added up over them: what the orientations turn by, and what
/// the spins do. `None` of a point.
pub(super) fn rotations<const D: usize>(toss: &Toss<D>) -> Option<Ways> {
    let rows: Vec<(f64, Attitude)> =
        toss.states.iter().map(|row| Some((row.time, row.attitude?))).collect::<Option<_>>()?;
    let mut ways = Ways::default();
    let (mut from, mut sum, mut length) = (0, Vector3::zeros(), 0.0);
    for row in 1..rows.len() {
        let [(before, first), (after, second)] = [rows[row - 1], rows[row]];
        let by = (first.spin + second.spin) * (0.5 * (after - before));
        sum += by;
        length += by.norm();
        let measured = rotation(&rows[from].1, &rows[row].1);
        if length.max(measured.norm()) < TURN && row + 1 < rows.len() {
            continue;
        }
        ways.measured += measured.norm();
        ways.added_up += length;
        ways.apart += (measured - sum).norm();
        (from, sum, length) = (row, Vector3::zeros(), 0.0);
    }
    Some(ways)
}

/// The rotation vector from one orientation to another in the axes of the body, in rad; in the plane its first component.
fn rotation(first: &Attitude, second: &Attitude) -> Vector3<f64> {
    match (first.orientation, second.orientation) {
        (Orientation::Angle(from), Orientation::Angle(to)) => Vector3::new(wrapped(to - from), 0.0, 0.0),
        (Orientation::Quaternion(from), Orientation::Quaternion(to)) => turn(&from, &to).scaled_axis(),
        _ => Vector3::zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Spin, State},
        predict::RecordedState,
    };

    /// A throw with velocities and spins so many times what they are.
    fn thrown(factor: f64) -> Toss<2> {
        let row = |k: u32| {
            let t = 0.01 * f64::from(k);
            RecordedState {
                line: 0,
                time: t,
                state: State {
                    position: [2.0 * t, 1.0 - 4.905 * t * t].into(),
                    velocity: Vector::<2>::from([2.0, -9.81 * t]) * factor,
                },
                attitude: Some(Attitude {
                    orientation: Orientation::Angle(wrapped(12.0 * t)),
                    spin: Spin::new(12.0 * factor, 0.0, 0.0),
                }),
            }
        };
        Toss { number: 0.0, passed: 0.0, states: (0..45).map(row).collect() }
    }

    #[test]
    fn velocities_and_spins_in_other_units_contradict_positions_and_angles() {
        assert!(!ways(&thrown(1.0)).contradict(1e-3) && !rotations(&thrown(1.0)).unwrap().contradict(1e-9));
        for factor in [0.0, 1e-3, 1e3, -1.0] {
            let toss = thrown(factor);
            assert!(ways(&toss).contradict(0.1), "{factor}: {:?}", ways(&toss));
            assert!(rotations(&toss).unwrap().contradict(0.1), "{factor}: {:?}", rotations(&toss));
        }
    }
}
