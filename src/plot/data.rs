use std::io::{self, Write};

use super::{figure::Figure, geometry::Point, markup};
use crate::decimal::cell;

impl Figure {
    /// Writes what the picture shows as CSV: a row per point.
    ///
    /// Columns: the number of the `panel` from the top, what runs `across` and `up` there with its unit, the
    /// `kind` of thing (curve, outline, bar, spike, force, cell), its `label` (that of the legend, else empty), its
    /// number `item` within the panel and kind, `x` and `y`, and of the cells of a map the `value` that their colour
    /// stands for. A gap in a curve is a row without numbers; a force has two rows, where it acts and where it would end
    /// if a unit of the axes were a newton.
    ///
    /// # Errors
    /// Whatever `out` answers.
    pub fn write_csv(&self, out: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["panel", "across", "up", "kind", "label", "item", "x", "y", "value"])?;
        for (index, panel) in self.panels.iter().enumerate() {
            let x_axis =
                if self.shared_x { self.panels.last().map_or(&panel.x, |last| &last.x) } else { &panel.x };
            let heading = |axis: &super::Axis| {
                let label = markup::plain(&axis.label);
                if axis.unit.is_empty() { label } else { format!("{label} ({})", axis.unit) }
            };
            let (across, up) = (heading(x_axis), heading(&panel.y));
            let number = |value: f64| cell(Some(value).filter(|value| value.is_finite()));
            let panel_number = (index + 1).to_string();
            for (item, [x, y, value]) in panel.cells.iter().filter_map(|cell| cell.datum).enumerate() {
                let (item, [x, y, value]) = (item.to_string(), [x, y, value].map(number));
                csv.write_record([&panel_number, &across, &up, "cell", "", &item, &x, &y, &value])?;
            }
            let mut write = |kind: &str, label: &str, item: usize, points: &[Point]| {
                let label = markup::plain(label);
                points.iter().try_for_each(|point| {
                    let (item, [x, y]) = (item.to_string(), point.map(number));
                    csv.write_record([&panel_number, &across, &up, kind, &label, &item, &x, &y, ""])
                })
            };
            for (item, curve) in panel.behind.iter().chain(&panel.curves).enumerate() {
                write("curve", &curve.label, item, &curve.points)?;
            }
            for (item, area) in panel.areas.iter().enumerate() {
                write("outline", &area.label, item, &area.corners)?;
            }
            for (item, bar) in panel.bars.iter().enumerate() {
                write("bar", "", item, &[[bar.value, bar.place]])?;
            }
            for (item, spike) in panel.spikes.iter().enumerate() {
                write("spike", &spike.label, item, &[[spike.x, spike.value]])?;
            }
            for (item, arrow) in panel.arrows.iter().enumerate() {
                let tip = [arrow.at[0] + arrow.force[0], arrow.at[1] + arrow.force[1]];
                write("force", &arrow.label, item, &[arrow.at, tip])?;
            }
        }
        csv.flush()
    }
}
