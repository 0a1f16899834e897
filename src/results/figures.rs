//! Figures of merit: under which names files and tables have them.

use super::{Column, ResultFile, column};
use crate::{
    compare::Merit,
    metrics::{BodyMetrics, Listing, Measured, Metric, Metrics},
    model::axis_names,
};

/// A figure of merit.
pub(super) struct Figure {
    pub key: &'static str,
    pub unit: &'static str,
    pub meaning: &'static str,
    /// Whose it is.
    pub place: &'static str,
    /// What tables call it, without units, and which listing does.
    labels: Vec<(Listing, String)>,
}

/// All figures of merit.
pub(super) fn figures() -> impl Iterator<Item = Figure> {
    of::<Metrics<3>>("the run")
        .chain(of::<BodyMetrics<3>>("each body"))
        .chain(of::<Merit<3>>("a stepper in a comparison"))
}

fn of<S: Measured<3>>(place: &'static str) -> impl Iterator<Item = Figure> {
    S::TABLE.iter().map(move |metric: &Metric<S, 3>| {
        let labels = metric.shown.iter().map(|shown| {
            let label = shown.label.split(" [").next().unwrap_or_default();
            (shown.listing, label.replace("{place}", "final"))
        });
        let Metric { key, unit, meaning, .. } = *metric;
        Figure { key, unit, meaning, place, labels: labels.collect() }
    })
}

impl Figure {
    /// Whether files have it under that name.
    pub fn is(&self, name: &str) -> bool {
        self.key == name || axes(&format!("{}_{{axis}}", self.key)).any(|along| along == name)
    }

    /// Whether a table that is printed has it under that name.
    pub fn is_called(&self, name: &str) -> bool {
        self.printed().any(|label| axes(label).any(|label| label == name))
    }

    /// What printed tables call it; `{axis}` stands for the axis.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        let printed = self.labels.iter().filter(|(listing, _)| *listing != Listing::Csv);
        printed.map(|(_, label)| label.as_str())
    }
}

/// A label for every axis, or the label where it has none.
fn axes(label: &str) -> impl Iterator<Item = String> {
    let names: &[&str] = if label.contains("{axis}") { axis_names::<3>() } else { &[""] };
    names.iter().map(move |axis| label.replace("{axis}", axis))
}

/// The table of a comparison, whose columns are the figures that it lists.
pub(super) fn metrics_table() -> ResultFile {
    let mut columns = vec![
        column(&["stepper"], "", "name of the stepper"),
        column(&["ending"], "", "complete, interrupted or failed"),
        column(&["steps"], "", "number of steps"),
        column(&["rescued", "failed"], "", "how many of them a later attempt solved, and how many none"),
        column(&["deviating_body"], "", "of bodies, the one that gets farthest from the mean of the models"),
    ];
    for figure in figures() {
        let labels = figure.labels.iter().filter(|(listing, _)| *listing == Listing::Csv);
        columns.extend(labels.map(|(_, label)| Column {
            names: axes(label).collect(),
            unit: figure.unit,
            meaning: figure.meaning,
        }));
    }
    ResultFile::table("metrics.csv", "compare", "a stepper", columns)
}
