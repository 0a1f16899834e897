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
        let widths: Vec<f64> = labels.iter().map(|label| SAMPLE_WIDTH + SAMPLE_GAP + label.width()).collect();
        let places = places(&widths, room);
        let ends = places.iter().zip(&widths).map(|((_, start), width)| start + width);
        let whole = ends.fold(0.0, f64::max);
        let left = 0.5 * (self.width - whole);
        for ((entry, label), (row, start)) in entries.iter().zip(labels).zip(&places) {
            let middle = top + ROW_HEIGHT * (*row as f64 + 0.5);
            self.set_entry(entry, label, [left + start, middle]);
        }
        let rows = places.last().map_or(0, |(row, _)| row + 1);
        let bottom = top + ROW_HEIGHT * rows as f64;
        self.legend = Some(Rect { left, right: left + whole, top, bottom });
        bottom + GAP_BELOW
    }

    /// An entry that starts at a point, at its middle height.
    fn set_entry(&mut self, entry: &LegendEntry<'_>, label: Text, [x, middle]: Point) {
        let sample = Rect { left: x, right: x + SAMPLE_WIDTH, top: middle - 4.0, bottom: middle + 4.0 };
        self.samples.push((sample, entry.sample));
        self.texts.push(label.at([x + SAMPLE_WIDTH + SAMPLE_GAP, middle + HALF_DIGIT * NOTE_SIZE]));
    }
}

/// Row and start of every entry, by their widths: one row where all of them fit, else columns of one width, of which a wide
/// entry takes several, so that it pushes none to the far edge. Of the widths of columns that lead to the fewest rows the
/// widest is taken, by which the fewest entries take several.
fn places(widths: &[f64], room: f64) -> Vec<(usize, f64)> {
    let whole = widths.iter().sum::<f64>() + COLUMN_GAP * (widths.len() as f64 - 1.0);
    if whole <= room {
        let mut start = 0.0;
        return (widths.iter())
            .map(|width| {
                let place = (0, start);
                start += width + COLUMN_GAP;
                place
            })
            .collect();
    }
    let mut columns = widths.to_vec();
    columns.sort_by(|a, b| b.total_cmp(a));
    let rows = |places: &Vec<(usize, f64)>| places.last().map_or(0, |(row, _)| *row);
    let candidates = columns.into_iter().map(|column| in_columns(widths, column, room));
    candidates.min_by_key(rows).unwrap_or_default()
}

/// Row and start of every entry in columns of this width.
fn in_columns(widths: &[f64], column: f64, room: f64) -> Vec<(usize, f64)> {
    let stride = column + COLUMN_GAP;
    // A little tolerance, so that what has just the width of columns takes no more of them.
    let count = (((room + COLUMN_GAP) / stride + 1e-9) as usize).max(1);
    let (mut row, mut next) = (0, 0);
    let place = |width: &f64| {
        let taken = (((width + COLUMN_GAP) / stride - 1e-9).ceil() as usize).clamp(1, count);
        if next > 0 && next + taken > count {
            (row, next) = (row + 1, 0);
        }
        let start = next as f64 * stride;
        next += taken;
        (row, start)
    };
    widths.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn what_fits_stands_in_one_row_close_together() {
        assert_eq!(places(&[50.0, 80.0, 60.0], 300.0), [(0, 0.0), (0, 63.0), (0, 156.0)]);
    }

    #[test]
    fn a_wide_entry_takes_several_columns_and_widens_none() {
        let widths = [60.0, 70.0, 60.0, 70.0, 65.0, 200.0, 60.0];
        let places = places(&widths, 386.0);
        let stride = 70.0 + 13.0;
        let expected = [0, 1, 2, 3].map(|column| (0, f64::from(column) * stride));
        assert_eq!(places[..4], expected);
        assert_eq!(places[4..], [(1, 0.0), (1, stride), (2, 0.0)]);
        for ((_, start), width) in places.iter().zip(&widths) {
            assert!(start + width <= 386.0);
        }
    }

    #[test]
    fn an_entry_as_wide_as_the_picture_has_a_row_of_its_own() {
        assert_eq!(places(&[380.0, 60.0, 380.0], 386.0), [(0, 0.0), (1, 0.0), (2, 0.0)]);
    }
}
