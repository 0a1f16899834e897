//! Throws of a point as CSV.

use std::io::{self, Write};

use nalgebra::Vector2;

use super::{InvalidData, PointSample, Throw};
use crate::{
    decimal::rounded,
    measured_table::{self, Columns, DataFault, MOST_FAULTS, Row},
    model::State,
    predict::{EvenTimes, Ways, contradictory_velocities},
};

const COLUMNS: Columns = Columns { required: &["throw", "t", "x", "z", "vx", "vz"], optional: &["contact"] };
/// Largest relative difference between two intervals of one throw.
const UNEVEN: f64 = 1e-6;
/// Share of an interval that a gap may be off a whole number of intervals.
const GAP: f64 = 0.05;

/// Writes throws with the columns `throw,t,x,z,vx,vz` and, if it is known everywhere, `contact` (1
/// if the point touches the ground between this row and the next, else 0); `throw` is a number
/// that rows of one throw share. Units are those of [`PointSample`].
///
/// # Errors
/// Those of `out`.
pub fn write_point_csv(throws: &[Throw], out: &mut dyn Write) -> io::Result<()> {
    let has_contact = throws.iter().flatten().all(|sample| sample.contact.is_some());
    writeln!(out, "{}{}", COLUMNS.required.join(","), if has_contact { ",contact" } else { "" })?;
    for (index, sample) in
        throws.iter().enumerate().flat_map(|(index, throw)| throw.iter().map(move |s| (index, s)))
    {
        let (position, velocity) = (sample.position, sample.velocity);
        write!(
            out,
            "{index},{:?},{:?},{:?},{:?},{:?}",
            sample.time, position.x, position.y, velocity.x, velocity.y
        )?;
        if let Some(contact) = sample.contact.filter(|_| has_contact) {
            write!(out, ",{}", u8::from(contact))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Reads what [`write_point_csv`] writes, and measurements in the same form, as recordings that are predicted have it; `throw` may
/// be called `toss`. The rows of a throw
/// stand together, at equal intervals of time; times that are rounded from such are taken as what they are rounded from.
/// `file` names the text in messages.
///
/// # Errors
/// [`InvalidData`] that names line, column and value of what is wrong.
pub fn read_point_csv(file: &str, text: &str) -> Result<Vec<Throw>, InvalidData> {
    let table = measured_table::read(file, text, &COLUMNS)?;
    let (groups, mut faults) = table.groups(&COLUMNS, "throw");
    let written: Vec<Vec<f64>> =
        groups.iter().map(|rows| rows.iter().map(|row| row.values[1]).collect()).collect();
    let times = even(written);
    let mut throws: Vec<Throw> = Vec::new();
    for (rows, times) in groups.into_iter().zip(times) {
        let mut throw = Throw::with_capacity(rows.len());
        for (row, time) in rows.iter().zip(times) {
            let contact = match row.values.get(6) {
                None => None,
                Some(0.0) => Some(false),
                Some(1.0) => Some(true),
                Some(_) => {
                    let help = "write 1 where the point touches";
                    faults.push(row.fault(&COLUMNS, 6, "a contact flag is 0 or 1", help));
                    continue;
                }
            };
            faults.extend(uneven(&throw, row, time));
            throw.push(PointSample {
                time,
                position: Vector2::new(row.values[2], row.values[3]),
                velocity: Vector2::new(row.values[4], row.values[5]),
                contact,
            });
        }
        faults.extend(contradictory(&throw, rows));
        throws.push(throw);
    }
    faults.sort_by_key(|fault| fault.line);
    faults.truncate(MOST_FAULTS);
    if faults.is_empty() { Ok(throws) } else { Err(InvalidData { file: file.to_owned(), faults }) }
}

/// The fault of a throw whose velocities do not lead along its positions, as in other units of time.
fn contradictory(throw: &[PointSample], rows: &[Row]) -> Option<DataFault> {
    let states: Vec<(f64, State<2>)> = throw
        .iter()
        .map(|sample| (sample.time, State { position: sample.position, velocity: sample.velocity }))
        .collect();
    let Ways { measured, added_up, apart } = contradictory_velocities(&states)?;
    let [measured, added_up, apart] = [measured, added_up, apart].map(|way| rounded(way, 3));
    Some(rows.first()?.fault(
        &COLUMNS,
        4,
        format!(
            "the velocities of this throw lead {added_up} m far and its positions {measured} m, {apart} m apart"
        ),
        "give times in s, positions in m and velocities in m/s",
    ))
}

/// The times that those of throws are rounded from, one throw after the other where not all have one interval; as they are
/// where they are not rounded.
fn even(written: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    if let Some(of_all) = EvenTimes::of(&written) {
        return of_all.times;
    }
    let of_one = |times: Vec<f64>| match EvenTimes::of(std::slice::from_ref(&times)) {
        Some(even) => even.times.into_iter().next().unwrap_or(times),
        None => times,
    };
    written.into_iter().map(of_one).collect()
}

/// The fault of a row, at this `time`, that does not continue its throw at the interval of the first two rows.
fn uneven(throw: &[PointSample], row: &Row, time: f64) -> Option<DataFault> {
    let last = throw.last()?;
    let interval = time - last.time;
    let expected = if let [first, second, ..] = throw { second.time - first.time } else { interval };
    // Times have an absolute rounding error of their own size.
    let tolerance = UNEVEN * expected + 1e-12 * time.abs();
    if interval <= 0.0 {
        return Some(row.fault(&COLUMNS, 1, "time does not increase", "give states in the order of time"));
    }
    ((interval - expected).abs() > tolerance).then(|| {
        let missing = (interval / expected).round() - 1.0;
        let is_gap = missing >= 1.0 && (interval - (missing + 1.0) * expected).abs() <= GAP * expected;
        let help = match is_gap {
            true => "rows are missing before this one: give it and those after it another number of `throw`, as a throw of \
                     its own, which may begin anywhere",
            false => "give states at equal intervals, in the order of time",
        };
        let [interval, expected] = [interval, expected].map(|time| rounded(time, 9));
        row.fault(&COLUMNS, 1, format!("the interval is {interval} s after {expected} s before"), help)
    })
}
