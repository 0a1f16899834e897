//! Recorded tosses from CSV, and as CSV.

use std::io::{self, Write};

use super::{RecordedState, Recording, Toss};
use crate::{
    measured_table::{self, Columns, DataFault, InvalidData, MOST_FAULTS, Row, Table},
    model::{Attitude, Orientation, Spin, State, Vector},
};

// Only learning from throws of a point asks when it touched.
const POINT_IN_PLANE: Columns =
    Columns { required: &["toss", "t", "x", "z", "vx", "vz"], optional: &["contact"] };
const BODY_IN_PLANE: Columns =
    Columns { required: &["toss", "t", "x", "z", "angle", "vx", "vz", "spin"], optional: &[] };
const POINT_IN_SPACE: Columns =
    Columns { required: &["toss", "t", "x", "y", "z", "vx", "vy", "vz"], optional: &[] };
const BODY_IN_SPACE: Columns = Columns {
    required: &["toss", "t", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"],
    optional: &[],
};

/// The columns of recordings of a point, or of a body that `turns`.
const fn columns<const D: usize>(turns: bool) -> &'static Columns {
    match (D, turns) {
        (2, false) => &POINT_IN_PLANE,
        (2, true) => &BODY_IN_PLANE,
        (_, false) => &POINT_IN_SPACE,
        (_, true) => &BODY_IN_SPACE,
    }
}

/// Reads tosses with the columns `toss` (or `throw`) and `t`, then those of `trajectory.csv` from the position to the spin, in
/// any order: a row per measured state, those of a toss together and in the order of time. `turns` says
/// whether the body has an orientation; throws of a point in a plane may have a column `contact`, 1 where the point touches
/// the ground between this row and the next, else 0. Lines starting with `#` are skipped; `file` names the text in
/// messages.
///
/// # Errors
/// [`InvalidData`] that names line, column and value of what is wrong.
pub fn read_recording<const D: usize>(
    file: &str,
    text: &str,
    turns: bool,
) -> Result<Recording<D>, InvalidData> {
    let table = measured_table::read(file, text, columns::<D>(turns))?;
    let (groups, mut faults) = table.groups();
    let mut tosses = Vec::with_capacity(groups.len());
    for rows in groups {
        let late = rows.windows(2).filter(|pair| pair[1].values[1] <= pair[0].values[1]);
        faults.extend(late.map(|pair| {
            let help = "give the rows of a throw in the order of time";
            table.fault(&pair[1], 1, "time does not increase", help)
        }));
        let states = rows.iter().map(|row| state(&table, row, turns));
        let (states, row_faults): (Vec<_>, Vec<_>) = states.partition(Result::is_ok);
        faults.extend(row_faults.into_iter().filter_map(Result::err));
        tosses.push(Toss::new(rows[0].values[0], states.into_iter().flatten().collect()));
    }
    faults.sort_by_key(|fault| fault.line);
    faults.truncate(MOST_FAULTS);
    if faults.is_empty() {
        Ok(Recording::new(file, tosses))
    } else {
        Err(InvalidData { file: file.to_owned(), faults })
    }
}

fn state<const D: usize>(table: &Table, row: &Row, turns: bool) -> Result<RecordedState<D>, DataFault> {
    let orientations = if D == 2 { 1 } else { 4 };
    let orientation = 2 + D;
    let velocity = orientation + if turns { orientations } else { 0 };
    let spin = velocity + D;
    let vector = |from: usize| Vector::<D>::from_column_slice(&row.values[from..from + D]);
    let attitude = match (turns, D) {
        (false, _) => None,
        (true, 2) => Some(Attitude {
            orientation: Orientation::Angle(row.values[orientation]),
            spin: Spin::new(row.values[spin], 0.0, 0.0),
        }),
        (true, _) => {
            let parts = [0, 1, 2, 3].map(|part| row.values[orientation + part]);
            let rotation = measured_table::rotation(parts).map_err(|norm| {
                let message = format!("the quaternion has the norm {norm:.4}, and that of a rotation has 1");
                let help = "write the rotation from body to world as qw,qx,qy,qz, the real part first";
                table.fault(row, orientation, message, help)
            })?;
            Some(Attitude {
                orientation: Orientation::Quaternion(rotation),
                spin: Spin::from_column_slice(&row.values[spin..spin + 3]),
            })
        }
    };
    let flag = columns::<D>(turns).required.len();
    let contact = match row.values.get(flag) {
        None => None,
        Some(0.0) => Some(false),
        Some(1.0) => Some(true),
        Some(_) => {
            let help = "write 1 where the point touches";
            return Err(table.fault(row, flag, "a contact flag is 0 or 1", help));
        }
    };
    let state = State { position: vector(2), velocity: vector(velocity) };
    Ok(RecordedState { line: row.line, time: row.values[1], state, attitude, contact })
}

impl Recording<2> {
    /// Writes throws of a point as [`read_recording`] reads them, with `contact` where it is known of all rows.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_point_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let Columns { required, optional } = columns::<2>(false);
        let has_contact = self.tosses.iter().flat_map(|toss| &toss.states).all(|row| row.contact.is_some());
        let flag = if has_contact { *optional } else { &[] };
        writeln!(out, "{}", [*required, flag].concat().join(","))?;
        for toss in &self.tosses {
            for RecordedState { time, state, contact, .. } in &toss.states {
                let ([x, z], [vx, vz]): ([f64; 2], [f64; 2]) = (state.position.into(), state.velocity.into());
                write!(out, "{},{time:?},{x:?},{z:?},{vx:?},{vz:?}", toss.number)?;
                if let Some(contact) = contact.filter(|_| has_contact) {
                    write!(out, ",{}", u8::from(contact))?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}
