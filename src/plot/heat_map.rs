//! Maps: a value over two others, as coloured cells with a key of the colours.

use super::{
    axis::Axis,
    colour_map::colour_of_share,
    figure::{Cell, Panel},
    scale::{LARGEST, Scale},
};

/// Range of positive values, largest over smallest, above which their colours go by the logarithm.
const WIDE: f64 = 50.0;
/// Fields of the key of colours.
const SHADES: usize = 96;

/// The values of one coordinate of a map, and the borders between their cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// The values, rising.
    pub values: Vec<f64>,
    /// Whether equal distances are equal differences or equal ratios.
    pub scale: Scale,
}

impl Ladder {
    /// The ladder of these values in any order, each any number of times; values that are not finite
    /// are left out.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().filter(|value| value.abs() <= LARGEST).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let scale = match values.as_slice() {
            // The scale on which the largest step is less out of proportion to the smallest.
            [first, _, .., last] if *first > 0.0 && last / first >= 5.0 => {
                let uneven = |place: fn(f64) -> f64| {
                    let steps = values.windows(2).map(|pair| place(pair[1]) - place(pair[0]));
                    let (least, most) =
                        steps.fold((f64::INFINITY, 0.0_f64), |(a, b), step| (a.min(step), b.max(step)));
                    most / least
                };
                if uneven(f64::ln) < uneven(|value| value) { Scale::Log } else { Scale::Linear }
            }
            _ => Scale::Linear,
        };
        Self { values, scale }
    }

    /// The ladder of `count` equal cells from `low` to `high`, by their middles.
    pub fn even(low: f64, high: f64, count: usize, scale: Scale) -> Self {
        let at = |share: f64| match scale {
            Scale::Linear => low + share * (high - low),
            Scale::Log => low.powf(1.0 - share) * high.powf(share),
        };
        Self { values: (0..count).map(|k| at((k as f64 + 0.5) / count as f64)).collect(), scale }
    }

    /// The borders of the cells, one more than there are values.
    pub fn edges(&self) -> Vec<f64> {
        let place = |value: f64| if self.scale == Scale::Log { value.ln() } else { value };
        let value = |place: f64| if self.scale == Scale::Log { place.exp() } else { place };
        let places: Vec<f64> = self.values.iter().map(|value| place(*value)).collect();
        let edges = match places.as_slice() {
            [] => return Vec::new(),
            [only] => {
                let half = if self.scale == Scale::Log || *only == 0.0 { 0.5 } else { 0.5 * only.abs() };
                vec![only - half, only + half]
            }
            [first, second, ..] => {
                let (last, before) = (places[places.len() - 1], places[places.len() - 2]);
                let between = places.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
                std::iter::once(first - 0.5 * (second - first))
                    .chain(between)
                    .chain([last + 0.5 * (last - before)])
                    .collect()
            }
        };
        edges.into_iter().map(value).collect()
    }

    /// The cell that holds `value`, if one does.
    pub fn cell_of(&self, value: f64) -> Option<usize> {
        let edges = self.edges();
        let (first, last) = (edges.first()?, edges.last()?);
        // A border that was computed may be off by rounding.
        let slack = 1e-9 * (last - first);
        if !(first - slack..=last + slack).contains(&value) {
            return None;
        }
        Some(edges[1..edges.len() - 1].partition_point(|edge| *edge <= value))
    }

    fn axis(&self, label: &str, unit: &str) -> Axis {
        let edges = self.edges();
        let axis = Axis::new(label, unit);
        let axis = if self.scale == Scale::Log { axis.log() } else { axis };
        match (edges.first(), edges.last()) {
            (Some(first), Some(last)) => axis.range(*first, *last),
            _ => axis,
        }
    }
}

/// The range of colours of a map's values, and whether colours go by the logarithm.
fn range_of(values: impl Iterator<Item = f64> + Clone) -> Option<(f64, f64, Scale)> {
    let finite = values.filter(|value| value.abs() <= LARGEST);
    let low = finite.clone().reduce(f64::min)?;
    let high = finite.reduce(f64::max)?;
    if low > 0.0 && high / low > WIDE {
        return Some((low, high, Scale::Log));
    }
    if high > low {
        return Some((low, high, Scale::Linear));
    }
    let half = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
    Some((low - half, high + half, Scale::Linear))
}

/// Maps of one quantity over two others, one below the other, with one key of the colours below.
///
/// Every map is its name and its values, row by row from the lowest `y`, each row from the lowest `x`;
/// a value that is not finite leaves its cell white. `quantity` is what the colours mean.
pub fn heat_map(
    (x, x_label, x_unit): (&Ladder, &str, &str),
    (y, y_label, y_unit): (&Ladder, &str, &str),
    maps: &[(String, Vec<f64>)],
    quantity: Axis,
) -> Vec<Panel> {
    let colours = range_of(maps.iter().flat_map(|(_, values)| values.iter().copied()));
    let (x_edges, y_edges) = (x.edges(), y.edges());
    let mut panels = Vec::new();
    for (name, values) in maps {
        let y_heading = if name.is_empty() { y_label.to_owned() } else { format!("{name}: {y_label}") };
        let mut panel = Panel::new(x.axis(x_label, x_unit), y.axis(&y_heading, y_unit)).height(130.0);
        if let Some((low, high, scale)) = colours {
            let columns = x.values.len().max(1);
            panel.cells = (values.iter().enumerate())
                .filter(|(_, value)| value.abs() <= LARGEST)
                .map(|(place, &value)| {
                    let (row, column) = (place / columns, place % columns);
                    Cell {
                        x: (x_edges[column], x_edges[column + 1]),
                        y: (y_edges[row], y_edges[row + 1]),
                        colour: colour_of_share(share(value, low, high, scale)),
                        datum: Some([x.values[column], y.values[row], value]),
                    }
                })
                .collect();
        }
        panels.push(panel);
    }
    panels.extend(colours.map(|colours| key_of_colours(colours, quantity)));
    panels
}

/// A narrow panel that says which colour stands for which value of `quantity`, from the lowest to the
/// highest, by differences or by ratios.
pub fn key_of_colours((low, high, scale): (f64, f64, Scale), quantity: Axis) -> Panel {
    let quantity = if scale == Scale::Log { quantity.log() } else { quantity };
    let edge = |k: usize| {
        let share = k as f64 / SHADES as f64;
        match scale {
            Scale::Linear => low + share * (high - low),
            Scale::Log => low.powf(1.0 - share) * high.powf(share),
        }
    };
    let mut panel = Panel::new(quantity.range(low, high), Axis::new("", "").names([""])).height(11.0);
    panel.cells = (0..SHADES)
        .map(|k| Cell {
            // Each reaches a little under the next, so that no white shows between them.
            x: (edge(k), edge((k + 2).min(SHADES))),
            y: (-0.5, 0.5),
            colour: colour_of_share((k as f64 + 0.5) / SHADES as f64),
            datum: None,
        })
        .collect();
    panel
}

fn share(value: f64, low: f64, high: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Linear => (value - low) / (high - low),
        Scale::Log => (value.ln() - low.ln()) / (high.ln() - low.ln()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_a_ladder_meet_halfway_between_its_values() {
        let ladder = Ladder::new([3.0, 1.0, 2.0, 2.0, f64::NAN]);
        assert_eq!(ladder.scale, Scale::Linear);
        assert_eq!(ladder.edges(), [0.5, 1.5, 2.5, 3.5]);
        assert_eq!(
            [0.4, 0.5, 1.5, 3.5].map(|value| ladder.cell_of(value)),
            [None, Some(0), Some(1), Some(2)]
        );
    }

    #[test]
    fn values_in_constant_ratio_are_a_logarithmic_ladder() {
        let ladder = Ladder::new([1e-2, 5e-3, 2e-3, 1e-3]);
        assert_eq!(ladder.scale, Scale::Log);
        let edges = ladder.edges();
        assert!((edges[1] - (1e-3_f64 * 2e-3).sqrt()).abs() < 1e-15);
        assert_eq!(Ladder::new([0.1, 0.2, 0.3, 0.4, 0.5]).scale, Scale::Linear);
        assert_eq!(Ladder::new([0.0, 1.0, 10.0]).scale, Scale::Linear);
    }

    #[test]
    fn colours_of_values_whose_ratio_is_beyond_the_numbers_are_all_in_use() {
        let range = range_of([1e-305, 1e-150, 1e4].into_iter()).expect("a range");
        let panel = key_of_colours(range, Axis::new("c", ""));
        for (place, cell) in panel.cells.iter().enumerate() {
            let (low, high, scale) = range;
            assert!(
                (share(cell.x.0, low, high, scale) - place as f64 / SHADES as f64).abs() < 1e-9,
                "{cell:?}"
            );
        }
    }

    #[test]
    fn every_value_of_any_ladder_lies_in_its_own_cell() {
        let ladders =
            [vec![1.0], vec![0.0], vec![-2.0], vec![-1.0, 4.0], vec![1e-6, 1e-3, 1.0], vec![1.0, 1.1, 9.0]];
        for values in ladders {
            let ladder = Ladder::new(values.clone());
            for (place, value) in values.iter().enumerate() {
                assert_eq!(ladder.cell_of(*value), Some(place), "{ladder:?}");
            }
        }
    }

    #[test]
    fn a_cell_without_a_value_stays_white() {
        let (x, y) = (Ladder::new([0.0, 1.0]), Ladder::new([0.0, 1.0, 2.0]));
        let values = vec![1.0, 2.0, f64::NAN, 3.0, 4.0, 5.0];
        let panels = heat_map((&x, "a", "m"), (&y, "b", ""), &[("nlp".into(), values)], Axis::new("c", ""));
        assert_eq!(panels.len(), 2);
        assert_eq!(panels[0].cells.len(), 5);
        let middle =
            Cell { x: (0.5, 1.5), y: (0.5, 1.5), colour: colour_of_share(0.5), datum: Some([1.0, 1.0, 3.0]) };
        assert_eq!(panels[0].cells[2], middle);
        let empty =
            heat_map((&x, "a", "m"), (&y, "b", ""), &[("nlp".into(), vec![f64::NAN; 6])], Axis::new("c", ""));
        assert!(empty.len() == 1 && empty[0].cells.is_empty());
    }
}
