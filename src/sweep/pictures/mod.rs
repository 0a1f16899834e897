//! What a collected sweep looks like: maps over two keys, lines over one, error over cost, failures.
//!
//! Which keys are drawn follows from the sweep: the key of most values is the horizontal axis, the next
//! one the vertical axis of maps and the family of lines. A sampled key, of which no two runs share a
//! value, is divided into [`BINS`] equal parts. What else varies is summed up by its median.

mod cost;
mod lines;
mod maps;
mod spread;

use super::{Border, Columns, RunStatus};
use crate::plot::Figure;

/// Parts of a sampled key.
const BINS: usize = 16;
/// Values of a key above which it is divided into parts.
const MOST_VALUES: usize = 60;
/// Fewest values of a key that a map has room for.
const FEWEST: usize = 3;
/// Most steppers that a picture shows one below the other; others are left to the table.
const MOST_PANELS: usize = 8;

/// A picture of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepPicture {
    /// Name of its files, without an ending.
    pub name: String,
    /// What it shows, in a sentence.
    pub title: String,
    /// The picture.
    pub figure: Figure,
}

/// The pictures of a sweep called `sweep`; none of a table without a run or a number.
pub fn pictures(sweep: &str, columns: &Columns, borders: &[Border]) -> Vec<SweepPicture> {
    let mut pictures = Vec::new();
    let axes = spread::axes(columns);
    for (metric, values) in columns.metrics.iter().filter(|(_, values)| varies(values)) {
        pictures.extend(maps::of_metric(sweep, columns, &axes, metric, values, borders));
        pictures.extend(lines::of_metric(sweep, columns, &axes, metric, values));
    }
    pictures.extend(cost::error_over_cost(sweep, columns));
    if columns.status.iter().any(|status| *status != RunStatus::Done) {
        pictures.extend(maps::of_failures(sweep, columns, &axes, borders));
    }
    pictures
}

fn varies(values: &[f64]) -> bool {
    let mut finite = values.iter().filter(|value| value.is_finite());
    finite.next().is_some_and(|first| finite.any(|value| value != first))
}

/// A name as a part of a file name.
fn file_part(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect()
}
