//! Recordings of which the rows come at equal intervals.

use crate::{
    decimal::rounded,
    measured_table::{DataFault, InvalidData, MOST_FAULTS},
    predict::{RecordedState, Recording, Toss, Ways, contradictory_velocities},
};

/// Share of an interval by which another one of the same throw may differ: what rounding of times is left as.
const UNEVEN: f64 = 1e-3;
/// Share of an interval that a gap may be off a whole number of intervals.
const GAP: f64 = 0.05;

/// A recording of a point at the times that its own are rounded from, as long as the rows of every throw come at equal
/// intervals and its velocities lead along its positions.
///
/// # Errors
/// [`InvalidData`] that names line, column and value of what is wrong.
pub(in crate::learn) fn evenly_measured(recording: Recording<2>) -> Result<Recording<2>, InvalidData> {
    let recording = recording.with_even_times();
    let of_throw = |toss: &Toss<2>| -> Vec<DataFault> { uneven(toss).chain(contradictory(toss)).collect() };
    let mut faults: Vec<DataFault> = recording.tosses.iter().flat_map(of_throw).collect();
    if faults.is_empty() {
        return Ok(recording);
    }
    faults.sort_by_key(|fault| fault.line);
    faults.truncate(MOST_FAULTS);
    Err(InvalidData { file: recording.file, faults })
}

fn fault(row: &RecordedState<2>, column: &str, value: f64, message: String, help: &str) -> DataFault {
    DataFault {
        line: Some(row.line),
        column: column.to_owned(),
        value: rounded(value, 9).to_string(),
        message,
        help: help.to_owned(),
    }
}

/// The fault of a throw whose velocities do not lead along its positions, as in other units of time.
fn contradictory(toss: &Toss<2>) -> Option<DataFault> {
    let states: Vec<_> = toss.states.iter().map(|row| (row.time, row.state)).collect();
    let Ways { measured, added_up, apart } = contradictory_velocities(&states)?;
    let [measured, added_up, apart] = [measured, added_up, apart].map(|way| rounded(way, 3));
    let row = toss.states.first()?;
    let message = format!(
        "the velocities of this throw lead {added_up} m far and its positions {measured} m, {apart} m apart"
    );
    let help = "give times in s, positions in m and velocities in m/s";
    Some(fault(row, "vx", row.state.velocity.x, message, help))
}

/// The faults of the rows that do not continue their throw at the interval of its first two.
fn uneven(toss: &Toss<2>) -> impl Iterator<Item = DataFault> + '_ {
    let intervals = toss.states.windows(2).map(|pair| pair[1].time - pair[0].time);
    let expected = intervals.clone().next().unwrap_or(0.0);
    intervals.zip(&toss.states[1..]).filter_map(move |(interval, row)| {
        if (interval - expected).abs() <= UNEVEN * expected {
            return None;
        }
        let missing = (interval / expected).round() - 1.0;
        let is_gap = missing >= 1.0 && (interval - (missing + 1.0) * expected).abs() <= GAP * expected;
        let help = match is_gap {
            true => {
                "rows are missing before this one: give it and those after it another number of `toss`, as a throw of \
                 its own, which may begin anywhere"
            }
            false => "give states at equal intervals, in the order of time",
        };
        let [interval, before] = [interval, expected].map(|time| rounded(time, 9));
        let message = format!("the interval is {interval} s after {before} s before");
        Some(fault(row, "t", row.time, message, help))
    })
}
