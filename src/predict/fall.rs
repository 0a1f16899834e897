//! Which way and how fast a recorded body falls, whatever its scenario says.
//!
//! Nothing but a fall has the same acceleration again and again: slides slow down one way or the other, impacts turn the path
//! by this much or that, and what rests has none. The acceleration that most stretches of a recording share is tried as that of
//! its flights, and counts if these confirm it.

use super::{
    Recording,
    free_flights::{FreeFlights, Thrown, parabola_of},
};
use crate::model::Vector;

/// Rows of the stretches whose accelerations are held against each other: short ones fit between impacts, long ones are less
/// noisy. They follow each other by so many parts of one.
const STRETCHES: [usize; 6] = [5, 7, 11, 17, 27, 43];
const PARTS: usize = 4;
/// How far accelerations are apart that are the same, as a share of one.
const ALIKE: f64 = 0.15;
/// Accelerations at most that are tried for the one that most stretches share.
const MOST_TRIED: usize = 400;
/// Share of an acceleration by which flights may fall otherwise and confirm it, and its standard error at most.
const CONFIRMED: f64 = 0.2;
pub(super) const TOLD: f64 = 0.1;
/// Share of the time in flight at least in which a body that falls gains speed. A slide that stops only loses it.
const GAINS: f64 = 0.15;

/// The acceleration that most stretches of a recording share, in m/s^2 as the file has them; `None` if no two do.
fn prevailing<const D: usize>(recording: &Recording<D>) -> Option<Vector<D>> {
    let mut best: Option<(f64, Vector<D>)> = None;
    for length in STRETCHES {
        let stride = (length / PARTS).max(1);
        let mut found: Vec<Vector<D>> = Vec::new();
        for toss in &recording.tosses {
            for rows in toss.states.windows(length).step_by(stride) {
                found.extend(parabola_of(rows).map(|[_, _, half]| half * 2.0));
            }
        }
        for tried in found.iter().step_by(found.len().div_ceil(MOST_TRIED).max(1)) {
            let alike = found.iter().filter(|other| (*other - tried).norm() < ALIKE * tried.norm());
            let (count, sum) = alike.fold((0, Vector::zeros()), |(count, sum), one| (count + 1, sum + one));
            // In rows, for lengths of which there are more or fewer.
            let rows = (count * stride) as f64;
            if count > 1 && best.is_none_or(|(most, _)| rows > most) {
                best = Some((rows, sum / count as f64));
            }
        }
    }
    best.map(|(_, acceleration)| acceleration)
}

/// The flights of a body that reaches so far in m where lengths are right, by the acceleration that prevails in a recording,
/// if they confirm it; `expected` is gravity in m/s^2.
pub(super) fn flights_that_prevail<const D: usize>(
    recording: &Recording<D>,
    reach: f64,
    expected: f64,
) -> Option<FreeFlights<D>> {
    let gravity = prevailing(recording)?;
    // The body is measured in the unit of the positions.
    let reach = (reach * gravity.norm() / expected).min(recording.way());
    let flights = FreeFlights::of(recording, &Thrown { gravity, reach, of: None });
    confirm(&flights, &gravity).then_some(flights)
}

/// Whether flights tell an acceleration, and it is about that one.
pub(super) fn confirm<const D: usize>(flights: &FreeFlights<D>, gravity: &Vector<D>) -> bool {
    let measured = flights.acceleration.zip(flights.acceleration_error());
    measured.is_some_and(|(acceleration, error)| {
        (acceleration - gravity).norm() <= CONFIRMED * gravity.norm() && error <= TOLD * gravity.norm()
    })
}

/// Whether the body gains speed in so much of its flights that no slide is taken for them.
pub(super) fn gains_speed<const D: usize>(recording: &Recording<D>, flights: &FreeFlights<D>) -> bool {
    let Some(acceleration) = flights.acceleration else { return false };
    let mut gaining = 0.0;
    for (toss, flights) in recording.tosses.iter().zip(&flights.rows) {
        for rows in flights.iter().map(|rows| &toss.states[rows.clone()]) {
            let half = 0.5 * (rows[rows.len() - 1].time - rows[0].time);
            let Some([_, velocity, _]) = parabola_of(rows) else { continue };
            let turns_at = -velocity.dot(&acceleration) / acceleration.norm_squared();
            gaining += half - turns_at.clamp(-half, half);
        }
    }
    gaining >= GAINS * flights.seconds(recording)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::State,
        predict::{RecordedState, Toss},
        random::Random,
    };

    /// Throws of a second, each of a flight of .4 s under `gravity` and a slide that stops, with noise in m.
    fn thrown(gravity: [f64; 2], noise: f64) -> Recording<2> {
        let mut random = Random::seeded(5);
        let gravity = Vector::<2>::from(gravity);
        let mut toss = |number: u32| {
            let velocity = Vector::<2>::from([0.3 - 0.1 * f64::from(number), 0.4]) * (gravity.norm() / 9.81);
            let row = |k: u32| {
                let time = 0.005 * f64::from(k);
                let flown = time.min(0.4);
                let flight = velocity * flown + gravity * (0.5 * flown * flown);
                let slid = (time - flown).min(0.2);
                let slide = Vector::<2>::from([velocity[0] * (slid - 2.5 * slid * slid), 0.0]);
                let position = (flight + slide).map(|part| part + random.normal(noise));
                RecordedState::new(time, State { position, velocity: Vector::zeros() }, None)
            };
            Toss::new(f64::from(number), (0..200).map(row).collect())
        };
        Recording::new("", (0..6).map(&mut toss).collect())
    }

    #[test]
    fn the_acceleration_of_flights_prevails_whatever_their_axes_and_units() {
        for gravity in [[0.0, -9.81], [9.81, 0.0], [0.0, 981.0], [-6.0, -7.8], [0.0, -9810.0]] {
            let scale = Vector::<2>::from(gravity).norm() / 9.81;
            for noise in [1e-6, 1e-4, 1e-3] {
                let recording = thrown(gravity, noise * scale);
                let flights = flights_that_prevail(&recording, 0.1, 9.81)
                    .unwrap_or_else(|| panic!("{gravity:?} with {noise} m"));
                let off = flights.acceleration.expect("flights") - Vector::<2>::from(gravity);
                assert!(off.norm() < 0.03 * 9.81 * scale, "{gravity:?} with {noise} m: {off}");
                assert!(gains_speed(&recording, &flights));
            }
        }
    }

    #[test]
    fn a_slide_gains_no_speed() {
        let row = |k: u32| {
            let time = 0.005 * f64::from(k).min(60.0);
            let place = [2.0 * time - 0.5 * 5.0 * time * time, 0.0];
            let state = State { position: place.into(), velocity: Vector::zeros() };
            RecordedState::new(0.005 * f64::from(k), state, None)
        };
        let tosses = (0..3).map(|number| Toss::new(f64::from(number), (0..60).map(row).collect())).collect();
        let recording = Recording::<2>::new("", tosses);
        let slides = flights_that_prevail(&recording, 0.1, 9.81).expect("they slow down all alike");
        assert!(!gains_speed(&recording, &slides));
    }
}
