//! What angular momentum has been passed on, row by row.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::{Toss, error::rotation_between};
use crate::{model::Orientation, scenario::Inertia};

/// The integral of the angular momentum about the centre from the first row of a toss to each of its rows, over the
/// largest moment of inertia: an angle in rad along each axis in space; zero of a point.
///
/// In free flight it grows in proportion to time, however the body tumbles. From one row to the next the body turns by the
/// shorter way. In the plane the angle is the first component.
pub(super) fn turned<const D: usize>(toss: &Toss<D>, inertia: Option<Inertia>) -> Vec<Vector3<f64>> {
    let tensor = match inertia {
        Some(Inertia::Space(tensor)) if tensor.max() > 0.0 => tensor / tensor.max(),
        _ => Matrix3::identity(),
    };
    let mut whole = Vector3::zeros();
    let mut before: Option<Orientation> = None;
    let mut turned = Vec::with_capacity(toss.states.len());
    for row in &toss.states {
        let Some(here) = row.attitude.map(|attitude| attitude.orientation) else {
            turned.push(whole);
            continue;
        };
        if let Some(before) = before {
            let by = rotation_between(&before, &here);
            whole += match before {
                Orientation::Angle(_) => by,
                Orientation::Quaternion(before) => {
                    before * UnitQuaternion::from_scaled_axis(0.5 * by) * (tensor * by)
                }
            };
        }
        before = Some(here);
        turned.push(whole);
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Attitude, State, Vector},
        predict::RecordedState,
        world::spatial::FreeRotation,
    };

    /// A brick with three different moments tumbles about its middle axis: its spin turns over, what is passed on is even.
    #[test]
    fn it_grows_in_proportion_to_time_however_a_body_tumbles() {
        const DT: f64 = 2e-3;
        let tensor = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 2.5));
        let (mut turn, mut spin) = (UnitQuaternion::identity(), Vector3::new(0.3, 9.0, 0.2));
        let first = tensor * spin / 2.5;
        let mut states = Vec::new();
        for row in 0..1000 {
            let attitude = Some(Attitude { orientation: Orientation::Quaternion(turn), spin });
            let state = State { position: Vector::<3>::zeros(), velocity: Vector::zeros() };
            states.push(RecordedState::new(DT * f64::from(row), state, attitude));
            let FreeRotation { mean, end } = FreeRotation::new(&tensor, &spin, DT);
            turn *= UnitQuaternion::from_scaled_axis(mean * DT);
            spin = end;
        }
        let spins = states.iter().filter_map(|row| row.attitude).map(|one| one.spin[1]);
        assert!(spins.fold(f64::INFINITY, f64::min) < -5.0, "it turns over");
        let toss = Toss::new(0.0, states);
        for (row, angle) in turned(&toss, Some(Inertia::Space(tensor))).iter().enumerate() {
            let expected = first * (DT * row as f64);
            assert!((angle - expected).norm() < 3e-3, "{row}: {angle} {expected}");
        }
    }
}
