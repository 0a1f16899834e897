//! Times that are written with few digits.

use super::{Recording, Toss};

/// Most digits behind the point that times are taken to be rounded to.
const MOST_DIGITS: usize = 6;
/// Least interval between rows in units of the last digit: any times fit in with a shorter one.
const LEAST_INTERVAL: f64 = 4.0;
/// Share of the interval between rows below which it is no matter to what times are rounded.
const NO_MATTER: f64 = 1e-3;
/// Deviations in units of the last digit that are those of the numbers themselves.
const EXACT: f64 = 1e-6;

/// Times of rows that come at equal intervals and are rounded to a unit of which no whole number makes one.
#[derive(Debug, Clone, PartialEq)]
struct EvenTimes {
    /// The times that those of every toss are rounded from, s.
    times: Vec<Vec<f64>>,
    /// The unit that they are rounded to, s.
    unit: f64,
    /// The time from a row to the next where none is missing, s.
    interval: f64,
}

impl EvenTimes {
    /// Of the times of some tosses, in which rows may be missing; `None` where they are not such.
    fn of(tosses: &[Vec<f64>]) -> Option<Self> {
        let unit = unit(tosses)?;
        let interval = mean_interval(tosses)?;
        let numbers: Vec<Vec<f64>> = tosses.iter().map(|times| row_numbers(times, interval)).collect();
        if numbers.iter().any(|numbers| numbers.windows(2).any(|pair| pair[0] == pair[1])) {
            return None;
        }
        // By least squares one interval for all tosses, each of which has a start of its own.
        let (mut above, mut below) = (0.0, 0.0);
        for (times, numbers) in tosses.iter().zip(&numbers) {
            let (middle, mean_time) = (mean(numbers.iter().copied()), mean(times.iter().copied()));
            for (number, time) in numbers.iter().zip(times) {
                above += (number - middle) * (time - mean_time);
                below += (number - middle).powi(2);
            }
        }
        let fitted = above / below;
        // What times miss those of equal intervals by, from the earliest to the latest of a toss.
        let spread = |interval: f64| {
            let of_toss = |(times, numbers): (&Vec<f64>, &Vec<f64>)| {
                let misses = numbers.iter().zip(times).map(|(number, time)| time - number * interval);
                let (least, most) = misses
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), miss| (a.min(miss), b.max(miss)));
                most - least
            };
            tosses.iter().zip(&numbers).map(of_toss).fold(0.0, f64::max)
        };
        let is_rounded = fitted >= LEAST_INTERVAL * unit
            && spread(fitted) > EXACT * unit
            && least_of(spread, [fitted - unit, fitted + unit]) <= (1.0 - EXACT) * unit;
        is_rounded.then(|| {
            let even = tosses.iter().zip(&numbers).map(|(times, numbers)| {
                let start = mean(times.iter().zip(numbers).map(|(time, number)| time - number * fitted));
                numbers.iter().map(|number| start + number * fitted).collect()
            });
            Self { times: even.collect(), unit, interval: fitted }
        })
    }
}

impl<const D: usize> Recording<D> {
    /// The time from a row to the next in s where none is missing: the mean over all tosses, which rounding of the
    /// times leaves as it is but for their ends.
    pub(super) fn interval(&self) -> Option<f64> {
        mean_interval(&times(&self.tosses))
    }

    /// The recording at the times that its own are [rounded](Self::rounded) from, where rows of a camera come at equal
    /// intervals, of which no whole number of units makes one. A row that is put half a unit away from where it was
    /// recorded is off by as much as the body moves in that time. Where the tosses have not one interval, each may have one of
    /// its own.
    #[must_use]
    pub fn with_even_times(mut self) -> Self {
        if self.rounded.is_none() {
            self.rounded = even_out(&mut self.tosses)
                .or_else(|| self.tosses.chunks_mut(1).filter_map(even_out).reduce(f64::max));
        }
        self
    }
}

/// The times of the rows of every toss as they are written, s.
fn times<const D: usize>(tosses: &[Toss<D>]) -> Vec<Vec<f64>> {
    tosses.iter().map(|toss| toss.states.iter().map(|row| row.time).collect()).collect()
}

/// Sets tosses to the times of one interval that theirs are rounded from, where they are and it matters; to which unit in s.
fn even_out<const D: usize>(tosses: &mut [Toss<D>]) -> Option<f64> {
    let even = EvenTimes::of(&times(tosses)).filter(|even| even.unit > NO_MATTER * even.interval)?;
    for (toss, times) in tosses.iter_mut().zip(&even.times) {
        for (row, time) in toss.states.iter_mut().zip(times) {
            row.time = *time;
        }
    }
    Some(even.unit)
}

/// The mean time from a row to the next in s where none is missing.
fn mean_interval(tosses: &[Vec<f64>]) -> Option<f64> {
    let mut gaps: Vec<f64> = tosses.iter().flat_map(|times| gaps(times)).collect();
    gaps.sort_by(f64::total_cmp);
    let typical = *gaps.get(gaps.len() / 2)?;
    let intervals = |times: &Vec<f64>| row_numbers(times, typical).last().copied().unwrap_or(0.0);
    let durations = tosses.iter().filter_map(|times| Some(times.last()? - times.first()?));
    Some(durations.sum::<f64>() / tosses.iter().map(intervals).sum::<f64>())
}

/// The unit of the last digit of the times, if there are few.
fn unit(tosses: &[Vec<f64>]) -> Option<f64> {
    // The shortest way to write a number is how it was written, but for zeros at its end.
    let digits = tosses
        .iter()
        .flatten()
        .map(|time| time.to_string().split_once('.').map_or(0, |(_, digits)| digits.len()));
    let most = digits.max().filter(|most| *most <= MOST_DIGITS)?;
    Some(0.1_f64.powi(most as i32))
}

/// Times from row to row in s.
fn gaps(times: &[f64]) -> impl Iterator<Item = f64> + '_ {
    times.windows(2).map(|pair| pair[1] - pair[0])
}

/// The numbers of rows among all that there would be at this `interval` in s, from 0: counted from row to row, so that an
/// interval which is a little off does not add up.
fn row_numbers(times: &[f64], interval: f64) -> Vec<f64> {
    let mut number = 0.0;
    let counted = gaps(times).map(|gap| {
        number += (gap / interval).round();
        number
    });
    std::iter::once(0.0).chain(counted).collect()
}

/// The least value of a convex function between two places, by golden sections.
fn least_of(function: impl Fn(f64) -> f64, [mut low, mut high]: [f64; 2]) -> f64 {
    const SECTIONS: u32 = 60;
    let share = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..SECTIONS {
        let [left, right] = [high - share * (high - low), low + share * (high - low)];
        if function(left) <= function(right) { high = right } else { low = left }
    }
    function(0.5 * (low + high))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    sum / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::State, predict::RecordedState};

    fn recording(tosses: &[&[f64]]) -> Recording<2> {
        let state = State { position: [0.0, 1.0].into(), velocity: [0.0, 0.0].into() };
        let row = |&time: &f64| RecordedState::new(time, state, None);
        let toss = |times: &&[f64]| Toss::new(0.0, times.iter().map(row).collect());
        Recording::new("data.csv", tosses.iter().map(toss).collect())
    }

    /// Rows at 148 a second, one of them missing, with times in whole milliseconds.
    #[test]
    fn rounded_times_are_those_of_equal_intervals() {
        let rounded = |k: u32| (f64::from(k) / 148.0 * 1e3).round() / 1e3;
        let tosses: [Vec<f64>; 2] = [(0..60).collect::<Vec<u32>>(), (3..40).filter(|k| *k != 17).collect()]
            .map(|numbers| numbers.into_iter().map(rounded).collect());
        let written = recording(&[&tosses[0], &tosses[1]]);
        let even = written.with_even_times();
        let unit = even.rounded.expect("they are rounded");
        assert!((unit - 1e-3).abs() < 1e-12);
        for (toss, first) in even.tosses.iter().zip([0.0, 3.0]) {
            for (row, time) in toss.states.iter().zip(toss.times()) {
                let number = (row.time * 148.0).round() - first;
                assert!((time - number / 148.0).abs() < 5e-5, "{time} {number}");
            }
        }
    }

    #[test]
    fn times_that_are_what_they_say_stay() {
        for times in [
            // Equal intervals, all of them or with rows that are missing.
            vec![0.0, 0.01, 0.02, 0.03, 0.04],
            vec![0.0, 0.01, 0.03, 0.04, 0.08],
            // A row that is not in its place by more than rounding.
            vec![0.0, 0.005, 0.01, 0.016, 0.02, 0.025],
            // At any times.
            vec![0.0, 0.007, 0.011, 0.029, 0.031, 0.052],
            // With all digits.
            (0..9).map(|k| f64::from(k) / 148.0).collect(),
            // So coarse that anything would fit.
            vec![0.0, 0.01, 0.03, 0.04, 0.06, 0.07],
        ] {
            assert_eq!(recording(&[&times]).with_even_times(), recording(&[&times]), "{times:?}");
        }
    }
}
