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

impl Fault {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// The columns of a push: the time, the components of the force, and those of the torque, which a file may lack.
struct Columns {
    names: &'static [&'static str],
    /// How many of them there are without the torque.
    least: usize,
}

const IN_PLANE: Columns = Columns { names: &["t", "fx", "fz", "torque"], least: 3 };
const IN_SPACE: Columns = Columns { names: &["t", "fx", "fy", "fz", "tx", "ty", "tz"], least: 4 };

/// The rows of the file at `path` of a push in the plane or in space: the time, the force and, if it is there, the
/// torque. A first line without any number is a header, whose names say which column is which; without one their order
/// does.
pub(super) fn read(path: &Path, in_space: bool) -> Result<Vec<Vec<f64>>, Fault> {
    let columns = if in_space { IN_SPACE } else { IN_PLANE };
    let mut reader = open(path)?;
    let mut places: Option<Vec<usize>> = None;
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let record = record.map_err(|error| {
            Fault::new(format!("it is no CSV: {error}"), "save it as UTF-8 text with commas")
        })?;
        let line = record.position().map_or(index as u64 + 1, csv::Position::line);
        let fields: Vec<Option<f64>> = record.iter().map(|field| field.parse().ok()).collect();
        if index == 0 && fields.iter().all(Option::is_none) {
            places = Some(columns.places_in(&record, line)?);
            continue;
        }
        let Some(numbers) = fields.into_iter().collect::<Option<Vec<f64>>>() else {
            let text = record.iter().collect::<Vec<_>>().join(",");
            let text: String = text.chars().take(60).collect();
            return Err(Fault::new(
                format!("line {line} is no numbers: {text:?}"),
                "give numbers with a decimal point",
            ));
        };
        let known = match &mut places {
            Some(places) => places,
            none => none.insert(columns.in_order(numbers.len(), line)?),
        };
        if numbers.len() != known.len() {
            return Err(columns.miscounted(numbers.len(), &known.len().to_string(), line));
        }
        if let Some(value) = numbers.iter().find(|value| !value.is_finite()) {
            return Err(Fault::new(
                format!("line {line} holds {value}, but must hold finite numbers"),
                "give 0 where nothing pushes",
            ));
        }
        let row: Vec<f64> = known.iter().map(|&place| numbers[place]).collect();
        if let Some(before) = rows.last().filter(|before| row[0] <= before[0]) {
            return Err(Fault::new(
                format!(
                    "line {line} has the time {} s after {} s, but must have growing times",
                    row[0], before[0]
                ),
                "sort the rows by time, each time once",
            ));
        }
        rows.push(row);
    }
    if rows.len() < 2 {
        let count = if rows.len() == 1 { "1 row".to_owned() } else { format!("{} rows", rows.len()) };
        return Err(Fault::new(
            format!("it has {count} of numbers, but must have at least two"),
            "the push is linear between them",
        ));
    }
    Ok(rows)
}

fn open(path: &Path) -> Result<csv::Reader<std::fs::File>, Fault> {
    let beside = "give the path from the folder of the scenario file";
    match std::fs::metadata(path) {
        Err(error) => return Err(Fault::new(format!("it cannot be read: {error}"), beside)),
        Ok(about) if !about.is_file() => return Err(Fault::new("it is no file", beside)),
        Ok(about) if about.len() > MAX_BYTES => {
            return Err(Fault::new(
                format!("it has more than {MAX_BYTES} bytes"),
                "sample the push less often",
            ));
        }
        Ok(_) => {}
    }
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).flexible(true).trim(csv::Trim::All);
    builder.from_path(path).map_err(|error| Fault::new(format!("it cannot be read: {error}"), beside))
}

impl Columns {
    /// Where the time, the force and the torque stand under a header.
    fn places_in(&self, header: &csv::StringRecord, line: u64) -> Result<Vec<usize>, Fault> {
        let help = || {
            let (names, torque) = self.names.split_at(self.least);
            format!(
                "name the columns {} and, if there is a torque, {}, in any order; or leave the header out and give \
                 them in that order",
                names.join(", "),
                torque.join(", ")
            )
        };
        if let Some(unknown) = header.iter().find(|name| !self.names.contains(name)) {
            let unknown: String = unknown.chars().take(60).collect();
            return Err(Fault::new(format!("line {line} names an unknown column {unknown:?}"), help()));
        }
        let place = |name: &str| header.iter().position(|given| given == name);
        if let Some(twice) = header.iter().enumerate().find(|(index, name)| place(name) != Some(*index)) {
            return Err(Fault::new(format!("line {line} names the column `{}` twice", twice.1), help()));
        }
        let wanted = if header.len() > self.least { self.names } else { &self.names[..self.least] };
        wanted
            .iter()
            .map(|name| {
                place(name).ok_or_else(|| Fault::new(format!("line {line} names no column `{name}`"), help()))
            })
            .collect()
    }

    /// The places of so many columns without a header.
    fn in_order(&self, count: usize, line: u64) -> Result<Vec<usize>, Fault> {
        if count == self.least || count == self.names.len() {
            return Ok((0..count).collect());
        }
        Err(self.miscounted(count, &format!("{} or {}", self.least, self.names.len()), line))
    }

    fn miscounted(&self, count: usize, wanted: &str, line: u64) -> Fault {
        Fault::new(
            format!("line {line} has {count} columns, but must have {wanted}"),
            "give the time in s, the components of the force in N and, if there is one, the torque in N m, in that \
             order or under a header that names them",
        )
    }
}
