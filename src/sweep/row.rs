//! What a run came to, as a row of the table.

use std::{fmt, str::FromStr};

use crate::decimal::cell;

/// One row: a run, what was set, what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Number of the run.
    pub number: u64,
    /// Digest of version, stepper and scenario, see [`Identity`](super::Identity).
    pub id: String,
    /// Name of the stepper.
    pub stepper: String,
    /// Values of the swept keys.
    pub values: Vec<String>,
    /// Metrics, in the order of the sweep's; empty where there is none.
    pub metrics: Vec<String>,
    /// How it ended.
    pub status: RunStatus,
    /// Why it failed or was refused; empty otherwise.
    pub reason: String,
    /// Wall time of the simulation in s, with what is measured in its steps and without the exact motion beside it;
    /// not a number where there was none.
    pub seconds: f64,
    /// Mean wall time of a step in microseconds; not a number where no step was taken.
    pub step_microseconds: f64,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// Every step was solved.
    Done,
    /// A step failed; the metrics are empty.
    Failed,
    /// The scenario is not valid, or the stepper does not admit it.
    Refused,
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Refused => "refused",
        })
    }
}

impl FromStr for RunStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Done, Self::Failed, Self::Refused]
            .into_iter()
            .find(|status| status.to_string() == text)
            .ok_or(())
    }
}

impl Row {
    /// The names of the columns in a part; those of the table are the same without `run` and the
    /// times.
    pub fn columns<'a>(keys: impl Iterator<Item = &'a str>, metrics: &[String]) -> Vec<String> {
        let mut columns = vec!["run".to_owned()];
        columns.extend(Self::table_columns(keys, metrics));
        columns.extend(["seconds", "step_microseconds"].map(str::to_owned));
        columns
    }

    /// The names of the columns in the table.
    pub fn table_columns<'a>(keys: impl Iterator<Item = &'a str>, metrics: &[String]) -> Vec<String> {
        let mut columns = vec!["id".to_owned(), "stepper".to_owned()];
        columns.extend(keys.map(str::to_owned));
        columns.extend(metrics.iter().cloned());
        columns.extend(["status", "reason"].map(str::to_owned));
        columns
    }

    /// The cells in a part.
    pub fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.number.to_string()];
        cells.extend(self.table_cells());
        let time = |value: f64| cell(Some(value).filter(|value| value.is_finite()));
        cells.push(time(self.seconds));
        cells.push(time(self.step_microseconds));
        cells
    }

    /// The cells in the table: everything that is the same whenever the run is repeated.
    pub fn table_cells(&self) -> Vec<String> {
        let mut cells = vec![self.id.clone(), self.stepper.clone()];
        cells.extend(self.values.iter().cloned());
        cells.extend(self.metrics.iter().cloned());
        cells.extend([self.status.to_string(), self.reason.clone()]);
        cells
    }

    /// The row with `keys` swept keys of which these are the cells, as [`Row::cells`] gives them; `None` if
    /// they are not those of a row.
    pub fn of_cells(cells: &[&str], keys: usize) -> Option<Self> {
        let metrics = cells.len().checked_sub(keys + 7)?;
        let strings = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        let time = |cell: &str| if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() };
        let (head, rest) = cells.split_at(3);
        let (values, rest) = rest.split_at(keys);
        let (metrics, rest) = rest.split_at(metrics);
        let ([number, id, stepper], [status, reason, seconds, step_microseconds]) = (head, rest) else {
            return None;
        };
        Some(Self {
            number: number.parse().ok()?,
            id: (*id).to_owned(),
            stepper: (*stepper).to_owned(),
            values: strings(values),
            metrics: strings(metrics),
            status: status.parse().ok()?,
            reason: (*reason).to_owned(),
            seconds: time(seconds)?,
            step_microseconds: time(step_microseconds)?,
        })
    }
}
