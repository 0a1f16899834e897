//! A push from a CSV file.

use std::path::Path;

/// Largest file in bytes.
const MAX_BYTES: u64 = 10_000_000;

/// Why a file gives no push.
pub(super) struct Fault {
    /// What is wrong, with the line.
    pub(super) message: String,
    /// What to do about it.
    pub(super) help: String,
}

/// The rows of the file at `path`, of so many numbers each; a first line that is no numbers is a header.
pub(super) fn read(path: &Path, columns: usize) -> Result<Vec<Vec<f64>>, Fault> {
    let fault = |message: String, help: &str| Err(Fault { message, help: help.to_owned() });
    let beside = "give the path from the folder of the scenario file";
    match std::fs::metadata(path) {
        Err(error) => return fault(format!("it cannot be read: {error}"), beside),
        Ok(about) if !about.is_file() => return fault("it is no file".to_owned(), beside),
        Ok(about) if about.len() > MAX_BYTES => {
            return fault(format!("it has more than {MAX_BYTES} bytes"), "sample the push less often");
        }
        Ok(_) => {}
    }
    let reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_path(path);
    let mut reader = match reader {
        Ok(reader) => reader,
        Err(error) => return fault(format!("it cannot be read: {error}"), beside),
    };
    let mut rows = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                return fault(format!("it is no CSV: {error}"), "save it as UTF-8 text with commas");
            }
        };
        let line = record.position().map_or(index as u64 + 1, csv::Position::line);
        let parsed = record.iter().map(|field| field.parse::<f64>());
        match parsed.collect::<Result<Vec<f64>, _>>() {
            Ok(row) if row.len() == columns => rows.push(row),
            Ok(row) => {
                return fault(
                    format!("line {line} has {} columns, but must have {columns}", row.len()),
                    "give the time in s and the components of the force in N, in that order",
                );
            }
            Err(_) if index == 0 => {}
            Err(_) => {
                let text = record.iter().collect::<Vec<_>>().join(",");
                let text: String = text.chars().take(60).collect();
                return fault(
                    format!("line {line} is no numbers: {text:?}"),
                    "give numbers with a decimal point",
                );
            }
        }
    }
    Ok(rows)
}
