//! Where the rows of a recording stop being those of one flight.

use super::{RecordedState, Toss, flight::Flight, line::Line};
use crate::{likelihood::robust_deviation, model::Vector};

/// Distance from the best flight from which on a row is not of it, in standard deviations of the rows.
const BEYOND_NOISE: f64 = 6.0;
/// Rows of which three in line are at least so many times there for the noise to be told.
pub(super) const LEAST_FOR_NOISE: usize = 6;

/// How many of the `rows` the body flies freely in, as far as no flight through them is further than `off` m from one
/// of them, nor than what the noise of the rows explains: all, or those before the path turns off.
pub(super) fn rows_of_one_flight<const D: usize>(
    rows: &[RecordedState<D>],
    gravity: &Vector<D>,
    flight: &Flight,
    off: f64,
) -> usize {
    let free: Vec<(f64, Vector<D>)> = flight.without_gravity(rows, gravity).collect();
    // The noise takes longer to tell, and is seldom asked for.
    if largest_miss(&free) < off {
        return free.len();
    }
    let off = off.max(BEYOND_NOISE * noise(&free));
    let is_one = |count: usize| largest_miss(&free[..count]) < off;
    if is_one(free.len()) {
        return free.len();
    }
    let counts: Vec<usize> = (2..=free.len()).collect();
    let many = counts.partition_point(|&count| is_one(count)) + 2;
    // The turn came before it could be seen: where two lines fit best.
    let two_lines = |split: usize| squares(&free[..split]) + squares(&free[split..many]);
    let splits = 2..many.saturating_sub(1);
    let best = splits.min_by(|&one, &other| two_lines(one).total_cmp(&two_lines(other)));
    // The row at the turn may be of either.
    best.map_or(0, |split| split - 1)
}

/// The standard deviation of a coordinate: how far rows are from between their neighbours, of which a few turns change
/// nothing. 0 where there are too few rows.
pub(super) fn noise<const D: usize>(free: &[(f64, Vector<D>)]) -> f64 {
    if free.len() < LEAST_FOR_NOISE {
        return 0.0;
    }
    let bends = free.windows(3).flat_map(|three| {
        let [(before, first), (time, second), (after, third)] = [three[0], three[1], three[2]];
        let share = (time - before) / (after - before);
        let bend = second - first * (1.0 - share) - third * share;
        let deviation = (1.0 + share.powi(2) + (1.0 - share).powi(2)).sqrt();
        (bend / deviation).iter().map(|part| part.abs()).collect::<Vec<_>>()
    });
    robust_deviation(bends.collect())
}

impl<const D: usize> Toss<D> {
    /// The standard deviation of a coordinate of its rows in m, see [`noise`].
    pub(super) fn row_noise(&self) -> f64 {
        noise(&self.states.iter().map(|row| (row.time, row.state.position)).collect::<Vec<_>>())
    }

    /// The standard deviation of a component of the velocities of its rows in m/s, in the same way.
    pub(super) fn velocity_noise(&self) -> f64 {
        noise(&self.states.iter().map(|row| (row.time, row.state.velocity)).collect::<Vec<_>>())
    }
}

fn misses<const D: usize>(free: &[(f64, Vector<D>)]) -> impl Iterator<Item = f64> {
    let line = Line::through(free.iter().copied());
    free.iter().map(move |(time, value)| (value - line.at(*time)).norm())
}

fn largest_miss<const D: usize>(free: &[(f64, Vector<D>)]) -> f64 {
    misses(free).fold(0.0, f64::max)
}

fn squares<const D: usize>(free: &[(f64, Vector<D>)]) -> f64 {
    misses(free).map(|miss| miss * miss).sum()
}
