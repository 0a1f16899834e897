//! Steps of the sliding block as CSV.

use std::io::{self, Write};

use nalgebra::Vector3;

use super::{BlockSample, InvalidData};
use crate::measured_table::{self, Columns, DataFault, MOST_FAULTS};

const COLUMNS: Columns =
    Columns { required: &["v", "u", "v_next"], optional: &["lambda_plus", "lambda_minus", "gamma"] };

/// Writes steps with the columns `v,u,v_next` and, if every step has them,
/// `lambda_plus,lambda_minus,gamma`; see [`BlockSample`] for their meaning and units.
///
/// # Errors
/// Those of `out`.
pub fn write_block_csv(samples: &[BlockSample], out: &mut dyn Write) -> io::Result<()> {
    let has_forces = samples.iter().all(|sample| sample.lambda.is_some());
    writeln!(
        out,
        "{}{}",
        COLUMNS.required.join(","),
        if has_forces { ",lambda_plus,lambda_minus,gamma" } else { "" }
    )?;
    for sample in samples {
        write!(out, "{:?},{:?},{:?}", sample.velocity, sample.push, sample.next_velocity)?;
        if let Some(lambda) = sample.lambda.filter(|_| has_forces) {
            write!(out, ",{:?},{:?},{:?}", lambda.x, lambda.y, lambda.z)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Reads what [`write_block_csv`] writes, and measurements in the same form: the columns in any
/// order, lines starting with `#` skipped. `file` names the text in messages.
///
/// # Errors
/// [`InvalidData`] that names line, column and value of everything that is wrong.
pub fn read_block_csv(file: &str, text: &str) -> Result<Vec<BlockSample>, InvalidData> {
    let table = measured_table::read(file, text, &COLUMNS)?;
    let faults: Vec<DataFault> = table
        .rows
        .iter()
        .flat_map(|row| {
            let negative = (3..row.values.len()).filter(|&index| row.values[index] < 0.0);
            negative.map(|index| {
                let help = "give friction to the right and to the left as two numbers, neither below zero, \
                            and gamma as the speed";
                table.fault(row, index, "solutions of a complementarity problem are not negative", help)
            })
        })
        .take(MOST_FAULTS)
        .collect();
    if !faults.is_empty() {
        return Err(InvalidData { file: file.to_owned(), faults });
    }
    let samples = table.rows.iter().map(|row| BlockSample {
        velocity: row.values[0],
        push: row.values[1],
        next_velocity: row.values[2],
        lambda: table.has_optional.then(|| Vector3::new(row.values[3], row.values[4], row.values[5])),
    });
    Ok(samples.collect())
}
