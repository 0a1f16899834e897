//! Files of measurements, and what is wrong with them.

use std::ops::Range;

use stickslip::learn::data::{DataFault, InvalidData};

use super::{
    error::{CliError, Fault},
    input_file::Kind,
};

/// A file of measurements.
pub const DATA_FILE: Kind = Kind { name: "data file", extension: "csv", max_bytes: 500_000_000 };

/// What is wrong with a data file, with the places in its text.
pub fn refusal(invalid: InvalidData, text: &str) -> CliError {
    let faults = invalid.faults.into_iter().map(|fault| {
        let span = span(&fault, text);
        let named = Fault::new(format!("{}: {fault}", invalid.file), fault.help);
        match span {
            Some(span) => named.at(&invalid.file, text, span),
            None => named,
        }
    });
    CliError::Input(faults.collect())
}

/// The bytes of the text that a fault is about: the name of the column in the header, the value in a
/// row, or the whole line.
fn span(fault: &DataFault, text: &str) -> Option<Range<usize>> {
    let number = usize::try_from(fault.line?).ok()?.checked_sub(1)?;
    let line = text.split('\n').nth(number)?;
    let start: usize = text.split('\n').take(number).map(|line| line.len() + 1).sum();
    let wanted = if fault.value.is_empty() { &fault.column } else { &fault.value };
    let mut place = start;
    for field in line.split(',') {
        if !wanted.is_empty() && field.trim() == wanted && is_column(fault, text, line, place - start) {
            let before = field.len() - field.trim_start().len();
            return Some(place + before..place + before + wanted.len());
        }
        place += field.len() + 1;
    }
    Some(start..start + line.trim_end().len())
}

/// Whether the field that starts at `offset` of a line stands in the column of a fault; the header
/// itself always does.
fn is_column(fault: &DataFault, text: &str, line: &str, offset: usize) -> bool {
    let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
    let header = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    if fault.column.is_empty() || header == line.trim_end_matches('\r') {
        return true;
    }
    let index = line[..offset].matches(',').count();
    header.split(',').nth(index).is_some_and(|name| name.trim() == fault.column)
}
