use super::{
    super::{
        figure::LegendEntry,
        geometry::{Point, Rect},
        text::{Text, TextRole},
        theme::NOTE_SIZE,
    },
    Layout, MARGIN,
    labels::HALF_DIGIT,
};

/// Length of a sample of a line, and between it and its label.
const SAMPLE_WIDTH: f64 = 26.0;
const SAMPLE_GAP: f64 = 5.0;
/// Between columns.
const COLUMN_GAP: f64 = 13.0;
const ROW_HEIGHT: f64 = 14.0;
/// Below the legend, or in its place.
const GAP_BELOW: f64 = 6.0;

impl Layout {
    /// The legend, in as few rows as fit; gives where it ends.
    pub(super) fn set_legend(&mut self, entries: &[LegendEntry<'_>], top: f64) -> f64 {
        if entries.is_empty() {
            return top + GAP_BELOW;
        }
        let room = self.width - 2.0 * MARGIN;
        let labels: Vec<Text> = entries
            .iter()
            .map(|entry| Text::new(entry.label, NOTE_SIZE, TextRole::Legend))
            .map(|text| text.fit_into(room - SAMPLE_WIDTH - SAMPLE_GAP))
            .collect();
        let most = entries.len();
        let columns = (1..=most).map(|rows| column_widths(&labels, most.div_ceil(rows)));
        let widths = columns.into_iter().find(|widths| total(widths) <= room);
        // One column always fits, since labels are cut to the room there is.
        let widths = widths.unwrap_or_else(|| column_widths(&labels, 1));
        let left = 0.5 * (self.width - total(&widths));
        let starts: Vec<f64> = (0..widths.len())
            .map(|column| left + widths[..column].iter().map(|width| width + COLUMN_GAP).sum::<f64>())
            .collect();
        let rows = most.div_ceil(widths.len());
        for (index, (entry, label)) in entries.iter().zip(labels).enumerate() {
            let (row, column) = (index / widths.len(), index % widths.len());
            let middle = top + ROW_HEIGHT * (row as f64 + 0.5);
            self.set_entry(entry, label, [starts[column], middle]);
        }
        let bottom = top + ROW_HEIGHT * rows as f64;
        self.legend = Some(Rect { left, right: left + total(&widths), top, bottom });
        bottom + GAP_BELOW
    }

    /// An entry that starts at a point, at its middle height.
    fn set_entry(&mut self, entry: &LegendEntry<'_>, label: Text, [x, middle]: Point) {
        let sample = Rect { left: x, right: x + SAMPLE_WIDTH, top: middle - 4.0, bottom: middle + 4.0 };
        self.samples.push((sample, entry.sample));
        self.texts.push(label.at([x + SAMPLE_WIDTH + SAMPLE_GAP, middle + HALF_DIGIT * NOTE_SIZE]));
    }
}

/// Widths of the columns when the labels are set row by row.
fn column_widths(labels: &[Text], columns: usize) -> Vec<f64> {
    let widest =
        |column: usize| labels.iter().skip(column).step_by(columns).map(Text::width).fold(0.0, f64::max);
    (0..columns).map(|column| SAMPLE_WIDTH + SAMPLE_GAP + widest(column)).collect()
}

fn total(widths: &[f64]) -> f64 {
    widths.iter().sum::<f64>() + COLUMN_GAP * (widths.len() as f64 - 1.0)
}
