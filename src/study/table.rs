use std::{fmt, io};

use serde_json::{Map, Value};

use crate::decimal::shortest;

/// A table with named columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Names of the columns, with units.
    pub columns: Vec<&'static str>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

/// An entry of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A count.
    Count(u64),
    /// Words.
    Text(String),
    /// Nothing.
    Empty,
}

impl Table {
    /// An empty table.
    pub fn new<const K: usize>(columns: [&'static str; K]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// The entries of the column called `name`; empty if there is none.
    pub fn column(&self, name: &str) -> Vec<&Cell> {
        match self.columns.iter().position(|column| *column == name) {
            Some(index) => self.rows.iter().filter_map(|row| row.get(index)).collect(),
            None => Vec::new(),
        }
    }

    /// Writes the table as CSV, numbers with full precision.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write_csv(&self, out: impl io::Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(Cell::exact))?;
        }
        writer.flush()
    }
}

impl Table {
    /// An object per row, by the names of the columns; empty entries are left out.
    pub(super) fn to_json(&self) -> Vec<Map<String, Value>> {
        let object = |row: &Vec<Cell>| {
            let named = self.columns.iter().zip(row);
            named.filter_map(|(column, cell)| Some(((*column).to_owned(), cell.to_json()?))).collect()
        };
        self.rows.iter().map(object).collect()
    }
}

impl Cell {
    fn to_json(&self) -> Option<Value> {
        match self {
            Self::Number(value) => Some(Value::from(*value)),
            Self::Count(count) => Some(Value::from(*count)),
            Self::Text(text) => Some(Value::from(text.as_str())),
            Self::Empty => None,
        }
    }
}

impl fmt::Display for Table {
    /// Columns aligned for reading, numbers to four digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header: Vec<String> = self.columns.iter().map(|&column| column.to_owned()).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(Cell::short).collect()).collect();
        let width = |column: usize| {
            let cells = std::iter::once(&header).chain(&rows).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        for row in std::iter::once(&header).chain(&rows) {
            let line: Vec<String> =
                row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
            writeln!(f, "{}", line.join("  ").trim_end())?;
        }
        Ok(())
    }
}

impl Cell {
    /// The number in the cell, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Count(count) => Some(*count as f64),
            Self::Text(_) | Self::Empty => None,
        }
    }

    fn exact(&self) -> String {
        match self {
            Self::Number(number) => shortest(*number),
            Self::Count(count) => count.to_string(),
            Self::Text(text) => text.clone(),
            Self::Empty => String::new(),
        }
    }

    fn short(&self) -> String {
        match self {
            Self::Number(number) if *number == 0.0 => "0".to_owned(),
            Self::Number(number) if (1e-3..1e5).contains(&number.abs()) => {
                let digits = 3 - number.abs().log10().floor() as i32;
                format!("{number:.*}", digits.clamp(0, 6) as usize)
            }
            Self::Number(number) => format!("{number:.1e}"),
            _ => self.exact(),
        }
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
