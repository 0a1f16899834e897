//! Where in the steps of a prediction the rows of a recording are.

use super::{Recording, Toss};
use crate::measured_table::{DataFault, InvalidData};

/// How far from the end of a step a row may be to count as there, in steps.
const OFF: f64 = 0.05;
/// The same where rows within steps are looked at there: rounding.
const ROUNDING: f64 = 1e-6;
/// Most steps between two rows.
const MOST_STEPS: f64 = 1e5;

/// How the rows of a recording lie in the steps that predict them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spacing {
    /// Length of a step in s.
    pub step: f64,
    /// Steps from one row to the next, where none is missing; the nearest whole number of them.
    pub per_row: usize,
    /// How steps and rows meet.
    pub meeting: Meeting,
}

/// How the steps of a prediction and the rows of a recording meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// Whole steps of the scenario lead to all rows.
    Own,
    /// Rows come at equal intervals, some of which may be missing. The step of the scenario, of which no whole number
    /// makes the interval, has given way to one of nearly that length which does.
    Adapted,
    /// Rows come at any time; most are within a step, where the prediction is what lies on the way between its ends.
    Within,
}

/// When a row was recorded, in steps since the first of its toss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Whole steps before it.
    pub steps: usize,
    /// Its share of the next one, from 0 to below 1.
    pub share: f64,
}

impl Spacing {
    /// The steps that meet every row: those of the scenario where whole numbers of them lead to all rows, and
    /// otherwise as many of nearly that length from one row to the next. Where rows are not evenly spaced either, the
    /// steps of the scenario, or of the interval between rows if that is shorter, with rows within them.
    ///
    /// # Errors
    /// [`InvalidData`] where far too many steps lie between rows.
    pub fn of<const D: usize>(recording: &Recording<D>, step: f64) -> Result<Self, InvalidData> {
        let interval = recording.interval().unwrap_or(step);
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
        let per_row = count as usize;
        let own = Self { step, per_row, meeting: Meeting::Own };
        if recording.tosses.iter().all(|toss| own.meets(toss)) {
            return Ok(Self { per_row: own.least_gap(recording).unwrap_or(per_row), ..own });
        }
        let adapted = Self { step: interval / count, per_row, meeting: Meeting::Adapted };
        if recording.tosses.iter().all(|toss| adapted.meets(toss)) {
            return Ok(adapted);
        }
        Ok(Self { step: step.min(interval), per_row, meeting: Meeting::Within })
    }

    /// Whether a whole number of steps leads to every row of a toss, another one to each.
    fn meets<const D: usize>(&self, toss: &Toss<D>) -> bool {
        let mut before = None;
        toss.times().all(|time| {
            let steps = time / self.step;
            let is_new = before.replace(steps.round()) != Some(steps.round());
            is_new && (steps - steps.round()).abs() <= OFF
        })
    }

    /// The least number of steps from a row to the next.
    fn least_gap<const D: usize>(&self, recording: &Recording<D>) -> Option<usize> {
        let gaps = |toss: &Toss<D>| -> Vec<usize> {
            self.places(toss).windows(2).map(|pair| pair[1].steps - pair[0].steps).collect()
        };
        recording.tosses.iter().flat_map(gaps).min()
    }

    /// Where in the steps the rows of a toss are; the first is at the start.
    pub fn places<const D: usize>(&self, toss: &Toss<D>) -> Vec<Place> {
        let place = |time: f64| {
            let steps = time / self.step;
            let is_at_an_end = self.meeting != Meeting::Within || (steps - steps.round()).abs() <= ROUNDING;
            let whole = if is_at_an_end { steps.round() } else { steps.floor() };
            Place { steps: whole as usize, share: if is_at_an_end { 0.0 } else { steps - whole } }
        };
        toss.times().map(place).collect()
    }

    /// Steps from the start of a toss to its last row.
    pub fn steps<const D: usize>(&self, toss: &Toss<D>) -> usize {
        self.places(toss).last().map_or(0, Place::steps_to)
    }
}

impl Place {
    /// Steps that it takes to get there.
    pub fn steps_to(&self) -> usize {
        self.steps + usize::from(self.share > 0.0)
    }
}
