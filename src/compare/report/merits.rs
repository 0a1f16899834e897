use super::super::table::ending;
use crate::{
    compare::{Comparison, Entry, quantity::significant},
    metrics::{Format, Listed, Listing},
    report::Page,
};

/// The place of the deviation from the mean of the models, which not all models are a part of.
const DEVIATION: u16 = 50;

/// The table of merits with a column per stepper: a dozen of them still fit on the page.
pub(super) fn merits<const D: usize>(page: &mut Page, comparison: &Comparison<D>) {
    let entries = &comparison.entries;
    let columns: Vec<Vec<Listed>> =
        entries.iter().map(|entry| comparison.listed(entry, Listing::Report)).collect();
    let labels = columns.first().into_iter().flatten().map(|figure| figure.label.clone());
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (place, label) in labels.enumerate() {
        let cells = entries.iter().zip(&columns).map(|(entry, column)| {
            column.get(place).map_or_else(String::new, |figure| cell(comparison, entry, figure))
        });
        rows.push(std::iter::once(label).chain(cells).collect());
    }
    let endings = entries.iter().map(|entry| ending(entry.trajectory.ending).to_owned());
    rows.insert(0, std::iter::once("run".to_owned()).chain(endings).collect());
    let header = std::iter::once(String::new());
    let header: Vec<String> =
        header.chain(entries.iter().map(|entry| entry.trajectory.stepper.to_string())).collect();
    let caption = match comparison.truth {
        Some(_) => "Figures of merit. Errors are measured against the exact motion.",
        None => "Figures of merit. No exact motion is known to measure errors against.",
    };
    page.table(caption, &header, rows.into_iter());
}

/// A figure of an entry in words.
fn cell<const D: usize>(comparison: &Comparison<D>, entry: &Entry<D>, figure: &Listed) -> String {
    // What ended in a failed step has no end to tell of, nor what is measured up to one.
    if !entry.is_measured() {
        return "–".to_owned();
    }
    if figure.is_error && comparison.is_reference(entry) {
        return "reference".to_owned();
    }
    let Some(value) = figure.value else { return "–".to_owned() };
    let shown = match figure.format {
        Format::Significant => significant(value),
        Format::Micrometres => micrometres(value),
        Format::Decimals => format!("{value:.4}"),
        Format::Percent | Format::Hundredfold => significant(100.0 * value),
        Format::Whole => format!("{value}"),
    };
    let is_left_out = entry.merit.deviation.is_some_and(|deviation| !deviation.counts);
    if figure.rank == DEVIATION && is_left_out { format!("{shown} (no part of it)") } else { shown }
}

/// A length in m to the micrometre, without a minus sign before zero.
fn micrometres(value: f64) -> String {
    format!("{:.6}", (value * 1e6).round() / 1e6 + 0.0)
}
