//! Whether the recorded velocities lead along the recorded positions, and the spins along the orientations.

use nalgebra::Vector3;

use super::{
    Toss,
    error::{turn, wrapped},
    kink::{LEAST_FOR_NOISE, noise},
};
use crate::model::{Attitude, Orientation, State, Vector};

/// How far ways come apart, as a share of the longer one, from which on they contradict each other.
const SHARE: f64 = 0.5;
/// How far the ways of positions and velocities may come apart, in standard deviations of a row, and those of orientations and
/// spins, in rad.
const MANY_DEVIATIONS: f64 = 10.0;
const LITTLE_TURN: f64 = 0.3;
/// Rotation in rad over which a spin is held against the orientations at once: beyond the noise of a row, and small enough for
/// rotations to add up.
const TURN: f64 = 0.3;

/// How far two ways lead from where they start, and how far they come apart, all in m or in rad.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Ways {
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
    fn contradict(&self, nothing: f64) -> bool {
        self.apart > (SHARE * self.measured.max(self.added_up)).max(nothing)
    }
}

/// The ways of a point from the first of its rows on, times and states, where they contradict each other: that of the positions, and
/// that which the velocities, averaged from row to row, add up to. A few rows say nothing.
pub(crate) fn contradictory_velocities<const D: usize>(rows: &[(f64, State<D>)]) -> Option<Ways> {
    let ways = velocity_ways(rows)?;
    let places: Vec<_> = rows.iter().map(|(time, state)| (*time, state.position)).collect();
    ways.contradict(MANY_DEVIATIONS * noise(&places)).then_some(ways)
}

/// Those ways, whether or not they contradict each other; `None` of a few rows.
pub(super) fn velocity_ways<const D: usize>(rows: &[(f64, State<D>)]) -> Option<Ways> {
    if rows.len() < LEAST_FOR_NOISE {
        return None;
    }
    let mut ways = Ways::default();
    let mut sum = Vector::<D>::zeros();
    for pair in rows.windows(2) {
        let [(before, first), (after, second)] = [pair[0], pair[1]];
        sum += (first.velocity + second.velocity) * (0.5 * (after - before));
        let measured = second.position - rows[0].1.position;
        ways.measured = ways.measured.max(measured.norm());
        ways.added_up = ways.added_up.max(sum.norm());
        ways.apart = ways.apart.max((measured - sum).norm());
    }
    Some(ways)
}

/// The ways of orientations and spins of a toss where they contradict each other.
pub(super) fn contradictory_spins<const D: usize>(toss: &Toss<D>) -> Option<Ways> {
    spin_ways(toss).filter(|ways| ways.contradict(LITTLE_TURN))
}

/// Ways of the rotation, over pieces of a third of a radian, and added up over them: what the orientations turn by, and what
/// the spins do; `None` of a point.
pub(super) fn spin_ways<const D: usize>(toss: &Toss<D>) -> Option<Ways> {
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
        // Its length along the way counts noise and turning back, which the orientations at its ends have none of.
        ways.added_up += sum.norm();
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
            let state = State {
                position: [2.0 * t, 1.0 - 4.905 * t * t].into(),
                velocity: Vector::<2>::from([2.0, -9.81 * t]) * factor,
            };
            let orientation = Orientation::Angle(wrapped(12.0 * t));
            let attitude = Attitude { orientation, spin: Spin::new(12.0 * factor, 0.0, 0.0) };
            RecordedState::new(t, state, Some(attitude))
        };
        Toss::new(0.0, (0..45).map(row).collect())
    }

    #[test]
    fn velocities_and_spins_in_other_units_contradict_positions_and_angles() {
        let rows = |toss: &Toss<2>| toss.states.iter().map(|row| (row.time, row.state)).collect::<Vec<_>>();
        let right = thrown(1.0);
        assert_eq!((contradictory_velocities(&rows(&right)), contradictory_spins(&right)), (None, None));
        for factor in [0.0, 1e-3, 1e3, -1.0] {
            let toss = thrown(factor);
            let ways = contradictory_velocities(&rows(&toss)).expect("they contradict each other");
            assert!((ways.added_up - factor.abs() * ways.measured).abs() <= 1e-2 * ways.added_up, "{ways:?}");
            assert!(contradictory_spins(&toss).is_some(), "{factor}");
        }
    }
}
