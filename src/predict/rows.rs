//! On which steps the rows of a recording fall.

use super::{Recording, Toss};
use crate::measured_table::{DataFault, InvalidData, MOST_FAULTS};

/// How far from the end of a step a row may be, in steps.
const OFF: f64 = 0.05;
/// Most steps between two rows.
const MOST_STEPS: f64 = 1e5;

/// How many steps are taken from row to row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spacing {
    /// Length of a step in s.
    pub step: f64,
    /// Steps from one row to the next, where none is missing.
    pub per_row: usize,
    /// Whether the step of the scenario had to give way, because no number of it makes the interval.
    pub adapted: bool,
}

impl Spacing {
    /// The steps that meet every row: those of the scenario where whole numbers of them lead to all rows, and
    /// otherwise as many of nearly that length from one row to the next.
    ///
    /// # Errors
    /// [`InvalidData`] that names the rows which are not a whole number of steps after the first of their toss,
    /// as rows are that do not have equal intervals (missing ones do no harm).
    pub fn of<const D: usize>(recording: &Recording<D>, step: f64) -> Result<Self, InvalidData> {
        let gaps = |toss: &Toss<D>| -> Vec<f64> {
            toss.states.windows(2).map(|pair| pair[1].time - pair[0].time).collect()
        };
        let mut intervals: Vec<f64> = recording.tosses.iter().flat_map(gaps).collect();
        intervals.sort_by(f64::total_cmp);
        let typical = intervals.get(intervals.len() / 2).copied().unwrap_or(step);
        // Written times are rounded; the mean over a toss is not, but for its ends.
        let rows = |toss: &Toss<D>| (toss.duration() / typical).round();
        let interval = recording.tosses.iter().map(Toss::duration).sum::<f64>()
            / recording.tosses.iter().map(rows).sum::<f64>();
        let count = (interval / step).round().max(1.0);
        if count > MOST_STEPS {
            let first = recording.tosses.first().and_then(|toss| toss.states.get(1));
            return Err(InvalidData {
                file: recording.file.clone(),
                faults: vec![DataFault {
                    line: first.map(|row| row.line),
                    column: "t".to_owned(),
                    value: String::new(),
                    message: format!(
                        "the rows are {interval} s apart, which is {count} steps of the scenario"
                    ),
                    help: "check the unit of the times, or set a longer `step`".to_owned(),
                }],
            });
        }
        let own = Self { step, per_row: count as usize, adapted: false };
        if recording.tosses.iter().all(|toss| own.misses(toss).next().is_none()) {
            return Ok(Self { per_row: own.least_gap(recording).unwrap_or(own.per_row), ..own });
        }
        let spacing = Self { step: interval / count, per_row: count as usize, adapted: true };
        let misses = recording.tosses.iter().flat_map(|toss| spacing.misses(toss));
        let faults: Vec<DataFault> = misses
            .take(MOST_FAULTS)
            .map(|(line, steps)| DataFault {
                line: Some(line),
                column: "t".to_owned(),
                value: String::new(),
                message: format!(
                    "the row is {steps:.3} steps of {} s after the first of its toss, which is no whole number",
                    spacing.step
                ),
                help: format!(
                    "give rows at equal intervals, in which some may be missing, or at whole numbers of the `step` of \
                     {step} s"
                ),
            })
            .collect();
        if faults.is_empty() {
            Ok(spacing)
        } else {
            Err(InvalidData { file: recording.file.clone(), faults })
        }
    }

    /// The rows of a toss that no whole number of steps leads to, or the same as to the row before: their lines, and
    /// how many steps after the first they are.
    fn misses<const D: usize>(&self, toss: &Toss<D>) -> impl Iterator<Item = (u64, f64)> {
        let mut before = None;
        toss.states.iter().zip(toss.times()).filter_map(move |(row, time)| {
            let steps = time / self.step;
            let index = steps.round();
            let is_missed = (steps - index).abs() > OFF || before == Some(index);
            before = Some(index);
            is_missed.then_some((row.line, steps))
        })
    }

    /// The least number of steps from a row to the next.
    fn least_gap<const D: usize>(&self, recording: &Recording<D>) -> Option<usize> {
        let gaps = |toss: &Toss<D>| -> Vec<usize> {
            self.indices(toss).windows(2).map(|pair| pair[1] - pair[0]).collect()
        };
        recording.tosses.iter().flat_map(gaps).min()
    }

    /// The step at whose start each row of a toss is; 0 for the first row.
    pub fn indices<const D: usize>(&self, toss: &Toss<D>) -> Vec<usize> {
        toss.times().map(|time| (time / self.step).round() as usize).collect()
    }
}
