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

/// The rows of the file at `path`, of as many numbers each as one of `columns` says; a first line that is no numbers
/// is a header.
pub(super) fn read(path: &Path, columns: [usize; 2]) -> Result<Vec<Vec<f64>>, Fault> {
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
            Ok(row)
                if rows
                    .first()
                    .map_or(columns.contains(&row.len()), |first: &Vec<f64>| first.len() == row.len()) =>
            {
                rows.push(row);
            }
            Ok(row) => {
                let wanted = match rows.first() {
                    Some(first) => first.len().to_string(),
                    None => format!("{} or {}", columns[0], columns[1]),
                };
                return fault(
                    format!("line {line} has {} columns, but must have {wanted}", row.len()),
                    "give the time in s, the components of the force in N and, if there is one, the torque in N m, in \
                     that order",
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
