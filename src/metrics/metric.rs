//! A figure of merit as data: a row of a table that files, printed tables, sweeps and pictures read.

use super::observer::Make;
use crate::model::{Vector, axis_names};

/// A figure of merit of an `S` ([`Metrics`](super::Metrics) of a run, those of a body, what a comparison adds).
///
/// A row of one of the tables ([`Measured::TABLE`]) is all that a new figure takes, and an [`Observer`](super::Observer) where it is none
/// of what is there.
pub struct Metric<S: 'static, const D: usize> {
    /// Its name in `summary.json`, as a column of a sweep, and in `metrics.csv` where it is listed there.
    pub key: &'static str,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// What it says, in words for those who meet it in a file.
    pub meaning: &'static str,
    /// Where `summary.json` has it.
    pub recorded: When,
    /// What it is.
    pub(crate) value: Value<S, D>,
    /// Where else it is shown.
    pub(crate) shown: &'static [Shown],
}

/// What a figure is.
pub(crate) enum Value<S: 'static, const D: usize> {
    /// A number.
    One(fn(&S) -> Option<f64>),
    /// A number along each axis; `_x` and so on are added to its name.
    ByAxis(fn(&S) -> Option<Vector<D>>),
    /// What is seen of the steps of a run, one after the other.
    Observed(Make<D>),
}

/// Something that figures are measured of.
pub trait Measured<const D: usize>: Sized + 'static {
    /// The figures, in the order of `summary.json`.
    const TABLE: &'static [Metric<Self, D>];

    /// The figure of that name that an [`Observer`](super::Observer) saw.
    fn observed(&self, _key: &str) -> Option<f64> {
        None
    }
}

/// Where a figure has a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Everywhere.
    Always,
    /// Of a single point.
    OfPoint,
    /// Of everything but a single point.
    OfBodies,
    /// Of everything but a single point, where the exact motion is known.
    OfBodiesWithTruth,
    /// Of everything but a single point, where the exact motion is not known.
    OfBodiesWithoutTruth,
    /// Where it has a value.
    WhereKnown,
    /// Where something may rebound, and it is more than 0.
    OfRebounds,
    /// Where the end of each body is not told beside.
    UnlessByBody,
    /// Nowhere.
    Never,
}

impl When {
    /// Whether a figure with this `value` has a place under these circumstances.
    pub(crate) fn holds(self, circumstances: Circumstances, value: Option<f64>) -> bool {
        let Circumstances { is_point, has_truth, rebounds, ends_by_body, .. } = circumstances;
        match self {
            Self::Always => true,
            Self::OfPoint => is_point,
            Self::OfBodies => !is_point,
            Self::OfBodiesWithTruth => !is_point && has_truth,
            Self::OfBodiesWithoutTruth => !is_point && !has_truth,
            Self::WhereKnown => value.is_some(),
            Self::OfRebounds => rebounds && value.is_some_and(|value| value > 0.0),
            Self::UnlessByBody => !ends_by_body,
            Self::Never => false,
        }
    }
}

/// What lists figures, beside `summary.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// What `stickslip run` prints.
    Run,
    /// The file `metrics.csv` of a comparison.
    Csv,
    /// What `stickslip compare` prints.
    Comparison,
    /// The report of a comparison.
    Report,
}

/// How a figure is shown in a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    pub listing: Listing,
    /// Its place: figures are listed by it.
    pub rank: u16,
    /// What it is called there; `{axis}` stands for the axis, `{place}` for the place that is told of the end.
    pub label: &'static str,
    pub when: When,
    pub format: Format,
    /// What stands behind the number in the place of the unit, and where it does.
    pub note: Option<(When, &'static str)>,
    /// Whether it is an error, which the exact motion has none of.
    pub is_error: bool,
}

/// A figure in a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its place: figures are listed by it.
    pub rank: u16,
    /// What it is called.
    pub label: String,
    /// What stands behind the number: its unit, or a word on what it is.
    pub unit: &'static str,
    /// The figure, where it is known.
    pub value: Option<f64>,
    /// How it is written.
    pub format: Format,
    /// Whether it is an error, which the exact motion has none of.
    pub is_error: bool,
}

/// What decides which figures a listing has, and what it calls them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circumstances {
    /// Whether there is nothing but a single point.
    pub is_point: bool,
    /// Whether the exact motion is known.
    pub has_truth: bool,
    /// Whether something may rebound.
    pub rebounds: bool,
    /// Whether the end of each body is told beside.
    pub ends_by_body: bool,
    /// The place that is told of the end.
    pub place: &'static str,
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// With four significant digits.
    Significant,
    /// A length to the micrometre.
    Micrometres,
    /// A time with four decimals.
    Decimals,
    /// A relative error in percent, with its sign.
    Percent,
    /// A relative error as a number of percents.
    Hundredfold,
    /// A whole number.
    Whole,
}

impl Shown {
    /// Shown wherever it has a place, with four significant digits.
    pub const fn new(listing: Listing, rank: u16, label: &'static str) -> Self {
        Self {
            listing,
            rank,
            label,
            when: When::Always,
            format: Format::Significant,
            note: None,
            is_error: false,
        }
    }

    /// Only there.
    pub const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// Written like this.
    pub const fn format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// With this behind the number in the place of the unit.
    pub const fn note(self, note: &'static str) -> Self {
        self.note_when(When::Always, note)
    }

    /// The same there alone.
    pub const fn note_when(self, when: When, note: &'static str) -> Self {
        Self { note: Some((when, note)), ..self }
    }

    /// As an error, which the exact motion has none of.
    pub const fn error(self) -> Self {
        Self { is_error: true, ..self }
    }
}

impl<S: Measured<D>, const D: usize> Metric<S, D> {
    /// The figure, or those along each axis, each with its name.
    pub fn figures(&self, of: &S) -> Vec<(String, Option<f64>)> {
        let named = |(axis, value)| match axis {
            Some(axis) => (format!("{}_{axis}", self.key), value),
            None => (self.key.to_owned(), value),
        };
        self.values(of).into_iter().map(named).collect()
    }

    /// The figure, or those along each axis, each with its axis.
    fn values(&self, of: &S) -> Vec<(Option<&'static str>, Option<f64>)> {
        match self.value {
            Value::One(value) => vec![(None, value(of))],
            Value::Observed(_) => vec![(None, of.observed(self.key))],
            Value::ByAxis(value) => {
                let values = value(of);
                let axes = axis_names::<D>().iter().enumerate();
                axes.map(|(i, axis)| (Some(*axis), values.map(|values| values[i]))).collect()
            }
        }
    }

    /// The figure, or those along each axis, as a listing has it.
    fn listed(&self, of: &S, listing: Listing, circumstances: Circumstances) -> Vec<Listed> {
        let Some(shown) = self.shown.iter().find(|shown| shown.listing == listing) else { return Vec::new() };
        let label = |axis: Option<&str>| {
            shown.label.replace("{axis}", axis.unwrap_or_default()).replace("{place}", circumstances.place)
        };
        let values = self.values(of).into_iter();
        let values = values.filter(|(_, value)| shown.when.holds(circumstances, *value));
        let note =
            |value| shown.note.filter(|(when, _)| when.holds(circumstances, value)).map(|(_, note)| note);
        values
            .map(|(axis, value)| Listed {
                rank: shown.rank,
                label: label(axis),
                unit: note(value).unwrap_or(self.unit),
                value,
                format: shown.format,
                is_error: shown.is_error,
            })
            .collect()
    }
}

/// The figures of a listing, those of the same rank in the order of the table.
pub(crate) fn listed<S: Measured<D>, const D: usize>(
    of: &S,
    listing: Listing,
    circumstances: Circumstances,
) -> Vec<Listed> {
    let mut all: Vec<Listed> =
        S::TABLE.iter().flat_map(|metric| metric.listed(of, listing, circumstances)).collect();
    all.sort_by_key(|listed| listed.rank);
    all
}
