//! Where in recorded throws the body flies freely.
//!
//! A stretch of rows is a flight if its positions less the fall lie on a straight line, its velocities less the fall
//! at one place, and what it turns goes on evenly, to within the noise of such rows. What falls otherwise than the scenario
//! says does so in all flights alike: the acceleration of the flights is measured in those that are found first, and counts
//! from then on.
//!
//! A flight is told from a body at rest by its fall, or, where it is too short for that, by being clear of all that the body
//! may touch.

use std::ops::Range;

use nalgebra::{Matrix3, Vector3};

use super::{
    RecordedState, Recording, Toss,
    angular_momentum::turned,
    clearance::clearance,
    consistency::contradictory_velocities,
    kink::{LEAST_FOR_NOISE, noise},
    line::Line,
};
use crate::{
    likelihood::robust_deviation,
    model::Vector,
    scenario::{Corners, Scenario},
};

/// Distance from a flight from which on a row is not of it, in standard deviations of the rows of flights.
const BEYOND_NOISE: f64 = 6.0;
/// The same before the noise of flights is known, as a share of the reach of the body; and of velocities, of the speed
/// at which it falls by so much.
const FIRST: f64 = 0.01;
const FIRST_SPEED: f64 = 0.1;
/// The same of angles in rad, and what of them is rounding.
const FIRST_TURN: f64 = 0.02;
const ROUNDING_OF_TURN: f64 = 1e-3;
/// Rows of a flight at least.
const LEAST_ROWS: usize = 4;
/// Distance from all that the body may touch from which on it is clear of it, as a share of the reach.
const CLEAR: f64 = 0.02;
/// How often acceleration and noise are measured in the flights that were found, and these looked for anew.
const CLOSER: usize = 3;
/// How many times farther than the rows of a flight those of two may be from one flight that are one.
const ONE_FLIGHT: f64 = 3.0;
/// What is rounding, as a share of the reach.
const ROUNDING: f64 = 1e-6;
/// How much farther than a row may be off, a body at rest is off the flight nearest to it over the shortest flight.
const TOLD_APART: f64 = 2.0;
/// Distance of a uniformly accelerated motion from the straight line nearest to it, at most, over `a T^2`.
const BOW: f64 = 1.0 / 12.0;
/// Share of gravity by which the acceleration of flights may differ from it to count as measured.
const OTHER_GRAVITY: f64 = 0.2;
/// Variance of the acceleration of a parabola through rows at equal times, over that of a row, times their number and their
/// duration to the fourth power.
const PARABOLA: f64 = 720.0;
/// Standard error of a median over that of a mean, of normal variables.
const MEDIAN_OVER_MEAN: f64 = 1.2533;
/// Share of a flight by which the search for the next one moves on.
const STRIDE: usize = 8;

/// The flights of all throws of a recording.
#[derive(Debug, Clone)]
pub(crate) struct FreeFlights<const D: usize> {
    /// Of each throw the rows of its flights, in the order of time.
    pub rows: Vec<Vec<Range<usize>>>,
    /// Of each throw, whether each of its flights but the last is parted by a single contact from the next.
    pub single: Vec<Vec<bool>>,
    /// The acceleration of the flights in m/s^2: the median of all, where there are some that tell.
    pub acceleration: Option<Vector<D>>,
    /// The standard deviations of a coordinate of a row in m, and of a component of its velocity in m/s.
    pub noise: f64,
    pub velocity_noise: f64,
    /// What each flight says of the acceleration, and how weighty it is.
    said: Vec<(Vector<D>, f64)>,
}

/// The body whose flights are looked for.
#[derive(Debug, Clone)]
pub(crate) struct Thrown<'a, const D: usize> {
    /// Gravity in m/s^2.
    pub gravity: Vector<D>,
    /// How far the body reaches, or a point gets, in m.
    pub reach: f64,
    /// The scenario of the throws, and which of its bodies it is; without, short flights are not told.
    pub of: Option<(&'a Scenario<D>, usize)>,
}

/// What makes a stretch of rows a flight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agreement<const D: usize> {
    /// Acceleration, m/s^2.
    acceleration: Vector<D>,
    /// How far a row may be off in m, m/s and rad.
    pub off: f64,
    off_speed: f64,
    pub off_turn: f64,
}

/// A row without its fall.
#[derive(Debug, Clone, Copy)]
pub(super) struct Free<const D: usize> {
    /// Time since the first row of the throw in s.
    pub time: f64,
    /// Position in m and velocity in m/s, less the fall since the first row.
    pub place: Vector<D>,
    velocity: Vector<D>,
    /// What angular momentum has been passed on, rad.
    pub turned: Vector3<f64>,
    /// Whether it is clear of all that the body may touch.
    is_clear: bool,
}

impl<'a, const D: usize> Thrown<'a, D> {
    /// Body `moving` of the scenario of a recording.
    pub fn new(recording: &Recording<D>, scenario: &'a Scenario<D>, moving: usize) -> Self {
        let reach = recording.reach(scenario, moving);
        Self { gravity: scenario.gravity_vector(), reach, of: Some((scenario, moving)) }
    }

    /// The point of a recording, that may touch only what is not told, under gravity in m/s^2.
    pub fn point(recording: &Recording<D>, gravity: f64) -> Self {
        let mut down = Vector::zeros();
        down[D - 1] = -gravity;
        Self { gravity: down, reach: recording.way(), of: None }
    }

    /// The rows of a throw, not yet without their fall.
    fn rows(&self, toss: &Toss<D>) -> Vec<Free<D>> {
        let inertia = self.of.and_then(|(scenario, moving)| scenario.bodies[moving].moment_of_inertia());
        let corners = self.of.map(|(scenario, moving)| Corners::of(&scenario.bodies[moving]));
        let is_clear = |row: &RecordedState<D>| {
            self.of.zip(corners.as_ref()).is_some_and(|((scenario, moving), corners)| {
                clearance(scenario, moving, corners, row) > CLEAR * self.reach
            })
        };
        let rows = toss.times().zip(&toss.states).zip(turned(toss, inertia));
        let free = rows.map(|((time, row), turned)| Free {
            time,
            place: row.state.position,
            velocity: row.state.velocity,
            turned,
            is_clear: is_clear(row),
        });
        free.collect()
    }
}

impl<const D: usize> FreeFlights<D> {
    /// Of a body that is thrown. Without gravity there are none: nothing tells a flight from a body that slides.
    pub fn of(recording: &Recording<D>, thrown: &Thrown<'_, D>) -> Self {
        let (tosses, gravity, reach) = (&recording.tosses, &thrown.gravity, thrown.reach);
        let mut noise = row_noise(tosses);
        let mut velocity_noise = median(tosses.iter().map(Toss::velocity_noise).collect());
        if gravity.norm() == 0.0 {
            return Self {
                rows: vec![Vec::new(); tosses.len()],
                single: vec![Vec::new(); tosses.len()],
                acceleration: None,
                noise,
                velocity_noise,
                said: Vec::new(),
            };
        }
        let floor = ROUNDING * reach;
        let speed = (gravity.norm() * reach).sqrt();
        // Velocities that contradict the positions tell nothing; that is said elsewhere.
        let contradicts = |toss: &Toss<D>| {
            let rows: Vec<_> = toss.states.iter().map(|row| (row.time, row.state)).collect();
            contradictory_velocities(&rows).is_some()
        };
        let is_heard = 2 * tosses.iter().filter(|toss| contradicts(toss)).count() <= tosses.len();
        let measured: Vec<Vec<Free<D>>> = tosses.iter().map(|toss| thrown.rows(toss)).collect();
        let mut agreement = Agreement {
            acceleration: *gravity,
            off: (BEYOND_NOISE * noise).max(FIRST * reach),
            // Differences of places that are near in time are noisy velocities of a small body.
            off_speed: match is_heard {
                true => (FIRST_SPEED * speed).max(BEYOND_NOISE * velocity_noise),
                false => f64::INFINITY,
            },
            off_turn: (BEYOND_NOISE * noise_of_turns::<D>(&measured)).max(FIRST_TURN),
        };
        let mut free: Vec<_> = measured.iter().map(|rows| agreement.free(rows)).collect();
        let mut rows: Vec<_> = free.iter().map(|free| agreement.flights(free)).collect();
        let is_near = |measured: &Vector<D>| (measured - gravity).norm() <= OTHER_GRAVITY * gravity.norm();
        for _ in 0..CLOSER {
            if let Some(acceleration) = weighted_median(&said(tosses, &rows)).filter(is_near) {
                agreement.acceleration = acceleration;
                free = measured.iter().map(|rows| agreement.free(rows)).collect();
            }
            let Misses { places, speeds, turns } = misses(&free, &rows);
            if places > 0.0 {
                noise = places;
            }
            if speeds > 0.0 {
                velocity_noise = speeds;
            }
            agreement.off = agreement.off.min((BEYOND_NOISE * noise).max(floor));
            agreement.off_speed = agreement.off_speed.max(BEYOND_NOISE * speeds);
            if turns > 0.0 {
                agreement.off_turn = agreement.off_turn.min((BEYOND_NOISE * turns).max(ROUNDING_OF_TURN));
            }
            rows = free.iter().map(|free| agreement.flights(free)).collect();
        }
        let said = said(tosses, &rows);
        let least = [FIRST * reach, FIRST_TURN];
        let meet = |(free, flights): (&Vec<Free<D>>, &Vec<Range<usize>>)| -> Vec<bool> {
            flights.windows(2).map(|pair| agreement.meet(free, [&pair[0], &pair[1]], least)).collect()
        };
        let single = free.iter().zip(&rows).map(meet).collect();
        Self { rows, single, acceleration: weighted_median(&said), noise, velocity_noise, said }
    }

    /// How long the flights are together, s.
    pub fn seconds(&self, recording: &Recording<D>) -> f64 {
        let of_toss = |(toss, flights): (&Toss<D>, &Vec<Range<usize>>)| -> f64 {
            flights.iter().map(|rows| toss.states[rows.end - 1].time - toss.states[rows.start].time).sum()
        };
        recording.tosses.iter().zip(&self.rows).map(of_toss).sum()
    }

    /// Standard error of a component of the acceleration in m/s^2: from how the flights differ, and no less than the noise of
    /// their rows makes it. `None` of no flight.
    pub fn acceleration_error(&self) -> Option<f64> {
        let middle = self.acceleration?;
        let whole: f64 = self.said.iter().map(|(_, weight)| weight).sum();
        let squares: f64 = self
            .said
            .iter()
            .map(|(one, weight)| weight * weight * (one - middle).norm_squared() / D as f64)
            .sum();
        let differs = MEDIAN_OVER_MEAN * squares.sqrt() / whole;
        let of_rows = acceleration_error(self.noise, whole);
        Some(if self.said.len() > 1 { differs.max(of_rows) } else { of_rows })
    }
}

/// Standard error of the acceleration of a parabola in m/s^2 through rows with noise in m, of so many rows times their
/// duration in s to the fourth power.
pub(super) fn acceleration_error(noise: f64, weight: f64) -> f64 {
    noise * (PARABOLA / weight).sqrt()
}

impl<const D: usize> Agreement<D> {
    /// Rows without their fall since the first.
    fn free(&self, rows: &[Free<D>]) -> Vec<Free<D>> {
        let without = |row: &Free<D>| Free {
            place: row.place - self.acceleration * (0.5 * row.time * row.time),
            velocity: row.velocity - self.acceleration * row.time,
            ..*row
        };
        rows.iter().map(without).collect()
    }

    /// The least time in s over which a flight is told from a body that is at rest.
    fn shortest(&self) -> f64 {
        (TOLD_APART * self.off / (BOW * self.acceleration.norm())).sqrt()
    }

    /// Whether rows may be of one flight, by so many times the noise: positions on a line, velocities all alike, these the
    /// slope of the line, as far as it is known from so few rows, and turning evenly.
    fn holds(&self, rows: &[Free<D>], times: f64) -> bool {
        let [Some(from), Some(to)] = [rows.first(), rows.last()] else { return false };
        let [off, off_speed, off_turn] = [self.off, self.off_speed, self.off_turn].map(|off| times * off);
        let flight = Nearest::to(rows);
        (flight.velocity - flight.places.slope).norm() <= off_speed + 2.0 * off / (to.time - from.time)
            && rows.iter().all(|row| {
                let Apart { place, velocity, turned } = flight.apart(row);
                place.norm() <= off && velocity.norm() <= off_speed && turned.norm() <= off_turn
            })
    }

    /// The end of the longest flight that begins in the row `first`; it grows by doubling, and then by halves.
    fn end_of(&self, free: &[Free<D>], first: usize) -> usize {
        let holds = |end: usize| self.holds(&free[first..end], 1.0);
        let most = free.len();
        let (mut within, mut step) = ((first + 2).min(most), 1);
        if !holds(within) {
            return first;
        }
        while within < most && holds((within + step).min(most)) {
            (within, step) = ((within + step).min(most), 2 * step);
        }
        let mut beyond = (within + step).min(most + 1);
        while beyond - within > 1 {
            let between = within + (beyond - within) / 2;
            if between <= most && holds(between) { within = between } else { beyond = between }
        }
        within
    }

    /// The rows of the flights of a throw.
    fn flights(&self, free: &[Free<D>]) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut first = 0;
        while first + LEAST_FOR_NOISE <= free.len() {
            let end = self.end_of(free, first);
            found.push(first..end);
            first += ((end - first) / STRIDE).max(1);
        }
        // The longest first: what begins in the rows of a contact goes on less far.
        found.sort_by_key(|rows| (free.len() - rows.len(), rows.start));
        let mut flights: Vec<Range<usize>> = Vec::new();
        for mut rows in found {
            for other in &flights {
                if rows.start < other.end && other.start < rows.end {
                    match rows.start < other.start {
                        true => rows.end = rows.end.min(other.start),
                        false => rows.start = rows.start.max(other.end),
                    }
                }
            }
            if self.is_told(free, &self.within(&rows, free.len())) {
                flights.push(rows);
            }
        }
        flights.sort_by_key(|rows| rows.start);
        let whole = flights.iter().map(|rows| self.within(rows, free.len())).collect();
        self.joined(free, whole)
    }

    /// Rows without those at the ends that may be of a contact.
    fn within(&self, rows: &Range<usize>, most: usize) -> Range<usize> {
        let start = rows.start + usize::from(rows.start > 0);
        let end = rows.end.saturating_sub(usize::from(rows.end < most));
        start..end.max(start)
    }

    /// Whether rows are told from those of a body at rest: there are enough over a time that is long enough, or the body is
    /// clear of all in most of them.
    fn is_told(&self, free: &[Free<D>], rows: &Range<usize>) -> bool {
        if rows.len() < LEAST_ROWS {
            return false;
        }
        let free = &free[rows.clone()];
        let is_long =
            rows.len() >= LEAST_FOR_NOISE && free[free.len() - 1].time - free[0].time >= self.shortest();
        is_long || 2 * free.iter().filter(|row| row.is_clear).count() > free.len()
    }

    /// The flights, of which those are one that only some wild rows part, or a wobble: the point that is followed is not quite
    /// the centre of mass. A contact parts them farther.
    fn joined(&self, free: &[Free<D>], flights: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let mut joined: Vec<Range<usize>> = Vec::new();
        for rows in flights {
            if let Some(before) = joined.last_mut() {
                let both = [&free[before.clone()], &free[rows.clone()]].concat();
                if self.holds(&both, ONE_FLIGHT) {
                    before.end = rows.end;
                    continue;
                }
            }
            joined.push(rows);
        }
        joined
    }
}

/// The flight that comes closest to some rows without their fall: a straight line of places, one velocity, an even turn.
struct Nearest<const D: usize> {
    places: Line<D>,
    velocity: Vector<D>,
    turns: Line<3>,
}

/// How far a row is from a flight, in m, m/s and rad.
struct Apart<const D: usize> {
    place: Vector<D>,
    velocity: Vector<D>,
    turned: Vector3<f64>,
}

impl<const D: usize> Nearest<D> {
    fn to(rows: &[Free<D>]) -> Self {
        Self {
            places: Line::through(rows.iter().map(|row| (row.time, row.place))),
            velocity: rows.iter().map(|row| row.velocity).sum::<Vector<D>>() / rows.len() as f64,
            turns: Line::through(rows.iter().map(|row| (row.time, row.turned))),
        }
    }

    fn apart(&self, row: &Free<D>) -> Apart<D> {
        Apart {
            place: row.place - self.places.at(row.time),
            velocity: row.velocity - self.velocity,
            turned: row.turned - self.turns.at(row.time),
        }
    }
}

/// Standard deviations of rows from their flights.
struct Misses {
    /// Of a coordinate, m, of a component of the velocity, m/s, and of the rotation about an axis, rad.
    places: f64,
    speeds: f64,
    turns: f64,
}

fn misses<const D: usize>(free: &[Vec<Free<D>>], flights: &[Vec<Range<usize>>]) -> Misses {
    let (mut places, mut speeds, mut turns) = (Vec::new(), Vec::new(), Vec::new());
    for (free, flights) in free.iter().zip(flights) {
        for rows in flights.iter().map(|rows| &free[rows.clone()]) {
            let flight = Nearest::to(rows);
            // Two numbers of each coordinate are those of the line.
            let count = rows.len() as f64;
            let more = (count / (count - 2.0)).sqrt();
            for row in rows {
                let Apart { place, velocity, turned } = flight.apart(row);
                places.extend(place.iter().map(|part| more * part.abs()));
                speeds.extend(velocity.iter().map(|part| part.abs()));
                turns.extend(turned.iter().take(axes_of_turns::<D>()).map(|part| more * part.abs()));
            }
        }
    }
    let [places, speeds, turns] = [places, speeds, turns].map(robust_deviation);
    Misses { places, speeds, turns }
}

/// Axes about which a body turns.
const fn axes_of_turns<const D: usize>() -> usize {
    if D == 2 { 1 } else { 3 }
}

/// The standard deviation of the rotation about an axis of a row in rad, the median of those of the throws.
fn noise_of_turns<const D: usize>(throws: &[Vec<Free<D>>]) -> f64 {
    let of_throw = |rows: &Vec<Free<D>>| match axes_of_turns::<D>() {
        1 => noise(
            &rows.iter().map(|row| (row.time, row.turned.fixed_rows::<1>(0).into())).collect::<Vec<_>>(),
        ),
        _ => noise(&rows.iter().map(|row| (row.time, row.turned)).collect::<Vec<_>>()),
    };
    median(throws.iter().map(of_throw).collect())
}

/// The accelerations in m/s^2 of parabolas through flights, each with its weight: the inverse of its variance.
fn said<const D: usize>(tosses: &[Toss<D>], flights: &[Vec<Range<usize>>]) -> Vec<(Vector<D>, f64)> {
    let of_toss = |(toss, flights): (&Toss<D>, &Vec<Range<usize>>)| {
        let of_flight = |rows: &Range<usize>| {
            let rows = &toss.states[rows.clone()];
            let [_, _, half] = parabola_of(rows)?;
            Some((half * 2.0, weight_of(rows)))
        };
        flights.iter().filter_map(of_flight).collect::<Vec<_>>()
    };
    tosses.iter().zip(flights).flat_map(of_toss).collect()
}

/// The vector of the medians of all components, each value as often as it is weighty; `None` of none.
fn weighted_median<const D: usize>(found: &[(Vector<D>, f64)]) -> Option<Vector<D>> {
    let whole: f64 = found.iter().map(|(_, weight)| weight).sum();
    let middle = |axis: usize| {
        let mut parts: Vec<(f64, f64)> = found.iter().map(|(one, weight)| (one[axis], *weight)).collect();
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sum = 0.0;
        let at_half = parts.iter().find(|(_, weight)| {
            sum += weight;
            2.0 * sum >= whole
        });
        at_half.map_or(0.0, |(part, _)| *part)
    };
    (!found.is_empty()).then(|| Vector::from_fn(|axis, _| middle(axis)))
}

/// The coefficients of time to the powers 0, 1 and 2 of the parabola through values at times, by least squares; `None` of
/// fewer than three times.
pub(super) fn parabola<const N: usize>(
    values: impl Iterator<Item = (f64, Vector<N>)> + Clone,
) -> Option<[Vector<N>; 3]> {
    let scale = values.clone().map(|(time, _)| time.abs()).fold(0.0, f64::max);
    let powers = |time: f64| Vector3::new(1.0, time / scale, (time / scale).powi(2));
    let normal =
        values.clone().fold(Matrix3::zeros(), |sum, (time, _)| sum + powers(time) * powers(time).transpose());
    let factor = normal.cholesky()?;
    let mut coefficients = [Vector::<N>::zeros(); 3];
    for axis in 0..N {
        let right =
            values.clone().fold(Vector3::zeros(), |sum, (time, value)| sum + powers(time) * value[axis]);
        let solved = factor.solve(&right);
        for (power, coefficient) in coefficients.iter_mut().enumerate() {
            coefficient[axis] = solved[power] / scale.powi(power as i32);
        }
    }
    coefficients.iter().all(|one| one.iter().all(|part| part.is_finite())).then_some(coefficients)
}

/// The same through the places of rows by the time from the middle of theirs.
pub(super) fn parabola_of<const D: usize>(rows: &[RecordedState<D>]) -> Option<[Vector<D>; 3]> {
    let middle = 0.5 * (rows[0].time + rows[rows.len() - 1].time);
    parabola(rows.iter().map(|row| (row.time - middle, row.state.position)))
}

/// The weight of the acceleration that rows tell, the inverse of its variance but for the noise.
pub(super) fn weight_of<const D: usize>(rows: &[RecordedState<D>]) -> f64 {
    rows.len() as f64 * (rows[rows.len() - 1].time - rows[0].time).powi(4)
}

/// The standard deviation of a coordinate of a row in m, the median of those of the throws.
pub(super) fn row_noise<const D: usize>(tosses: &[Toss<D>]) -> f64 {
    median(tosses.iter().map(Toss::row_noise).collect())
}

/// The middle of some values; 0 of none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Attitude, Orientation, Spin, State},
        random::Random,
        scenario::{Body, Shape},
    };

    const GRAVITY: f64 = 9.81;
    /// Rows in a second.
    const RATE: f64 = 200.0;

    fn thrown() -> Thrown<'static, 2> {
        Thrown { gravity: [0.0, -GRAVITY].into(), reach: 0.3, of: None }
    }

    /// A point that bounces with restitution .6 from .3 m, and rests in the end; noise in m and m/s.
    fn bouncing(noise: f64, gravity: f64, seed: u64) -> (Toss<2>, Vec<f64>) {
        let mut random = Random::seeded(seed);
        let first = (2.0 * 0.3 / gravity).sqrt();
        let mut impacts = vec![first];
        let mut speed = gravity * first;
        while 2.0 * 0.6 * speed / gravity > 0.02 {
            speed *= 0.6;
            impacts.push(impacts[impacts.len() - 1] + 2.0 * speed / gravity);
        }
        let height = |time: f64| {
            let after = impacts.iter().filter(|impact| **impact <= time).count();
            let (since, up) = match after {
                0 => return (0.3 - 0.5 * gravity * time * time, -gravity * time),
                n if n == impacts.len() => return (0.0, 0.0),
                n => (impacts[n - 1], gravity * first * 0.6_f64.powi(n as i32)),
            };
            let after = time - since;
            (up * after - 0.5 * gravity * after * after, up - gravity * after)
        };
        let row = |k: u32| {
            let time = f64::from(k) / RATE;
            let (z, vz) = height(time);
            let state = State {
                position: [0.5 * time + random.normal(noise), z + random.normal(noise)].into(),
                velocity: [0.5 + random.normal(20.0 * noise), vz + random.normal(20.0 * noise)].into(),
            };
            RecordedState::new(time, state, None)
        };
        let states = (0..260).map(row).collect();
        (Toss::new(0.0, states), impacts)
    }

    fn found(noise: f64, gravity: f64, count: u64) -> (Vec<(Toss<2>, Vec<f64>)>, FreeFlights<2>) {
        let throws: Vec<_> = (0..count).map(|seed| bouncing(noise, gravity, seed)).collect();
        let tosses = throws.iter().map(|(toss, _)| toss.clone()).collect();
        let flights = FreeFlights::of(&of_tosses(tosses), &thrown());
        (throws, flights)
    }

    /// Every flight of 40 ms and more is found, ends within three rows of its impacts, and holds none of them.
    #[test]
    fn flights_are_what_lies_between_impacts() {
        for noise in [0.0, 5e-5, 3e-4] {
            let (throws, flights) = found(noise, GRAVITY, 5);
            for ((toss, impacts), rows) in throws.iter().zip(&flights.rows) {
                let times: Vec<f64> = toss.times().collect();
                for rows in rows {
                    let [from, to] = [times[rows.start], times[rows.end - 1]];
                    assert!(
                        !impacts.iter().any(|impact| (from..to).contains(impact)),
                        "{noise}: {from} {to}"
                    );
                    assert!(
                        to <= impacts[impacts.len() - 1] + 1e-9,
                        "{noise}: rest is no flight, {from} to {to}"
                    );
                }
                let ends = std::iter::once(0.0).chain(impacts.iter().copied()).collect::<Vec<f64>>();
                let least = if noise > 1e-4 { 0.1 } else { 0.06 };
                for pair in ends.windows(2).filter(|pair| pair[1] - pair[0] > least) {
                    let is_there = rows.iter().any(|rows| {
                        (times[rows.start] - pair[0]).abs() <= 3.0 / RATE
                            && (times[rows.end - 1] - pair[1]).abs() <= 3.0 / RATE
                    });
                    assert!(
                        is_there,
                        "{noise}: {pair:?} {:?}",
                        rows.iter().map(|rows| [times[rows.start], times[rows.end - 1]]).collect::<Vec<_>>()
                    );
                }
            }
        }
    }

    #[test]
    fn the_gravity_and_the_noise_of_flights_are_measured() {
        let (_, flights) = found(1e-4, 9.49, 8);
        let [across, up]: [f64; 2] = flights.acceleration.expect("there are flights").into();
        assert!(across.abs() < 0.03 && (up + 9.49).abs() < 0.03, "{across} {up}");
        assert!((flights.noise / 1e-4 - 1.0).abs() < 0.1, "{}", flights.noise);
    }

    #[test]
    fn a_wild_row_ends_no_flight() {
        let (mut toss, impacts) = bouncing(1e-4, GRAVITY, 3);
        let place =
            toss.states.iter().position(|row| row.time > 0.5 * (impacts[0] + impacts[1])).expect("a row");
        toss.states[place].state.position[1] += 0.05;
        let flights = FreeFlights::of(&of_tosses(vec![toss]), &thrown());
        let around =
            flights.rows[0].iter().find(|rows| rows.contains(&place)).expect("it lies within a flight");
        assert!(around.len() > 50, "{around:?}");
    }

    fn of_tosses(tosses: Vec<Toss<2>>) -> Recording<2> {
        Recording::new("", tosses)
    }

    /// The flights before and after an impact meet, and no longer where three rows about it are lost.
    #[test]
    fn flights_meet_where_an_impact_parts_them_and_no_row_is_missing() {
        let (toss, impacts) = bouncing(1e-4, GRAVITY, 4);
        let mut cut = toss.clone();
        let hit = toss.states.iter().position(|row| row.time > impacts[0]).expect("a row");
        cut.states.drain(hit - 1..hit + 2);
        for row in &mut cut.states[hit - 1..] {
            row.time -= 3.0 / RATE;
        }
        let flights = FreeFlights::of(&of_tosses(vec![toss, cut]), &thrown());
        assert!(
            flights.single[0].len() >= 3 && flights.single[0].iter().all(|single| *single),
            "{flights:?}"
        );
        assert!(!flights.single[1][0] && flights.single[1][1..].iter().all(|single| *single), "{flights:?}");
    }

    /// A box 1 m over the ground whose velocity and spin jump at some times, 250 rows a second.
    fn struck(noise: f64, blows: &[(f64, [f64; 2], f64)]) -> Toss<2> {
        let mut random = Random::seeded(7);
        let row = |k: u32| {
            let time = f64::from(k) / 250.0;
            let mut place = Vector::<2>::from([0.4 * time, 1.0 - 0.5 * GRAVITY * time * time]);
            let mut velocity = Vector::<2>::from([0.4, -GRAVITY * time]);
            let (mut angle, mut spin) = (2.0 * time, 2.0);
            for (at, jump, turn) in blows.iter().filter(|(at, ..)| *at <= time) {
                let jump = Vector::<2>::from(*jump);
                (place, velocity) = (place + jump * (time - at), velocity + jump);
                (angle, spin) = (angle + turn * (time - at), spin + turn);
            }
            let place = place.map(|part| part + random.normal(noise));
            let velocity = velocity.map(|part| part + random.normal(100.0 * noise));
            let orientation = Orientation::Angle(angle + random.normal(noise / 0.06));
            let attitude = Some(Attitude { orientation, spin: Spin::new(spin, 0.0, 0.0) });
            RecordedState::new(time, State { position: place, velocity }, attitude)
        };
        Toss::new(0.0, (0..75).map(row).collect())
    }

    /// Corners of a box strike 28 ms after each other: a flight that falls by no more than the noise of its rows.
    #[test]
    fn a_flight_too_short_to_fall_is_told_by_being_clear() {
        let toss = struck(1e-4, &[(0.1, [0.1, 1.5], 30.0), (0.128, [0.1, 0.4], -25.0)]);
        let scenario = Scenario {
            bodies: vec![Body {
                shape: Shape::Box { size: [0.06, 0.06].into() },
                ..Body::point(0.04, [0.0, 1.0], [0.0, 0.0])
            }],
            ..Scenario::new("box")
        };
        let recording = of_tosses(vec![toss]);
        let clear = FreeFlights::of(&recording, &Thrown::new(&recording, &scenario, 0));
        assert_eq!(clear.rows[0].len(), 3, "{:?}", clear.rows);
        assert_eq!(clear.single[0], [true, true]);
        // On the ground it might as well rest, and the flights to either side do not meet.
        let low = of_tosses(vec![struck(1e-4, &[(0.1, [0.1, 1.5], 30.0), (0.128, [0.1, 0.4], -25.0)])]);
        let unknown = FreeFlights::of(&low, &Thrown { of: None, ..Thrown::new(&low, &scenario, 0) });
        assert_eq!(unknown.single[0], [false], "{:?}", unknown.rows);
    }

    /// An impact through the centre of percussion leaves the path of the centre nearly straight, and not what it turns.
    #[test]
    fn a_flight_ends_where_the_spin_jumps() {
        let toss = struck(1e-4, &[(0.1502, [0.02, 0.02], 20.0)]);
        let recording = of_tosses(vec![toss]);
        let flights = FreeFlights::of(&recording, &Thrown { reach: 0.085, ..thrown() });
        assert!(!flights.rows[0].iter().any(|rows| rows.contains(&36) && rows.contains(&40)), "{flights:?}");
    }

    #[test]
    fn a_parabola_is_found_again() {
        let at = |time: f64| Vector::<2>::from([1.0 - 2.0 * time + 3.0 * time * time, 0.5 * time]);
        let found =
            parabola([-0.3, -0.1, 0.0, 0.2].map(|time| (time, at(time))).into_iter()).expect("a parabola");
        let expected = [[1.0, 0.0], [-2.0, 0.5], [3.0, 0.0]].map(Vector::<2>::from);
        assert!(found.iter().zip(expected).all(|(one, other)| (one - other).norm() < 1e-12), "{found:?}");
        assert!(parabola([0.0, 0.1].map(|time| (time, at(time))).into_iter()).is_none());
    }
}
