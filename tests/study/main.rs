//! The studies of the LCP notes: every number lies where theory or the notes put it.

mod anisotropy;
mod formulas;
mod noise;
mod repeatable;
mod sliding_block;

use stickslip::study::{Cell, Report, Table};

/// The numbers of a column; every entry must be one.
fn numbers(report: &Report, column: &str) -> Vec<f64> {
    let cells = report.table.column(column);
    assert_eq!(cells.len(), report.table.rows.len(), "there is a column {column}");
    cells.into_iter().map(|cell| cell.number().unwrap_or_else(|| panic!("{column}: {cell:?}"))).collect()
}

/// The rows whose entry in `column` is `text`.
fn rows<'a>(table: &'a Table, column: &str, text: &str) -> Vec<&'a Vec<Cell>> {
    let index = table.columns.iter().position(|name| *name == column).expect("a column");
    table.rows.iter().filter(|row| row[index] == Cell::from(text)).collect()
}

/// The number in the column `name` of a row.
fn number(table: &Table, row: &[Cell], name: &str) -> f64 {
    let index = table.columns.iter().position(|column| *column == name).expect("a column");
    row[index].number().unwrap_or_else(|| panic!("{name}: {:?}", row[index]))
}
