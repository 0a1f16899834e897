//! How the steps of a run were found, gathered while it goes on.

use std::collections::BTreeMap;

use super::{ApproximateSteps, CertificateCounts, ImpactCounts, IterationCounts, Quantiles, StatusCounts};
use crate::{stepper::StepStatus, trajectory::StepRecord};

/// Counts of steps by status and iterations, and the spread of their wall times: in the same memory however
/// many steps there are.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    solved: usize,
    rescued: usize,
    uncertified: usize,
    failed: usize,
    approximate: ApproximateSteps,
    certificates: CertificateCounts,
    iterations: BTreeMap<u32, usize>,
    impacts: ImpactCounts,
    times: Times,
}

impl Tally {
    /// Adds the next step.
    pub fn add(&mut self, step: &StepRecord) {
        *match step.report.status {
            StepStatus::Solved => &mut self.solved,
            StepStatus::Rescued => &mut self.rescued,
            StepStatus::Uncertified => &mut self.uncertified,
            StepStatus::Failed => &mut self.failed,
        } += 1;
        self.approximate.add(&step.report);
        *self.iterations.entry(step.report.iterations).or_default() += 1;
        step.search.certificate.iter().for_each(|certificate| self.certificates.add(certificate));
        step.impact.iter().for_each(|impact| self.impacts.add(impact));
        self.times.add(step.nanoseconds);
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.solved + self.rescued + self.uncertified + self.failed
    }

    /// Steps by status.
    pub fn status(&self) -> StatusCounts {
        let Self { solved, rescued, uncertified, failed, .. } = *self;
        StatusCounts { solved, rescued, uncertified, failed }
    }

    /// The steps whose residual misses the tolerance, if there are any.
    pub fn approximate(&self) -> Option<ApproximateSteps> {
        (self.approximate.steps > 0).then_some(self.approximate)
    }

    /// What the motions of the steps say of their contacts, if any was judged.
    pub fn certificates(&self) -> Option<CertificateCounts> {
        (self.certificates.judged > 0).then_some(self.certificates)
    }

    /// The impacts, if there were any.
    pub fn impacts(&self) -> Option<ImpactCounts> {
        (self.impacts.steps > 0).then_some(self.impacts)
    }

    /// Iterations per step.
    pub fn iterations(&self) -> IterationCounts {
        let median =
            nearest_rank(0.5, self.steps(), self.iterations.iter().map(|(value, count)| (*value, *count)));
        IterationCounts {
            median: median.map_or(0, u64::from),
            max: self.iterations.last_key_value().map_or(0, |(value, _)| u64::from(*value)),
            total: self.iterations.iter().map(|(value, count)| u64::from(*value) * *count as u64).sum(),
        }
    }

    /// Wall time per step in microseconds; median and 99th percentile to one part in a thousand.
    pub fn step_microseconds(&self) -> Quantiles {
        let rank = |share| {
            nearest_rank(share, self.steps(), self.times.classes())
                .map_or(0.0, |nanoseconds| nanoseconds / 1e3)
        };
        Quantiles { median: rank(0.5), p99: rank(0.99), max: self.times.longest as f64 / 1e3 }
    }
}

/// The value of the sample that a share of it does not exceed, by the nearest-rank rule; from values in
/// ascending order with their counts.
fn nearest_rank<T>(share: f64, count: usize, values: impl Iterator<Item = (T, usize)>) -> Option<T> {
    let rank = ((share * count as f64).ceil() as usize).max(1);
    let mut seen = 0;
    values.into_iter().find_map(|(value, count)| {
        seen += count;
        (seen >= rank).then_some(value)
    })
}

/// A histogram of times in ns whose classes are as wide as a fixed share of the time.
#[derive(Debug, Clone, Default)]
struct Times {
    counts: Vec<usize>,
    longest: u64,
}

/// Classes that divide each octave: a time is off by half of one at most. Below it times are told apart.
const CLASSES: u64 = 512;

impl Times {
    fn add(&mut self, nanoseconds: u64) {
        self.longest = self.longest.max(nanoseconds);
        let class = class_of(nanoseconds);
        if self.counts.len() <= class {
            self.counts.resize(class + 1, 0);
        }
        self.counts[class] += 1;
    }

    /// The middle of every class with its count, in ascending order; that of the last no longer than the longest
    /// time.
    fn classes(&self) -> impl Iterator<Item = (f64, usize)> {
        let longest = self.longest as f64;
        let classes = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        classes.map(move |(class, count)| (middle_of(class).min(longest), *count))
    }
}

/// How often a time is halved until it is below twice the number of classes.
fn halvings(nanoseconds: u64) -> u32 {
    (nanoseconds / CLASSES).checked_ilog2().unwrap_or(0)
}

fn class_of(nanoseconds: u64) -> usize {
    let halvings = halvings(nanoseconds);
    (u64::from(halvings) * CLASSES + (nanoseconds >> halvings)) as usize
}

fn middle_of(class: usize) -> f64 {
    let classes = CLASSES as usize;
    let halvings = (class / classes).saturating_sub(1);
    let width = 2f64.powi(i32::try_from(halvings).unwrap_or(i32::MAX));
    (class - halvings * classes) as f64 * width + 0.5 * (width - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{metrics::quantiles, stepper::SolveReport};

    fn tally(times: &[u64]) -> Tally {
        let mut tally = Tally::default();
        for (place, nanoseconds) in times.iter().enumerate() {
            let report = SolveReport { iterations: place as u32 % 7, ..SolveReport::CLOSED_FORM };
            tally.add(&StepRecord {
                report,
                search: Default::default(),
                impact: None,
                nanoseconds: *nanoseconds,
            });
        }
        tally
    }

    #[test]
    fn every_time_is_in_a_class_with_its_like() {
        let times = (0..3000).chain((0..64).map(|bit| 1 << bit)).chain([u64::MAX, u64::MAX - 1, 123_456_789]);
        for nanoseconds in times {
            let middle = middle_of(class_of(nanoseconds));
            let off = (middle - nanoseconds as f64).abs();
            assert!(off <= 0.001 * nanoseconds as f64, "{nanoseconds} ns counts as {middle}");
        }
    }

    #[test]
    fn classes_ascend_with_the_times() {
        let classes: Vec<usize> = (0..100_000).map(|k| class_of(k * 40_000)).collect();
        assert!(classes.is_sorted());
    }

    #[test]
    fn quantiles_are_those_of_the_whole_sample_to_a_thousandth() {
        // A spread over five decades, as steps with rescues have it.
        let times: Vec<u64> =
            (0..5000_u64).map(|k| (10.0 * 1.0023_f64.powi((k * 7919 % 5000) as i32)) as u64).collect();
        let found = tally(&times).step_microseconds();
        let truth = quantiles(times.iter().map(|&time| time as f64 / 1e3));
        assert!((found.median - truth.median).abs() <= 1e-3 * truth.median);
        assert!((found.p99 - truth.p99).abs() <= 1e-3 * truth.p99);
        assert_eq!(found.max, truth.max);
    }

    #[test]
    fn steps_of_many_seconds_are_told_as_they_are() {
        assert_eq!(tally(&[6_000_000_000]).step_microseconds().max, 6e6);
    }

    #[test]
    fn iterations_are_counted_exactly() {
        let counts = tally(&[5; 10]).iterations();
        // 0 1 2 3 4 5 6 0 1 2
        assert_eq!((counts.median, counts.max, counts.total), (2, 6, 24));
        assert_eq!(tally(&[]).iterations(), IterationCounts { median: 0, max: 0, total: 0 });
        assert_eq!(tally(&[]).step_microseconds(), Quantiles::default());
    }
}
