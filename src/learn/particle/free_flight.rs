//! Whether anything but gravity acts on the point between its contacts.
//!
//! Places and velocities of a free flight are linear in its start. So every flight of the data is explained by a start
//! of its own, and what that leaves by two accelerations, along `x` and up, and a drag `k |v| v` that all flights share.
//! If the point flies freely and the noise is independent, these explain more than by chance once in two thousand data
//! sets, by an F test. Drag, wind, another gravity and ground that is not level show here even where each contact is
//! looked at by itself, whose few states they hardly bend, but whose friction and restitution they shift.

use nalgebra::{DMatrix, DVector, Matrix3, Vector2, Vector3};

use super::scatter::Scatter;
use crate::{
    learn::lack_of_fit::{IMPROBABLE, LEAST_FREEDOM, normal_of_f},
    predict::{FreeFlights, RecordedState, Recording},
};

/// States from which on a flight tells how it is bent.
const LEAST_STATES: usize = 6;
/// Variance of residuals, over that of the noise of the fit, below which they are rounding.
const ROUNDING: f64 = 1e-4;
/// Eigenvalue, relative, below which two of what may act cannot be told apart.
const ALIKE: f64 = 1e-6;

/// By how many standard deviations more than noise an acceleration or drag beside gravity explains the flights, where that
/// is no chance.
pub(super) fn what_acts(
    recording: &Recording<2>,
    flights: &FreeFlights<2>,
    gravity: f64,
    scatter: &Scatter,
) -> Option<f64> {
    let mut all = Explained::default();
    for (toss, flights) in recording.tosses.iter().zip(&flights.rows) {
        for rows in flights.iter().filter(|rows| rows.len() >= LEAST_STATES) {
            all.add(&toss.states[rows.clone()], gravity, scatter);
        }
    }
    all.deviations().filter(|deviations| *deviations > IMPROBABLE)
}

/// What a few accelerations explain of what free flights leave.
#[derive(Default)]
struct Explained {
    normal: Matrix3<f64>,
    right: Vector3<f64>,
    squares: f64,
    freedom: f64,
}

impl Explained {
    /// Takes in a flight.
    fn add(&mut self, flight: &[RecordedState<2>], gravity: f64, scatter: &Scatter) {
        let count = flight.len();
        let mean = flight.iter().map(|state| state.time).sum::<f64>() / count as f64;
        let times: Vec<f64> = flight.iter().map(|state| state.time - mean).collect();
        // Places first, then velocities, of one component.
        let weighed = |places: &dyn Fn(usize) -> f64, velocities: &dyn Fn(usize) -> f64| {
            DVector::from_fn(2 * count, |row, _| match row < count {
                true => places(row) / scatter.position,
                false => velocities(row - count) / scatter.velocity,
            })
        };
        let starts = [weighed(&|_| 1.0, &|_| 0.0), weighed(&|row| times[row], &|_| 1.0)];
        let starts = DMatrix::from_columns(&starts).qr();
        let (followed, triangle) = (starts.q(), starts.r());
        let left = |values: DVector<f64>| &values - &followed * followed.tr_mul(&values);
        let bent = weighed(&|row| 0.5 * times[row].powi(2), &|row| times[row]);
        let measured = [0, 1].map(|axis| {
            let values =
                weighed(&|row| flight[row].state.position[axis], &|row| flight[row].state.velocity[axis]);
            if axis == 1 { values + &bent * gravity } else { values }
        });
        // The velocity in the middle, and from it that of the flight in every state.
        let middle = measured.each_ref().map(|values| {
            let start = triangle.solve_upper_triangular(&followed.tr_mul(values));
            start.map_or(0.0, |start| start[1])
        });
        let slowing: Vec<Vector2<f64>> = times
            .iter()
            .map(|time| Vector2::new(middle[0], middle[1] - gravity * time))
            .map(|velocity| -velocity * velocity.norm())
            .collect();
        let [mut moved, mut slowed] = [vec![Vector2::zeros(); count], vec![Vector2::zeros(); count]];
        for row in 1..count {
            let (step, before, after) = (times[row] - times[row - 1], slowing[row - 1], slowing[row]);
            slowed[row] = slowed[row - 1] + (before + after) * (0.5 * step);
            moved[row] =
                moved[row - 1] + slowed[row - 1] * step + (before * 2.0 + after) * (step * step / 6.0);
        }
        let bent = left(bent);
        for (axis, values) in measured.into_iter().enumerate() {
            let rest = left(values);
            let drag = left(weighed(&|row| moved[row][axis], &|row| slowed[row][axis]));
            let columns: [(usize, &DVector<f64>); 2] = [(axis, &bent), (2, &drag)];
            for (one, values) in columns {
                self.right[one] += values.dot(&rest);
                for (other, others) in columns {
                    self.normal[(one, other)] += values.dot(others);
                }
            }
            self.squares += rest.norm_squared();
            self.freedom += 2.0 * count as f64 - 2.0;
        }
    }

    /// The normal variable that is exceeded as often by chance; `None` where too little flies.
    fn deviations(&self) -> Option<f64> {
        let scale =
            self.normal.diagonal().map(|square| if square > 0.0 { square.sqrt().recip() } else { 0.0 });
        let normal = self.normal.component_mul(&(scale * scale.transpose()));
        let right = self.right.component_mul(&scale);
        let decomposition = normal.symmetric_eigen();
        let (mut explained, mut count) = (0.0, 0.0);
        for (index, value) in
            decomposition.eigenvalues.iter().enumerate().filter(|(_, value)| **value > ALIKE)
        {
            explained += decomposition.eigenvectors.column(index).dot(&right).powi(2) / value;
            count += 1.0;
        }
        let freedom = self.freedom - count;
        (count > 0.0 && freedom >= LEAST_FREEDOM).then(|| {
            let variance = ((self.squares - explained).max(0.0) / freedom).max(ROUNDING);
            normal_of_f(explained / count / variance, [count, freedom])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{learn::data::PointGenerator, predict::Thrown};

    const NOISE: Scatter = Scatter { position: 1e-3, velocity: 0.02 };

    fn seen(throws: &Recording<2>) -> bool {
        let flights = FreeFlights::of(throws, &Thrown::point(throws, 9.81));
        what_acts(throws, &flights, 9.81, &NOISE).is_some()
    }

    #[test]
    fn free_flights_are_called_bent_in_less_than_one_of_two_hundred_data_sets() {
        for (count, noise) in [(1, 0.02), (3, 0.02), (3, 0.1), (10, 0.02), (3, 0.0)] {
            let generator = PointGenerator { velocity_noise: noise, ..PointGenerator::default() };
            let alarms = (0..1000).filter(|&seed| seen(&generator.generate(count, seed))).count();
            assert!(alarms <= 5, "{count} throws, noise {noise}: {alarms} of 1000");
        }
    }

    /// Wind of 0.3 m/s^2 to one side, over the whole throw, which bends every flight alike.
    #[test]
    fn an_acceleration_beside_gravity_is_seen() {
        for seed in 0..50 {
            let mut throws = PointGenerator::default().generate(3, seed);
            for row in throws.tosses.iter_mut().flat_map(|toss| &mut toss.states) {
                row.state.position.x += 0.15 * row.time * row.time;
                row.state.velocity.x += 0.3 * row.time;
            }
            assert!(seen(&throws), "seed {seed}");
        }
    }
}
