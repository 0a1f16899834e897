//! Recorded tosses from CSV.

use super::{RecordedState, Recording, Toss};
use crate::{
    measured_table::{self, Columns, DataFault, InvalidData, MOST_FAULTS, Row},
    model::{Attitude, Orientation, Spin, State, Vector},
};

// Who learns from throws of a point may know when it touched; predictions make nothing of it.
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

/// Reads tosses with the columns `toss` (or `throw`) and `t`, then those of `trajectory.csv` from the position to the spin, in
/// any order: a row per measured state, those of a toss together and in the order of time. `turns` says
/// whether the body has an orientation. Lines starting with `#` are skipped; `file` names the text in
/// messages.
///
/// # Errors
/// [`InvalidData`] that names line, column and value of what is wrong.
pub fn read_recording<const D: usize>(
    file: &str,
    text: &str,
    turns: bool,
) -> Result<Recording<D>, InvalidData> {
    let columns = match (D, turns) {
        (2, false) => &POINT_IN_PLANE,
        (2, true) => &BODY_IN_PLANE,
        (_, false) => &POINT_IN_SPACE,
        (_, true) => &BODY_IN_SPACE,
    };
    let table = measured_table::read(file, text, columns)?;
    let (groups, mut faults) = table.groups(columns, "toss");
    let mut tosses = Vec::with_capacity(groups.len());
    for rows in groups {
        faults.extend(rows.windows(2).filter(|pair| pair[1].values[1] <= pair[0].values[1]).map(|pair| {
            pair[1].fault(
                columns,
                1,
                "time does not increase",
                "give the rows of a toss in the order of time",
            )
        }));
        let states = rows.iter().map(|row| state(row, columns, turns));
        let (states, row_faults): (Vec<_>, Vec<_>) = states.partition(Result::is_ok);
        faults.extend(row_faults.into_iter().filter_map(Result::err));
        let states = states.into_iter().flatten().collect();
        tosses.push(Toss { number: rows[0].values[0], passed: 0.0, states, window: None });
    }
    faults.sort_by_key(|fault| fault.line);
    faults.truncate(MOST_FAULTS);
    let file = file.to_owned();
    if faults.is_empty() {
        Ok(Recording { file, ground_height: 0.0, rounded: None, windows: None, tosses })
    } else {
        Err(InvalidData { file, faults })
    }
}

fn state<const D: usize>(row: &Row, columns: &Columns, turns: bool) -> Result<RecordedState<D>, DataFault> {
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
                row.fault(
                    columns,
                    orientation,
                    format!("the quaternion has the norm {norm:.4}, and that of a rotation has 1"),
                    "write the rotation from body to world as qw,qx,qy,qz, the real part first",
                )
            })?;
            Some(Attitude {
                orientation: Orientation::Quaternion(rotation),
                spin: Spin::from_column_slice(&row.values[spin..spin + 3]),
            })
        }
    };
    let state = State { position: vector(2), velocity: vector(velocity) };
    Ok(RecordedState { line: row.line, time: row.values[1], state, attitude })
}
