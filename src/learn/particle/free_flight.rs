//! Whether anything but gravity acts on the point between its contacts.
//!
//! Places and velocities of a free flight are linear in its start. So every flight of the data is explained by a start
//! of its own, and what that leaves by two accelerations, along `x` and up, and a drag `k |v| v` that all flights share.
//! If the point flies freely and the noise is independent, these explain more than by chance once in two thousand data
//! sets, by an F test. Drag, wind, another gravity and ground that is not level show here even where each contact is
//! looked at by itself, whose few states they hardly bend, but whose friction and restitution they shift.

use nalgebra::{DMatrix, DVector, Matrix3, Vector2, Vector3};

use super::{contacts::Contacts, scatter::Scatter};
use crate::learn::{
    data::{PointSample, Throw},
    lack_of_fit::{IMPROBABLE, LEAST_FREEDOM, normal_of_f},
};

/// States at either end of a flight that are left out: noise may put a contact into the step beside its own.
const BESIDE: usize = 1;
/// Height, in standard deviations of the noise, up to which a state may be on the ground.
const GROUNDED: f64 = 8.0;
/// States from which on a flight tells how it is bent.
const LEAST_STATES: usize = 6;
/// Variance of residuals, over that of the noise of the fit, below which they are rounding.
const ROUNDING: f64 = 1e-4;
/// Eigenvalue, relative, below which two of what may act cannot be told apart.
const ALIKE: f64 = 1e-6;

/// By how many standard deviations more than noise an acceleration or drag beside gravity explains the flights, where that
/// is no chance.
pub(super) fn what_acts(
    throws: &[Throw],
    contacts: Contacts,
    gravity: f64,
    scatter: &Scatter,
) -> Option<f64> {
    let mut all = Explained::default();
    for throw in throws {
        let flags = [contacts, Contacts::Height].map(|contacts| contacts.flags(throw, gravity));
        let touches: Vec<bool> = flags[0].iter().zip(&flags[1]).map(|(one, other)| *one || *other).collect();
        for flight in flights(throw, &touches, GROUNDED * scatter.position) {
            all.add(flight, gravity, scatter);
        }
    }
    all.deviations().filter(|deviations| *deviations > IMPROBABLE)
}

/// The states of a throw between its contacts that are higher than the noise of the ground.
fn flights<'a>(throw: &'a Throw, touches: &[bool], ground: f64) -> Vec<&'a [PointSample]> {
    let mut is_free: Vec<bool> = throw.iter().map(|state| state.position.y > ground).collect();
    for step in (0..touches.len()).filter(|&step| touches[step]) {
        let last = (step + 1 + BESIDE).min(throw.len() - 1);
        is_free[step.saturating_sub(BESIDE)..=last].fill(false);
    }
    let mut flights = Vec::new();
    let mut first = 0;
    for end in 0..=throw.len() {
        if end == throw.len() || !is_free[end] {
            if end - first >= LEAST_STATES {
                flights.push(&throw[first..end]);
            }
            first = end + 1;
        }
    }
    flights
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
    fn add(&mut self, flight: &[PointSample], gravity: f64, scatter: &Scatter) {
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
            let values = weighed(&|row| flight[row].position[axis], &|row| flight[row].velocity[axis]);
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
    use crate::learn::data::PointGenerator;

    const NOISE: Scatter = Scatter { position: 1e-3, velocity: 0.02 };

    fn seen(throws: &[Throw]) -> bool {
        what_acts(throws, Contacts::Height, 9.81, &NOISE).is_some()
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
            for state in throws.iter_mut().flatten() {
                state.position.x += 0.15 * state.time * state.time;
                state.velocity.x += 0.3 * state.time;
            }
            assert!(seen(&throws), "seed {seed}");
        }
    }

    #[test]
    fn a_flight_ends_where_the_point_may_touch_the_ground() {
        let state = |index: usize| PointSample {
            time: 0.01 * index as f64,
            position: Vector2::new(0.0, if index == 25 { 0.0 } else { 1.0 }),
            velocity: Vector2::zeros(),
            contact: None,
        };
        let throw: Throw = (0..30).map(state).collect();
        let mut touches = [false; 29];
        touches[10] = true;
        let lengths: Vec<usize> = flights(&throw, &touches, 0.01).iter().map(|flight| flight.len()).collect();
        // States 0 to 8 and 13 to 24; four after 25 are too few.
        assert_eq!(lengths, [9, 12]);
    }
}
