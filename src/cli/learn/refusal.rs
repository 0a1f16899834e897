use std::ops::Range;

use stickslip::learn::{
    DataFile, InputError,
    data::{DataFault, InvalidData},
};

use super::super::error::{CliError, Fault};

/// What is wrong with the input, in words, and with the place in the data file where there is one.
pub fn refusal(error: InputError, data: Option<DataFile>) -> CliError {
    let message = match &data {
        Some(file) => format!("{}: {error}", file.name),
        None => error.to_string(),
    };
    let help = match error {
        InputError::Settings(faults) => {
            let faults = faults
                .into_iter()
                .map(|fault| Fault::new(format!("--set {}: {}", fault.argument, fault.message), fault.help));
            return CliError::Input(faults.collect());
        }
        InputError::Data(invalid) => return in_file(invalid, data.map(|file| file.text).unwrap_or_default()),
        InputError::Samples { given, least, most, .. } if given > most => {
            format!("ask for {least} to {most} with --samples, or give a data file with at most {most}")
        }
        InputError::Samples { least, .. } => {
            format!("ask for at least {least} with --samples, or give a data file with as many")
        }
        InputError::SamplesOfFile { .. } => "leave out --samples, or --data".to_owned(),
        InputError::ForcesMissing { .. } => {
            "add the columns, or learn the friction without them: `stickslip learn bilevel --data FILE.csv`"
                .to_owned()
        }
        InputError::FlagsMissing => "for example --set contacts=height".to_owned(),
        InputError::Unsuited(_) => "`stickslip learn --help` says what each experiment takes".to_owned(),
    };
    CliError::input(message, help)
}

fn in_file(invalid: InvalidData, text: String) -> CliError {
    let faults = invalid.faults.into_iter().map(|fault| {
        let span = span(&fault, &text);
        let named = Fault::new(format!("{}: {fault}", invalid.file), fault.help);
        match span {
            Some(span) => named.at(&invalid.file, &text, span),
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
