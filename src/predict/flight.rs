//! The flight that fits measured poses best.

use nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion, Vector3};

use super::{
    RecordedState,
    error::{turn, wrapped},
    line::Line,
};
use crate::{
    model::{Attitude, Orientation, Spin, State, Vector},
    scenario::Inertia,
    stepper::FlightVelocity,
    world::spatial::FreeRotation,
};

/// Most steps of the search for an orientation, and change in rad that ends it.
const MOST_STEPS: usize = 50;
const SETTLED: f64 = 1e-12;

/// How a stepper follows a body in flight: after `t` s it has fallen by `g t (t + lag)/2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    lag: f64,
}

impl Flight {
    /// In steps of `dt` s, each by that `velocity`.
    pub fn new(velocity: FlightVelocity, dt: f64) -> Self {
        Self { lag: velocity.lag(dt) }
    }

    /// How far an acceleration of one has moved a body from rest after `time` s.
    fn fallen(&self, time: f64) -> f64 {
        0.5 * time * (time + self.lag)
    }

    /// Times since the first row, and where the body would be without gravity: along a straight line, in one flight.
    pub(super) fn without_gravity<const D: usize>(
        &self,
        rows: &[RecordedState<D>],
        gravity: &Vector<D>,
    ) -> impl Iterator<Item = (f64, Vector<D>)> + Clone {
        let first = rows.first().map_or(0.0, |row| row.time);
        rows.iter().map(move |row| {
            let after = row.time - first;
            (after, row.state.position - gravity * self.fallen(after))
        })
    }

    /// Where a body in flight is after `time` s.
    pub(super) fn after<const D: usize>(&self, from: &State<D>, gravity: &Vector<D>, time: f64) -> State<D> {
        State {
            position: from.position + from.velocity * time + gravity * self.fallen(time),
            velocity: from.velocity + gravity * time,
        }
    }
}

/// Position and velocity in the first row of the flight that comes closest to the positions, by least squares,
/// with gravity in m/s^2.
pub(super) fn best_translation<const D: usize>(
    rows: &[RecordedState<D>],
    gravity: &Vector<D>,
    flight: &Flight,
) -> State<D> {
    let line = Line::through(flight.without_gravity(rows, gravity));
    State { position: line.origin, velocity: line.slope }
}

/// Orientation and spin in the first row of the free rotation that comes closest to the orientations, by
/// least squares; `None` where there is none to be found. `first` is what was measured there.
pub(super) fn best_orientation<const D: usize>(
    rows: &[RecordedState<D>],
    first: Attitude,
    inertia: Option<Inertia>,
) -> Option<Attitude> {
    let start = rows[0].time;
    match first.orientation {
        Orientation::Angle(angle) => {
            // Recorded angles may be wrapped; from row to row no body turns by half a turn.
            let mut whole = angle;
            let unwrapped: Vec<(f64, Vector<1>)> = (rows.iter())
                .filter_map(|row| match row.attitude?.orientation {
                    Orientation::Angle(angle) => {
                        whole += wrapped(angle - whole);
                        Some((row.time - start, Vector::<1>::new(whole)))
                    }
                    Orientation::Quaternion(_) => None,
                })
                .collect();
            let Line { origin, slope, .. } = Line::through(unwrapped.iter().copied());
            let spin = Spin::new(slope[0], 0.0, 0.0);
            Some(Attitude { orientation: Orientation::Angle(origin[0]), spin })
        }
        Orientation::Quaternion(_) => {
            let measured: Vec<(f64, UnitQuaternion<f64>)> = (rows.iter())
                .filter_map(|row| match row.attitude?.orientation {
                    Orientation::Quaternion(turn) => Some((row.time - start, turn)),
                    Orientation::Angle(_) => None,
                })
                .collect();
            best_rotation(&measured, inertia)
        }
    }
}

/// How a body is turned that share of the time from one row to the next, by the shorter way.
pub(super) fn turned_between(first: &Attitude, second: &Attitude, share: f64) -> Attitude {
    let orientation = match (first.orientation, second.orientation) {
        (Orientation::Angle(from), Orientation::Angle(to)) => {
            Orientation::Angle(from + share * wrapped(to - from))
        }
        (Orientation::Quaternion(from), Orientation::Quaternion(to)) => {
            let whole = turn(&from, &to).scaled_axis();
            Orientation::Quaternion(from * UnitQuaternion::from_scaled_axis(share * whole))
        }
        (orientation, _) => orientation,
    };
    Attitude { orientation, ..*first }
}

/// By the Gauss-Newton method on `2 vec(conj(Q) Q_measured)`, with derivatives by differences.
fn best_rotation(measured: &[(f64, UnitQuaternion<f64>)], inertia: Option<Inertia>) -> Option<Attitude> {
    /// Difference in rad, and in rad/s, for the derivatives.
    const SMALL: f64 = 1e-6;
    let tensor = match inertia {
        Some(Inertia::Space(tensor)) => tensor,
        _ => Matrix3::identity(),
    };
    let mut turned = measured.first()?.1;
    let steps =
        measured.windows(2).map(|pair| turn(&pair[0].1, &pair[1].1).scaled_axis() / (pair[1].0 - pair[0].0));
    let mut spin = steps.sum::<Vector3<f64>>() / (measured.len() - 1) as f64;
    let residuals = |turned: UnitQuaternion<f64>, spin: Vector3<f64>| -> DVector<f64> {
        let predicted = free_rotation(turned, spin, &tensor, measured.iter().map(|(time, _)| *time));
        let parts = predicted.zip(measured).flat_map(|(predicted, (_, measured))| {
            let error = turn(&predicted, measured);
            // The double cover: the shorter way round.
            let sign = if error.w < 0.0 { -2.0 } else { 2.0 };
            [sign * error.i, sign * error.j, sign * error.k]
        });
        DVector::from_iterator(3 * measured.len(), parts)
    };
    for _ in 0..MOST_STEPS {
        let here = residuals(turned, spin);
        let mut jacobian = DMatrix::zeros(here.len(), 6);
        for index in 0..6 {
            let mut small = Vector3::zeros();
            small[index % 3] = SMALL;
            let there = match index {
                0..3 => residuals(turned * UnitQuaternion::from_scaled_axis(small), spin),
                _ => residuals(turned, spin + small),
            };
            jacobian.set_column(index, &((there - &here) / SMALL));
        }
        let step = -(jacobian.tr_mul(&jacobian).cholesky()?.solve(&jacobian.tr_mul(&here)));
        let turn_by = Vector3::new(step[0], step[1], step[2]);
        turned *= UnitQuaternion::from_scaled_axis(turn_by);
        spin += Vector3::new(step[3], step[4], step[5]);
        if !step.amax().is_finite() {
            return None;
        }
        if step.amax() <= SETTLED {
            break;
        }
    }
    Some(Attitude { orientation: Orientation::Quaternion(turned), spin })
}

/// Orientations of a body without torque at some times, in order, from that at time zero.
fn free_rotation(
    turned: UnitQuaternion<f64>,
    spin: Vector3<f64>,
    inertia: &Matrix3<f64>,
    times: impl Iterator<Item = f64>,
) -> impl Iterator<Item = UnitQuaternion<f64>> {
    /// Largest angle in rad that is turned in one step.
    const FINE: f64 = 0.02;
    let (mut now, mut turned, mut spin) = (0.0, turned, spin);
    times.map(move |time| {
        let span = time - now;
        let count = (span * spin.norm() / FINE).ceil().clamp(1.0, 1e4);
        for _ in 0..count as usize {
            let dt = span / count;
            let FreeRotation { mean, end } = FreeRotation::new(inertia, &spin, dt);
            turned *= UnitQuaternion::from_scaled_axis(mean * dt);
            spin = end;
        }
        now = time;
        turned
    })
}
