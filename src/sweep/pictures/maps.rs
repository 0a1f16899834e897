//! Maps over two keys: a figure of merit, or how many runs failed.

use super::{
    super::{Border, Columns, RunStatus},
    FEWEST, MOST_PANELS, SweepPicture, file_part,
    spread::{Places, Spread},
};
use crate::{
    metrics::unit_of_metric,
    plot::{Axis, Colour, Figure, Point, Style, heat_map},
};

/// Borders are drawn in black, with dashes by turns, over a broader white line: legible on every colour.
const BORDER_COLOURS: [Colour; 2] = [(0, 0, 0), (213, 94, 0)];
const HALO: Style = Style::line((255, 255, 255)).with_width(3.4);

/// The map of a metric; `None` where no two keys have the values for it.
pub(super) fn of_metric(
    sweep: &str,
    columns: &Columns,
    axes: &[Spread<'_>],
    metric: &str,
    values: &[f64],
    borders: &[Border],
) -> Option<SweepPicture> {
    let (x, y) = two(axes)?;
    let mut is_shared = false;
    let maps = maps_of(
        columns,
        x,
        y,
        |row| values[row],
        |places| {
            is_shared |= places.are_shared();
            places.medians()
        },
    );
    let figure = drawn(
        columns,
        (x, y),
        &maps,
        Axis::new(metric, unit_of_metric(metric)),
        borders,
        &format!("{sweep}: {metric}"),
    );
    let figure = if is_shared { figure.remark("median of the runs of a cell") } else { figure };
    let is_blank = maps.iter().any(|(_, values)| values.iter().any(|value| !value.is_finite()));
    let figure = if is_blank { figure.remark("blank where no run has a value") } else { figure };
    let (a, b) = (&x.key.name, &y.key.name);
    let title = format!("{metric} over {a} and {b}, a map per stepper.");
    Some(SweepPicture { name: format!("map-{}", file_part(metric)), title, figure })
}

/// The map of failed and refused runs.
pub(super) fn of_failures(
    sweep: &str,
    columns: &Columns,
    axes: &[Spread<'_>],
    borders: &[Border],
) -> Option<SweepPicture> {
    let (x, y) = two(axes)?;
    let failed = |row: usize| if columns.status[row] == RunStatus::Done { 0.0 } else { 1.0 };
    let maps = maps_of(columns, x, y, failed, Places::means);
    let quantity = Axis::new("share of runs that failed or were refused", "");
    let figure = drawn(columns, (x, y), &maps, quantity, borders, &format!("{sweep}: failures"));
    let (a, b) = (&x.key.name, &y.key.name);
    let title = format!("Share of runs that failed or were refused over {a} and {b}, a map per stepper.");
    Some(SweepPicture { name: "failures".to_owned(), title, figure })
}

fn two<'a, 'b>(axes: &'b [Spread<'a>]) -> Option<(&'b Spread<'a>, &'b Spread<'a>)> {
    let mut wide = axes.iter().filter(|axis| axis.ladder.values.len() >= FEWEST);
    Some((wide.next()?, wide.next()?))
}

/// A map per stepper.
fn maps_of(
    columns: &Columns,
    x: &Spread<'_>,
    y: &Spread<'_>,
    value: impl Fn(usize) -> f64,
    mut summed_up: impl FnMut(Places) -> Vec<f64>,
) -> Vec<(String, Vec<f64>)> {
    let width = x.ladder.values.len();
    let mut maps = vec![Places::new(width * y.ladder.values.len()); columns.steppers.len()];
    for row in 0..columns.len() {
        if let (Some(column), Some(line), Some(map)) =
            (x.cell(row), y.cell(row), maps.get_mut(usize::from(columns.stepper[row])))
        {
            map.add(line * width + column, value(row));
        }
    }
    columns.steppers.iter().cloned().zip(maps.into_iter().map(&mut summed_up)).take(MOST_PANELS).collect()
}

fn drawn(
    columns: &Columns,
    (x, y): (&Spread<'_>, &Spread<'_>),
    maps: &[(String, Vec<f64>)],
    quantity: Axis,
    borders: &[Border],
    title: &str,
) -> Figure {
    let mut figure = Figure::new(title);
    figure.panels = heat_map(x.labelled(), y.labelled(), maps, quantity);
    if maps.len() < columns.steppers.len() {
        figure = figure.remark(&format!("the first {MOST_PANELS} of {} steppers", columns.steppers.len()));
    }
    for (place, border) in borders.iter().enumerate() {
        let Some(points) = oriented(border, &x.key.name, &y.key.name) else { continue };
        let line = Style::line(BORDER_COLOURS[place % BORDER_COLOURS.len()]).with_width(1.6);
        let line = if place >= BORDER_COLOURS.len() { line.with_dash(&[5.0, 2.5]) } else { line };
        for panel in figure.panels.iter_mut().take(maps.len()) {
            *panel = std::mem::replace(panel, crate::plot::Panel::new(Axis::time(), Axis::time()))
                .curve("", points.clone(), HALO)
                .curve(border.label.clone(), points.clone(), line);
        }
    }
    figure
}

/// The points of a border in the plane of two keys; `None` if it belongs to others.
fn oriented(border: &Border, x: &str, y: &str) -> Option<Vec<Point>> {
    let [first, second] = [border.keys[0].as_str(), border.keys[1].as_str()];
    match () {
        () if (first, second) == (x, y) => Some(border.points.clone()),
        () if (first, second) == (y, x) => Some(border.points.iter().map(|[a, b]| [*b, *a]).collect()),
        () => None,
    }
}
