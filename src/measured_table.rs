//! Tables of numbers with named columns, from CSV; every fault is named by line and column.

use std::{collections::HashSet, fmt};

use csv::{ReaderBuilder, StringRecord, Trim};
use nalgebra::{Quaternion, UnitQuaternion};

/// Largest magnitude that a measurement may have.
const LARGEST: f64 = 1e9;
/// Faults that are reported before reading on is pointless.
pub(crate) const MOST_FAULTS: usize = 10;

/// What the column that numbers throws may be called.
const THROW: [&str; 2] = ["toss", "throw"];

/// One thing that is wrong with a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFault {
    /// Line in the file, from 1; `None` if the fault is no line's.
    pub line: Option<u64>,
    /// The column by its name; empty if the fault is no column's.
    pub column: String,
    /// The text that was read there; empty if there is none.
    pub value: String,
    /// What is wrong with it.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// A data file that cannot be used, with all that is wrong with it up to ten faults.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InvalidData {
    /// The file, as it was given.
    pub file: String,
    /// What is wrong; never empty.
    pub faults: Vec<DataFault>,
}

impl fmt::Display for DataFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map(|line| format!("line {line}"));
        let column = (!self.column.is_empty()).then(|| format!("column `{}`", self.column));
        let value = (!self.value.is_empty()).then(|| format!("value `{}`", self.value));
        let place: Vec<String> = [line, column, value].into_iter().flatten().collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        f.write_str(&self.message)
    }
}

impl fmt::Display for InvalidData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}: {fault}; {}", self.file, fault.help)?;
        }
        Ok(())
    }
}

/// The columns that a kind of data has.
pub(crate) struct Columns {
    pub required: &'static [&'static str],
    /// Either all of these are there, or none.
    pub optional: &'static [&'static str],
}

impl Columns {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.required.iter().chain(self.optional).copied()
    }

    fn help(&self) -> String {
        let required = self.required.join(",");
        match self.optional {
            [] => format!("the header is `{required}`, in any order"),
            optional => {
                format!("the header is `{required}`, and optionally `{}`, in any order", optional.join(","))
            }
        }
    }
}

/// Rows of numbers in the order of [`Columns`], the optional ones last or absent.
pub(crate) struct Table {
    pub rows: Vec<Row>,
    pub has_optional: bool,
    /// What the file calls its columns, in the same order.
    titles: Vec<String>,
}

pub(crate) struct Row {
    pub line: u64,
    pub values: Vec<f64>,
    texts: Vec<String>,
}

impl Table {
    /// Rows that follow each other with the same number in the first column, two at least, each group what that column
    /// is called; and the faults of those that are interrupted by others or consist of one row.
    pub fn groups(&self) -> (Vec<&[Row]>, Vec<DataFault>) {
        let what = self.titles.first().map_or("", String::as_str);
        // Zero is added because -0 and 0 are one number with different bits.
        let number = |row: &Row| (row.values[0] + 0.0).to_bits();
        let groups: Vec<&[Row]> = self.rows.chunk_by(|a, b| number(a) == number(b)).collect();
        let mut seen = HashSet::new();
        let faults = groups.iter().filter_map(|rows| {
            let (message, help) = if !seen.insert(number(&rows[0])) {
                let help =
                    format!("keep the rows of a {what} together, or give the {what} a number of its own");
                (format!("this {what} has ended before"), help)
            } else if rows.len() < 2 {
                (format!("this {what} has a single row"), format!("give two states or more of every {what}"))
            } else {
                return None;
            };
            Some(self.fault(&rows[0], 0, message, &help))
        });
        let faults = faults.collect();
        (groups, faults)
    }

    /// The fault that the value of column `index` in a row has.
    pub fn fault(&self, row: &Row, index: usize, message: impl Into<String>, help: &str) -> DataFault {
        DataFault {
            line: Some(row.line),
            column: self.titles.get(index).cloned().unwrap_or_default(),
            value: row.texts.get(index).cloned().unwrap_or_default(),
            message: message.into(),
            help: help.to_owned(),
        }
    }
}

/// Comma-separated values with a header line. Lines that start with `#` are comments.
pub(crate) struct Sheet<'a> {
    pub header: StringRecord,
    /// Line of the header, from 1.
    pub header_line: u64,
    /// The records below it with their lines, or why they cannot be read.
    pub records: Box<dyn Iterator<Item = Result<(u64, StringRecord), DataFault>> + 'a>,
}

impl<'a> Sheet<'a> {
    /// Reads the header of `text`.
    ///
    /// # Errors
    /// The fault of a quote anywhere that does not close a field, or of the header.
    pub fn open(text: &'a str) -> Result<Self, DataFault> {
        if let Some(fault) = broken_quote(text) {
            return Err(fault);
        }
        let mut reader = ReaderBuilder::new()
            .trim(Trim::All)
            .comment(Some(b'#'))
            .flexible(true)
            .from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| unreadable(&error))?.clone();
        let records = reader.into_records().map(|record| {
            record.map(|record| (line(&record, text), record)).map_err(|error| unreadable(&error))
        });
        Ok(Self { header, header_line: line_from(text, 0, 1), records: Box::new(records) })
    }
}

/// How far the norm of a quaternion may be from one: by the rounding of what is written with few digits.
const NORM: f64 = 0.01;

/// The rotation of a quaternion `[w, i, j, k]` that was written with few digits; its norm where that is not one.
pub(crate) fn rotation([w, i, j, k]: [f64; 4]) -> Result<UnitQuaternion<f64>, f64> {
    let quaternion = Quaternion::new(w, i, j, k);
    let norm = quaternion.norm();
    if (norm - 1.0).abs() > NORM { Err(norm) } else { Ok(UnitQuaternion::from_quaternion(quaternion)) }
}

/// Reads a table of these columns.
pub(crate) fn read(file: &str, text: &str, columns: &Columns) -> Result<Table, InvalidData> {
    let invalid = |faults| InvalidData { file: file.to_owned(), faults };
    let sheet = Sheet::open(text).map_err(|fault| invalid(vec![fault]))?;
    let (places, has_optional) =
        places(&sheet.header, columns, sheet.header_line).map_err(|fault| invalid(vec![fault]))?;

    let titles = places.iter().map(|&place| sheet.header[place].to_owned()).collect();
    let mut table = Table { rows: Vec::new(), has_optional, titles };
    let mut faults = Vec::new();
    let Sheet { header, records, .. } = sheet;
    for record in records {
        match record {
            Ok((line, record)) => match row(&record, line, &header, &places) {
                Ok(row) => table.rows.push(row),
                Err(row_faults) => faults.extend(row_faults),
            },
            Err(fault) => faults.push(fault),
        }
        if faults.len() >= MOST_FAULTS {
            break;
        }
    }
    if faults.is_empty() && table.rows.is_empty() {
        faults.push(whole_file(
            "there is a header but no row of data",
            "add a row for every measurement".into(),
        ));
    }
    faults.truncate(MOST_FAULTS);
    if faults.is_empty() { Ok(table) } else { Err(invalid(faults)) }
}

/// The first quote that does not close a field it opened. The reader would take all that follows it, lines
/// and all, for one field, and would glue what stands behind a closing quote to the field.
fn broken_quote(text: &str) -> Option<DataFault> {
    let lines = text.split('\n').zip(1..).filter(|(line, _)| !line.starts_with('#'));
    let mut fields = lines.flat_map(|(line, number)| quoted_fields(line).map(move |field| (field, number)));
    fields.find_map(|(field, number)| {
        let message = match field {
            Quoted::Whole => return None,
            Quoted::Open => "a quote is opened and not closed on this line",
            Quoted::Longer => "there is text behind a closing quote",
        };
        Some(DataFault {
            line: Some(number),
            column: String::new(),
            value: String::new(),
            message: message.to_owned(),
            help: "leave the quotes out; numbers need none".to_owned(),
        })
    })
}

/// How a field that starts with a quote ends.
enum Quoted {
    Whole,
    Open,
    Longer,
}

fn quoted_fields(line: &str) -> impl Iterator<Item = Quoted> {
    let mut rest = Some(line.trim_end_matches('\r'));
    std::iter::from_fn(move || {
        while let Some(text) = rest {
            let Some(inner) = text.strip_prefix('"') else {
                rest = text.split_once(',').map(|(_, after)| after);
                continue;
            };
            // Two quotes in a row stand for one.
            let plain = inner.replace("\"\"", "  ");
            let Some(end) = plain.find('"') else {
                rest = None;
                return Some(Quoted::Open);
            };
            let after = &inner[end + 1..];
            rest = after.split_once(',').map(|(_, after)| after);
            let is_whole = after.is_empty() || after.starts_with(',');
            return Some(if is_whole { Quoted::Whole } else { Quoted::Longer });
        }
        None
    })
}

/// Line of a record, from 1. The reader's own is that of the comments and empty lines before it.
fn line(record: &StringRecord, text: &str) -> u64 {
    record.position().map_or(0, |position| {
        let byte = usize::try_from(position.byte()).unwrap_or(usize::MAX);
        line_from(text, byte, position.line())
    })
}

/// The first line at or after `byte`, which is on line `line`, that is neither empty nor a comment.
fn line_from(text: &str, byte: usize, line: u64) -> u64 {
    let lines = text.get(byte..).unwrap_or_default().split('\n');
    let skipped = lines.take_while(|line| line.starts_with('#') || line.trim_end_matches('\r').is_empty());
    line + skipped.count() as u64
}

/// Whether two titles name one column: `toss` and `throw` do.
fn is_same(one: &str, other: &str) -> bool {
    one == other || THROW.contains(&one) && THROW.contains(&other)
}

/// Where in a record the columns stand.
fn places(header: &StringRecord, columns: &Columns, line: u64) -> Result<(Vec<usize>, bool), DataFault> {
    let place = |name: &str| header.iter().position(|title| is_same(title, name));
    let in_header = |column: &str, message: String| DataFault {
        line: Some(line),
        column: column.to_owned(),
        value: String::new(),
        message,
        help: columns.help(),
    };
    if header.is_empty() {
        return Err(whole_file("the file is empty", columns.help()));
    }
    if header.iter().all(|title| title.parse::<f64>().is_ok()) {
        return Err(in_header("", "there are numbers where the names of the columns should be".into()));
    }
    if let [title] = header.iter().collect::<Vec<_>>().as_slice()
        && title.contains([';', '\t'])
    {
        return Err(in_header(title, "the columns are not separated by commas".into()));
    }
    for (index, title) in header.iter().enumerate() {
        if header.iter().take(index).any(|earlier| is_same(earlier, title)) {
            return Err(in_header(title, "there are two columns of this name".into()));
        }
        if !columns.names().any(|name| is_same(title, name)) {
            return Err(in_header(title, "there is no such column in these data".into()));
        }
    }
    let optional_present = columns.optional.iter().filter(|name| place(name).is_some()).count();
    let has_optional = optional_present > 0;
    let wanted =
        columns.names().take(columns.required.len() + if has_optional { columns.optional.len() } else { 0 });
    let places =
        wanted.map(|name| place(name).ok_or_else(|| in_header(name, format!("column `{name}` is missing"))));
    Ok((places.collect::<Result<_, _>>()?, has_optional))
}

/// The fault of a row that has not one field for each column.
pub(crate) fn miscounted(record: &StringRecord, line: u64, header: &StringRecord) -> Option<DataFault> {
    (record.len() != header.len()).then(|| DataFault {
        line: Some(line),
        column: String::new(),
        value: record.iter().collect::<Vec<_>>().join(","),
        message: format!("the row has {} fields, the header {}", record.len(), header.len()),
        help: "write one field per column, separated by commas".to_owned(),
    })
}

fn row(
    record: &StringRecord,
    line: u64,
    header: &StringRecord,
    places: &[usize],
) -> Result<Row, Vec<DataFault>> {
    if let Some(fault) = miscounted(record, line, header) {
        return Err(vec![fault]);
    }
    let mut row = Row { line, values: Vec::new(), texts: Vec::new() };
    let mut faults = Vec::new();
    for &place in places {
        let text = &record[place];
        match number(text) {
            Ok(value) => row.values.push(value),
            Err((message, help)) => faults.push(DataFault {
                line: Some(line),
                column: header[place].to_owned(),
                value: text.to_owned(),
                message,
                help,
            }),
        }
        row.texts.push(text.to_owned());
    }
    if faults.is_empty() { Ok(row) } else { Err(faults) }
}

fn number(text: &str) -> Result<f64, (String, String)> {
    let example = "write a number such as 0.25 or 1e-3, or leave the row out";
    match text.parse::<f64>() {
        Ok(value) if value.abs() <= LARGEST => Ok(value),
        Ok(value) if value.is_finite() => Err((
            format!("the magnitude is above {LARGEST:e}"),
            "check the units, or leave the row out".to_owned(),
        )),
        Ok(_) => Err(("the value is not finite".to_owned(), example.to_owned())),
        Err(_) if text.is_empty() => Err(("the field is empty".to_owned(), example.to_owned())),
        Err(_) => Err(("this is not a number".to_owned(), example.to_owned())),
    }
}

fn unreadable(error: &csv::Error) -> DataFault {
    DataFault {
        line: error.position().map(csv::Position::line),
        column: String::new(),
        value: String::new(),
        message: format!("the line cannot be read: {error}"),
        help: "write plain CSV in UTF-8, separated by commas".to_owned(),
    }
}

pub(crate) fn whole_file(message: &str, help: String) -> DataFault {
    DataFault { line: None, column: String::new(), value: String::new(), message: message.to_owned(), help }
}
